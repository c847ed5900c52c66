//! The steps that roll up a view, from the finest to the coarsest.
//!
//! The rule: a step looks at names, and at ids to tell equals apart, never at the order of the
//! view.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::rolled::RolledUp;
use crate::{
    text,
    view::{
        Node, NodeKind, View,
        canonical_order::{Sorted, ranks},
    },
};

/// The longest name in the label of a group, in characters.
const LONGEST_NAME: usize = 40;

/// A function that finds the nodes that belong together.
pub(crate) type Step = fn(&RolledUp) -> Groups;

/// Groups of nodes, each of which becomes one node.
pub(crate) struct Groups {
    /// The group of each node.
    pub of: Vec<Option<usize>>,
    /// The label of each group.
    pub labels: Vec<String>,
}

impl Groups {
    /// Returns the groups, or none if one of them holds more than half of all nodes: then they tell
    /// nothing.
    fn if_balanced(self, rolled: &RolledUp) -> Self {
        let mut counts = vec![0; self.labels.len()];
        for (group, count) in self.of.iter().zip(&rolled.node_counts) {
            if let Some(group) = group {
                counts[*group] += count;
            }
        }
        let all: usize = rolled.node_counts.iter().sum();
        if counts.iter().any(|count| count * 2 > all) { none(rolled) } else { self }
    }

    /// Groups nodes that have the same key, at least two to a group.
    fn by_key<K: Ord>(
        rolled: &RolledUp,
        keys: Vec<Option<K>>,
        label: impl Fn(&K, &str) -> String,
    ) -> Self {
        let mut members: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for (node, key) in keys.into_iter().enumerate() {
            if let Some(key) = key {
                members.entry(key).or_default().push(node);
            }
        }
        let mut groups = none(rolled);
        for (key, members) in members.into_iter().filter(|(_, members)| members.len() > 1) {
            let what = counted(rolled, &members);
            for node in members {
                groups.of[node] = Some(groups.labels.len());
            }
            groups.labels.push(label(&key, &what));
        }
        groups
    }
}

/// Returns the count and kind of what nodes stand for, such as `24 hosts`.
fn counted(rolled: &RolledUp, members: &[usize]) -> String {
    let count: usize = members.iter().map(|&node| rolled.node_counts[node]).sum();
    let kinds: BTreeSet<NodeKind> =
        members.iter().map(|&node| rolled.view.nodes[node].kind).collect();
    let mut kinds = kinds.into_iter();
    match (kinds.next(), kinds.next()) {
        (Some(kind), None) => format!("{count} {}", kind.plural()),
        _ => format!("{count} nodes"),
    }
}

/// Returns the neighbors of each node, without itself.
fn neighbors(view: &View) -> Vec<BTreeSet<usize>> {
    let mut neighbors = vec![BTreeSet::new(); view.nodes.len()];
    for link in &view.links {
        let [a, b] = [link.ends[0].node, link.ends[1].node];
        if a != b {
            neighbors[a].insert(b);
            neighbors[b].insert(a);
        }
    }
    neighbors
}

fn name(node: &Node) -> String {
    text::shortened(&text::one_line(&node.label), LONGEST_NAME)
}

/// Groups nothing.
pub(crate) fn none(rolled: &RolledUp) -> Groups {
    Groups { of: vec![None; rolled.view.nodes.len()], labels: Vec::new() }
}

/// Groups the nodes that have no neighbor.
pub(crate) fn alone(rolled: &RolledUp) -> Groups {
    let neighbors = neighbors(&rolled.view);
    let keys = neighbors.iter().map(|around| around.is_empty().then_some(())).collect();
    Groups::by_key(rolled, keys, |(), what| format!("{what} without a link"))
}

/// Groups the nodes that share their only neighbor.
pub(crate) fn leaves(rolled: &RolledUp) -> Groups {
    let neighbors = neighbors(&rolled.view);
    let keys = (neighbors.iter().zip(&rolled.view.nodes)).map(|(around, node)| {
        let owner =
            around.first().filter(|owner| around.len() == 1 && neighbors[**owner].len() > 1);
        owner.map(|owner| (rolled.view.nodes[*owner].id.as_str(), node.kind))
    });
    Groups::by_key(rolled, keys.collect(), |_, what| what.to_owned())
}

/// Groups each node with the nodes whose only neighbor it is.
pub(crate) fn into_switches(rolled: &RolledUp) -> Groups {
    let neighbors = neighbors(&rolled.view);
    let owner_of = |node: usize| {
        let owner = *neighbors[node].first()?;
        (neighbors[node].len() == 1 && neighbors[owner].len() > 1).then_some(owner)
    };
    let owners: BTreeSet<usize> = (0..neighbors.len()).filter_map(owner_of).collect();
    let keys = (0..neighbors.len()).map(|node| {
        let owner = owner_of(node).or_else(|| owners.contains(&node).then_some(node))?;
        Some((rolled.view.nodes[owner].id.as_str(), name(&rolled.view.nodes[owner])))
    });
    Groups::by_key(rolled, keys.collect(), |(_, owner), what| format!("{owner} · {what}"))
}

/// Groups nodes of the same area.
pub(crate) fn areas(rolled: &RolledUp) -> Groups {
    let keys = rolled.view.nodes.iter().map(|node| node.area.as_deref());
    Groups::by_key(rolled, keys.collect(), |area, what| {
        format!("{} · {what}", text::shortened(&text::one_line(area), LONGEST_NAME))
    })
    .if_balanced(rolled)
}

/// Groups single nodes whose names are alike up to the last separator or number.
pub(crate) fn names(rolled: &RolledUp) -> Groups {
    let single = rolled.view.nodes.iter().zip(&rolled.node_counts);
    let keys = single.map(|(node, &count)| (count == 1).then(|| stem(&node.label)).flatten());
    Groups::by_key(rolled, keys.collect(), |stem, what| {
        format!("{}… · {what}", text::shortened(&text::one_line(stem), LONGEST_NAME))
    })
    .if_balanced(rolled)
}

/// Returns the beginning of a name, without its last number or the text after its last separator.
fn stem(label: &str) -> Option<&str> {
    let stem = label.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() < label.len() {
        return Some(stem).filter(|stem| !stem.is_empty());
    }
    let cut = label.rfind(['-', '_', '.', '/', ':'])?;
    Some(&label[..=cut]).filter(|_| cut > 0)
}

/// Groups each node with the nearest of at most `most` nodes that have the most neighbors.
pub(crate) fn neighborhoods(rolled: &RolledUp, most: usize) -> Groups {
    let nodes = &rolled.view.nodes;
    let neighbors = neighbors(&rolled.view);
    let mut order = Sorted::new(&rolled.view).node_places;
    let ranks = ranks(&order);
    order.sort_by_key(|&node| Reverse(neighbors[node].len()));
    let mut centers = vec![None; nodes.len()];
    let mut queue = VecDeque::new();
    for &node in &order {
        let is_near = neighbors[node].iter().any(|&other| centers[other] == Some(other));
        if queue.len() + 1 < most && !is_near && !neighbors[node].is_empty() {
            centers[node] = Some(node);
            queue.push_back(node);
        }
    }
    while let Some(node) = queue.pop_front() {
        let mut around: Vec<usize> = neighbors[node].iter().copied().collect();
        around.sort_by_key(|&other| ranks[other]);
        for other in around {
            if centers[other].is_none() {
                centers[other] = centers[node];
                queue.push_back(other);
            }
        }
    }
    let keys = centers
        .iter()
        .map(|center| Some(center.map(|center| (nodes[center].id.as_str(), name(&nodes[center])))));
    Groups::by_key(rolled, keys.collect(), |center, what| match center {
        Some((_, center)) => {
            let first = center.split(" · ").next().unwrap_or(center);
            let around = first.strip_prefix("around ").unwrap_or(first);
            format!("around {around} · {what}")
        }
        None => format!("{what} elsewhere"),
    })
}
