//! A view in canonical order: as people would list it, and as every format writes it.
//!
//! The rule: the output depends on the facts and not on the order in which they came. Names come
//! before ids: ids differ wherever a network is recorded anew, and the picture must not.

use std::cmp::Ordering;
use std::fmt::Write as _;

use toposcope_types::Method;

use super::{End, Link, Node, NodeKind, Port, View};

/// A view with its nodes and links in order.
pub struct Sorted<'a> {
    /// The nodes by kind and name; `acc-2` comes before `acc-10`.
    pub nodes: Vec<&'a Node>,
    /// The links by their nodes and ports.
    pub links: Vec<Edge<'a>>,
    /// The index in the view of each sorted node.
    pub node_places: Vec<usize>,
    /// The index in the view of each sorted link.
    pub link_places: Vec<usize>,
}

/// A link whose ends are indexes among the sorted nodes.
pub struct Edge<'a> {
    /// The link in the view.
    pub link: &'a Link,
    /// Both ends, in the link's order.
    pub ends: [usize; 2],
}

impl Edge<'_> {
    /// Returns the port at one end, if known.
    pub fn port(&self, end: usize) -> Option<&Port> {
        self.link.ends[end].port.as_ref()
    }

    /// Returns whether it is undirected and its second end comes first in the order.
    pub(crate) fn is_turned(&self) -> bool {
        is_turned(self.link, self.ends)
    }

    /// Returns the label of the port at one end, empty if unknown.
    pub(crate) fn port_label(&self, end: usize) -> &str {
        self.port(end).map_or("", |port| port.label.as_str())
    }
}

impl<'a> Sorted<'a> {
    /// Sorts a view.
    pub fn new(view: &'a View) -> Self {
        let node_places = node_order(view);
        let ranks = ranks(&node_places);
        let link_places = link_order(view, &ranks);
        let edge = |&place: &usize| {
            let link = &view.links[place];
            Edge { link, ends: [ranks[link.ends[0].node], ranks[link.ends[1].node]] }
        };
        Self {
            nodes: node_places.iter().map(|&place| &view.nodes[place]).collect(),
            links: link_places.iter().map(edge).collect(),
            node_places,
            link_places,
        }
    }
}

/// Returns the rank of each index in an order.
pub(crate) fn ranks(order: &[usize]) -> Vec<usize> {
    let mut ranks = vec![0; order.len()];
    for (rank, &place) in order.iter().enumerate() {
        ranks[place] = rank;
    }
    ranks
}

/// Returns the link indexes by their nodes and ports, then by how they are drawn.
fn link_order(view: &View, ranks: &[usize]) -> Vec<usize> {
    let mut keyed: Vec<_> = view
        .links
        .iter()
        .enumerate()
        .map(|(place, link)| (ends_in_order(link, |node| ranks[node]), link, place))
        .collect();
    keyed.sort_by(|(a, one, _), (b, other, _)| {
        (a.cmp(b))
            .then_with(|| one.label.cmp(&other.label))
            .then_with(|| drawn(one).cmp(&drawn(other)))
            .then_with(|| one.id.cmp(&other.id))
    });
    keyed.into_iter().map(|(.., place)| place).collect()
}

/// The number of rounds that tell equal nodes apart by their connections.
const ROUNDS: usize = 8;

/// Returns the node indexes by kind, name and other facts; nodes alike in all of these by their
/// connections, and finally by id.
fn node_order(view: &View) -> Vec<usize> {
    let names: Vec<Natural> = view.nodes.iter().map(|node| Natural::of(&node.label)).collect();
    let by_facts = |&a: &usize, &b: &usize| {
        let (one, other) = (&view.nodes[a], &view.nodes[b]);
        (one.kind.cmp(&other.kind))
            .then_with(|| names[a].cmp(&names[b]))
            .then_with(|| one.facts.cmp(&other.facts))
    };
    let mut order: Vec<usize> = (0..view.nodes.len()).collect();
    order.sort_by(by_facts);
    let (mut classes, mut count) = classes(&order, by_facts);
    for _ in 0..ROUNDS {
        if count == order.len() {
            return order;
        }
        let around = around(view, &classes);
        let by_neighbors = |&a: &usize, &b: &usize| {
            (classes[a].cmp(&classes[b])).then_with(|| around[a].cmp(&around[b]))
        };
        order.sort_by(by_neighbors);
        let (finer, more) = self::classes(&order, by_neighbors);
        let is_done = more == count;
        (classes, count) = (finer, more);
        if is_done {
            break;
        }
    }
    order.sort_by(|&a, &b| {
        (classes[a].cmp(&classes[b])).then_with(|| view.nodes[a].id.cmp(&view.nodes[b].id))
    });
    order
}

/// Returns the equivalence class of each index in an order, and the number of classes.
fn classes(order: &[usize], compare: impl Fn(&usize, &usize) -> Ordering) -> (Vec<usize>, usize) {
    let mut classes = vec![0; order.len()];
    let mut last = 0;
    for pair in order.windows(2) {
        last += usize::from(compare(&pair[0], &pair[1]) != Ordering::Equal);
        classes[pair[1]] = last;
    }
    (classes, if order.is_empty() { 0 } else { last + 1 })
}

/// A link as a node sees it: the class of the far node, the ports, the end that it leads from, its
/// name, and how it is drawn.
type Around<'a> = (usize, [Natural; 2], Option<usize>, Option<&'a str>, Drawn);

/// The drawn state of a link: whether it works, its speed, and its method.
type Drawn = (Option<bool>, Option<u64>, Option<Method>);

const fn drawn(link: &Link) -> Drawn {
    (link.up, link.speed_bps, link.method)
}

fn around<'a>(view: &'a View, classes: &[usize]) -> Vec<Vec<Around<'a>>> {
    let mut around = vec![Vec::new(); classes.len()];
    for link in &view.links {
        for end in [0, 1] {
            let [near, far] = [&link.ends[end], &link.ends[1 - end]];
            let ports = [far, near].map(Natural::of_port);
            let (class, from) = (classes[far.node], link.directed.then_some(end));
            let seen = (class, ports, from, link.label.as_deref(), drawn(link));
            around[near.node].push(seen);
        }
    }
    for links in &mut around {
        links.sort_unstable();
    }
    around
}

/// Returns whether a link between nodes of these ranks is undirected and its second end comes
/// first.
fn is_turned(link: &Link, ranks: [usize; 2]) -> bool {
    let end = |end: usize| (ranks[end], Natural::of_port(&link.ends[end]));
    !link.directed && end(1) < end(0)
}

/// Returns both ends of a link as ranks and port names, the smaller first unless it is directed.
fn ends_in_order(link: &Link, rank: impl Fn(usize) -> usize) -> [(usize, Natural); 2] {
    let mut ends =
        [&link.ends[0], &link.ends[1]].map(|end| (rank(end.node), Natural::of_port(end)));
    if !link.directed {
        ends.sort_unstable();
    }
    ends
}

/// A text that sorts as people expect: numbers by value, letters regardless of case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Natural {
    folded: String,
    text: String,
}

impl Natural {
    /// Returns the sort key of a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut folded = String::with_capacity(text.len() + 8);
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, number) = rest.split_at(start);
            let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
            let (number, after) = number.split_at(end);
            let digits = number.trim_start_matches('0');
            folded.push_str(&before.to_lowercase());
            // A longer number is a larger one.
            let _ = write!(folded, "{:03}{digits}", digits.len().min(999));
            rest = after;
        }
        folded.push_str(&rest.to_lowercase());
        Self { folded, text: text.to_owned() }
    }

    fn of_port(end: &End) -> Self {
        Self::of(end.port.as_ref().map_or("", |port| port.label.as_str()))
    }
}

impl View {
    /// Puts the nodes and links in order, and the ends of each undirected link.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        let Sorted { node_places, link_places, .. } = Sorted::new(&self);
        let ranks = ranks(&node_places);
        let mut nodes: Vec<Option<Node>> = self.nodes.drain(..).map(Some).collect();
        self.nodes = node_places.iter().filter_map(|&place| nodes[place].take()).collect();
        let mut links: Vec<Option<Link>> = self.links.drain(..).map(Some).collect();
        self.links = link_places.iter().filter_map(|&place| links[place].take()).collect();
        for link in &mut self.links {
            for end in &mut link.ends {
                end.node = ranks[end.node];
            }
            if is_turned(link, [0, 1].map(|end| link.ends[end].node)) {
                link.ends.reverse();
            }
        }
        self
    }

    /// Returns whether any link is directed.
    pub fn is_directed(&self) -> bool {
        self.links.iter().any(|link| link.directed)
    }
}

impl NodeKind {
    /// Returns the name of the kind in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Unknown => "unknown",
            Self::Subnet => "subnet",
            Self::Service => "service",
        }
    }

    /// Returns the term for one node of the kind.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Unknown => "not in the inventory",
            Self::Subnet => "subnet",
            Self::Service => "service",
        }
    }

    /// Returns the term for several nodes of the kind.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Host => "hosts",
            Self::Unknown => "unknown neighbors",
            Self::Subnet => "subnets",
            Self::Service => "services",
        }
    }
}

impl Link {
    /// Returns the state of the link in files: `up`, `down` or `unknown`.
    pub const fn state(&self) -> &'static str {
        match self.up {
            Some(true) => "up",
            Some(false) => "down",
            None => "unknown",
        }
    }

    /// Returns whether the link is known not to work.
    pub const fn is_down(&self) -> bool {
        matches!(self.up, Some(false))
    }

    /// Returns the width of the link's line in tenths of a pixel: 6 more for each tenfold speed
    /// from 10 Mbit/s on, and 12 if the speed is unknown.
    pub fn line_width(&self) -> u32 {
        let Some(speed) = self.speed_bps else { return 12 };
        let (mut width, mut reached) = (10, 10_000_000_u64);
        while speed / 10 >= reached && width < 46 {
            reached *= 10;
            width += 6;
        }
        let share = u32::try_from(speed.saturating_sub(reached) / (reached * 9 / 6).max(1));
        width + share.unwrap_or(0).min(5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;

    #[test]
    fn a_faster_link_is_never_thinner() {
        let mut link = samples::small().links.remove(0);
        let mut width_at = |speed| {
            link.speed_bps = Some(speed);
            link.line_width()
        };
        let speeds = [0, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000, 40_000_000_000];
        let widths: Vec<u32> = speeds.iter().map(|&speed| width_at(speed)).collect();
        assert!(widths.is_sorted(), "{widths:?}");
        assert!(width_at(1_000_000_000) < width_at(10_000_000_000));
        assert!(width_at(u64::MAX) < 60);
    }

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let expected =
            ["", "acc-2", "acc-10", "Acc-010b", "ACC-11", "acc-11", "b", "Gi1/0/2", "gi1/0/10"];
        let mut names = expected;
        names.reverse();
        names.sort_by_key(|name| Natural::of(name));
        assert_eq!(names, expected);
    }

    #[test]
    fn the_sorted_links_lead_to_the_same_nodes() {
        let view = samples::small();
        let sorted = Sorted::new(&view);
        for edge in &sorted.links {
            for end in [0, 1] {
                let expected = &view.nodes[edge.link.ends[end].node].id;
                assert_eq!(&sorted.nodes[edge.ends[end]].id, expected);
            }
        }
    }
}
