//! The positions of the items of a connected part.
//!
//! The rule: a box has room for its label and for each of its links, levels are bands that do not
//! overlap, and items stand below the items that they are connected to where there is room.

use super::{
    columns::{BOTTOM, Column, GAP, Lane, TOP, fold, widest},
    geometry::{Point, Rectangle},
    graph::Graph,
    isotonic::nearest_in_order,
    leaves::List,
    level_graph::{Item, LevelGraph},
    measure::whole,
};

/// The height of a node's box.
pub(crate) const BOX_HEIGHT: i64 = 34;
/// The distance between two link ends at a box.
pub(crate) const SLOT_PITCH: i64 = 16;
/// The most link ends that widen a box.
const MOST_SLOTS: usize = 72;
/// The number of sweeps that move the levels towards their neighbors.
const SWEEPS: usize = 12;
/// The strength with which a list and its owner, and the bends of a link, pull at each other.
const STRONG_PULL: i64 = 400;

/// The positions of items, and the measures of the levels.
pub(crate) struct Arrangement {
    /// The box of each item.
    pub boxes: Vec<Rectangle>,
    /// The measures of the lists among the items.
    pub lists: Vec<Option<List>>,
    /// The columns of each level, from left to right.
    pub columns: Vec<Vec<Column>>,
    /// The number of lines that end at the top and at the bottom of each item.
    pub ends: Vec<[usize; 2]>,
    /// The lanes of these lines, if the item does not stand alone in its column.
    pub lanes: Vec<[Option<Lane>; 2]>,
    /// The distance from the middle of each item to where lines enter from above.
    entries: Vec<i64>,
    /// The longest port name above and below the boxes of each level.
    pub stubs: Vec<[i64; 2]>,
    /// The height of each level.
    pub heights: Vec<i64>,
    /// The total width.
    pub width: i64,
}

/// The choice of neighbors that pull at the columns of a level.
#[derive(Clone, Copy)]
struct Pull {
    level: usize,
    downwards: bool,
    both: bool,
}

/// Returns the side of a node at which a link ends.
pub(crate) fn side(leveled: &LevelGraph, node: usize, other: usize) -> usize {
    let level = |node: usize| leveled.levels[leveled.item_of[node]];
    if level(other) > level(node) { BOTTOM } else { TOP }
}

/// Arranges items in the given order of their levels; box tops are relative to the top of the
/// level.
pub(crate) fn arrange(graph: &Graph, leveled: &LevelGraph, rows: &[Vec<usize>]) -> Arrangement {
    let mut arrangement = Arrangement {
        boxes: vec![Rectangle::default(); leveled.items.len()],
        lists: leveled.items.iter().map(|item| list(graph, item)).collect(),
        columns: Vec::new(),
        ends: vec![[0; 2]; leveled.items.len()],
        lanes: vec![[None; 2]; leveled.items.len()],
        entries: vec![0; leveled.items.len()],
        stubs: vec![[8, 8]; leveled.depth()],
        heights: vec![0; leveled.depth()],
        width: 0,
    };
    arrangement.measure(graph, leveled);
    arrangement.fold(leveled, rows);
    arrangement.align(leveled);
    arrangement
}

fn list(graph: &Graph, item: &Item) -> Option<List> {
    match item {
        Item::Leaves { members, .. } => Some(List::new(graph, members)),
        Item::Node(_) | Item::Bend => None,
    }
}

impl Arrangement {
    /// Finds the size of each item and the room that port names take.
    fn measure(&mut self, graph: &Graph, leveled: &LevelGraph) {
        for wire in &graph.wires {
            let items = wire.ends.map(|node| leveled.item_of[node]);
            if !items.iter().all(|&item| matches!(leveled.items[item], Item::Node(_))) {
                continue;
            }
            for end in [0, 1] {
                let side = side(leveled, wire.ends[end], wire.ends[1 - end]);
                self.ends[items[end]][side] += 1;
                let stub = &mut self.stubs[leveled.levels[items[end]]][side];
                *stub = (*stub).max(wire.port_widths[end] + 8);
            }
        }
        for (item, bounds) in self.boxes.iter_mut().enumerate() {
            (bounds.width, bounds.height) = match (&leveled.items[item], &self.lists[item]) {
                (Item::Node(node), _) => {
                    self.ends[item][BOTTOM] += usize::from(leveled.list_of[*node].is_some());
                    let [top, bottom] = self.ends[item];
                    let wires = whole(top.max(bottom).min(MOST_SLOTS)) * SLOT_PITCH;
                    ((graph.label_widths[*node] + 22).max(wires + 10).max(56), BOX_HEIGHT)
                }
                (_, Some(list)) => {
                    self.ends[item][TOP] = 2;
                    self.entries[item] = list.entry(Point::default()).x - list.size().0 / 2;
                    list.size()
                }
                _ => (2, 0),
            };
        }
    }

    /// Puts the items of each level into columns.
    fn fold(&mut self, leveled: &LevelGraph, rows: &[Vec<usize>]) {
        let widest = widest(&self.boxes);
        for (level, row) in rows.iter().enumerate() {
            let mut columns = fold(leveled, row, &self.boxes, widest);
            for column in &mut columns {
                column.add_lanes(&self.ends, &mut self.lanes);
                let height = column.stack(&mut self.boxes, &self.ends, self.stubs[level]);
                self.heights[level] = self.heights[level].max(height);
            }
            self.columns.push(columns);
        }
    }

    /// Moves the columns of each level towards the items that they are connected to.
    fn align(&mut self, leveled: &LevelGraph) {
        let mut middles = vec![0; leveled.items.len()];
        for level in 0..self.columns.len() {
            let wanted = vec![0; self.columns[level].len()];
            self.move_level(level, &wanted, &mut middles);
        }
        for sweep in 0..SWEEPS {
            for step in 0..self.columns.len() {
                let downwards = sweep % 2 == 0;
                let level = if downwards { step } else { self.columns.len() - 1 - step };
                let pull = Pull { level, downwards, both: sweep + 4 >= SWEEPS };
                let wanted: Vec<i64> = self.columns[level]
                    .iter()
                    .map(|column| self.wanted(leveled, column, pull, &middles))
                    .collect();
                self.move_level(level, &wanted, &mut middles);
            }
        }
        let mut leftmost = i64::MAX;
        for column in self.columns.iter().flatten() {
            leftmost = leftmost.min(middles[column.items[0]] - column.shift - column.width / 2);
        }
        for (bounds, middle) in self.boxes.iter_mut().zip(middles) {
            bounds.x = middle - bounds.width / 2 - leftmost;
        }
        let right = |column: &Column| {
            self.boxes[column.items[0]].middle() - column.shift + column.width / 2 + 1
        };
        self.width = self.columns.iter().flatten().map(right).max().unwrap_or(0);
    }

    /// Returns the wanted middle of a column: the mean of everything that pulls at its items.
    fn wanted(&self, leveled: &LevelGraph, column: &Column, pull: Pull, middles: &[i64]) -> i64 {
        let (mut sum, mut count) = (0, 0);
        for &item in &column.items {
            for &other in &leveled.neighbors[item] {
                let level = leveled.levels[other];
                if level == pull.level || !(pull.both || (level < pull.level) == pull.downwards) {
                    continue;
                }
                let weight = match [item, other].map(|item| &leveled.items[item]) {
                    [Item::Leaves { .. }, _]
                    | [_, Item::Leaves { .. }]
                    | [Item::Bend, Item::Bend] => STRONG_PULL,
                    _ => 1,
                };
                sum += (middles[other] + self.entries[other] - self.entries[item]) * weight;
                count += weight;
            }
        }
        if count == 0 {
            return middles[column.items[0]] - column.shift;
        }
        sum / count - column.shift
    }

    fn move_level(&self, level: usize, wanted: &[i64], middles: &mut [i64]) {
        let widths: Vec<i64> = self.columns[level].iter().map(|column| column.width).collect();
        let moved = nearest_in_order(wanted, &widths, GAP);
        for (column, middle) in self.columns[level].iter().zip(moved) {
            for &item in &column.items {
                middles[item] = middle + column.shift;
            }
        }
    }

    /// Moves the boxes of a level down to the start of the level.
    pub(crate) fn lower(&mut self, level: usize, top: i64) {
        for &item in self.columns[level].iter().flat_map(|column| &column.items) {
            self.boxes[item].y += top;
        }
    }

    /// Returns the top left corner of an item.
    pub(crate) fn corner(&self, item: usize) -> Point {
        Point { x: self.boxes[item].x, y: self.boxes[item].y }
    }
}
