//! The nodes of a topology, over GraphQL.

use std::sync::Arc;

use async_graphql::{Context, Enum, Object, Result};
use toposcope_topology::network::{Snapshot, layers::NodeAt};
use toposcope_types::{Id, Layer};

use crate::{
    graphql::loader,
    hosts::{self, Host},
    services::{self, Service},
    subnets::{self, Subnet},
};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(name = "TopologyNodeKind")]
pub enum NodeKind {
    /// A device.
    Host,
    /// A subnet.
    Subnet,
    /// A service.
    Service,
}

/// A node in the graph of a network: a device, a subnet, or a service.
#[derive(Clone, Debug)]
pub struct TopologyNode {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) layer: Layer,
    pub(super) node: NodeAt,
}

impl TopologyNode {
    pub(super) fn id_of(snapshot: &Snapshot, node: NodeAt) -> Id {
        match node {
            NodeAt::Host(place) => snapshot.hosts[place as usize].id,
            NodeAt::Subnet(place) => snapshot.subnets[place as usize].id,
            NodeAt::Service(place) => snapshot.services[place as usize].id,
        }
    }

    pub(super) fn label_of(snapshot: &Snapshot, node: NodeAt) -> &str {
        match node {
            NodeAt::Host(place) => &snapshot.hosts[place as usize].name,
            NodeAt::Subnet(place) => &snapshot.subnets[place as usize].name,
            NodeAt::Service(place) => &snapshot.services[place as usize].name,
        }
    }
}

/// A node in the graph of a network: a device, a subnet, or a service.
#[Object]
impl TopologyNode {
    /// The id of the device, subnet or service.
    async fn id(&self) -> Id {
        Self::id_of(&self.snapshot, self.node)
    }

    /// The kind of node.
    async fn kind(&self) -> NodeKind {
        match self.node {
            NodeAt::Host(_) => NodeKind::Host,
            NodeAt::Subnet(_) => NodeKind::Subnet,
            NodeAt::Service(_) => NodeKind::Service,
        }
    }

    /// The display name.
    async fn label(&self) -> &str {
        Self::label_of(&self.snapshot, self.node)
    }

    /// The number of links that end at the node.
    async fn degree(&self) -> usize {
        let number = self.snapshot.number(self.node);
        self.snapshot.layer(self.layer).graph.around(number).len()
    }

    /// The device itself or, for a service, the device that runs it.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        let host = match self.node {
            NodeAt::Host(place) => Some(place),
            NodeAt::Subnet(_) => None,
            NodeAt::Service(place) => Some(self.snapshot.services[place as usize].host),
        };
        let id = host.and_then(|place| self.snapshot.host_id(place));
        loader::by_id::<hosts::Entity>(context, id).await
    }

    /// The subnet, if the node is one.
    async fn subnet(&self, context: &Context<'_>) -> Result<Option<Subnet>> {
        let NodeAt::Subnet(place) = self.node else { return Ok(None) };
        let id = self.snapshot.subnets[place as usize].id;
        loader::by_id::<subnets::Entity>(context, id).await
    }

    /// The service, if the node is one.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        let NodeAt::Service(place) = self.node else { return Ok(None) };
        let id = self.snapshot.services[place as usize].id;
        loader::by_id::<services::Entity>(context, id).await
    }
}
