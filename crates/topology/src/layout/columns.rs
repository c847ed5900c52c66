//! Levels that would be far too wide, folded into columns of several items.
//!
//! The rule: a line never passes through a box of its column. Lines to an item below another one
//! come down a lane beside the column, and lines from an item above another one go down a lane on
//! the other side.

use super::{
    geometry::Rectangle,
    level_graph::{Item, LevelGraph},
    measure::whole,
};

/// The space between items of a level.
pub(crate) const GAP: i64 = 26;
/// The width up to which a level is never folded.
const UNFOLDED_WIDTH: i64 = 4_400;
/// The number of items up to which a level is never folded.
const UNFOLDED_ITEMS: usize = 32;
/// The distance between lanes.
const LANE_PITCH: i64 = 6;
/// The distance between the turns of lines into their lanes.
pub(crate) const TURN_PITCH: i64 = 4;

/// The sides of a box, as indexes.
pub(crate) const TOP: usize = 0;
/// See [`TOP`].
pub(crate) const BOTTOM: usize = 1;

/// Items stacked above each other.
pub(crate) struct Column {
    /// The items, from the top to the bottom.
    pub items: Vec<usize>,
    /// The width, including the lanes.
    pub width: i64,
    /// The distance from the middle of the column to that of its boxes.
    pub shift: i64,
}

/// The lanes of the lines on one side of an item, by their distance from the middle of the box.
#[derive(Clone, Copy)]
pub(crate) struct Lane {
    /// The distance of the outermost lane.
    outermost: i64,
    /// The distance from one lane to the next.
    step: i64,
}

impl Lane {
    /// Returns the distance of a line's lane; lines are counted from the outermost.
    pub(crate) const fn at(self, rank: i64) -> i64 {
        self.outermost + rank * self.step
    }
}

/// Returns the width above which levels are folded.
pub(crate) fn widest(boxes: &[Rectangle]) -> i64 {
    let area: i64 = boxes.iter().map(|bounds| (bounds.width + GAP) * (bounds.height + 90)).sum();
    UNFOLDED_WIDTH.max(area.isqrt() * 5 / 2)
}

/// Puts the items of a level into columns: one item each, unless the level is too wide.
pub(crate) fn fold(
    leveled: &LevelGraph,
    row: &[usize],
    boxes: &[Rectangle],
    widest: i64,
) -> Vec<Column> {
    let width: i64 = row.iter().map(|&item| boxes[item].width + GAP).sum();
    let is_bend = |item: usize| matches!(leveled.items[item], Item::Bend);
    let box_count = row.iter().filter(|&&item| !is_bend(item)).count();
    let most = match usize::try_from((width + widest - 1) / widest) {
        Ok(most) if box_count > UNFOLDED_ITEMS => most.max(1),
        _ => 1,
    };
    let mut columns: Vec<Column> = Vec::new();
    for &item in row {
        match columns.last_mut() {
            Some(last) if last.items.len() < most && !is_bend(item) && !is_bend(last.items[0]) => {
                last.items.push(item);
                last.width = last.width.max(boxes[item].width);
            }
            _ => columns.push(Column { items: vec![item], width: boxes[item].width, shift: 0 }),
        }
    }
    columns
}

impl Column {
    /// Adds the lanes that a column of several items needs, given how many lines end at each side
    /// of each item.
    pub(crate) fn add_lanes(&mut self, ends: &[[usize; 2]], lanes: &mut [[Option<Lane>; 2]]) {
        let Some((&first, below)) = self.items.split_first() else { return };
        let above = &self.items[..below.len()];
        let count = |items: &[usize], side: usize| -> i64 {
            items.iter().map(|&item| whole(ends[item][side])).sum::<i64>() * LANE_PITCH
        };
        let (left, right) = (count(below, TOP), count(above, BOTTOM));
        let edge = (self.width + 1) / 2;
        let mut x = -edge - left;
        for &item in below.iter().rev() {
            lanes[item][TOP] = Some(Lane { outermost: x, step: LANE_PITCH });
            x += whole(ends[item][TOP]) * LANE_PITCH;
        }
        let mut x = edge + right;
        for &item in std::iter::once(&first).chain(below).take(above.len()) {
            lanes[item][BOTTOM] = Some(Lane { outermost: x, step: -LANE_PITCH });
            x -= whole(ends[item][BOTTOM]) * LANE_PITCH;
        }
        self.width += left + right;
        self.shift = (left - right) / 2;
    }

    /// Stacks the items, far enough apart for their lines to turn, and returns the height.
    pub(crate) fn stack(
        &self,
        boxes: &mut [Rectangle],
        ends: &[[usize; 2]],
        stubs: [i64; 2],
    ) -> i64 {
        let mut y = 0;
        for (rank, &item) in self.items.iter().enumerate() {
            if rank > 0 {
                let above = self.items[rank - 1];
                let turns = whole(ends[above][BOTTOM] + ends[item][TOP]) * TURN_PITCH;
                y += stubs[TOP] + stubs[BOTTOM] + turns + 8;
            }
            boxes[item].y = y;
            y += boxes[item].height;
        }
        y
    }
}
