//! All rows of a device as one JSON text, built by the database: reading a large network row by row
//! takes many times as long.

use sea_orm::{DbBackend, Statement};
use toposcope_types::Id;

/// A builder for the parts of a statement that pack rows.
#[derive(Clone, Copy, Debug)]
pub struct Packer(pub DbBackend);

impl Packer {
    /// Returns the SQL for an id, as unpacking reads it.
    pub fn id(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => column.to_owned(),
            _ => format!("hex({column})"),
        }
    }

    /// Returns the SQL for a Boolean, as unpacking reads it.
    pub fn flag(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => format!("{column}::int"),
            _ => column.to_owned(),
        }
    }

    /// Returns the SQL for JSON, as a text.
    pub fn json(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => format!("{column}::text"),
            _ => column.to_owned(),
        }
    }

    /// Returns the SQL for one list as a text, or nothing if there is no row: for `unpack_one`.
    pub fn one(self, columns: &[String], from: &str) -> String {
        let columns = columns.join(", ");
        match self.0 {
            DbBackend::Postgres => {
                format!("(SELECT json_build_array({columns})::text FROM {from})")
            }
            _ => format!("(SELECT json_array({columns}) || '' FROM {from})"),
        }
    }

    /// Returns the SQL for a list of rows, each a list of its columns.
    pub fn rows(self, columns: &[String], from: &str) -> String {
        format!("(SELECT {} FROM {from})", self.list(columns))
    }

    /// Returns the SQL for a list of the rows in a group, each a list of its columns.
    pub fn list(self, columns: &[String]) -> String {
        let columns = columns.join(", ");
        match self.0 {
            DbBackend::Postgres => {
                format!("coalesce(json_agg(json_build_array({columns})), '[]')::text")
            }
            _ => format!("json_group_array(json_array({columns}))"),
        }
    }

    /// Returns the statement that reads these columns of the devices of a network.
    pub fn hosts(self, network_id: Id, columns: &[String]) -> Statement {
        let sql = format!("SELECT {} FROM host WHERE host.network_id = $1", columns.join(", "));
        Statement::from_sql_and_values(self.0, sql, [network_id.into()])
    }
}
