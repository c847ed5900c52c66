//! The command line: parses and runs commands.

mod access;
mod documents;
mod print;
mod typed;

use std::{io::IsTerminal as _, process::ExitCode};

use anyhow::{Context as _, anyhow, bail};
use clap::Parser as _;
use secrecy::ExposeSecret as _;
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use self::{
    print::print,
    typed::{Cli, Command},
};
use crate::{
    app::App,
    config::{DatabaseArgs, Settings},
    db::{self, Db},
    demo,
    error::Error,
    router, schema, server,
    service_definitions::Definitions,
};

/// Runs the command; any failure is one line on standard error.
pub async fn run() -> ExitCode {
    let cli = Cli::parse();
    match Box::pin(execute(cli)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("toposcope: {error:#}{}", unsaid(&error));
            ExitCode::FAILURE
        }
    }
}

/// Returns the cause that an error hides from clients, but not from the operator.
fn unsaid(error: &anyhow::Error) -> String {
    let cause = error.chain().find_map(|error| match error.downcast_ref::<Error>() {
        Some(Error::Unavailable { cause, .. }) => cause.as_ref(),
        _ => None,
    });
    cause.map(|cause| format!(" ({cause:#})")).unwrap_or_default()
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
            let bound = server::bind(&args.listen).await?;
            settings.session_cookie_secure =
                settings.session_cookie_secure.resolve(bound.address.ip());
            let app = App::new(open(&cli.database).await?, settings, definitions);
            server::serve(app, bound, |address| {
                tracing::info!("listening on http://{address}");
            })
            .await
        }
        Command::Demo(args) => demo::serve(args.serve, &args.file).await,
        Command::Import(args) => documents::import(&app(&cli.database).await?, args).await,
        Command::Export(args) => documents::export(&app(&cli.database).await?, args).await,
        Command::User(command) => access::user(&app(&cli.database).await?, command).await,
        Command::Key(command) => access::key(&app(&cli.database).await?, command).await,
        Command::Migrate => open(&cli.database).await.map(drop),
        Command::Backup(args) => {
            db::backup(cli.database.database_url.expose_secret(), &args.file).await
        }
        Command::Schema | Command::Openapi => Ok(()),
    }
}

/// Makes reaching the file size limit (`RLIMIT_FSIZE`) an error for the writer, like a full disk.
/// By default the signal would end the process.
#[cfg(unix)]
fn keep_from_being_ended_by_large_files() -> anyhow::Result<()> {
    // Listening once disables the default action, however long the listener lives.
    let kind = tokio::signal::unix::SignalKind::from_raw(libc::SIGXFSZ);
    drop(tokio::signal::unix::signal(kind).context("cannot listen to a signal")?);
    Ok(())
}

#[cfg(not(unix))]
fn keep_from_being_ended_by_large_files() -> anyhow::Result<()> {
    Ok(())
}

/// Returns the filter for log lines. A bare level applies to this product and its requests; other
/// libraries log only warnings and errors. A lone word that is no level is rejected, since it would
/// be taken for a module name and silence all others.
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
    let db = Db::open(args.database_url.expose_secret()).await?;
    db.migrate().await?;
    Ok(db)
}

/// Creates an application for a command that ends by itself.
async fn app(args: &DatabaseArgs) -> anyhow::Result<App> {
    Ok(App::new(open(args).await?, Settings::default(), Definitions::builtin().clone()))
}
