//! Every GraphQL root field, and the limits of a query.

use async_graphql::{EmptySubscription, MergedObject};

use crate::{
    api_keys::graphql::{ApiKeyMutation, ApiKeyQuery},
    bindings::graphql::{BindingMutation, BindingQuery},
    changes::graphql::ChangeQuery,
    groups::graphql::{GroupMutation, GroupQuery},
    hosts::graphql::{HostMutation, HostQuery},
    if_entries::graphql::{IfEntryMutation, IfEntryQuery},
    interfaces::graphql::{InterfaceMutation, InterfaceQuery},
    networks::graphql::{NetworkMutation, NetworkQuery},
    nodes::graphql::NodeQuery,
    organizations::graphql::{OrganizationMutation, OrganizationQuery},
    ports::graphql::{PortMutation, PortQuery},
    services::graphql::{ServiceMutation, ServiceQuery},
    subnets::graphql::{SubnetMutation, SubnetQuery},
    tags::graphql::{TagMutation, TagQuery},
    topology::graphql::{TopologyMutation, TopologyQuery},
    users::graphql::{UserMutation, UserQuery, ViewerQuery},
};

/// How deep fields may be nested.
const MAX_DEPTH: usize = 60;
/// How many fields an answer may have, by the sizes of the pages that are asked for.
const MAX_COMPLEXITY: usize = 1_000_000;
/// How deep the validation may go; more than `MAX_DEPTH`, which says what is wrong.
const MAX_RECURSION: usize = 100;

/// What can be asked.
#[derive(Debug, Default, MergedObject)]
pub struct Query(
    ViewerQuery,
    NodeQuery,
    NetworkQuery,
    HostQuery,
    IfEntryQuery,
    InterfaceQuery,
    PortQuery,
    SubnetQuery,
    ServiceQuery,
    BindingQuery,
    GroupQuery,
    TagQuery,
    ApiKeyQuery,
    UserQuery,
    OrganizationQuery,
    ChangeQuery,
    TopologyQuery,
);

/// What can be changed.
#[derive(Debug, Default, MergedObject)]
pub struct Mutation(
    HostMutation,
    IfEntryMutation,
    InterfaceMutation,
    PortMutation,
    SubnetMutation,
    ServiceMutation,
    BindingMutation,
    GroupMutation,
    NetworkMutation,
    TagMutation,
    ApiKeyMutation,
    UserMutation,
    OrganizationMutation,
    TopologyMutation,
);

/// The schema.
pub type Schema = async_graphql::Schema<Query, Mutation, EmptySubscription>;

/// The schema with its limits.
pub fn schema() -> Schema {
    Schema::build(Query::default(), Mutation::default(), EmptySubscription)
        .limit_depth(MAX_DEPTH)
        .limit_complexity(MAX_COMPLEXITY)
        .limit_recursive_depth(MAX_RECURSION)
        .finish()
}

/// The schema in the schema definition language, as `schema.graphql` holds it.
pub fn sdl() -> String {
    let options = async_graphql::SDLExportOptions::new()
        .prefer_single_line_descriptions()
        .include_specified_by();
    schema().sdl_with_options(options)
}
