//! A view in the order of its ids, which every format writes.
//!
//! The rule: what is written depends on the facts and not on the order in which they came.

use crate::topology::export::view::{Link, Node, NodeKind, Port, View};

/// A view whose nodes and links are in the order of their ids.
pub(crate) struct Sorted<'a> {
    /// The nodes by id.
    pub nodes: Vec<&'a Node>,
    /// The links by id.
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

    /// The label of the port at one end, empty where it is not known.
    pub(super) fn port_label(&self, end: usize) -> &str {
        self.port(end).map_or("", |port| port.label.as_str())
    }
}

impl<'a> Sorted<'a> {
    /// Sorts a view.
    pub(super) fn new(view: &'a View) -> Self {
        let mut node_places: Vec<usize> = (0..view.nodes.len()).collect();
        node_places.sort_by(|&a, &b| view.nodes[a].id.cmp(&view.nodes[b].id));
        let mut link_places: Vec<usize> = (0..view.links.len()).collect();
        link_places.sort_by(|&a, &b| view.links[a].id.cmp(&view.links[b].id));
        let mut ranks = vec![0; view.nodes.len()];
        for (rank, &place) in node_places.iter().enumerate() {
            ranks[place] = rank;
        }
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
