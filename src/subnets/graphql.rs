//! Subnets over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{Id, SourceDetails, Timestamp};

use super::{Entity, Subnet, SubnetFilter, SubnetInput, SubnetOrder};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    input::{New, Part},
    interfaces::{self, Interface},
    networks::{self, Network},
    resource::{Precondition, children::Relation, page::Window},
    tags::{self, Tag, TagOwner},
    write::BulkDeleted,
};

/// Queries for subnets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubnetQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl SubnetQuery {
    /// One of the subnets, if there is one with this id within reach.
    async fn subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Subnet>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The subnets within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn subnets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<SubnetFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<SubnetOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Subnet>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Subnet {
    /// Where the record comes from.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The addresses in it.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn interfaces(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<
            interfaces::InterfaceFilter,
        >,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<interfaces::InterfaceOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Interface>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<interfaces::Entity>::Column(interfaces::Column::SubnetId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The tags that it carries, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Subnet, self.id).await
    }

    /// The tags that it carries, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn tags_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<tags::TagFilter>,
        #[graphql(desc = "In which order; left out, that in which it carries them.")]
        order_by: Option<Vec<tags::TagOrder>>,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Tag>> {
        let window = Window::new(after, before, first, last)?;
        let owner = TagOwner::Subnet;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// Changes of subnets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubnetMutation;

#[Object]
impl SubnetMutation {
    /// Makes a subnet; needs the level Member.
    async fn create_subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The subnet to be made.")] input: Part<SubnetInput, New>,
    ) -> Result<Subnet> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.subnet)
    }

    /// Changes a subnet; what is left out stays, and null clears; needs the level Member.
    async fn update_subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the subnet.")] id: Id,
        #[graphql(desc = "The fields of the subnet to change.")] input: SubnetInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Subnet> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.subnet)
    }

    /// Deletes a subnet with all that hangs on it, and tells what went; needs the level Member.
    async fn delete_subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the subnet.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many subnets that are within reach, all or nothing; needs the level Member.
    async fn bulk_delete_subnets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the subnets.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
