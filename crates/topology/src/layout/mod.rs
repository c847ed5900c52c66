//! The layout of a network's picture, in whole pixels.
//!
//! The rule: the same facts give the same picture, whatever their ids. Each connected part is laid
//! out in levels from its core to its edge; devices with one neighbor stand in a list below it;
//! boxes never overlap.

mod arrangement;
mod columns;
mod geometry;
mod graph;
mod isotonic;
mod leaves;
mod level_graph;
mod levels;
pub(crate) mod measure;
mod order;
mod pack;
mod route;

use crate::view::{View, canonical_order::Sorted};
use geometry::Sheet;
pub use geometry::{Anchor, Group, Point, Rectangle, Route};
use graph::Graph;

/// The positions of a view's nodes and links, in pixels from the top left corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The width of the picture.
    pub width: i64,
    /// The height of the picture.
    pub height: i64,
    /// The box of each node, in the order of the view.
    pub boxes: Vec<Rectangle>,
    /// The line of each link, in the order of the view.
    pub routes: Vec<Route>,
    /// The lists of nodes that have one neighbor, which may be drawn as one box when small.
    pub groups: Vec<Group>,
}

/// Lays out a view, in time nearly linear in its nodes and links.
pub fn layout(view: &View) -> Layout {
    let sorted = Sorted::new(view);
    let graphs = graph::components(&sorted);
    let sheets: Vec<Sheet> = graphs.iter().map(lay_out_component).collect();
    let sizes: Vec<(i64, i64)> = sheets.iter().map(|sheet| (sheet.width, sheet.height)).collect();
    let packing = pack::pack(&sizes);
    let mut layout = Layout {
        width: packing.width,
        height: packing.height,
        boxes: vec![Rectangle::default(); view.nodes.len()],
        routes: vec![Route::default(); view.links.len()],
        groups: Vec::new(),
    };
    for ((graph, sheet), corner) in graphs.iter().zip(sheets).zip(packing.corners) {
        layout.add(&sorted, graph, sheet, corner);
    }
    layout.groups.sort_by_key(|group| group.owner);
    layout
}

fn lay_out_component(graph: &Graph) -> Sheet {
    let owners = levels::owners(graph);
    let levels = levels::levels(graph, &owners);
    let leveled = level_graph::LevelGraph::new(graph, &owners, &levels);
    let rows = order::order(&leveled);
    let arrangement = arrangement::arrange(graph, &leveled, &rows);
    route::draw(graph, &leveled, arrangement)
}

impl Layout {
    /// Moves a connected part to its corner and maps its indexes to those of the view.
    fn add(&mut self, sorted: &Sorted<'_>, graph: &Graph, sheet: Sheet, corner: Point) {
        let node = |local: usize| sorted.node_places[graph.origins[local]];
        for (local, bounds) in sheet.boxes.iter().enumerate() {
            self.boxes[node(local)] = bounds.moved(corner);
        }
        for (wire, mut route) in graph.wires.iter().zip(sheet.routes) {
            for point in &mut route.points {
                *point = point.moved(corner);
            }
            for anchor in &mut route.port_labels {
                anchor.at = anchor.at.moved(corner);
            }
            route.label_at = route.label_at.moved(corner);
            if wire.turned {
                route.points.reverse();
                route.port_labels.reverse();
            }
            self.routes[sorted.link_places[wire.origin]] = route;
        }
        self.groups.extend(sheet.groups.into_iter().map(|group| Group {
            owner: node(group.owner),
            members: group.members.iter().map(|&member| node(member)).collect(),
            bounds: group.bounds.moved(corner),
        }));
    }
}

#[cfg(test)]
mod tests;
