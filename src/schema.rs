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

/// The maximum nesting of fields.
const MAX_DEPTH: usize = 60;
/// The maximum number of fields in a response, based on the requested page sizes.
const MAX_COMPLEXITY: usize = 1_000_000;
/// The maximum recursion of validation; more than `MAX_DEPTH`, whose error says what is wrong.
const MAX_RECURSION: usize = 100;

/// All read operations.
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

/// All write operations.
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

/// Builds the schema with its limits.
pub fn schema() -> Schema {
    Schema::build(Query::default(), Mutation::default(), EmptySubscription)
        .limit_depth(MAX_DEPTH)
        .limit_complexity(MAX_COMPLEXITY)
        .limit_recursive_depth(MAX_RECURSION)
        .finish()
}

/// Returns the schema in the schema definition language, as in `schema.graphql`.
pub fn sdl() -> String {
    let options = async_graphql::SDLExportOptions::new()
        .prefer_single_line_descriptions()
        .include_specified_by();
    schema().sdl_with_options(options)
}
