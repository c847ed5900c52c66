//! Building a snapshot: all of a network in eight statements of one transaction.

use sea_orm::{
    ConnectionTrait, DatabaseTransaction, QueryResult,
    sea_query::{
        Alias, CaseStatement, Expr, ExprTrait as _, Func, JoinType, Query, SelectStatement,
        SimpleExpr,
    },
};

use super::{
    layer::Layers,
    links::{NONE, Seen, links},
    observation::Heard,
    snapshot::{
        Address, GroupNode, HostNode, PortNode, ServiceNode, Snapshot, SubnetNode, Unresolved,
        place,
    },
};
use crate::{
    error::Result,
    types::{ChassisIdSubtype, Id, IpAddress, LldpChassisId},
};

/// The rows of a network, as the database gave them.
#[derive(Debug)]
pub(super) struct Rows {
    hosts: Vec<QueryResult>,
    ports: Vec<QueryResult>,
    seen: Vec<QueryResult>,
    addresses: Vec<QueryResult>,
    subnets: Vec<QueryResult>,
    services: Vec<QueryResult>,
    groups: Vec<QueryResult>,
}

fn named(table: &'static str, name: &'static str) -> SimpleExpr {
    Expr::col((Alias::new(table), Alias::new(name)))
}

fn select(table: &'static str, network_id: Id, columns: &[&'static str]) -> SelectStatement {
    Query::select()
        .exprs(columns.iter().map(|column| named(table, column)))
        .from(Alias::new(table))
        .and_where(named(table, "network_id").eq(network_id))
        .to_owned()
}

/// Reads everything, in seven statements.
pub(super) async fn read(db: &DatabaseTransaction, network_id: Id) -> Result<Rows> {
    let of = |table, columns: &[&'static str]| select(table, network_id, columns);
    let ports = Query::select()
        .exprs(["id", "host_id"].map(|column| named("if_entry", column)))
        .expr(Func::coalesce(["if_name", "if_descr"].map(|column| named("if_entry", column))))
        .exprs(["speed_bps", "admin_status", "oper_status"].map(|column| named("if_entry", column)))
        .from(Alias::new("if_entry"))
        .and_where(named("if_entry", "network_id").eq(network_id))
        .to_owned();
    let groups = Query::select()
        .exprs(["id", "name", "group_type"].map(|column| named("group", column)))
        .expr(named("binding", "service_id"))
        .from(Alias::new("group"))
        .join(
            JoinType::LeftJoin,
            Alias::new("group_binding"),
            named("group_binding", "group_id").eq(named("group", "id")),
        )
        .join(
            JoinType::LeftJoin,
            Alias::new("binding"),
            named("binding", "id").eq(named("group_binding", "binding_id")),
        )
        .and_where(named("group", "network_id").eq(network_id))
        .order_by_expr(named("group", "id"), sea_orm::Order::Asc)
        .order_by_expr(named("group_binding", "position"), sea_orm::Order::Asc)
        .to_owned();
    Ok(Rows {
        hosts: db.query_all(&of("host", &["id", "name"])).await?,
        ports: db.query_all(&ports).await?,
        seen: db.query_all(&seen_of(network_id)).await?,
        addresses: db
            .query_all(&of("interface", &["id", "host_id", "subnet_id", "ip_address"]))
            .await?,
        subnets: db.query_all(&of("subnet", &["id", "name", "cidr"])).await?,
        services: db.query_all(&of("service", &["id", "name", "host_id"])).await?,
        groups: db.query_all(&groups).await?,
    })
}

/// What was seen, with what was said by those who are not known.
fn seen_of(network_id: Id) -> SelectStatement {
    let unknown = || named("resolution", "far_host_id").is_null();
    let far_port = ["far_if_entry_id", "met_if_entry_id"].map(|column| named("resolution", column));
    let mut statement = select(
        "resolution",
        network_id,
        &[
            "observation_id",
            "if_entry_id",
            "method",
            "far_host_id",
            "outranked",
            "host_tier",
            "port_tier",
        ],
    );
    statement
        .expr(Func::coalesce(far_port))
        .expr(CaseStatement::new().case(unknown(), named("resolution", "chassis_key")))
        .exprs(
            ["chassis_id_subtype", "chassis_id", "sys_name", "mgmt_addr", "port_id"]
                .map(|column| named("observation", column)),
        )
        .join(
            JoinType::LeftJoin,
            Alias::new("observation"),
            unknown().and(named("observation", "id").eq(named("resolution", "observation_id"))),
        )
        .to_owned()
}

/// Works out the snapshot; it may take a second for a large network.
pub(super) fn build(
    network_id: Id,
    network: String,
    revision: i64,
    rows: Rows,
) -> Result<Snapshot> {
    let hosts = hosts(&rows.hosts)?;
    let ports = ports(&rows.ports, &hosts)?;
    let (seen, unresolved) = seen(&rows.seen, &hosts, &ports)?;
    let subnets = subnets(&rows.subnets)?;
    let addresses = addresses(&rows.addresses, &hosts, &subnets)?;
    let services = services(&rows.services, &hosts)?;
    let groups = groups(&rows.groups, &services)?;
    let links = links(&seen);
    Ok(Snapshot {
        network_id,
        network,
        revision,
        hosts,
        ports,
        seen,
        unresolved,
        links,
        addresses,
        subnets,
        services,
        groups,
        layers: Layers::default(),
    })
}

fn hosts(rows: &[QueryResult]) -> Result<Vec<HostNode>> {
    let read = |row: &QueryResult| {
        let name: String = row.try_get_by_index(1)?;
        Ok(HostNode { id: row.try_get_by_index(0)?, name: name.into() })
    };
    let mut hosts = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    hosts.sort_unstable_by_key(|host| host.id);
    Ok(hosts)
}

fn ports(rows: &[QueryResult], hosts: &[HostNode]) -> Result<Vec<PortNode>> {
    let mut ports = Vec::with_capacity(rows.len());
    for row in rows {
        let name: String = row.try_get_by_index(2)?;
        ports.push(PortNode {
            id: row.try_get_by_index(0)?,
            host: found(hosts, row.try_get_by_index(1)?, |host| host.id),
            name: name.into(),
            speed_bps: row.try_get_by_index(3)?,
            admin_status: row.try_get_by_index(4)?,
            oper_status: row.try_get_by_index(5)?,
        });
    }
    ports.sort_unstable_by_key(|port| port.id);
    Ok(ports)
}

/// The place of an id, or `NONE`.
fn found<T>(sorted: &[T], id: Id, id_of: impl Fn(&T) -> Id) -> u32 {
    place(sorted, id, id_of).unwrap_or(NONE)
}

fn seen(
    rows: &[QueryResult],
    hosts: &[HostNode],
    ports: &[PortNode],
) -> Result<(Vec<Seen>, Vec<Unresolved>)> {
    let mut read = Vec::with_capacity(rows.len());
    for row in rows {
        let port = found(ports, row.try_get_by_index(1)?, |port| port.id);
        if port == NONE {
            continue;
        }
        let far_host: Option<Id> = row.try_get_by_index(3)?;
        let far_port: Option<Id> = row.try_get_by_index(7)?;
        let seen = Seen {
            observation_id: row.try_get_by_index(0)?,
            port,
            host: ports[port as usize].host,
            far_port: far_port.map_or(NONE, |id| found(ports, id, |port| port.id)),
            far_host: far_host.map_or(NONE, |id| found(hosts, id, |host| host.id)),
            method: row.try_get_by_index(2)?,
            outranked: row.try_get_by_index(4)?,
            host_tier: row.try_get_by_index(5)?,
            port_tier: row.try_get_by_index(6)?,
        };
        read.push((seen, row));
    }
    read.sort_by_key(|(seen, _)| (seen.port, seen.method, seen.observation_id));
    let mut unresolved = Vec::new();
    for (place, (_, row)) in (0_u32..).zip(&read).filter(|(_, (seen, _))| seen.far_host == NONE) {
        unresolved.push(unknown(place, row)?);
    }
    Ok((read.into_iter().map(|(seen, _)| seen).collect(), unresolved))
}

fn unknown(seen: u32, row: &QueryResult) -> Result<Unresolved> {
    let text = |place| -> Result<Option<String>> { Ok(row.try_get_by_index(place)?) };
    let (key, chassis, sys_name) = (text(8)?, text(10)?, text(11)?);
    let (mgmt_addr, port_id) = (text(12)?, text(13)?);
    let subtype: Option<ChassisIdSubtype> = row.try_get_by_index(9)?;
    let fdb_mac = key.as_deref().and_then(|key| key.strip_prefix("m:")?.parse().ok());
    let heard = Heard {
        chassis: subtype
            .zip(chassis.clone())
            .map(|(subtype, value)| LldpChassisId { subtype, value }),
        sys_name: sys_name.clone(),
        mgmt_addr: mgmt_addr.clone(),
        fdb_mac: fdb_mac.filter(|_| subtype.is_none()),
        ..Heard::default()
    };
    let boxed = |text: Option<String>| text.map(String::into_boxed_str);
    let mac = heard.fdb_mac.map(|mac| mac.to_string());
    Ok(Unresolved {
        seen,
        claim: heard.strongest().map(|claim| claim.exact().into()),
        sys_name: boxed(sys_name),
        chassis_id: boxed(chassis.or(mac)),
        mgmt_addr: boxed(mgmt_addr),
        port_id: boxed(port_id),
    })
}

fn subnets(rows: &[QueryResult]) -> Result<Vec<SubnetNode>> {
    let read = |row: &QueryResult| {
        let (name, cidr): (String, String) = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        Ok(SubnetNode { id: row.try_get_by_index(0)?, name: name.into(), cidr: cidr.into() })
    };
    let mut subnets = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    subnets.sort_unstable_by_key(|subnet| subnet.id);
    Ok(subnets)
}

fn addresses(
    rows: &[QueryResult],
    hosts: &[HostNode],
    subnets: &[SubnetNode],
) -> Result<Vec<Address>> {
    let mut addresses = Vec::with_capacity(rows.len());
    for row in rows {
        let address: IpAddress = row.try_get_by_index(3)?;
        addresses.push(Address {
            id: row.try_get_by_index(0)?,
            host: found(hosts, row.try_get_by_index(1)?, |host| host.id),
            subnet: found(subnets, row.try_get_by_index(2)?, |subnet| subnet.id),
            ip: address.to_string().into(),
        });
    }
    addresses.retain(|address| address.host != NONE && address.subnet != NONE);
    addresses.sort_unstable_by_key(|address| address.id);
    Ok(addresses)
}

fn services(rows: &[QueryResult], hosts: &[HostNode]) -> Result<Vec<ServiceNode>> {
    let mut services = Vec::with_capacity(rows.len());
    for row in rows {
        let name: String = row.try_get_by_index(1)?;
        services.push(ServiceNode {
            id: row.try_get_by_index(0)?,
            name: name.into(),
            host: found(hosts, row.try_get_by_index(2)?, |host| host.id),
        });
    }
    services.sort_unstable_by_key(|service| service.id);
    Ok(services)
}

fn groups(rows: &[QueryResult], services: &[ServiceNode]) -> Result<Vec<GroupNode>> {
    let mut groups: Vec<GroupNode> = Vec::new();
    for row in rows {
        let id: Id = row.try_get_by_index(0)?;
        if groups.last().is_none_or(|group| group.id != id) {
            let name: String = row.try_get_by_index(1)?;
            let (name, group_type) = (name.into(), row.try_get_by_index(2)?);
            groups.push(GroupNode { id, name, group_type, services: Vec::new() });
        }
        let service: Option<Id> = row.try_get_by_index(3)?;
        if let (Some(group), Some(service)) = (groups.last_mut(), service) {
            group.services.extend(place(services, service, |service| service.id));
        }
    }
    Ok(groups)
}
