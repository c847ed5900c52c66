//! Who is asking, over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result, SimpleObject};

use super::User;
use crate::{
    api_keys::{self, ApiKey},
    auth::Viewer,
    graphql::{context, loader},
    networks::{self, Network},
    organizations::{self, Organization},
    types::PermissionLevel,
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
    async fn networks(&self, context: &Context<'_>) -> Result<Vec<Network>> {
        let networks =
            context::run(
                context,
                |app, viewer| async move { networks::in_reach(&app, &viewer).await },
            );
        Ok(networks.await?)
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
