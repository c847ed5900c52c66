//! The viewer and users over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result, SimpleObject};
use toposcope_types::{Id, PermissionLevel, Timestamp};

use super::{Entity, User, UserFilter, UserInput, UserOrder};
use crate::{
    api_keys::{self, ApiKey},
    auth::Viewer,
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    networks::{self, Network},
    organizations::{self, Organization},
    resource::{Precondition, page::Window},
    write::BulkDeleted,
};

/// The authenticated user or API key, with its permissions.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex, name = "Viewer")]
pub struct ViewerObject {
    #[graphql(skip)]
    viewer: Viewer,
    /// The effective permission level: the lower of the user's and the key's.
    permissions: PermissionLevel,
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl ViewerObject {
    /// The user, or the owner of the key.
    async fn user(&self, context: &Context<'_>) -> Result<Option<User>> {
        loader::by_id::<super::Entity>(context, self.viewer.user_id).await
    }

    /// The API key of the request; null for a session.
    async fn api_key(&self, context: &Context<'_>) -> Result<Option<ApiKey>> {
        let Some(id) = self.viewer.api_key_id else { return Ok(None) };
        let key = context::run(context, |app, viewer| async move {
            api_keys::presented(&app, &viewer, id).await
        });
        Ok(key.await?)
    }

    /// The organization of the user.
    async fn organization(&self, context: &Context<'_>) -> Result<Option<Organization>> {
        loader::by_id::<organizations::Entity>(context, self.viewer.organization_id).await
    }

    /// The networks within reach, ordered by name.
    #[graphql(deprecation = "Ask `networksConnection`, which comes in pages.")]
    async fn networks(&self, context: &Context<'_>) -> Result<Vec<Network>> {
        let networks =
            context::run(
                context,
                |app, viewer| async move { networks::in_reach(&app, &viewer).await },
            );
        Ok(networks.await?)
    }

    /// The networks within reach, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn networks_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            networks::NetworkFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<networks::NetworkOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Network>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<networks::Entity, _>(context, filter, order_by, window).await
    }
}

/// Queries for the viewer.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewerQuery;

#[Object]
impl ViewerQuery {
    /// Returns the viewer: a user, by session or by API key, with the rights that both have now.
    async fn viewer(&self, context: &Context<'_>) -> Result<ViewerObject> {
        let viewer = context::viewer(context)?.clone();
        Ok(ViewerObject { permissions: viewer.level, viewer })
    }
}

/// Queries for users.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl UserQuery {
    /// Returns the user with this id, or null if none is visible to the viewer. Requires a session,
    /// or an API key with the Admin permission level.
    async fn user(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<User>> {
        context::viewer(context)?.require_session_or_key(PermissionLevel::Admin)?;
        loader::by_id::<super::Entity>(context, id).await
    }

    /// Lists the users of the organization; below the Admin permission level, only yourself.
    /// Requires a session, or an API key with the Admin permission level.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn users(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<UserFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<UserOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<User>> {
        context::viewer(context)?.require_session_or_key(PermissionLevel::Admin)?;
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

/// Mutations for users.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserMutation;

#[Object]
impl UserMutation {
    /// Updates a user: your own e-mail address or, as an Admin, the level and reach of users whose
    /// level is not above yours. Requires a session, or for another user an API key with the Admin
    /// permission level.
    async fn update_user(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the user.")] id: Id,
        #[graphql(desc = "The fields of the user to update.")] input: UserInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<User> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.user)
    }

    /// Deletes a user and everything that depends on it, and returns what was deleted. Requires the
    /// Admin permission level.
    async fn delete_user(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the user.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given users that the viewer can see, all or nothing. Requires the Admin
    /// permission level.
    async fn bulk_delete_users(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the users.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
