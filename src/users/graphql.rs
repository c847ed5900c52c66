//! Who is asking, over GraphQL.

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

/// Who is asking, and what they may.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex, name = "Viewer")]
pub struct ViewerObject {
    #[graphql(skip)]
    viewer: Viewer,
    /// What may be done: the lower of the user's level and the key's.
    permissions: PermissionLevel,
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl ViewerObject {
    /// The user, or the owner of the key.
    async fn user(&self, context: &Context<'_>) -> Result<Option<User>> {
        loader::by_id::<super::Entity>(context, self.viewer.user_id).await
    }

    /// The key that was presented; none for a session.
    async fn api_key(&self, context: &Context<'_>) -> Result<Option<ApiKey>> {
        let Some(id) = self.viewer.api_key_id else { return Ok(None) };
        let key = context::run(context, |app, viewer| async move {
            api_keys::presented(&app, &viewer, id).await
        });
        Ok(key.await?)
    }

    /// The organization.
    async fn organization(&self, context: &Context<'_>) -> Result<Option<Organization>> {
        loader::by_id::<organizations::Entity>(context, self.viewer.organization_id).await
    }

    /// The networks in reach, by name.
    #[graphql(deprecation = "Ask `networksConnection`, which comes in pages.")]
    async fn networks(&self, context: &Context<'_>) -> Result<Vec<Network>> {
        let networks =
            context::run(
                context,
                |app, viewer| async move { networks::in_reach(&app, &viewer).await },
            );
        Ok(networks.await?)
    }

    /// The networks in reach, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn networks_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<networks::NetworkFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<networks::NetworkOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Network>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<networks::Entity, _>(context, filter, order_by, window).await
    }
}

/// Queries for who is asking.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewerQuery;

#[Object]
impl ViewerQuery {
    /// Who is asking: a user by session or by API key, with what both may do now.
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
    /// One of the users, if there is one with this id within reach; needs a session, or an
    /// API key with the level Admin.
    async fn user(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<User>> {
        context::viewer(context)?.require_session_or_key(PermissionLevel::Admin)?;
        loader::by_id::<super::Entity>(context, id).await
    }

    /// The users of the organization; below the level Admin only yourself. Needs a session, or
    /// an API key with the level Admin.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn users(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<UserFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<UserOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<User>> {
        context::viewer(context)?.require_session_or_key(PermissionLevel::Admin)?;
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

/// Changes of users.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserMutation;

#[Object]
impl UserMutation {
    /// Changes a user: your own e-mail address, or as an Admin the level and reach of users who may
    /// not do more than you. Needs a session, or for another user an API key with the level Admin.
    async fn update_user(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the user.")] id: Id,
        #[graphql(desc = "The fields of the user to change.")] input: UserInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<User> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.user)
    }

    /// Deletes a user with all that hangs on it, and tells what went; needs the level Admin.
    async fn delete_user(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the user.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many users that are within reach, all or nothing; needs the level Admin.
    async fn bulk_delete_users(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the users.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
