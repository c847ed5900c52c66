//! Groups of nodes, contracted to one node each.
//!
//! The rule: links between the same two nodes become one, whose speed is the sum of their speeds
//! and which is up as long as one of them is; links within a group disappear.

use std::collections::BTreeMap;

use super::{rolled::RolledUp, steps::Groups};
use crate::view::{End, Link, Node, View};

/// Contracts each group to one node; `join_all` also merges parallel links between single nodes.
pub(crate) fn contract(rolled: &RolledUp, groups: &Groups, join_all: bool) -> RolledUp {
    let view = &rolled.view;
    let mut places = vec![usize::MAX; view.nodes.len()];
    let mut group_places = vec![usize::MAX; groups.labels.len()];
    let mut nodes = Vec::new();
    let mut node_counts = Vec::new();
    for (node, group) in groups.of.iter().enumerate() {
        places[node] = match group {
            Some(group) if group_places[*group] < usize::MAX => group_places[*group],
            _ => {
                nodes.push(view.nodes[node].clone());
                node_counts.push(0);
                nodes.len() - 1
            }
        };
        if let Some(group) = group {
            group_places[*group] = places[node];
        }
        node_counts[places[node]] += rolled.node_counts[node];
    }
    for (group, &place) in group_places.iter().enumerate().filter(|(_, place)| **place < usize::MAX)
    {
        let members: Vec<&Node> = (groups.of.iter().zip(&view.nodes))
            .filter(|(of, _)| **of == Some(group))
            .map(|(_, node)| node)
            .collect();
        nodes[place] = joined(&members, &groups.labels[group], node_counts[place]);
    }
    let is_group: Vec<bool> = node_counts.iter().map(|&count| count > 1).collect();
    let (links, link_counts) = join_links(rolled, &places, &nodes, &is_group, join_all);
    RolledUp {
        members_of: rolled.members_of.iter().map(|&node| places[node]).collect(),
        view: View {
            network_id: view.network_id.clone(),
            network: view.network.clone(),
            nodes,
            links,
            ..*view
        },
        node_counts,
        link_counts,
    }
}

/// Merges several nodes into one.
fn joined(members: &[&Node], label: &str, count: usize) -> Node {
    let mut kinds: Vec<_> = members.iter().map(|node| node.kind).collect();
    kinds.sort_unstable();
    let smallest = members.iter().map(|node| node.id.as_str()).min().unwrap_or_default();
    let area = members.first().and_then(|node| node.area.clone());
    let is_shared = members.iter().all(|node| node.area == area);
    Node {
        id: format!("group:{smallest}"),
        kind: kinds.first().copied().unwrap_or(crate::view::NodeKind::Host),
        label: label.to_owned(),
        facts: vec![("count", count.to_string())],
        area: area.filter(|_| is_shared),
    }
}

/// The key by which links merge: their nodes, whether they are directed, and the link itself if it
/// is kept.
type Between = (usize, usize, bool, Option<usize>);

fn join_links(
    rolled: &RolledUp,
    places: &[usize],
    nodes: &[Node],
    is_group: &[bool],
    join_all: bool,
) -> (Vec<Link>, Vec<usize>) {
    let mut bundles: BTreeMap<Between, Vec<usize>> = BTreeMap::new();
    for (place, link) in rolled.view.links.iter().enumerate() {
        let [mut a, mut b] = [0, 1].map(|end| places[link.ends[end].node]);
        if a == b {
            continue;
        }
        let [called_a, called_b] = [a, b].map(|node| (&nodes[node].label, &nodes[node].id));
        if !link.directed && called_b < called_a {
            (a, b) = (b, a);
        }
        let is_kept = !join_all && !is_group[a] && !is_group[b];
        bundles.entry((a, b, link.directed, is_kept.then_some(place))).or_default().push(place);
    }
    let joined = |(&(a, b, directed, _), bundle): (&Between, &Vec<usize>)| {
        let count = bundle.iter().map(|&place| rolled.link_counts[place]).sum();
        let links: Vec<&Link> = bundle.iter().map(|&place| &rolled.view.links[place]).collect();
        let ends = |link: &Link| {
            let swapped = places[link.ends[0].node] != a;
            [(0, a), (1, b)].map(|(end, node)| {
                let port = link.ends[if swapped { 1 - end } else { end }].port.clone();
                End { node, port: port.filter(|_| count == 1 && !is_group[node]) }
            })
        };
        (join_bundle(&links, count, ends(links[0]), directed), count)
    };
    bundles.iter().map(joined).unzip()
}

fn join_bundle(links: &[&Link], count: usize, ends: [End; 2], directed: bool) -> Link {
    let speeds = links.iter().filter_map(|link| link.speed_bps);
    let method = links[0].method;
    let is_up = |state| links.iter().any(|link| link.up == Some(state));
    let smallest = links.iter().map(|link| link.id.as_str()).min().unwrap_or_default();
    Link {
        id: smallest.to_owned(),
        ends,
        directed,
        speed_bps: speeds.reduce(u64::saturating_add),
        up: match (is_up(true), is_up(false)) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        },
        method: method.filter(|_| links.iter().all(|link| link.method == method)),
        label: if count > 1 { Some(format!("{count} links")) } else { links[0].label.clone() },
    }
}
