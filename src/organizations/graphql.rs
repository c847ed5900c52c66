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
    /// Returns the organization with this id, if it is your own.
    async fn organization(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Organization>> {
        loader::by_id::<Entity>(context, id).await
    }
}

/// Mutations for the organization.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrganizationMutation;

#[Object]
impl OrganizationMutation {
    /// Updates the organization. Omitted fields keep their value. Requires the Owner permission
    /// level.
    async fn update_organization(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the organization.")] id: Id,
        #[graphql(desc = "The fields of the organization to update.")] input: OrganizationInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
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
