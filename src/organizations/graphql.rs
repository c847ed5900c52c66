//! The organization over GraphQL.

use async_graphql::{Context, Object, Result};
use toposcope_types::{Id, Timestamp};

use super::{Entity, Organization, OrganizationInput};
use crate::{
    graphql::{context, loader},
    resource::Precondition,
};

/// Queries for the organization.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrganizationQuery;

#[Object]
impl OrganizationQuery {
    /// The organization, if it is yours.
    async fn organization(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Organization>> {
        loader::by_id::<Entity>(context, id).await
    }
}

/// Changes of the organization.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrganizationMutation;

#[Object]
impl OrganizationMutation {
    /// Changes the organization; needs the level Owner.
    async fn update_organization(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the organization.")] id: Id,
        #[graphql(desc = "The fields of the organization to change.")] input: OrganizationInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Organization> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?)
    }
}
