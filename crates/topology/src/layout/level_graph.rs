//! The level graph of a connected part: its items are nodes, lists of leaves, and the bends of
//! links that pass a level.
//!
//! The rule: every segment connects two items of the same level or of neighboring ones.

use super::graph::Graph;

/// The most bends to create; links beyond them pass levels in a straight line.
const MOST_BENDS: usize = 20_000;

/// An item with its own position on a level.
pub(crate) enum Item {
    /// A node.
    Node(usize),
    /// The nodes that have one neighbor, the owner.
    Leaves { owner: usize, members: Vec<usize> },
    /// A point where a link passes a level.
    Bend,
}

/// The items of a connected part by level, and their connections.
pub(crate) struct LevelGraph {
    /// The items.
    pub items: Vec<Item>,
    /// The level of each item.
    pub levels: Vec<usize>,
    /// The items that each item is connected to.
    pub neighbors: Vec<Vec<usize>>,
    /// The item of each node: its own, or the list that contains it.
    pub item_of: Vec<usize>,
    /// The bends of each link, from its first end to its second.
    pub bends: Vec<Vec<usize>>,
    /// The item that lists each node's leaves.
    pub list_of: Vec<Option<usize>>,
}

impl LevelGraph {
    /// Creates the items of a graph from the levels of its nodes.
    pub(crate) fn new(graph: &Graph, owners: &[Option<usize>], levels: &[usize]) -> Self {
        let mut leveled = Self {
            items: Vec::new(),
            levels: Vec::new(),
            neighbors: Vec::new(),
            item_of: vec![0; graph.len()],
            bends: vec![Vec::new(); graph.wires.len()],
            list_of: vec![None; graph.len()],
        };
        for node in (0..graph.len()).filter(|&node| owners[node].is_none()) {
            leveled.item_of[node] = leveled.add(Item::Node(node), levels[node]);
        }
        let mut leaves = vec![Vec::new(); graph.len()];
        for (node, owner) in owners.iter().enumerate() {
            if let Some(owner) = owner {
                leaves[*owner].push(node);
            }
        }
        for (owner, members) in leaves.into_iter().enumerate().filter(|(_, list)| !list.is_empty())
        {
            let item = leveled.items.len();
            for &member in &members {
                leveled.item_of[member] = item;
            }
            leveled.add(Item::Leaves { owner, members }, levels[owner] + 1);
            leveled.list_of[owner] = Some(item);
            leveled.join(leveled.item_of[owner], item);
        }
        leveled.add_wires(graph, owners);
        leveled
    }

    /// Returns the number of levels.
    pub(crate) fn depth(&self) -> usize {
        self.levels.iter().max().map_or(0, |deepest| deepest + 1)
    }

    fn add(&mut self, item: Item, level: usize) -> usize {
        self.items.push(item);
        self.levels.push(level);
        self.neighbors.push(Vec::new());
        self.items.len() - 1
    }

    fn join(&mut self, a: usize, b: usize) {
        self.neighbors[a].push(b);
        self.neighbors[b].push(a);
    }

    fn add_wires(&mut self, graph: &Graph, owners: &[Option<usize>]) {
        let mut bends_left = MOST_BENDS;
        for (wire, ends) in graph.wires.iter().map(|wire| wire.ends).enumerate() {
            let [a, b] = ends.map(|node| self.item_of[node]);
            if a == b || ends.iter().any(|&node| owners[node].is_some()) {
                continue;
            }
            let (from, to) = (self.levels[a], self.levels[b]);
            let between: Vec<usize> =
                if from < to { (from + 1..to).collect() } else { (to + 1..from).rev().collect() };
            if between.len() > bends_left {
                continue;
            }
            bends_left -= between.len();
            let mut last = a;
            for level in between {
                let bend = self.add(Item::Bend, level);
                self.join(last, bend);
                self.bends[wire].push(bend);
                last = bend;
            }
            self.join(last, b);
        }
    }
}
