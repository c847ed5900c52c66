//! Database errors, as clients may know them.

use sea_orm::{DbErr, RuntimeErr, SqlErr, SqlxError};
use toposcope_types::Kind;

use super::{Error, Outage};

/// The unique constraints of the schema: the name of the index, and the kind and field that clients
/// know.
const UNIQUE: [(&str, Kind, &str); 8] = [
    ("if_entry_host_id_if_index", Kind::IfEntry, "if_index"),
    ("user_email", Kind::User, "email"),
    ("tag_organization_id_name", Kind::Tag, "name"),
    ("interface_host_id_subnet_id_ip_address", Kind::Interface, "ip_address"),
    ("port_host_id_number_protocol", Kind::Port, "number"),
    ("group_binding_group_id_binding_id", Kind::Binding, "binding_ids"),
    ("group_binding_pkey", Kind::Binding, "binding_ids"),
    ("observation_if_entry_id_protocol_position", Kind::IfEntry, "neighbors_heard"),
];

/// The tables for whose rows clients may choose the id.
const OWN_IDS: [(&str, Kind); 5] = [
    ("interface", Kind::Interface),
    ("port", Kind::Port),
    ("if_entry", Kind::IfEntry),
    ("service", Kind::Service),
    ("binding", Kind::Binding),
];

impl From<DbErr> for Error {
    fn from(cause: DbErr) -> Self {
        if let Some(SqlErr::UniqueConstraintViolation(message)) = cause.sql_err() {
            let name = constraint_name(&message);
            if let Some((_, kind, field)) = UNIQUE.iter().find(|(rule, ..)| name.contains(rule)) {
                return Self::AlreadyExists { kind: *kind, field };
            }
            let taken = |table: &str| {
                name == format!("{table}_id") || name.contains(&format!("\"{table}_pkey\""))
            };
            if let Some((_, kind)) = OWN_IDS.iter().find(|(table, _)| taken(table)) {
                return Self::AlreadyExists { kind: *kind, field: "id" };
            }
        }
        if let Some(SqlErr::ForeignKeyConstraintViolation(_)) = cause.sql_err() {
            return Self::Unavailable {
                reason: Outage::ChangedMeanwhile,
                cause: Some(cause.into()),
            };
        }
        match unavailable(&cause) {
            Some(reason) => Self::Unavailable { reason, cause: Some(cause.into()) },
            None => Self::Internal(cause.into()),
        }
    }
}

/// Extracts a constraint name: SQLite gives the columns (`if_entry.host_id, if_entry.if_index`),
/// PostgreSQL the index.
fn constraint_name(message: &str) -> String {
    let Some((_, columns)) = message.split_once("UNIQUE constraint failed: ") else {
        return message.to_owned();
    };
    let mut name = String::new();
    for (nth, column) in columns.split(", ").enumerate() {
        let (table, column) = column.split_once('.').unwrap_or(("", column));
        if nth == 0 {
            name.push_str(table);
        }
        name.push('_');
        name.push_str(column);
    }
    name
}

/// Returns why the database accepts no writes at all, if that is the error.
pub fn refuses_writes(cause: &DbErr) -> Option<Outage> {
    unavailable(cause).filter(|reason| reason.refuses_writes())
}

/// Returns the reason if the database is out of reach, overloaded or not writable, and the request
/// is not at fault.
fn unavailable(cause: &DbErr) -> Option<Outage> {
    const LOST: Outage = Outage::Other("the database cannot be reached");
    let runtime = match cause {
        DbErr::ConnectionAcquire(_) => {
            return Some(Outage::Other("the database is overloaded or out of reach"));
        }
        DbErr::Conn(error) | DbErr::Exec(error) | DbErr::Query(error) => error,
        _ => return None,
    };
    let RuntimeErr::SqlxError(error) = runtime else {
        return None;
    };
    match error.as_ref() {
        SqlxError::Io(_)
        | SqlxError::Tls(_)
        | SqlxError::PoolTimedOut
        | SqlxError::PoolClosed
        | SqlxError::WorkerCrashed
        | SqlxError::BeginFailed
        | SqlxError::Protocol(_) => Some(LOST),
        SqlxError::Database(error) => {
            let code = error.code().unwrap_or_default().into_owned();
            match code.as_str() {
                // serialization failure, deadlock
                "40001" | "40P01" => Some(Outage::ChangedMeanwhile),
                // disk full
                "53100" => Some(Outage::NoSpace),
                // a read-only transaction: a replica, or a server that is configured to be
                // read-only
                "25006" => Some(Outage::ReadOnly),
                // input/output error
                "58030" => Some(Outage::IoError),
                // a lock that others hold for too long
                "55P03" => {
                    Some(Outage::Other("others have been writing there for too long; try again"))
                }
                // shutdown, starting up, too many connections, statement cancelled
                "57P01" | "57P02" | "57P03" | "53300" | "57014" => Some(LOST),
                code if code.starts_with("08") && code.len() == 5 => Some(LOST),
                code => sqlite(code),
            }
        }
        _ => None,
    }
}

/// Returns the reason for a result code of SQLite, whose extended codes share the low byte
/// (<https://sqlite.org/rescode.html>).
fn sqlite(code: &str) -> Option<Outage> {
    if code.len() > 4 {
        return None;
    }
    match code.parse::<u32>().ok()? & 0xff {
        // BUSY, LOCKED
        5 | 6 => {
            Some(Outage::Other("another process has been writing to the database for too long"))
        }
        // READONLY
        8 => Some(Outage::ReadOnly),
        // INTERRUPT: it took too long, or nobody waits for it any more
        9 => Some(Outage::Other("the database was not done in time")),
        // IOERR
        10 => Some(Outage::IoError),
        // FULL
        13 => Some(Outage::NoSpace),
        // CANTOPEN
        14 => Some(Outage::Other("the database cannot be opened")),
        _ => None,
    }
}
