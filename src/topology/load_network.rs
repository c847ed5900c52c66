//! Building a snapshot: reads a whole network in four statements of one transaction, while another
//! thread assembles it.

use std::collections::{HashMap, HashSet};

use sea_orm::{
    ConnectionTrait as _, QueryResult, Statement,
    sea_query::{Alias, Expr, ExprTrait as _, JoinType, Query, SelectStatement, SimpleExpr},
};
use tokio::task::JoinHandle;
use toposcope_topology::{
    network::{
        Address, GroupNode, HostNode, ServiceNode, Snapshot, SubnetNode, Unresolved,
        assembly::links,
        caches::Caches,
        links::{NONE, Seen},
        place,
        ports::PortNode,
    },
    resolution::sighting::Heard,
};
use toposcope_types::{
    ChassisIdSubtype, Cidr, HostTier, Id, IpAddress, Layer, Mac, Method, PortTier, SubnetType,
};

use super::ports::{self, PortRow};
use crate::{
    db::{
        columns::{FromColumns as _, One, columns},
        json_rows::{self, Rows, unpack, unpack_one},
        packer::Packer,
    },
    error::Result,
    networks::Network,
    resolution::rows::said,
};

/// Reads a network and assembles its snapshot.
pub(super) async fn build(db: &crate::db::Transaction, network: Network) -> Result<Snapshot> {
    let packer = Packer(db.get_database_backend());
    let subnets = subnets(&db.query_all(&subnets_of(network.id)).await?)?;
    let groups = db.query_all(&groups_of(network.id)).await?;
    let (to_devices, devices) = json_rows::pipe();
    let (to_seen, seen) = json_rows::pipe();
    let network_id = network.id;
    let building: JoinHandle<Result<Snapshot>> = tokio::task::spawn_blocking(move || {
        let mut devices = Devices::read(devices, &subnets)?;
        let (seen, unresolved) = devices.seen(seen)?;
        let snapshot = Snapshot {
            network_id: network.id,
            network: network.name,
            revision: network.revision.0,
            links: links(&seen, &devices.ports),
            groups: self::groups(&groups, &devices.services)?,
            seen,
            unresolved,
            subnets,
            hosts: devices.hosts,
            ports: devices.ports,
            addresses: devices.addresses,
            services: devices.services,
            caches: Caches::default(),
        };
        // Almost every query needs this layer.
        snapshot.layer(Layer::L2);
        Ok(snapshot)
    });
    json_rows::pour(db, packer.hosts(network_id, &devices_of(packer)), to_devices).await?;
    json_rows::pour(db, seen_of(packer, network_id), to_seen).await?;
    building.await.map_err(anyhow::Error::from)?
}

fn named(table: &'static str, name: &'static str) -> SimpleExpr {
    Expr::col((Alias::new(table), Alias::new(name)))
}

/// Selects the subnets of a network; one that stands for everywhere only if an interface is in it.
fn subnets_of(network_id: Id) -> SelectStatement {
    let in_it = Query::select()
        .column(Alias::new("id"))
        .from(Alias::new("interface"))
        .and_where(named("interface", "subnet_id").equals((Alias::new("subnet"), Alias::new("id"))))
        .to_owned();
    let subnet = |column| named("subnet", column);
    let outside = [SubnetType::Internet, SubnetType::Remote].map(Expr::val);
    let shown = Expr::exists(in_it)
        .or(subnet("cidr").ne(Cidr::EVERYWHERE))
        .or(subnet("subnet_type").is_not_in(outside));
    Query::select()
        .columns(["id", "name", "cidr"].map(Alias::new))
        .from(Alias::new("subnet"))
        .and_where(subnet("network_id").eq(network_id))
        .and_where(shown)
        .to_owned()
}

fn groups_of(network_id: Id) -> SelectStatement {
    Query::select()
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
        .to_owned()
}

/// Returns the columns for a device, its ports, its addresses and its services.
fn devices_of(packer: Packer) -> Vec<String> {
    let port = PortRow::packed(packer, "if_entry");
    let address = AddressRow::packed(packer, "interface");
    let service = ServiceRow::packed(packer, "service");
    vec![
        "host.id".to_owned(),
        "host.name".to_owned(),
        packer.rows(&port, "if_entry WHERE host_id = host.id"),
        packer.rows(&address, "interface WHERE host_id = host.id"),
        packer.rows(&service, "service WHERE host_id = host.id"),
    ]
}

/// Selects the resolutions by device, with what unknown neighbors said.
fn seen_of(packer: Packer, network_id: Id) -> Statement {
    let mut seen = SeenRow::packed(packer, "resolution");
    seen.push(packer.one(
        &Said::packed(packer, "observation"),
        "resolution AS this LEFT JOIN observation ON observation.id = this.observation_id \
         WHERE resolution.far_host_id IS NULL AND this.if_entry_id = resolution.if_entry_id \
         AND this.method = resolution.method AND this.position = resolution.position",
    ));
    let sql = format!(
        "SELECT {} FROM resolution WHERE network_id = $1 GROUP BY host_id",
        packer.list(&seen)
    );
    Statement::from_sql_and_values(packer.0, sql, [network_id.into()])
}

#[derive(Debug)]
struct AddressRow {
    id: Id,
    subnet_id: Id,
    ip_address: IpAddress,
    position: i32,
}

columns!(AddressRow { id: Id, subnet_id: Id, ip_address: IpAddress, position: i32 });

#[derive(Debug)]
struct ServiceRow {
    id: Id,
    name: String,
}

columns!(ServiceRow { id: Id, name: String });

#[derive(Debug)]
struct SeenRow {
    observation_id: Id,
    if_entry_id: Id,
    method: Method,
    far_host_id: Option<Id>,
    far_port: Option<Id>,
    outranked: bool,
    superseded: bool,
    host_tier: Option<HostTier>,
    port_tier: Option<PortTier>,
}

columns!(SeenRow {
    observation_id: Id,
    if_entry_id: Id,
    method: Method,
    far_host_id: Option<Id>,
    far_port: Option<Id> = "coalesce(far_if_entry_id, met_if_entry_id)",
    outranked: bool,
    superseded: bool,
    host_tier: Option<HostTier>,
    port_tier: Option<PortTier>,
});

/// The data that an unknown neighbor announces about itself.
#[derive(Debug)]
struct Said {
    chassis_key: Option<String>,
    chassis_id_subtype: Option<ChassisIdSubtype>,
    chassis_id: Option<String>,
    sys_name: Option<String>,
    mgmt_addr: Option<String>,
    port_id: Option<String>,
}

columns!(Said {
    chassis_key: Option<String> = "resolution.chassis_key",
    chassis_id_subtype: Option<ChassisIdSubtype>,
    chassis_id: Option<String>,
    sys_name: Option<String>,
    mgmt_addr: Option<String>,
    port_id: Option<String>,
});

/// The devices of a network and what belongs to them, each sorted by id.
#[derive(Debug, Default)]
struct Devices {
    hosts: Vec<HostNode>,
    ports: Vec<PortNode>,
    addresses: Vec<Address>,
    services: Vec<ServiceNode>,
}

impl Devices {
    fn read(rows: Rows, subnets: &[SubnetNode]) -> Result<Self> {
        let mut devices = Self::default();
        // Indexes follow the order of reading until everything is read.
        for (host, row) in (0_u32..).zip(rows) {
            let name: String = row.try_get_by_index(1)?;
            devices.hosts.push(HostNode { id: row.try_get_by_index(0)?, name: name.into() });
            ports::add(&mut devices.ports, host, unpack(&row, 2)?);
            for AddressRow { id, subnet_id, ip_address, position } in unpack(&row, 3)? {
                if let Some(subnet) = place(subnets, subnet_id, |subnet| subnet.id) {
                    let ip = ip_address.to_string().into();
                    devices.addresses.push(Address { id, host, subnet, ip, position });
                }
            }
            let services = unpack::<ServiceRow>(&row, 4)?.into_iter();
            let services =
                services.map(|row| ServiceNode { id: row.id, name: row.name.into(), host });
            devices.services.extend(services);
        }
        devices.sort();
        Ok(devices)
    }

    fn sort(&mut self) {
        let mut order: Vec<u32> = (0_u32..).zip(&self.hosts).map(|(place, _)| place).collect();
        order.sort_unstable_by_key(|host| self.hosts[*host as usize].id);
        let mut places = vec![0; order.len()];
        for (place, host) in (0_u32..).zip(&order) {
            places[*host as usize] = place;
        }
        self.hosts.sort_unstable_by_key(|host| host.id);
        for port in &mut self.ports {
            port.host = places[port.host as usize];
        }
        for address in &mut self.addresses {
            address.host = places[address.host as usize];
        }
        for service in &mut self.services {
            service.host = places[service.host as usize];
        }
        ports::sort(&mut self.ports);
        self.addresses.sort_unstable_by_key(|address| address.id);
        self.services.sort_unstable_by_key(|service| service.id);
    }

    fn seen(&mut self, rows: Rows) -> Result<(Vec<Seen>, Vec<Unresolved>)> {
        let mut all = Vec::with_capacity(self.ports.len());
        let mut said: HashMap<(u32, Method, Id), String> = HashMap::new();
        for row in rows {
            for (one, One(said_of_it)) in unpack::<(SeenRow, One<Option<String>>)>(&row, 0)? {
                let Some(port) = place(&self.ports, one.if_entry_id, |port| port.id) else {
                    continue;
                };
                if let Some(text) = said_of_it {
                    said.insert((port, one.method, one.observation_id), text);
                }
                all.push(Seen {
                    observation_id: one.observation_id,
                    port,
                    host: self.ports[port as usize].host,
                    far_port: found(&self.ports, one.far_port, |port| port.id),
                    far_host: found(&self.hosts, one.far_host_id, |host| host.id),
                    method: one.method,
                    outranked: one.outranked,
                    superseded: one.superseded,
                    host_tier: one.host_tier,
                    port_tier: one.port_tier,
                });
            }
        }
        let key = |seen: &Seen| (seen.port, seen.method, seen.observation_id);
        all.sort_unstable_by_key(key);
        let mut unresolved = Vec::with_capacity(said.len());
        // A neighbor that announces no identity still counts as known if a person pinned the port.
        let pinned: HashSet<u32> =
            all.iter().filter(|seen| seen.method == Method::Pinned).map(|seen| seen.port).collect();
        for (place, seen) in (0_u32..).zip(&all).filter(|(_, seen)| seen.far_host == NONE) {
            let said = said.get(&key(seen)).map(|text| unpack_one(text)).transpose()?;
            let one = said.map(|said| unknown(place, said));
            unresolved
                .extend(one.filter(|one| one.claim.is_some() || !pinned.contains(&seen.port)));
        }
        Ok((all, unresolved))
    }
}

/// Returns the index of an id, or `NONE`.
fn found<T>(sorted: &[T], id: Option<Id>, id_of: impl Fn(&T) -> Id) -> u32 {
    id.and_then(|id| place(sorted, id, id_of)).unwrap_or(NONE)
}

fn unknown(seen: u32, said: Said) -> Unresolved {
    let of_table: Option<Mac> =
        said.chassis_key.as_deref().and_then(|key| key.strip_prefix("m:")?.parse().ok());
    let heard = Heard {
        sys_name: said.sys_name.clone(),
        mgmt_addr: said.mgmt_addr.clone(),
        fdb_mac: of_table.filter(|_| said.chassis_id_subtype.is_none()),
        ..self::said(said.chassis_id_subtype.zip(said.chassis_id.clone()), None, None)
    };
    let boxed = |text: Option<String>| text.map(String::into_boxed_str);
    let mac = heard.fdb_mac.map(|mac| mac.to_string());
    Unresolved {
        seen,
        claim: heard.strongest().map(|claim| claim.exact().into()),
        sys_name: boxed(said.sys_name),
        chassis_id: boxed(said.chassis_id.or(mac)),
        mgmt_addr: boxed(said.mgmt_addr),
        port_id: boxed(said.port_id),
    }
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
