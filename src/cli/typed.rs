//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use toposcope_types::{Listen, PermissionLevel};

use crate::config::{DatabaseArgs, LISTEN, ServeArgs};

/// A GraphQL gateway with REST-compatible endpoints for network topology.
#[derive(Debug, Parser)]
#[command(
    name = "toposcope",
    version,
    arg_required_else_help = true,
    after_help = "`toposcope serve --help` lists everything that can be configured."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) database: DatabaseArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Answer requests. Migrates the database first; several may start at once.
    Serve(ServeArgs),
    /// Serve a sample campus from a database file of its own, with a login and a key to try.
    Demo(DemoArgs),
    /// Read an inventory document into a network.
    Import(ImportArgs),
    /// Write a network as an inventory document.
    Export(ExportArgs),
    /// Make users and change their passwords.
    #[command(subcommand)]
    User(UserCommand),
    /// Make API keys.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Bring the database up to date and end.
    Migrate,
    /// Copy the SQLite database into a new file, while servers and commands go on using it.
    Backup(BackupArgs),
    /// Print the GraphQL schema.
    Schema,
    /// Print the description of the REST side (OpenAPI 3.1).
    Openapi,
}

#[derive(Args, Debug)]
pub(super) struct DemoArgs {
    #[command(flatten)]
    pub(super) serve: ServeArgs,
    /// Where the demo keeps its database.
    #[arg(long, default_value = "toposcope-demo.db")]
    pub(super) file: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct ImportArgs {
    /// The document; `-` reads standard input.
    #[arg(required_unless_present = "sample")]
    pub(super) file: Option<PathBuf>,
    /// Read the sample campus that comes with this command instead of a file.
    #[arg(long, conflicts_with = "file")]
    pub(super) sample: bool,
    /// The organization, by id or name; it may be left out when there is only one.
    #[arg(long)]
    pub(super) organization: Option<String>,
    /// The network to write into, by id or name; by default the one with the document's name, or a
    /// new one.
    #[arg(long)]
    pub(super) network: Option<String>,
    /// Also remove the devices of the network that the document does not have, with all that is on
    /// them. Without this they stay.
    #[arg(long)]
    pub(super) prune: bool,
    /// Say what would change and change nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Where the server listens: for the address of the network's page, which is printed.
    #[arg(long, env = "TOPOSCOPE_LISTEN", value_name = "HOST:PORT", default_value = LISTEN)]
    pub(super) listen: Listen,
}

#[derive(Args, Debug)]
pub(super) struct ExportArgs {
    /// The network, by id or name.
    #[arg(long)]
    pub(super) network: String,
    /// Where to write; standard output by default.
    #[arg(long)]
    pub(super) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct BackupArgs {
    /// The file to make. To restore, stop the servers and put it in the place of the database.
    pub(super) file: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Make a user. The first one of all makes the organization and a network, too.
    Create {
        /// The e-mail address, which is the login.
        #[arg(long)]
        email: String,
        /// The organization, by id or name; it may be left out when there is only one. In a database
        /// that has none yet it is made, called `My organization` where nothing is said.
        #[arg(long)]
        organization: Option<String>,
        /// Make the organization, which must have a name of its own, beside those that there are.
        #[arg(long, requires = "organization")]
        new_organization: bool,
        /// A network: of a new organization the name of its first, `My network` where nothing is
        /// said; of another, by id or name, one that a Member or Viewer is to reach.
        #[arg(long)]
        network: Option<String>,
        /// What the user may do.
        #[arg(long, value_enum, ignore_case = true, default_value = "owner")]
        permissions: Level,
        /// Read the password from standard input instead of asking for it.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Let a Member or Viewer reach a network; Owners and Admins reach all.
    Grant {
        /// The e-mail address of the user.
        #[arg(long)]
        email: String,
        /// The network, by id or name.
        #[arg(long)]
        network: String,
    },
    /// Change a password; every session of the user ends.
    Password {
        /// The e-mail address of the user.
        #[arg(long)]
        email: String,
        /// Read the password from standard input instead of asking for it.
        #[arg(long)]
        password_stdin: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Make an API key and print its secret, which is shown only now.
    Create {
        /// The e-mail address of the user that the key acts for.
        #[arg(long)]
        email: String,
        /// The name of the key.
        #[arg(long)]
        name: String,
        /// The most that the key may do.
        #[arg(long, value_enum, ignore_case = true, default_value = "viewer")]
        permissions: Level,
        /// A network that the key reaches, by id or name; may be repeated. By default those that the
        /// user reaches now.
        #[arg(long)]
        network: Vec<String>,
        /// Let the key reach every network that the user reaches, also those that are yet to come.
        #[arg(long, conflicts_with = "network")]
        all_networks: bool,
    },
}

/// A level as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Level {
    Viewer,
    Member,
    Admin,
    Owner,
}

impl From<Level> for PermissionLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Viewer => Self::Viewer,
            Level::Member => Self::Member,
            Level::Admin => Self::Admin,
            Level::Owner => Self::Owner,
        }
    }
}
