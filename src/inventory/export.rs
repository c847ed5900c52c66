//! Writes a network as a document.

use std::collections::{HashMap, HashSet};

use async_graphql::MaybeUndefined;
use toposcope_types::{BindingType, Cidr, Id, NeighborProtocol, Source, natural::natural_key};

use super::{
    document,
    entries::same_mac,
    list::List,
    stored::{Stored, by, operator},
};
use crate::{
    app::App,
    bindings::Model as Binding,
    error::{Error, Result},
    groups::Group,
    hosts::Host,
    if_entries::{IfEntry, Observation},
    interfaces::Interface,
    networks::Network,
    ports::Port,
    services::Service,
    subnets::{Subnet, is_outside},
    tags::Tag,
};

/// Writes a network as a document that [`super::import()`] reads: its contents by name, in creation
/// order, so that a copy produces the same text.
///
/// Omits what the format cannot express: neighbors, which are resolved from observations, and the
/// platform that runs a virtual host or a container.
pub async fn export(app: &App, network: &Network) -> Result<String> {
    let snapshot = app.db.snapshot().await?;
    let viewer = operator(app, network.organization_id, Some(network.id));
    let stored = Stored::read(app, &snapshot, &viewer).await?;
    snapshot.rollback().await?;
    let document = Exporter::new(&stored).document(network)?;
    let mut text = serde_json::to_string_pretty(&document).map_err(anyhow::Error::from)?;
    text.push('\n');
    Ok(text)
}

struct Exporter<'a> {
    stored: &'a Stored,
    tags: HashMap<Id, &'a Tag>,
    subnets: HashMap<Id, Cidr>,
    hosts: HashMap<Id, &'a Host>,
    services_by_id: HashMap<Id, &'a Service>,
    bindings_by_id: HashMap<Id, &'a Binding>,
    ports_by_id: HashMap<Id, &'a Port>,
    interfaces_by_id: HashMap<Id, &'a Interface>,
    interfaces: HashMap<Id, Vec<&'a Interface>>,
    if_entries: HashMap<Id, Vec<&'a IfEntry>>,
    observations: HashMap<Id, Vec<&'a Observation>>,
    ports: HashMap<Id, Vec<&'a Port>>,
    services: HashMap<Id, Vec<&'a Service>>,
    bindings: HashMap<Id, Vec<&'a Binding>>,
    /// The marks that distinguish hosts and groups with the same name.
    references: HashMap<Id, String>,
}

/// Numbers the rows that share a name, in creation order, so that a copy has the same numbers.
fn references<'a>(names: impl Iterator<Item = (Id, &'a str)>) -> Vec<(Id, String)> {
    let mut namesakes: HashMap<&str, Vec<Id>> = HashMap::new();
    for (id, name) in names {
        namesakes.entry(name).or_default().push(id);
    }
    let several = namesakes.into_values().filter(|ids| ids.len() > 1);
    several
        .flat_map(|ids| ids.into_iter().zip(1..).map(|(id, nth)| (id, nth.to_string())))
        .collect()
}

impl<'a> Exporter<'a> {
    fn new(stored: &'a Stored) -> Self {
        let mut interfaces = by(&stored.interfaces, |row| row.host_id);
        for rows in interfaces.values_mut() {
            rows.sort_by_key(|row| row.position);
        }
        let mut services = by(&stored.services, |row| row.host_id);
        for rows in services.values_mut() {
            rows.sort_by_key(|row| row.position);
        }
        let mut observations = by(&stored.observations, |row| row.if_entry_id);
        for rows in observations.values_mut() {
            rows.sort_by_key(|row| (row.protocol == NeighborProtocol::Cdp, row.position));
        }
        Self {
            stored,
            tags: stored.tags.iter().map(|row| (row.id, row)).collect(),
            subnets: stored.subnets.iter().map(|row| (row.id, row.cidr)).collect(),
            hosts: stored.hosts.iter().map(|row| (row.id, row)).collect(),
            services_by_id: stored.services.iter().map(|row| (row.id, row)).collect(),
            bindings_by_id: stored.bindings.iter().map(|row| (row.id, row)).collect(),
            ports_by_id: stored.ports.iter().map(|row| (row.id, row)).collect(),
            interfaces_by_id: stored.interfaces.iter().map(|row| (row.id, row)).collect(),
            interfaces,
            if_entries: by(&stored.if_entries, |row| row.host_id),
            observations,
            ports: by(&stored.ports, |row| row.host_id),
            services,
            bindings: by(&stored.bindings, |row| row.service_id),
            references: references(stored.hosts.iter().map(|row| (row.id, row.name.as_str())))
                .into_iter()
                .chain(references(stored.groups.iter().map(|row| (row.id, row.name.as_str()))))
                .collect(),
        }
    }

    fn reference(&self, id: Id) -> Option<String> {
        self.references.get(&id).cloned()
    }

    fn document(&self, network: &Network) -> Result<document::Document> {
        let mut cidrs = HashSet::new();
        let subnets = self.stored.subnets.iter().filter(|subnet| !is_outside(subnet));
        let subnets = subnets.filter(|subnet| cidrs.insert(subnet.cidr));
        Ok(document::Document {
            format: document::FORMAT.to_owned(),
            network: Some(document::Network {
                name: network.name.clone(),
                tags: self.tag_names(&self.stored.network_tags, network.id),
            }),
            tags: Some(self.used_tags()).filter(|tags| !tags.is_empty()).map(List::from_iter),
            subnets: Some(subnets.map(|subnet| self.subnet(subnet)).collect()),
            hosts: Some(self.stored.hosts.iter().map(|host| self.host(host)).collect()),
            groups: Some(
                self.stored.groups.iter().map(|group| self.group(group)).collect::<Result<_>>()?,
            ),
        })
    }

    /// Returns the tags in use in the network, ordered by name.
    fn used_tags(&self) -> Vec<document::Tag> {
        let carried = [
            &self.stored.network_tags,
            &self.stored.subnet_tags,
            &self.stored.host_tags,
            &self.stored.service_tags,
            &self.stored.group_tags,
        ];
        let used: HashSet<Id> =
            carried.into_iter().flat_map(HashMap::values).flatten().copied().collect();
        let mut tags: Vec<&Tag> =
            self.stored.tags.iter().filter(|tag| used.contains(&tag.id)).collect();
        tags.sort_by_cached_key(|tag| natural_key(&tag.name));
        tags.into_iter()
            .map(|tag| document::Tag {
                name: tag.name.clone(),
                color: Some(tag.color),
                description: tag.description.clone(),
            })
            .collect()
    }

    fn tag_names(&self, carried: &HashMap<Id, Vec<Id>>, owner: Id) -> Option<List<String>> {
        let tags = carried.get(&owner)?;
        let names = tags.iter().filter_map(|id| self.tags.get(id)).map(|tag| tag.name.clone());
        Some(names.collect())
    }

    fn subnet(&self, subnet: &Subnet) -> document::Subnet {
        document::Subnet {
            name: Some(subnet.name.clone()),
            cidr: subnet.cidr,
            subnet_type: Some(subnet.subnet_type),
            description: said(subnet.description.as_ref()),
            source: source(&subnet.source),
            tags: self.tag_names(&self.stored.subnet_tags, subnet.id),
        }
    }

    fn host(&self, host: &Host) -> document::Host {
        fn of<'m, M>(rows: &'m HashMap<Id, Vec<&'m M>>, id: Id) -> &'m [&'m M] {
            rows.get(&id).map_or(&[], Vec::as_slice)
        }
        let interfaces = of(&self.interfaces, host.id);
        document::Host {
            name: host.name.clone(),
            reference: self.reference(host.id),
            hostname: said(host.hostname.as_ref()),
            description: said(host.description.as_ref()),
            sys_name: said(host.sys_name.as_ref()),
            sys_descr: said(host.sys_descr.as_ref()),
            sys_object_id: said(host.sys_object_id.as_ref()),
            sys_location: said(host.sys_location.as_ref()),
            sys_contact: said(host.sys_contact.as_ref()),
            management_url: said(host.management_url.as_ref()),
            management_address: said(host.management_address.as_ref()),
            chassis_id: said(host.chassis_id.as_ref()),
            manufacturer: said(host.manufacturer.as_ref()),
            model: said(host.model.as_ref()),
            serial_number: said(host.serial_number.as_ref()),
            software_version: said(host.software_version.as_ref()),
            stack_members: said(host.stack_members.as_ref().map(|members| &members.0)),
            hidden: host.hidden.then_some(true),
            source: source(&host.source),
            tags: self.tag_names(&self.stored.host_tags, host.id),
            interfaces: Some(interfaces.iter().map(|row| self.interface(row)).collect()),
            if_entries: Some(
                of(&self.if_entries, host.id)
                    .iter()
                    .map(|entry| self.if_entry(entry, interfaces))
                    .collect(),
            ),
            ports: Some(
                of(&self.ports, host.id)
                    .iter()
                    .filter_map(|port| {
                        let number = u16::try_from(port.number).ok()?;
                        Some(document::Port { number, protocol: port.protocol })
                    })
                    .collect(),
            ),
            services: Some(
                of(&self.services, host.id).iter().map(|service| self.service(service)).collect(),
            ),
        }
    }

    fn interface(&self, interface: &Interface) -> document::Interface {
        document::Interface {
            ip_address: interface.ip_address,
            prefix_length: self
                .subnets
                .get(&interface.subnet_id)
                .filter(|cidr| cidr.contains(interface.ip_address))
                .map(|cidr| cidr.network().prefix_len()),
            mac_address: interface.mac_address,
            if_name: interface.name.clone(),
        }
    }

    fn if_entry(&self, entry: &IfEntry, interfaces: &[&Interface]) -> document::IfEntry {
        let named = |name: &str| {
            let mut named =
                interfaces.iter().filter(|row| row.name.as_deref() == Some(name)).peekable();
            named.peek().is_some().then(|| named.find(|row| same_mac(row, entry)).map(|row| row.id))
        };
        // An import would find this interface by itself.
        let follows =
            entry.if_name.as_deref().and_then(named).or_else(|| named(&entry.if_descr)).flatten();
        let tied = entry.interface_id.and_then(|id| self.interfaces_by_id.get(&id));
        let ip_address = match tied {
            _ if tied.map(|row| row.id) == follows => MaybeUndefined::Undefined,
            Some(row) => MaybeUndefined::Value(row.ip_address),
            None => MaybeUndefined::Null,
        };
        let heard = self.observations.get(&entry.id);
        let tagged_vlans =
            entry.tagged_vlans.as_ref().map(|vlans| vlans.iter().map(i64::from).collect());
        document::IfEntry {
            if_index: entry.if_index.into(),
            if_descr: entry.if_descr.clone(),
            if_name: entry.if_name.clone(),
            if_alias: entry.if_alias.clone(),
            if_type: entry.if_type.into(),
            admin_status: entry.admin_status,
            oper_status: entry.oper_status,
            mac_address: entry.mac_address,
            speed_bps: entry.speed_bps,
            ip_address,
            lldp_chassis_id: None,
            lldp_port_id: None,
            lldp_port_desc: None,
            lldp_sys_name: None,
            lldp_sys_desc: None,
            lldp_mgmt_addr: None,
            cdp_device_id: None,
            cdp_port_id: None,
            cdp_platform: None,
            cdp_address: None,
            lag_if_index: said(entry.lag_if_index.map(i64::from).as_ref()),
            parent_if_index: said(entry.parent_if_index.map(i64::from).as_ref()),
            mtu: said(entry.mtu.map(i64::from).as_ref()),
            duplex: said(entry.duplex.as_ref()),
            native_vlan: said(entry.native_vlan.map(i64::from).as_ref()),
            tagged_vlans: said(tagged_vlans.as_ref()),
            stp_state: said(entry.stp_state.as_ref()),
            neighbors_heard: heard.map(|rows| rows.iter().map(|row| neighbor(row)).collect()),
            fdb_macs: entry.fdb_macs.as_ref().map(|table| table.macs().to_vec()),
        }
    }

    fn service(&self, service: &Service) -> document::Service {
        let bindings = self.bindings.get(&service.id).into_iter().flatten();
        document::Service {
            name: service.name.clone(),
            service_definition: service.service_definition.clone(),
            position: Some(service.position),
            source: source(&service.source),
            tags: self.tag_names(&self.stored.service_tags, service.id),
            bindings: Some(bindings.map(|binding| self.binding(binding)).collect()),
        }
    }

    fn binding(&self, binding: &Binding) -> document::Binding {
        let port = binding.port_id.and_then(|id| self.ports_by_id.get(&id));
        document::Binding {
            binding_type: binding.binding_type,
            number: port.and_then(|port| port.number.try_into().ok()),
            protocol: port.map(|port| port.protocol),
            ip_address: binding
                .interface_id
                .and_then(|id| self.interfaces_by_id.get(&id))
                .map(|row| row.ip_address),
        }
    }

    fn group(&self, group: &Group) -> Result<document::Group> {
        let members = self.stored.members.get(&group.id).into_iter().flatten();
        let members = members.filter_map(|id| self.bindings_by_id.get(id));
        Ok(document::Group {
            name: group.name.clone(),
            reference: self.reference(group.id),
            group_type: group.group_type,
            color: Some(group.color),
            edge_style: Some(group.edge_style),
            description: said(group.description.as_ref()),
            source: source(&group.source),
            tags: self.tag_names(&self.stored.group_tags, group.id),
            bindings: Some(members.map(|row| self.member(row, group)).collect::<Result<_>>()?),
        })
    }

    /// Returns a binding by the properties that distinguish it from the others of all services with
    /// that name on the host.
    fn member(&self, binding: &Binding, group: &Group) -> Result<document::Member> {
        let lost = || {
            let reason = format!("a binding of `{}` cannot be told from another one", group.name);
            Error::invalid("groups", reason)
        };
        let service = self.services_by_id.get(&binding.service_id).ok_or_else(lost)?;
        let host = self.hosts.get(&service.host_id).ok_or_else(lost)?;
        let said = self.binding(binding);
        let same = |other: &&&Binding| {
            let other = self.binding(other);
            other.binding_type == said.binding_type
                && other.number == said.number
                && other.protocol == said.protocol
                && other.ip_address == said.ip_address
        };
        let namesakes = self.services.get(&host.id).into_iter().flatten();
        let namesakes = namesakes.filter(|other| other.name == service.name);
        let bindings = namesakes.filter_map(|other| self.bindings.get(&other.id)).flatten();
        if bindings.filter(same).count() != 1 {
            return Err(lost());
        }
        let of_port = binding.binding_type == BindingType::Port;
        Ok(document::Member {
            host: host.name.clone(),
            host_ref: self.reference(host.id),
            service: service.name.clone(),
            number: said.number.filter(|_| of_port),
            protocol: said.protocol.filter(|_| of_port),
            ip_address: said.ip_address,
        })
    }
}

fn neighbor(row: &Observation) -> document::Neighbor {
    let plain = || row.port_id.clone().map(document::PortId::Plain);
    document::Neighbor {
        protocol: row.protocol,
        chassis_id: row.chassis(),
        port_id: row.port().map(document::PortId::Typed).or_else(plain),
        port_desc: row.port_desc.clone(),
        sys_name: row.sys_name.clone(),
        sys_desc: row.sys_desc.clone(),
        mgmt_addr: row.mgmt_addr.clone(),
        platform: row.platform.clone(),
    }
}

fn said<T: Clone>(value: Option<&T>) -> MaybeUndefined<T> {
    value.map_or(MaybeUndefined::Undefined, |value| MaybeUndefined::Value(value.clone()))
}

/// Returns the source, unless it is manual entry, which needs no mention.
fn source(source: &Source) -> Option<Source> {
    (*source != Source::Manual).then(|| source.clone())
}
