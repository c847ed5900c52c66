//! The commands and their arguments.

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
    /// Serve requests. Migrates the database first; several servers may start at once.
    Serve(ServeArgs),
    /// Serve a sample campus from its own database file, with a login and a key to try.
    Demo(DemoArgs),
    /// Import an inventory document into a network.
    Import(ImportArgs),
    /// Export a network as an inventory document.
    Export(ExportArgs),
    /// Create users and change their passwords.
    #[command(subcommand)]
    User(UserCommand),
    /// Create API keys.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Bring the database up to date and exit.
    Migrate,
    /// Copy the SQLite database into a new file, while servers and commands keep using it.
    Backup(BackupArgs),
    /// Print the GraphQL schema.
    Schema,
    /// Print the description of the REST API (OpenAPI 3.1).
    Openapi,
}

#[derive(Args, Debug)]
pub(super) struct DemoArgs {
    #[command(flatten)]
    pub(super) serve: ServeArgs,
    /// The file in which the demo keeps its database.
    #[arg(long, default_value = "toposcope-demo.db")]
    pub(super) file: PathBuf,
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct ImportArgs {
    /// The document; `-` reads standard input.
    #[arg(required_unless_present = "sample")]
    pub(super) file: Option<PathBuf>,
    /// Import the sample campus that comes with this command instead of a file.
    #[arg(long, conflicts_with = "file")]
    pub(super) sample: bool,
    /// The organization, by id or name; optional if there is only one.
    #[arg(long)]
    pub(super) organization: Option<String>,
    /// The network to write into, by id or name; by default the one with the document's name, or a
    /// new one.
    #[arg(long)]
    pub(super) network: Option<String>,
    /// Also remove the network's devices that are missing from the document, with everything on
    /// them. By default they stay.
    #[arg(long)]
    pub(super) prune: bool,
    /// Leave out what is invalid, and what refers to it, list both and import the rest. By default
    /// one invalid element keeps the whole document from being imported.
    #[arg(long)]
    pub(super) skip_invalid: bool,
    /// Report what would change, without changing anything.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// The address that the server listens on, for the printed address of the network's page.
    #[arg(long, env = "TOPOSCOPE_LISTEN", value_name = "HOST:PORT", default_value = LISTEN)]
    pub(super) listen: Listen,
}

#[derive(Args, Debug)]
pub(super) struct ExportArgs {
    /// The network, by id or name.
    #[arg(long)]
    pub(super) network: String,
    /// The file to write; standard output by default.
    #[arg(long)]
    pub(super) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct BackupArgs {
    /// The file to create. To restore, stop the servers and replace the database with this file.
    pub(super) file: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Create a user. The very first user also gets a new organization and a network.
    Create {
        /// The e-mail address, which is the login.
        #[arg(long)]
        email: String,
        /// The organization, by id or name; optional if there is only one. In a database without
        /// any, the command creates it, by default with the name `My organization`.
        #[arg(long)]
        organization: Option<String>,
        /// Create the organization in addition to the existing ones; it must have a name of its
        /// own.
        #[arg(long, requires = "organization")]
        new_organization: bool,
        /// A network: for a new organization, the name of its first network, by default
        /// `My network`; for an existing one, the id or name of a network to grant to the Member
        /// or Viewer.
        #[arg(long)]
        network: Option<String>,
        /// The permission level of the user.
        #[arg(long, value_enum, ignore_case = true, default_value = "owner")]
        permissions: Level,
        /// Read the password from standard input instead of prompting for it.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Grant a Member or Viewer access to a network; Owners and Admins reach all networks.
    Grant {
        /// The e-mail address of the user.
        #[arg(long)]
        email: String,
        /// The network, by id or name.
        #[arg(long)]
        network: String,
    },
    /// Change a password; this ends all sessions of the user.
    Password {
        /// The e-mail address of the user.
        #[arg(long)]
        email: String,
        /// Read the password from standard input instead of prompting for it.
        #[arg(long)]
        password_stdin: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Create an API key and print its secret, which is shown only now.
    Create {
        /// The e-mail address of the user that the key acts for.
        #[arg(long)]
        email: String,
        /// The name of the key.
        #[arg(long)]
        name: String,
        /// The maximum permission level of the key.
        #[arg(long, value_enum, ignore_case = true, default_value = "viewer")]
        permissions: Level,
        /// A network that the key reaches, by id or name; may be repeated. By default the networks
        /// that the user reaches now.
        #[arg(long)]
        network: Vec<String>,
        /// Let the key reach every network that the user reaches, including future ones.
        #[arg(long, conflicts_with = "network")]
        all_networks: bool,
    },
}

/// A permission level on the command line.
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
