//! Global object identification, as Relay specifies it.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use async_graphql::{
    Context, ContextSelectionSet, Interface as GraphqlInterface, Object, OutputType, Positioned,
    Result, ServerResult, Value, dataloader::Loader, parser::types::Field, registry::Registry,
};
use futures_util::future::try_join_all;
use toposcope_types::{Id, Kind};

use super::every_kind;
use crate::{
    api_keys::{self, ApiKey},
    bindings::{
        self,
        graphql::{Binding, InterfaceBinding, PortBinding},
    },
    changes::{self, Change},
    error::Error,
    graphql::{
        connection::per_row,
        context,
        loader::{self, Batch, LoadError},
    },
    groups::{self, Group},
    hosts::{self, Host},
    if_entries::{self, IfEntry, Observation, observation},
    interfaces::{self, Interface},
    networks::{self, Network},
    organizations::{self, Organization},
    ports::{self, Port},
    resource::{Resource, page::MAX_PAGE},
    services::{self, Service},
    subnets::{self, Subnet},
    tags::{self, Tag},
    users::{self, User},
};

/// Queries for objects by their id alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeQuery;

#[Object]
impl NodeQuery {
    /// Fetches an object of any kind by its id; null if none is visible to the viewer.
    async fn node(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Found>> {
        find(context, id).await
    }

    /// Fetches objects of any kind by their ids, in the order of the ids; null for each id without
    /// an object visible to the viewer.
    #[graphql(complexity = "per_row(ids.len(), child_complexity)")]
    async fn nodes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids, at most 1000.")] ids: Vec<Id>,
    ) -> Result<Vec<Option<Found>>> {
        let max = usize::try_from(MAX_PAGE).unwrap_or(usize::MAX);
        if ids.len() > max {
            return Err(Error::MaxLength { field: "ids".to_owned(), max }.into());
        }
        context::count(context, ids.len())?;
        try_join_all(ids.into_iter().map(|id| find(context, id))).await
    }
}

/// An object that can be fetched by its id.
#[expect(clippy::large_enum_variant, reason = "it lives for one answer, and a box costs more")]
#[derive(Clone, Debug, GraphqlInterface)]
#[graphql(field(name = "id", ty = "Id", desc = "The id, unique among all kinds of object."))]
pub enum Node {
    Network(Network),
    Host(Host),
    IfEntry(IfEntry),
    Observation(Observation),
    Interface(Interface),
    Port(Port),
    Subnet(Subnet),
    Service(Service),
    PortBinding(PortBinding),
    InterfaceBinding(InterfaceBinding),
    Group(Group),
    Tag(Tag),
    ApiKey(ApiKey),
    User(User),
    Organization(Organization),
    Change(Change),
}

/// A node that adds to the schema what the macro cannot: that one interface implements another.
#[derive(Clone, Debug)]
struct Found(Node);

impl OutputType for Found {
    fn type_name() -> Cow<'static, str> {
        Node::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        let name = Node::create_type_info(registry);
        registry.add_implements(&Binding::type_name(), &Node::type_name());
        name
    }

    async fn resolve(
        &self,
        context: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        self.0.resolve(context, field).await
    }
}

/// The loader key for the kind of object that an id identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct KindOf(Id);

impl Loader<KindOf> for Batch {
    type Value = Kind;
    type Error = LoadError;

    async fn load(&self, keys: &[KindOf]) -> std::result::Result<HashMap<KindOf, Kind>, LoadError> {
        let ids = keys.iter().map(|key| key.0).collect();
        let kinds = super::kinds(&self.app, &self.viewer, ids).await.map_err(Arc::new)?;
        Ok(kinds.into_iter().map(|(id, kind)| (KindOf(id), kind)).collect())
    }
}

async fn find(context: &Context<'_>, id: Id) -> Result<Option<Found>> {
    let Some(kind) = loader::loaders(context)?.load_one(KindOf(id)).await? else {
        return Ok(None);
    };
    Ok(load(context, kind, id).await?.map(Found))
}

macro_rules! load {
    ($($kind:ident: $entity:ty),* $(,)?) => {
        async fn load(context: &Context<'_>, kind: Kind, id: Id) -> Result<Option<Node>> {
            match kind {
                $(Kind::$kind => one::<$entity>(context, id).await,)*
                Kind::Alias => Ok(None),
            }
        }
    };
}
every_kind!(load);

impl From<bindings::Model> for Node {
    fn from(row: bindings::Model) -> Self {
        match row.into() {
            Binding::Port(binding) => binding.into(),
            Binding::Interface(binding) => binding.into(),
        }
    }
}

async fn one<E: Resource>(context: &Context<'_>, id: Id) -> Result<Option<Node>>
where
    Node: From<E::Model>,
{
    Ok(loader::by_id::<E>(context, id).await?.map(Into::into))
}
