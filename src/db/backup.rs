//! Backup of a SQLite database while it is in use.

use std::path::Path;

use anyhow::{Context as _, bail};
use sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DbBackend, Statement,
    sqlx::sqlite::SqliteConnectOptions,
};

use super::pools;

/// Copies the database behind `url` into the new file `target`, as of one moment: servers and
/// commands may keep writing meanwhile. The copy is one file, accessible to its owner only, and a
/// database like any other.
///
/// # Errors
///
/// Returns an error if `target` already exists, if the database does not exist, cannot be read or
/// is a PostgreSQL one, or if the copy cannot be written. A failed copy leaves no file behind.
pub async fn backup(url: &str, target: &Path) -> anyhow::Result<()> {
    if !url.starts_with("sqlite:") {
        bail!(
            "`backup` copies SQLite databases; copy this one with PostgreSQL's own \
             `pg_dump --format=custom --file=FILE DATABASE`, and restore it with `pg_restore`"
        );
    }
    let source = pools::file(url)?;
    if !source.is_file() {
        bail!("there is no database at {}", source.display());
    }
    if target.exists() {
        bail!("{} is there already; name a new file", target.display());
    }
    let mut partial = target.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let copied = copy(url, partial).await.and_then(|()| finish(partial, target));
    if copied.is_err() {
        // The copy's own error is reported; an error from removing the file would hide it.
        let _ = std::fs::remove_file(partial);
    }
    copied.with_context(|| format!("cannot write {}", target.display()))
}

async fn copy(url: &str, partial: &Path) -> anyhow::Result<()> {
    // SQLite fills an existing file if it is empty, and leaves its mode as it is.
    let _ = std::fs::remove_file(partial);
    pools::create_private(partial)?;
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false).map_sqlx_sqlite_opts(
        |options: SqliteConnectOptions| {
            options.create_if_missing(false).busy_timeout(pools::BUSY_TIMEOUT)
        },
    );
    let source = Database::connect(options).await?;
    let partial = partial.to_str().context("its name is not UTF-8")?;
    let statement =
        Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO $1", [partial.into()]);
    let copied = source.execute_raw(statement).await;
    source.close().await?;
    copied?;
    Ok(())
}

/// Renames the copy once all of it is on disk, so that a file with this name is always complete.
fn finish(partial: &Path, target: &Path) -> anyhow::Result<()> {
    std::fs::File::open(partial)?.sync_all()?;
    std::fs::rename(partial, target)?;
    #[cfg(unix)]
    if let Some(folder) = target.canonicalize()?.parent() {
        std::fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}
