//! The change log over GraphQL.

use std::{collections::HashMap, sync::Arc};

use async_graphql::{ComplexObject, Context, Object, Result, SimpleObject, dataloader::Loader};
use serde_json::Value;
use toposcope_types::{BigInt, Id, Json, Kind, Timestamp};

use super::{Change, ChangeFilter, ChangeOrder, Entity, late::late};
use crate::{
    graphql::{
        connection::{self, Connection},
        context,
        loader::{self, Batch, LoadError},
    },
    networks::{self, Network},
    resource::{
        Precondition,
        filter::{EnumFilter, IdFilter},
        page::Window,
    },
    users::{self, User},
    write::{BulkDeleted, Removable},
};

/// Queries for changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChangeQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl ChangeQuery {
    /// Lists changes in order: those in the networks within your reach and, for organization admins
    /// with a session, those in the organization itself.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn changes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows of this network.")] network_id: Option<Id>,
        #[graphql(desc = "Returns only changes of this kind of object.")] entity: Option<Kind>,
        #[graphql(desc = "Returns only rows from this moment on.")] since: Option<Timestamp>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<ChangeFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<ChangeOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Change>> {
        let window = Window::new(after, before, first, last)?;
        let filter = ChangeFilter {
            network_id: network_id.map(IdFilter::eq),
            entity: entity.map(EnumFilter::eq),
            since,
            and: filter.map(|filter| vec![filter]),
            ..ChangeFilter::default()
        };
        connection::of_everything::<Entity, _>(context, Some(filter), order_by, window).await
    }
}

#[ComplexObject]
impl Change {
    /// The entity before the change, with field names as in REST; null if the change created it.
    async fn before(&self, context: &Context<'_>) -> Result<Option<Json>> {
        match late(self.before.as_ref()) {
            0 => Ok(self.before.clone().map(Json)),
            bytes => Ok(things(context, self.id, bytes).await?.0.map(Json)),
        }
    }

    /// The entity after the change, with field names as in REST; null if the change deleted it.
    async fn after(&self, context: &Context<'_>) -> Result<Option<Json>> {
        match late(self.after.as_ref()) {
            0 => Ok(self.after.clone().map(Json)),
            bytes => Ok(things(context, self.id, bytes).await?.1.map(Json)),
        }
    }

    /// The network of the change.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The user who made the change, directly or through an API key. An API key sees only its own
    /// user.
    async fn user(&self, context: &Context<'_>) -> Result<Option<User>> {
        loader::by_id::<users::Entity>(context, self.user_id).await
    }
}

type Things = (Option<Value>, Option<Value>);

/// Loads the entity of a change, before and after, and counts its bytes toward the response.
async fn things(context: &Context<'_>, change: Id, bytes: u64) -> Result<Things> {
    context::count_bytes(context, bytes)?;
    let things = loader::loaders(context)?.load_one(ThingsOf(change)).await?;
    Ok(things.map(Arc::unwrap_or_clone).unwrap_or_default())
}

/// The loader key for the entity of one change, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ThingsOf(Id);

impl Loader<ThingsOf> for Batch {
    type Value = Arc<Things>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[ThingsOf],
    ) -> std::result::Result<HashMap<ThingsOf, Self::Value>, LoadError> {
        let ids = keys.iter().map(|key| key.0).collect();
        let things = super::late::things(&self.app, self.app.db.reader(), &self.viewer, ids).await;
        let things = things.map_err(Arc::new)?;
        Ok(things.into_iter().map(|(id, things)| (ThingsOf(id), Arc::new(things))).collect())
    }
}

/// The result of a delete, or of a dry run of one.
#[expect(clippy::struct_field_names, reason = "it has the name that REST gives it")]
#[derive(Clone, Debug, SimpleObject)]
pub struct Deleted {
    /// The id of the deleted entity.
    id: Id,
    /// Whether this was a dry run, which deletes nothing.
    dry_run: bool,
    /// The number of deleted entities by kind, including the entity itself.
    deleted: Vec<DeletedCount>,
}

/// The number of deleted entities of one kind.
#[derive(Clone, Copy, Debug, SimpleObject)]
pub struct DeletedCount {
    /// The kind of entity.
    entity: Kind,
    /// The number of entities.
    count: BigInt,
}

/// Deletes one entity and everything that depends on it.
pub async fn delete<E: Removable>(
    context: &Context<'_>,
    id: Id,
    expected_updated_at: Option<Timestamp>,
    dry_run: bool,
) -> Result<Deleted> {
    let precondition = Precondition::default().or(expected_updated_at);
    let deleted = context::run(context, move |app, viewer| async move {
        crate::write::delete::<E>(&app, &viewer, id, &precondition, dry_run).await
    });
    let crate::write::Deleted { id, dry_run, deleted } = deleted.await?;
    let deleted = deleted.into_iter().map(|(entity, count)| DeletedCount {
        entity,
        count: BigInt(i64::try_from(count).unwrap_or(i64::MAX)),
    });
    Ok(Deleted { id, dry_run, deleted: deleted.collect() })
}

/// Deletes the entities with these ids that are within reach.
pub async fn bulk_delete<E: Removable>(context: &Context<'_>, ids: Vec<Id>) -> Result<BulkDeleted> {
    let deleted = context::run(context, move |app, viewer| async move {
        crate::write::bulk_delete::<E>(&app, &viewer, ids).await
    });
    Ok(deleted.await?)
}
