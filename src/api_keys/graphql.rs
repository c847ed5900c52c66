//! The viewer's API keys over GraphQL; a viewer by API key sees none.

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{Id, Timestamp};

use std::{collections::HashMap, sync::Arc};

use async_graphql::{SimpleObject, dataloader::Loader};

use super::{ApiKey, ApiKeyFilter, ApiKeyInput, ApiKeyOrder, CreateApiKeyInput, Entity};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context,
        loader::{self, Batch, LoadError},
    },
    networks::{self, Network},
    resource::{Precondition, page::Window},
    tags::{self, Tag, TagOwner},
    write::BulkDeleted,
};

/// Queries for your API keys; they require a session.
#[derive(Clone, Copy, Debug, Default)]
pub struct ApiKeyQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl ApiKeyQuery {
    /// Returns your API key with this id, or null if you have none. Requires a session.
    async fn api_key(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<ApiKey>> {
        context::viewer(context)?.require_session()?;
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists your API keys. Requires a session.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn api_keys(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<ApiKeyFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<ApiKeyOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<ApiKey>> {
        context::viewer(context)?.require_session()?;
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl ApiKey {
    /// The networks given to the key; it reaches those that you reach now.
    #[graphql(deprecation = "Ask `networksConnection`, which comes in pages.")]
    async fn networks(&self, context: &Context<'_>) -> Result<Vec<Network>> {
        let ids = loader::loaders(context)?.load_one(NetworksOf(self.id)).await?;
        let mut networks = Vec::new();
        for id in ids.unwrap_or_default() {
            networks.push(loader::by_id::<networks::Entity>(context, id));
        }
        let networks = futures_util::future::try_join_all(networks).await?;
        Ok(networks.into_iter().flatten().collect())
    }

    /// The networks given to the key, in pages; it reaches those that you reach now.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn networks_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            networks::NetworkFilter,
        >,
        #[graphql(desc = "How to order them; by default in the order given.")] order_by: Option<
            Vec<networks::NetworkOrder>,
        >,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Network>> {
        let window = Window::new(after, before, first, last)?;
        let relation = super::GIVEN_NETWORKS;
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The key's tags, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::ApiKey, self.id).await
    }

    /// The key's tags, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn tags_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            tags::TagFilter,
        >,
        #[graphql(desc = "How to order them; by default in the order of assignment.")]
        order_by: Option<Vec<tags::TagOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Tag>> {
        let window = Window::new(after, before, first, last)?;
        let owner = TagOwner::ApiKey;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// The loader key for the ids of the networks given to one API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct NetworksOf(Id);

impl Loader<NetworksOf> for Batch {
    type Value = Vec<Id>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[NetworksOf],
    ) -> std::result::Result<HashMap<NetworksOf, Vec<Id>>, LoadError> {
        let ids = self.app.db.ids(keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let found = super::network_ids(self.app.db.reader(), &ids).await;
        Ok(found.map_err(Arc::new)?.into_iter().map(|(id, rows)| (NetworksOf(id), rows)).collect())
    }
}

/// A new key, with its secret.
#[derive(SimpleObject)]
pub struct CreatedApiKey {
    /// The key.
    api_key: ApiKey,
    /// The secret, shown only this once.
    key: String,
}

/// Mutations for API keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct ApiKeyMutation;

#[Object]
impl ApiKeyMutation {
    /// Creates an API key for yourself. Requires a session.
    async fn create_api_key(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The key to create.")] input: CreateApiKeyInput,
    ) -> Result<CreatedApiKey> {
        let created = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input).await
        });
        let created = created.await?;
        Ok(CreatedApiKey { api_key: created.api_key.api_key, key: created.key })
    }

    /// Updates one of your API keys. Omitted fields keep their value, and null clears a field.
    /// Requires a session.
    async fn update_api_key(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the API key.")] id: Id,
        #[graphql(desc = "The fields of the API key to update.")] input: ApiKeyInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<ApiKey> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.api_key)
    }

    /// Deletes one of your API keys and everything that depends on it, and returns what was
    /// deleted. Requires a session.
    async fn delete_api_key(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the API key.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given API keys that are yours, all or nothing. Requires a session.
    async fn bulk_delete_api_keys(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the API keys.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }

    /// Issues a new secret for one of your API keys; the old secret stops working. Requires a
    /// session.
    async fn rotate_api_key(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the API key.")] id: Id,
    ) -> Result<CreatedApiKey> {
        let renewed =
            context::run(
                context,
                |app, viewer| async move { super::rotate(&app, &viewer, id).await },
            );
        let renewed = renewed.await?;
        Ok(CreatedApiKey { api_key: renewed.api_key.api_key, key: renewed.key })
    }
}
