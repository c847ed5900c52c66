//! The common interface of every table that clients read, and the only way to read it.

pub(crate) mod children;
pub(crate) mod filter;
pub(crate) mod list;
pub(crate) mod listed;
mod long;
pub(crate) mod page;
mod precondition;
pub mod rows;
pub(crate) mod totals;

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, Select,
    sea_query::ExprTrait as _,
};
use serde::Serialize;
use serde_json::Value;
use toposcope_topology::resolution::records::Record;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};

pub use self::{precondition::Precondition, totals::Totals};
use crate::{
    auth::Viewer,
    error::{Error, Result},
};

/// The owner of the rows in a table.
#[derive(Clone, Copy, Debug)]
pub enum Scope<C> {
    /// Rows of networks; this column references the network.
    Network(C),
    /// Rows of an organization; this column references it.
    Organization(C),
    /// The organization itself; this column is its id.
    Itself(C),
    /// Rows of a user; this column references the user. An API key sees none of them.
    User(C),
    /// The users of an organization: an admin sees all of them, other users only themselves.
    Person { organization: C, id: C },
    /// Rows of networks, or of the organization itself if the network is empty. The latter, and
    /// rows of deleted networks, are visible to organization admins only.
    Log { organization: C, network: C },
}

/// A table whose rows have an owner.
pub trait Resource:
    EntityTrait<
        Model: Send
                   + Sync
                   + Clone
                   + Serialize
                   + IntoActiveModel<<Self as EntityTrait>::ActiveModel>,
        ActiveModel: Send,
    >
{
    /// The kind of its rows in errors and the change log.
    const KIND: Kind;
    /// Its `id` column.
    const ID: Self::Column;
    /// Its `created_at` column, the last but one key of every order.
    const CREATED_AT: Self::Column;
    /// The owner of its rows.
    const SCOPE: Scope<Self::Column>;
    /// The column of `network` that counts its rows; `None` if its rows do not belong to networks.
    const COUNTER: Option<&'static str> = None;
    /// JSON columns that can be many times as long as the rest of a row. Queries that read many
    /// rows replace such a value with its size in bytes; the value is read when it is shown.
    const LONG: &'static [Self::Column] = &[];
    /// Columns of names that lists order by. Beside each the table has one for its key in natural
    /// order (see [`natural_key`](toposcope_types::natural::natural_key)), which only [`rows`]
    /// writes and no one reads.
    const NATURAL: &'static [Self::Column] = &[];
    /// Whether changes to its rows are logged; otherwise each row is part of another one.
    const LOGGED: bool = true;

    /// Returns the id of a row.
    fn id(row: &Self::Model) -> Id;

    /// Returns when a row was created.
    fn created_at(row: &Self::Model) -> Timestamp;

    /// Returns the content of a row for the change log.
    fn logged(row: &Self::Model) -> Value {
        serde_json::to_value(row).expect("rows have only string keys and no failing part")
    }

    /// Returns when a row was last updated: its version.
    fn updated_at(row: &Self::Model) -> Timestamp;

    /// Returns the parent that shows a row as a part of its own.
    fn parent(_: &Self::Model) -> Option<(Kind, Id)> {
        None
    }

    /// Returns what resolution reads of a row, if anything.
    fn record(_: &Self::Model) -> Option<Record> {
        None
    }

    /// Returns the network of a row, if it belongs to one.
    fn network_id(_: &Self::Model) -> Option<Id> {
        None
    }

    /// Selects every row that `viewer` may see: the only way to read the table.
    fn visible_to(viewer: &Viewer) -> Select<Self> {
        let mine = match Self::SCOPE {
            Scope::Network(column) => viewer.networks.includes(column),
            Scope::Organization(column) | Scope::Itself(column) => {
                column.eq(viewer.organization_id)
            }
            Scope::User(column) if viewer.api_key_id.is_none() => column.eq(viewer.user_id),
            Scope::User(column) => column.is_null(),
            Scope::Person { organization, id } => {
                let own = organization.eq(viewer.organization_id);
                if viewer.level >= PermissionLevel::Admin {
                    own
                } else {
                    own.and(id.eq(viewer.user_id))
                }
            }
            Scope::Log { organization, network } => {
                let own = organization.eq(viewer.organization_id);
                if viewer.administers() { own } else { own.and(viewer.networks.includes(network)) }
            }
        };
        Self::find().filter(mine)
    }
}

/// Returns the row with this id, or "not found" if it does not exist or `viewer` may not see it.
pub async fn get<E: Resource>(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    id: Id,
) -> Result<E::Model> {
    find::<E>(db, viewer, id).await?.ok_or(Error::NotFound { kind: E::KIND, id })
}

/// Finds the row with this id, if it exists and `viewer` may see it.
pub async fn find<E: Resource>(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    id: Id,
) -> Result<Option<E::Model>> {
    Ok(E::visible_to(viewer).filter(E::ID.eq(id)).one(db).await?)
}

/// Returns the row that an input references by `field`: in reach, and in the network of the row
/// that references it.
pub async fn referred<E: Resource>(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    field: &str,
    id: Id,
    network_id: Id,
) -> Result<E::Model> {
    let found = find::<E>(db, viewer, id).await?;
    let field = || field.to_owned();
    let row = found.ok_or_else(|| Error::ReferenceInvalid { kind: E::KIND, field: field(), id })?;
    if E::network_id(&row) == Some(network_id) {
        return Ok(row);
    }
    Err(Error::NetworkMismatch { kind: E::KIND })
}

/// Refuses to change a field that is immutable.
pub fn require_same<T: PartialEq>(field: &'static str, before: T, after: Option<T>) -> Result<()> {
    match after {
        Some(after) if after != before => Err(Error::FieldImmutable { field: field.to_owned() }),
        _ => Ok(()),
    }
}
