//! Errors for a database that cannot be opened or brought up to date: what its server says, and the
//! remedy.
//!
//! The URL may hold a password, so it never becomes part of a message.

use std::{path::Path, str::FromStr as _, time::Duration};

use anyhow::anyhow;
use sea_orm::{
    ConnectionTrait, DbBackend, DbErr, RuntimeErr, Statement,
    sqlx::{
        self, Connection as _,
        postgres::{PgConnectOptions, PgConnection, PgDatabaseError},
    },
};
use tokio::time::{Instant, sleep, timeout};

/// The time that a request waits for a connection before the database counts as overloaded.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause before another attempt on a server that said it will be ready soon.
const SOON: Duration = Duration::from_millis(100);

/// Connects to a PostgreSQL server once, so that a refusal is known at once. A pool would retry
/// until its time is up and then not know the reason.
pub(super) async fn greet(url: &str) -> anyhow::Result<()> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|error| anyhow!("cannot open the database: {error}"))?;
    let until = Instant::now() + ACQUIRE_TIMEOUT;
    let error = loop {
        let connect = timeout(ACQUIRE_TIMEOUT, PgConnection::connect_with(&options)).await;
        let Ok(connected) = connect else { break None };
        let error = match connected {
            Ok(connection) => {
                // The server answers; an error on closing does not matter.
                drop(connection.close().await);
                return Ok(());
            }
            Err(error) => error,
        };
        // The server is starting, or has as many connections as it accepts at the moment.
        let again =
            matches!(of_server(&error), Some(error) if ["57P03", "53300"].contains(&error.code()));
        if !again || Instant::now() > until {
            break Some(error);
        }
        sleep(SOON).await;
    };
    Err(anyhow!("cannot open the database: {}", not_reached(&options, error.as_ref())))
}

/// Describes why there is no connection; without an error, the server did not answer.
fn not_reached(options: &PgConnectOptions, error: Option<&sqlx::Error>) -> String {
    let place = match options.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    };
    let place = format!("the PostgreSQL server at {place}");
    let Some(error) = error else {
        let seconds = ACQUIRE_TIMEOUT.as_secs();
        return format!("{place} does not answer within {seconds} s; are host and port right?");
    };
    let Some(said) = of_server(error) else {
        return match error {
            sqlx::Error::Io(error) => {
                format!(
                    "{place} cannot be reached: {error}; does it run, and are host and port right?"
                )
            }
            error => format!("{place} cannot be reached: {error}"),
        };
    };
    let user = options.get_username();
    let database = options.get_database().unwrap_or(user);
    let remedy = match said.code() {
        "28P01" | "28000" => "; check the user and the password in the database URL".to_owned(),
        "3D000" => {
            let (database, user) = (quoted(database), quoted(user));
            format!("; make it as an administrator: CREATE DATABASE {database} OWNER {user}")
        }
        DENIED => {
            let (database, user) = (quoted(database), quoted(user));
            format!("; as its owner: GRANT CONNECT ON DATABASE {database} TO {user}")
        }
        _ => String::new(),
    };
    format!("{place} refuses: {}{remedy}", said.message())
}

/// PostgreSQL's code for insufficient privileges.
const DENIED: &str = "42501";
/// PostgreSQL's code for a schema that does not exist, or that the role may not access.
const NO_SCHEMA: &str = "3F000";

fn of_server(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error()?.try_downcast_ref()
}

/// Returns the code that the database gives an error.
pub(super) fn code(error: &DbErr) -> Option<String> {
    let (DbErr::Conn(error) | DbErr::Exec(error) | DbErr::Query(error)) = error else {
        return None;
    };
    let RuntimeErr::SqlxError(error) = error else { return None };
    Some(error.as_database_error()?.code()?.into_owned())
}

/// Returns an error that says what to do about a SQLite file that cannot be opened.
pub(super) fn of_file(file: &Path, error: &DbErr) -> anyhow::Error {
    let code = code(error).and_then(|code| code.parse::<u32>().ok()).unwrap_or_default();
    let remedy = match code & 0xff {
        // NOTADB, CORRUPT
        26 | 11 => "; say another file, or put a copy in its place",
        // CANTOPEN, READONLY, PERM
        14 | 8 | 3 => "; it and its folder must be readable and writable for this user",
        _ => "",
    };
    anyhow!("cannot open the database {}: {error}{remedy}", shown(file))
}

/// Returns the absolute path of a file for an error: a reader of the log does not know where the
/// server was started from.
pub(super) fn shown(file: &Path) -> String {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned()).display().to_string()
}

/// Describes the missing grant, if that is why the schema could not be brought up to date.
pub(super) async fn missing_grant(db: &impl ConnectionTrait, error: &DbErr) -> Option<String> {
    let code = code(error).filter(|code| [DENIED, NO_SCHEMA].contains(&code.as_str()))?;
    let sql = "SELECT quote_ident(current_user) AS role, quote_ident(current_schema()) AS schema, \
               current_setting('search_path') AS path";
    let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.ok()??;
    let role: String = row.try_get("", "role").ok()?;
    let schema: Option<String> = row.try_get("", "schema").ok()?;
    let path: String = row.try_get("", "path").ok()?;
    // A schema that the role may not use counts as missing.
    let first = path.split(',').map(str::trim).find(|name| *name != "\"$user\"").map(str::to_owned);
    let schema = schema.or(first).filter(|name| !name.is_empty());
    let schema = schema.unwrap_or_else(|| "public".to_owned());
    let of_schema = code == NO_SCHEMA || error.to_string().contains("for schema");
    Some(if of_schema {
        format!(
            "the role needs rights on the schema; as its owner: GRANT USAGE, CREATE ON SCHEMA {schema} \
             TO {role}"
        )
    } else {
        format!(
            "the tables of the schema {schema} belong to another role, and only it may change them: \
             connect as that role instead of {role}"
        )
    })
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
