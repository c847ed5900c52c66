//! What was typed, and what it does.

use std::{
    io::{IsTerminal as _, Read as _, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use secrecy::ExposeSecret as _;
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use crate::{
    api_keys::{self, CreateApiKeyInput},
    app::App,
    config::{DatabaseArgs, ServeArgs, Settings},
    db::{self, Db},
    demo, inventory, networks, organizations, router, schema, server,
    services::Definitions,
    types::{Id, PermissionLevel},
    users,
};

/// A GraphQL gateway with REST-compatible endpoints for network topology.
#[derive(Debug, Parser)]
#[command(
    name = "toposcope",
    version,
    arg_required_else_help = true,
    after_help = "`toposcope serve --help` lists everything that can be configured."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
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
struct DemoArgs {
    #[command(flatten)]
    serve: ServeArgs,
    /// Where the demo keeps its database.
    #[arg(long, default_value = "toposcope-demo.db")]
    file: PathBuf,
}

#[derive(Args, Debug)]
struct ImportArgs {
    /// The document; `-` reads standard input.
    file: PathBuf,
    /// The organization, by id or name; it may be left out when there is only one.
    #[arg(long)]
    organization: Option<String>,
    /// The network to write into, by id; by default the one with the document's name, or a new one.
    #[arg(long)]
    network: Option<Id>,
    /// Say what would change and change nothing.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Args, Debug)]
struct ExportArgs {
    /// The network, by id or name.
    #[arg(long)]
    network: String,
    /// Where to write; standard output by default.
    #[arg(long)]
    output: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct BackupArgs {
    /// The file to make. To restore, stop the servers and put it in the place of the database.
    file: PathBuf,
}

#[derive(Debug, Subcommand)]
enum UserCommand {
    /// Make a user. The first one makes the organization and a network, too.
    Create {
        /// The e-mail address, which is the login.
        #[arg(long)]
        email: String,
        /// The organization, by id or name; one that does not exist is made.
        #[arg(long, default_value = "My organization")]
        organization: String,
        /// A network to make in a new organization.
        #[arg(long, default_value = "My network")]
        network: String,
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
enum KeyCommand {
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
        /// A network that the key reaches, by id; may be repeated. By default those that the user
        /// reaches now.
        #[arg(long)]
        network: Vec<Id>,
        /// Let the key reach every network that the user reaches, also those that are yet to come.
        #[arg(long, conflicts_with = "network")]
        all_networks: bool,
    },
}

/// A level as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Level {
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

/// Does what was typed; whatever goes wrong is one line on standard error.
pub async fn run() -> ExitCode {
    let cli = Cli::parse();
    match execute(cli).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("toposcope: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn execute(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Schema => return print(&schema::sdl()),
        Command::Openapi => return print(&router::document()),
        _ => {}
    }
    keep_from_being_ended_by_large_files()?;
    let filter = log_filter(&cli.database.log)?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    match cli.command {
        Command::Serve(args) => {
            let definitions = server::definitions(&args)?;
            let mut settings = args.settings;
            settings.session_cookie_secure =
                settings.session_cookie_secure.resolve(args.listen.ip());
            let app = App::new(open(&cli.database).await?, settings, definitions);
            server::serve(app, args.listen, |address| {
                tracing::info!("listening on http://{address}");
            })
            .await
        }
        Command::Demo(args) => demo::serve(args.serve, &args.file).await,
        Command::Import(args) => import(&app(&cli.database).await?, args).await,
        Command::Export(args) => export(&app(&cli.database).await?, args).await,
        Command::User(command) => user(&app(&cli.database).await?, command).await,
        Command::Key(command) => key(&app(&cli.database).await?, command).await,
        Command::Migrate => open(&cli.database).await.map(drop),
        Command::Backup(args) => {
            db::backup(cli.database.database_url.expose_secret(), &args.file).await
        }
        Command::Schema | Command::Openapi => Ok(()),
    }
}

/// A file that reaches the limit of the process (`RLIMIT_FSIZE`) is an error to whoever writes it,
/// such as a full disk, and not the end of the process, which the signal would be by default.
#[cfg(unix)]
fn keep_from_being_ended_by_large_files() -> anyhow::Result<()> {
    // Who listens once is not ended by it any more, however long the listener lives.
    let kind = tokio::signal::unix::SignalKind::from_raw(libc::SIGXFSZ);
    drop(tokio::signal::unix::signal(kind).context("cannot listen to a signal")?);
    Ok(())
}

#[cfg(not(unix))]
fn keep_from_being_ended_by_large_files() -> anyhow::Result<()> {
    Ok(())
}

/// Which log lines to print. A bare level is about this product and its requests: what other
/// libraries say below a warning is left out. A lone word that is no level would be taken for the name of a module and silence
/// all others, so it is refused.
fn log_filter(text: &str) -> anyhow::Result<EnvFilter> {
    let is_level = |word: &str| !word.is_empty() && word.parse::<LevelFilter>().is_ok();
    let mut parts = text.split(',').map(str::trim);
    if !parts.all(|part| part.contains(['=', '[']) || is_level(part)) {
        bail!("`{text}` is not a log filter: use a level like `debug` or `module=level`");
    }
    let filter = match text.trim().to_ascii_lowercase().as_str() {
        level @ ("info" | "debug" | "trace") => {
            format!("warn,toposcope={level},tower_http={level}")
        }
        _ => text.to_owned(),
    };
    EnvFilter::try_new(filter).map_err(|error| anyhow!("`{text}` is not a log filter: {error}"))
}

/// Opens the database and brings it up to date.
async fn open(args: &DatabaseArgs) -> anyhow::Result<Db> {
    let db = Db::open(args.database_url.expose_secret(), None).await?;
    db.migrate().await?;
    Ok(db)
}

/// An application for a command that ends by itself.
async fn app(args: &DatabaseArgs) -> anyhow::Result<App> {
    Ok(App::new(open(args).await?, Settings::default(), Definitions::builtin().clone()))
}

/// A closed pipe is the reader's decision, not a failure of ours.
fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

async fn import(app: &App, args: ImportArgs) -> anyhow::Result<()> {
    let text = if args.file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        text
    } else {
        std::fs::read_to_string(&args.file)
            .with_context(|| format!("cannot read {}", args.file.display()))?
    };
    let organization = organizations::find(app, args.organization.as_deref()).await?;
    let target = inventory::Target { organization_id: organization.id, network_id: args.network };
    let progress = inventory::progress_bar();
    let report = inventory::import(app, &target, &text, args.dry_run, &progress).await;
    progress.finish_and_clear();
    print(&report?.to_string())
}

async fn export(app: &App, args: ExportArgs) -> anyhow::Result<()> {
    let network = networks::find(app, &args.network).await?;
    let document = inventory::export(app, &network).await?;
    match args.output {
        None => print(&document),
        Some(path) => std::fs::write(&path, document)
            .with_context(|| format!("cannot write {}", path.display())),
    }
}

async fn user(app: &App, command: UserCommand) -> anyhow::Result<()> {
    match command {
        UserCommand::Create { email, organization, network, permissions, password_stdin } => {
            let password = read_password(password_stdin)?;
            let user = users::create_by_operator(
                app,
                &organization,
                Some(network),
                email,
                password,
                permissions.into(),
            )
            .await?;
            eprintln!("made the user {} ({:?})", user.email, user.permissions);
            Ok(())
        }
        UserCommand::Grant { email, network } => {
            let network = networks::find(app, &network).await?;
            users::grant(app, &email, &network).await?;
            eprintln!("{email} reaches the network {}", network.name);
            Ok(())
        }
        UserCommand::Password { email, password_stdin } => {
            users::set_password(app, &email, read_password(password_stdin)?).await?;
            eprintln!("changed the password of {email}; all sessions end within seconds");
            Ok(())
        }
    }
}

async fn key(app: &App, command: KeyCommand) -> anyhow::Result<()> {
    let KeyCommand::Create { email, name, permissions, network, all_networks } = command;
    let viewer = users::viewer_of(app, &email).await?;
    let input = CreateApiKeyInput {
        name,
        organization_id: None,
        user_id: None,
        permissions: Some(permissions.into()),
        network_ids: (!network.is_empty()).then_some(network),
        all_networks: Some(all_networks),
        expires_at: None,
        is_enabled: None,
        tags: None,
    };
    let created = api_keys::create(app, &viewer, input).await?;
    print(&format!("{}\n", created.key))
}

fn read_password(from_stdin: bool) -> anyhow::Result<String> {
    if !from_stdin {
        if !std::io::stdin().is_terminal() {
            bail!("there is no terminal to ask for the password; use --password-stdin");
        }
        return Ok(rpassword::prompt_password("Password: ")?);
    }
    let mut password = String::new();
    std::io::stdin().read_line(&mut password).context("cannot read standard input")?;
    Ok(password.trim_end_matches(['\r', '\n']).to_owned())
}
