//! A snapshot as the view that exports write.

use std::collections::HashMap;

use toposcope_types::{Id, Layer};

use super::{End, Link, Node, NodeKind, Port, View};
use crate::network::{
    Address, Snapshot,
    layers::{EdgeAt, NodeAt},
    neighborhood::Region,
};

/// Creates a view of a part of a layer; on layer L2, including unknown neighbors.
pub fn view(snapshot: &Snapshot, layer: Layer, region: &Region) -> View {
    let graph = snapshot.layer(layer);
    let addresses = first_addresses(snapshot);
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut view = View {
        network_id: snapshot.network_id.to_string(),
        network: snapshot.network.clone(),
        layer,
        revision: snapshot.revision,
        nodes: Vec::new(),
        links: Vec::new(),
    };
    for (number, node) in (0_u32..).zip(&graph.nodes).filter(|(number, _)| region.shows(*number)) {
        numbers.insert(number, view.nodes.len());
        view.nodes.push(drawn(snapshot, *node, &addresses));
    }
    let edges = (0_u32..).zip(&graph.edges);
    for (number, edge) in edges.filter(|(_, edge)| region.shows_edge(snapshot, **edge)) {
        let [a, b] = graph.graph.ends(number).map(|node| numbers.get(&node).copied());
        if let (Some(a), Some(b)) = (a, b) {
            view.links.push(link(snapshot, *edge, [a, b]));
        }
    }
    if layer == Layer::L2 {
        add_unknown(snapshot, region, &numbers, &mut view);
    }
    view.in_order()
}

/// Returns the first address of each device, and its subnet.
fn first_addresses(snapshot: &Snapshot) -> HashMap<u32, (&str, u32)> {
    let mut first: HashMap<u32, &Address> = HashMap::new();
    for address in &snapshot.addresses {
        let known = first.entry(address.host).or_insert(address);
        if (address.position, address.id) < (known.position, known.id) {
            *known = address;
        }
    }
    first.into_iter().map(|(host, first)| (host, (&*first.ip, first.subnet))).collect()
}

fn drawn(snapshot: &Snapshot, node: NodeAt, addresses: &HashMap<u32, (&str, u32)>) -> Node {
    match node {
        NodeAt::Host(place) => {
            let host = &snapshot.hosts[place as usize];
            let address = addresses.get(&place);
            let subnet = address.map(|(_, subnet)| &snapshot.subnets[*subnet as usize]);
            Node {
                id: host.id.to_string(),
                kind: NodeKind::Host,
                label: host.name.to_string(),
                facts: address
                    .map(|(address, _)| ("ip_address", (*address).to_owned()))
                    .into_iter()
                    .collect(),
                area: subnet.map(|subnet| subnet.cidr.to_string()),
            }
        }
        NodeAt::Subnet(place) => {
            let subnet = &snapshot.subnets[place as usize];
            Node {
                id: subnet.id.to_string(),
                kind: NodeKind::Subnet,
                label: subnet.name.to_string(),
                facts: vec![("cidr", subnet.cidr.to_string())],
                area: Some(subnet.cidr.to_string()),
            }
        }
        NodeAt::Service(place) => {
            let service = &snapshot.services[place as usize];
            let host = snapshot.hosts.get(service.host as usize);
            Node {
                id: service.id.to_string(),
                kind: NodeKind::Service,
                label: service.name.to_string(),
                facts: host.map(|host| ("host", host.name.to_string())).into_iter().collect(),
                area: None,
            }
        }
    }
}

fn link(snapshot: &Snapshot, edge: EdgeAt, nodes: [usize; 2]) -> Link {
    let id = snapshot.edge_id(edge).to_string();
    let plain = |ports: [Option<Port>; 2]| {
        let [a, b] = ports;
        Link {
            id: id.clone(),
            ends: [End { node: nodes[0], port: a }, End { node: nodes[1], port: b }],
            directed: false,
            speed_bps: None,
            up: None,
            method: None,
            label: None,
        }
    };
    match edge {
        EdgeAt::Link(place) => {
            let of_ports = &snapshot.links[place as usize];
            let ports = of_ports.ends.map(|end| port(snapshot, end.port));
            let speed = snapshot.speed_bps(of_ports);
            Link {
                speed_bps: speed.and_then(|speed| u64::try_from(speed).ok()),
                up: snapshot.is_up(of_ports),
                method: Some(of_ports.method),
                ..plain(ports)
            }
        }
        EdgeAt::Address(place) => {
            let address = &snapshot.addresses[place as usize];
            let (id, label) = (address.id.to_string(), address.ip.to_string());
            plain([Some(Port { id, label }), None])
        }
        EdgeAt::Step { group, .. } => {
            let label = Some(snapshot.groups[group as usize].name.to_string());
            Link { directed: true, label, ..plain([None, None]) }
        }
    }
}

/// Returns the observation that a link to an unknown neighbor stands for.
pub fn observation_of(link: &Link) -> Option<Id> {
    link.id.split_once(' ')?.1.parse().ok()
}

fn port(snapshot: &Snapshot, port: u32) -> Option<Port> {
    let port = snapshot.ports.get(port as usize)?;
    Some(Port { id: port.id.to_string(), label: port.name.to_string() })
}

/// Adds the unknown neighbors that shown devices heard, connected to the ports that heard them.
fn add_unknown(
    snapshot: &Snapshot,
    region: &Region,
    numbers: &HashMap<u32, usize>,
    view: &mut View,
) {
    for neighbor in snapshot.unknown_neighbors(|host| region.shows(host)) {
        let Some(first) = neighbor.heard.first().map(|one| &snapshot.seen[one.seen as usize])
        else {
            continue;
        };
        let id = match neighbor.claim {
            Some(claim) => format!("unknown {claim}"),
            None => format!("unknown {}", first.observation_id),
        };
        let facts = [
            ("sys_name", neighbor.sys_name()),
            ("chassis_id", neighbor.chassis_id()),
            ("mgmt_addr", neighbor.mgmt_addr()),
        ];
        let facts = facts.into_iter().filter_map(|(name, value)| Some((name, value?.to_owned())));
        let node = view.nodes.len();
        view.nodes.push(Node {
            id: id.clone(),
            kind: NodeKind::Unknown,
            label: neighbor.label().to_owned(),
            facts: facts.collect(),
            area: None,
        });
        for one in &neighbor.heard {
            let seen = &snapshot.seen[one.seen as usize];
            let Some(near) = numbers.get(&seen.host) else { continue };
            let far = one.port_id.as_deref().map(|label| Port {
                id: format!("{id} {}", seen.observation_id),
                label: label.to_owned(),
            });
            let near = End { node: *near, port: port(snapshot, seen.port) };
            view.links.push(Link {
                id: format!("{} {}", seen.method.spelled(), seen.observation_id),
                ends: [near, End { node, port: far }],
                directed: false,
                speed_bps: None,
                up: None,
                method: Some(seen.method),
                label: None,
            });
        }
    }
}
