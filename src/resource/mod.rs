//! What every table that clients read has in common, and the one door for reading it.

pub mod children;
pub mod filter;
pub mod list;
pub mod listed;
mod long;
pub mod page;
mod precondition;
pub mod totals;

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, Select,
    sea_query::ExprTrait as _,
};
use serde::Serialize;
use serde_json::Value;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};

pub use self::{precondition::Precondition, totals::Totals};
use crate::{
    auth::Viewer,
    error::{Error, Result},
};

/// Whose rows a table holds.
#[derive(Clone, Copy, Debug)]
pub enum Scope<C> {
    /// Rows of networks; this column names the network.
    Network(C),
    /// Rows of an organization; this column names it.
    Organization(C),
    /// The organization itself; this column is its id.
    Itself(C),
    /// Rows of a user; this column names them. A key sees none of them.
    User(C),
    /// The users of an organization: all of them for an admin, for others only themselves.
    Person { organization: C, id: C },
    /// Rows of networks, and of the organization itself where the network is empty; those and the
    /// rows of networks that are no more are seen by who administers the organization.
    Log { organization: C, network: C },
}

/// A table whose rows belong to somebody.
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
    /// How errors and the log of changes call it.
    const KIND: Kind;
    /// Its `id` column.
    const ID: Self::Column;
    /// Its `created_at` column, the last but one key of every order.
    const CREATED_AT: Self::Column;
    /// Whose rows it holds.
    const SCOPE: Scope<Self::Column>;
    /// The column of `network` that counts its rows; `None` where networks do not hold them.
    const COUNTER: Option<&'static str> = None;
    /// Columns of JSON that can be many times as long as the rest of a row. Where many rows are read,
    /// such a value is replaced by its size in bytes, and read when it is shown.
    const LONG: &'static [Self::Column] = &[];
    /// Whether each of its rows is logged when it changes; otherwise it is part of another row.
    const LOGGED: bool = true;

    /// The id of a row.
    fn id(row: &Self::Model) -> Id;

    /// When a row was recorded.
    fn created_at(row: &Self::Model) -> Timestamp;

    /// What the log of changes tells of a row.
    fn logged(row: &Self::Model) -> Value {
        serde_json::to_value(row).expect("rows have only string keys and no failing part")
    }

    /// When a row was last changed: its version.
    fn updated_at(row: &Self::Model) -> Timestamp;

    /// What shows a row as a part of its own.
    fn parent(_: &Self::Model) -> Option<(Kind, Id)> {
        None
    }

    /// The network of a row, if networks hold them.
    fn network_id(_: &Self::Model) -> Option<Id> {
        None
    }

    /// Every row that `viewer` may see: the only way to read the table.
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

/// The row with this id, or "not found" when it does not exist or `viewer` may not see it.
pub async fn get<E: Resource>(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    id: Id,
) -> Result<E::Model> {
    find::<E>(db, viewer, id).await?.ok_or(Error::NotFound { kind: E::KIND, id })
}

/// The row with this id, if it exists and `viewer` may see it.
pub async fn find<E: Resource>(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    id: Id,
) -> Result<Option<E::Model>> {
    Ok(E::visible_to(viewer).filter(E::ID.eq(id)).one(db).await?)
}

/// The row that an input refers to by `field`: in reach, and in the network of what refers to it.
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

/// Refuses a change of what stays as it was made.
pub fn require_same<T: PartialEq>(field: &'static str, before: T, after: Option<T>) -> Result<()> {
    match after {
        Some(after) if after != before => Err(Error::FieldImmutable { field: field.to_owned() }),
        _ => Ok(()),
    }
}
