//! A view in which nodes stand for several.

use crate::view::View;

/// How much a form can show.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most nodes.
    pub nodes: usize,
    /// The most links.
    pub links: usize,
}

/// A view in which nodes may stand for several.
#[derive(Clone, Debug)]
pub struct RolledUp {
    /// What is left.
    pub view: View,
    /// How many nodes each of its nodes stands for.
    pub node_counts: Vec<usize>,
    /// How many links each of its links stands for.
    pub link_counts: Vec<usize>,
    /// For each node of the full view the node that it is counted in.
    pub members_of: Vec<usize>,
}

impl RolledUp {
    /// Takes a view as it is.
    pub fn whole(view: &View) -> Self {
        Self {
            node_counts: vec![1; view.nodes.len()],
            link_counts: vec![1; view.links.len()],
            members_of: (0..view.nodes.len()).collect(),
            view: view.clone(),
        }
    }

    /// Tells whether any node or link stands for several.
    pub fn is_rolled_up(&self) -> bool {
        self.node_counts.iter().chain(&self.link_counts).any(|&count| count > 1)
    }

    pub const fn fits(&self, limits: Limits) -> bool {
        self.view.nodes.len() <= limits.nodes && self.view.links.len() <= limits.links
    }
}
