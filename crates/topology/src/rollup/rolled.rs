//! A rolled-up view.

use crate::view::View;

/// The limits of what a format can show.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of nodes.
    pub nodes: usize,
    /// The maximum number of links.
    pub links: usize,
}

/// A view whose nodes may each stand for several.
#[derive(Clone, Debug)]
pub struct RolledUp {
    /// The remaining nodes and links.
    pub view: View,
    /// The number of nodes that each of its nodes stands for.
    pub node_counts: Vec<usize>,
    /// The number of links that each of its links stands for.
    pub link_counts: Vec<usize>,
    /// The node that each node of the full view is counted in.
    pub members_of: Vec<usize>,
}

impl RolledUp {
    /// Wraps a view without rolling it up.
    pub fn whole(view: &View) -> Self {
        Self {
            node_counts: vec![1; view.nodes.len()],
            link_counts: vec![1; view.links.len()],
            members_of: (0..view.nodes.len()).collect(),
            view: view.clone(),
        }
    }

    /// Returns whether any node or link stands for several.
    pub fn is_rolled_up(&self) -> bool {
        self.node_counts.iter().chain(&self.link_counts).any(|&count| count > 1)
    }

    /// Returns whether the view is within these limits.
    pub const fn fits(&self, limits: Limits) -> bool {
        self.view.nodes.len() <= limits.nodes && self.view.links.len() <= limits.links
    }
}
