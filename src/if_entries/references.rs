//! The host, network and connections of an entry, checked against the rows that it references.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, SelectStatement, UnionType},
};
use toposcope_types::{Id, Kind, Mac, NeighborId, NeighborType};

use super::{
    entity::{Column, Entity, Model as IfEntry},
    input::{self, IfEntryInput},
};
use crate::{
    auth::Viewer,
    error::{Error, Result},
    hosts::entity as hosts,
    interfaces::entity as interfaces,
    resource::Resource,
};

/// The host, network and connections of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct References {
    pub(super) host_id: Id,
    pub(super) network_id: Id,
    pub(super) interface_id: Option<Id>,
    pub(super) neighbor: Option<NeighborId>,
    /// Whether to pin the neighbor even if it is the resolved one.
    pub(super) pinned: bool,
}

/// A row that an entry references.
#[derive(Clone, Copy, Debug, FromQueryResult)]
pub(super) struct Referred {
    pub(super) kind: Kind,
    pub(super) id: Id,
    pub(super) network_id: Id,
    pub(super) host_id: Id,
    pub(super) mac_address: Option<Mac>,
}

/// The rows that entries reference.
pub(super) type ReferredRows = HashMap<(Kind, Id), Referred>;

impl References {
    pub(super) fn of(input: &IfEntryInput) -> Self {
        Self {
            host_id: input.host_id,
            network_id: input.network_id,
            interface_id: input.interface_id.take(),
            neighbor: input.neighbor.take(),
            pinned: input.neighbor_pinned == Some(true),
        }
    }

    /// Rejects references to rows that the viewer cannot see, in another network, or on another
    /// host. One statement reads all of them.
    pub(super) async fn check(
        &self,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        entry: &IfEntry,
        mac_address: Option<Mac>,
    ) -> Result<()> {
        let rows = self.read(db, viewer).await?;
        let known = rows.into_iter().map(|row| ((row.kind, row.id), row)).collect();
        self.find(&known, Kind::Host, "host_id", self.host_id)?;
        self.check_among(entry, mac_address, &known)
    }

    fn find<'k>(
        &self,
        known: &'k ReferredRows,
        kind: Kind,
        field: &str,
        id: Id,
    ) -> Result<&'k Referred> {
        let field = || field.to_owned();
        let found = known.get(&(kind, id));
        let found = found.ok_or_else(|| Error::ReferenceInvalid { kind, field: field(), id })?;
        if found.network_id == self.network_id {
            return Ok(found);
        }
        Err(Error::NetworkMismatch { kind })
    }

    /// Checks the same for an entry whose host is known to be right.
    pub(super) fn check_among(
        &self,
        entry: &IfEntry,
        mac_address: Option<Mac>,
        known: &ReferredRows,
    ) -> Result<()> {
        if let Some(neighbor) = self.neighbor {
            input::check_neighbor(entry.id, self.host_id, neighbor)?;
        }
        if let Some(id) = self.interface_id {
            let interface = self.find(known, Kind::Interface, "interface_id", id)?;
            if interface.host_id != self.host_id {
                return Err(Error::invalid("interface_id", "the interface is on another host"));
            }
            let mac = mac_address.or(entry.mac_address);
            if interface.mac_address.is_some_and(|set| mac.is_some_and(|mac| mac != set)) {
                return Err(Error::invalid(
                    "interface_id",
                    "the interface has another MAC address than the entry",
                ));
            }
        }
        if let Some(NeighborId { neighbor_type, id }) = self.neighbor {
            self.find(known, input::kind_of(neighbor_type), "neighbor.id", id)?;
        }
        Ok(())
    }

    async fn read(&self, db: &impl ConnectionTrait, viewer: &Viewer) -> Result<Vec<Referred>> {
        let neighbor = |wanted: NeighborType| {
            self.neighbor.filter(|far| far.neighbor_type == wanted).map(|far| far.id)
        };
        let mut statement = referred::<hosts::Entity>(
            viewer,
            std::iter::once(self.host_id).chain(neighbor(NeighborType::Host)),
            hosts::Column::NetworkId,
            hosts::Column::Id,
            None,
        );
        if let Some(id) = self.interface_id {
            statement.union(
                UnionType::All,
                referred::<interfaces::Entity>(
                    viewer,
                    [id],
                    interfaces::Column::NetworkId,
                    interfaces::Column::HostId,
                    Some(interfaces::Column::MacAddress),
                ),
            );
        }
        if let Some(id) = neighbor(NeighborType::IfEntry) {
            statement.union(
                UnionType::All,
                referred::<Entity>(viewer, [id], Column::NetworkId, Column::HostId, None),
            );
        }
        let rows = db.query_all(&statement).await?;
        Ok(rows.iter().map(|row| Referred::from_query_result(row, "")).collect::<Result<_, _>>()?)
    }
}

fn referred<E: Resource>(
    viewer: &Viewer,
    ids: impl IntoIterator<Item = Id>,
    network_id: E::Column,
    host_id: E::Column,
    mac_address: Option<E::Column>,
) -> SelectStatement {
    let mac_address = mac_address.map_or_else(
        || Expr::cust("CAST(NULL AS TEXT)"),
        sea_orm::IntoSimpleExpr::into_simple_expr,
    );
    E::visible_to(viewer)
        .filter(E::ID.is_in(ids))
        .select_only()
        .expr_as(Expr::cust(format!("'{}'", E::KIND.name())), "kind")
        .column_as(E::ID, "id")
        .column_as(network_id, "network_id")
        .column_as(host_id, "host_id")
        .expr_as(mac_address, "mac_address")
        .into_query()
}
