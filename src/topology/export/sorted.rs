//! A view in the order in which people would list it, which every format writes.
//!
//! The rule: what is written depends on the facts and not on the order in which they came. Names
//! come before ids, which differ wherever a network is recorded anew, so that the picture does not.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::topology::export::view::{End, Link, Node, NodeKind, Port, View};

/// A view whose nodes and links are in order.
pub(crate) struct Sorted<'a> {
    /// The nodes by kind and name; `acc-2` comes before `acc-10`.
    pub nodes: Vec<&'a Node>,
    /// The links by their nodes and ports.
    pub links: Vec<Edge<'a>>,
    /// For each sorted node its place in the view.
    pub node_places: Vec<usize>,
    /// For each sorted link its place in the view.
    pub link_places: Vec<usize>,
}

/// A link whose ends are places among the sorted nodes.
pub(crate) struct Edge<'a> {
    /// The link in the view.
    pub link: &'a Link,
    /// Both ends, in the link's order.
    pub ends: [usize; 2],
}

impl Edge<'_> {
    /// The port at one end, where it is known.
    pub(super) fn port(&self, end: usize) -> Option<&Port> {
        self.link.ends[end].port.as_ref()
    }

    /// Tells whether it leads both ways and its second end comes first in the order.
    pub(super) fn is_turned(&self) -> bool {
        let end = |end: usize| (self.ends[end], Natural::of_port(&self.link.ends[end]));
        !self.link.directed && end(1) < end(0)
    }

    /// The label of the port at one end, empty where it is not known.
    pub(super) fn port_label(&self, end: usize) -> &str {
        self.port(end).map_or("", |port| port.label.as_str())
    }
}

impl<'a> Sorted<'a> {
    /// Sorts a view.
    pub(super) fn new(view: &'a View) -> Self {
        let node_places = node_order(view);
        let mut ranks = vec![0; view.nodes.len()];
        for (rank, &place) in node_places.iter().enumerate() {
            ranks[place] = rank;
        }
        let mut link_keys: Vec<_> = view
            .links
            .iter()
            .map(|link| (ends_in_order(link, |node| ranks[node]), link))
            .enumerate()
            .collect();
        link_keys.sort_by(|(_, (a, one)), (_, (b, other))| {
            (a.cmp(b)).then_with(|| one.label.cmp(&other.label)).then_with(|| one.id.cmp(&other.id))
        });
        let link_places: Vec<usize> = link_keys.into_iter().map(|(place, _)| place).collect();
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

/// The places of the nodes by kind, name and what else is known of them; of those that are alike in
/// all of it by what they are joined to, and by id at last.
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
    let mut alike = vec![0; order.len()];
    for (rank, pair) in order.windows(2).enumerate() {
        let is_alike = by_facts(&pair[0], &pair[1]) == Ordering::Equal;
        alike[pair[1]] = if is_alike { alike[pair[0]] } else { rank + 1 };
    }
    let mut around = vec![Vec::new(); order.len()];
    for link in &view.links {
        for end in [0, 1] {
            let [near, far] = [&link.ends[end], &link.ends[1 - end]];
            around[near.node].push((
                alike[far.node],
                Natural::of_port(far),
                Natural::of_port(near),
            ));
        }
    }
    for joined in &mut around {
        joined.sort_unstable();
    }
    order.sort_by(|&a, &b| {
        (alike[a].cmp(&alike[b]))
            .then_with(|| around[a].cmp(&around[b]))
            .then_with(|| view.nodes[a].id.cmp(&view.nodes[b].id))
    });
    order
}

/// Both ends of a link as ranks and names of ports, the smaller first save where it leads one way.
fn ends_in_order(link: &Link, rank: impl Fn(usize) -> usize) -> [(usize, Natural); 2] {
    let mut ends =
        [&link.ends[0], &link.ends[1]].map(|end| (rank(end.node), Natural::of_port(end)));
    if !link.directed {
        ends.sort_unstable();
    }
    ends
}

/// A text in the order in which people expect it: numbers by their value, letters in either case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Natural {
    folded: String,
    text: String,
}

impl Natural {
    /// The place of a text in the order.
    pub(super) fn of(text: &str) -> Self {
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
    /// Tells whether any link leads one way.
    pub fn is_directed(&self) -> bool {
        self.links.iter().any(|link| link.directed)
    }
}

impl NodeKind {
    /// The name of the kind in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Unknown => "unknown",
            Self::Subnet => "subnet",
            Self::Service => "service",
        }
    }

    /// What one of the kind is called.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Unknown => "not in the inventory",
            Self::Subnet => "subnet",
            Self::Service => "service",
        }
    }

    /// What several of the kind are called.
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
    /// The state of the link in files: `up`, `down` or `unknown`.
    pub const fn state(&self) -> &'static str {
        match self.up {
            Some(true) => "up",
            Some(false) => "down",
            None => "unknown",
        }
    }

    /// Tells whether the link is known not to work.
    pub const fn is_down(&self) -> bool {
        matches!(self.up, Some(false))
    }

    /// The width of the link's line in tenths of a pixel: 6 more for each tenfold speed from
    /// 10 Mbit/s on, and 12 where the speed is not known.
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
    use crate::topology::export::samples;

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
