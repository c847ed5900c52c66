//! Where an interface-table entry belongs and what it is connected to, checked in one statement.

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, SelectStatement, UnionType},
};

use super::{
    entity::{Column, Entity, Model as IfEntry},
    input::{self, NeighborId, NeighborType},
};
use crate::{
    auth::Viewer,
    db::Resource,
    error::{Error, Kind, Result},
    hosts, interfaces,
    types::{Id, Mac},
};

/// Where an entry belongs and what it is connected to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) host_id: Id,
    pub(super) network_id: Id,
    pub(super) interface_id: Option<Id>,
    pub(super) neighbor: Option<NeighborId>,
}

/// A row that an entry refers to.
#[derive(Debug, FromQueryResult)]
struct Referred {
    kind: String,
    id: Id,
    network_id: Id,
    host_id: Id,
    mac_address: Option<Mac>,
}

impl Places {
    /// Refuses references that are out of reach, in another network, or on another host; one
    /// statement looks at all of them.
    pub(super) async fn check(
        &self,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        entry: &IfEntry,
        mac_address: Option<Mac>,
    ) -> Result<()> {
        if let Some(neighbor) = self.neighbor {
            input::check_neighbor(entry.id, self.host_id, neighbor)?;
        }
        let referred = self.read(db, viewer).await?;
        let find = |kind: Kind, field: &str, id: Id| {
            let found = referred.iter().find(|row| row.kind == kind.name() && row.id == id);
            let found = found.ok_or_else(|| Error::ReferenceInvalid {
                kind,
                field: field.to_owned(),
                id,
            })?;
            if found.network_id == self.network_id {
                Ok(found)
            } else {
                Err(Error::NetworkMismatch { kind })
            }
        };
        find(Kind::Host, "host_id", self.host_id)?;
        if let Some(id) = self.interface_id {
            let interface = find(Kind::Interface, "interface_id", id)?;
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
            find(input::kind_of(neighbor_type), "neighbor.id", id)?;
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
