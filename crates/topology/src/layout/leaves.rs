//! The list of a node's leaves: columns of boxes, each at the end of a stub from a trunk.
//!
//! The rule: the names of both ports fit on the stub, so that they overlap nothing.

use super::{
    geometry::{Anchor, Point, Rectangle, Route},
    graph::Graph,
    measure::whole,
};

/// The height of a leaf's box.
const BOX_HEIGHT: i64 = 22;
/// The minimum distance between the middles of two boxes.
const ROW_PITCH: i64 = 30;
/// The distance between two links of one leaf.
const LINK_PITCH: i64 = 15;
/// The distance between the trunks of the first links of leaves, the second ones, and so on.
pub(crate) const LANE_PITCH: i64 = 4;
/// The space between columns.
const COLUMN_GAP: i64 = 20;
/// The distance from the top of the list to its first row.
const HEAD: i64 = 12;
/// The minimum number of rows before a second column begins.
const FEWEST_ROWS: usize = 12;

/// The measures of a list.
pub(crate) struct List {
    columns: usize,
    rows: usize,
    pitch: i64,
    stub: i64,
    box_width: i64,
    box_height: i64,
}

impl List {
    /// Measures the list of the given leaves.
    pub(crate) fn new(graph: &Graph, members: &[usize]) -> Self {
        let links = members.iter().map(|&leaf| graph.around[leaf].len()).max().unwrap_or(1);
        let box_height = BOX_HEIGHT.max(whole(links) * LINK_PITCH);
        let pitch = ROW_PITCH.max(box_height + 8);
        let wires = members.iter().flat_map(|&leaf| &graph.around[leaf]);
        let names = wires.map(|&(_, wire)| {
            let wire = &graph.wires[wire];
            wire.port_widths.iter().sum::<i64>() + wire.label_width
        });
        let stub = names.max().unwrap_or(0) + 22 + whole(links - 1) * LANE_PITCH;
        let label = members.iter().map(|&leaf| graph.label_widths[leaf]).max().unwrap_or(0);
        let box_width = label.max(28) + 16;
        let square = whole(members.len()) * (stub + box_width + COLUMN_GAP) / pitch;
        let rows = usize::try_from(square.isqrt()).unwrap_or(0).max(FEWEST_ROWS);
        let columns = members.len().div_ceil(rows);
        let rows = members.len().div_ceil(columns.max(1));
        Self { columns, rows, pitch, stub, box_width, box_height }
    }

    /// Returns the width and the height of the list.
    pub(crate) fn size(&self) -> (i64, i64) {
        let column = self.stub + self.box_width + COLUMN_GAP;
        (whole(self.columns) * column - COLUMN_GAP, HEAD + whole(self.rows) * self.pitch)
    }

    /// Returns the point where the trunk enters a list with this top left corner.
    pub(crate) fn entry(&self, corner: Point) -> Point {
        let (width, _) = self.size();
        let x = if self.columns == 1 { corner.x + 1 } else { corner.x + width / 2 };
        Point { x, y: corner.y }
    }

    /// Returns the box of the leaf at an index in the list.
    pub(crate) fn bounds(&self, corner: Point, at: usize) -> Rectangle {
        let (column, row) = (whole(at / self.rows), whole(at % self.rows));
        Rectangle {
            x: corner.x + column * (self.stub + self.box_width + COLUMN_GAP) + self.stub,
            y: corner.y + HEAD + row * self.pitch + (self.pitch - self.box_height) / 2,
            width: self.box_width,
            height: self.box_height,
        }
    }

    /// Returns the line from the end of the owner's stub, through the trunk, to one leaf; `lane` is
    /// the index and the number of links, where the leaf has several.
    pub(crate) fn route(
        &self,
        corner: Point,
        leaf: &Rectangle,
        lane: (usize, usize),
        widths: [i64; 2],
    ) -> Route {
        let (lane, lanes) = (whole(lane.0), whole(lane.1));
        let shift = lane * LANE_PITCH;
        let y = leaf.y + leaf.height / 2 + (2 * lane - lanes + 1) * LINK_PITCH / 2;
        let trunk = leaf.x - self.stub + 1 + shift;
        let entry = self.entry(corner);
        let mut points = vec![Point { x: entry.x + shift, y: entry.y + shift }];
        if trunk != points[0].x {
            points.push(Point { x: trunk, y: points[0].y });
        }
        points.extend([Point { x: trunk, y }, Point { x: leaf.x, y }]);
        let at_owner = Anchor {
            at: Point { x: trunk + 6 + (lanes - 1) * LANE_PITCH - shift, y: y - 3 },
            room: widths[0],
            ..Anchor::default()
        };
        let at_leaf = Anchor {
            at: Point { x: leaf.x - 4, y: y - 3 },
            ends_there: true,
            room: widths[1],
            ..Anchor::default()
        };
        let label_x = i64::midpoint(trunk + widths[0], leaf.x - widths[1]) + 2;
        Route { points, port_labels: [at_owner, at_leaf], label_at: Point { x: label_x, y: y - 3 } }
    }
}
