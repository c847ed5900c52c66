//! The lines of the links.
//!
//! The rule: each link has its own end at a box, so parallel links stay apart; it leaves the box
//! vertically for the length of its port name, so that names never overlap.

use super::{
    arrangement::{Arrangement, side},
    columns::{BOTTOM, TOP, TURN_PITCH},
    geometry::{Anchor, Group, Point, Rectangle, Route, Sheet},
    graph::Graph,
    leaves::LANE_PITCH,
    level_graph::{Item, LevelGraph},
    measure::whole,
};

/// The most stacked lines that connect boxes of one level.
const MOST_TRACKS: usize = 24;
/// The distance between such lines.
const TRACK_PITCH: i64 = 9;
/// The maximum distance between two link ends at a box.
const WIDEST_PITCH: i64 = 26;

/// The distance that the end of a trunk may move to make the trunk straight.
const SNAP: i64 = 4;

/// The end of a link at a box.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The position at the box.
    x: i64,
    /// The side of the box.
    side: usize,
    /// The position where the line leaves the level.
    gate: i64,
    /// The number of lines of that side that are further out.
    rank: i64,
}

/// Draws the lines, which completes the connected part.
pub(crate) fn draw(graph: &Graph, leveled: &LevelGraph, mut arrangement: Arrangement) -> Sheet {
    let (slots, list_slots) = slots(graph, leveled, &arrangement);
    let tracks = tracks(graph, leveled, &slots);
    let tops = stack(graph, leveled, &mut arrangement, &slots, &tracks);
    let mut sheet = Sheet {
        width: arrangement.width,
        height: arrangement.boxes.iter().map(Rectangle::bottom).max().unwrap_or(0),
        boxes: vec![Rectangle::default(); graph.len()],
        routes: vec![Route::default(); graph.wires.len()],
        groups: Vec::new(),
    };
    for (item, kind) in leveled.items.iter().enumerate() {
        if let Item::Node(node) = kind {
            sheet.boxes[*node] = arrangement.boxes[item];
        }
    }
    let pen = Pen { graph, leveled, arrangement: &arrangement, tops: &tops };
    for (wire, route) in sheet.routes.iter_mut().enumerate() {
        let items = graph.wires[wire].ends.map(|node| leveled.item_of[node]);
        if items.iter().all(|&item| matches!(leveled.items[item], Item::Node(_))) {
            *route = pen.route(wire, slots[wire], tracks[wire]);
        }
    }
    for item in 0..leveled.items.len() {
        pen.draw_list(item, &list_slots, &mut sheet);
    }
    sheet
}

/// Finds where each link ends at its boxes, and where the list trunks begin.
fn slots(graph: &Graph, leveled: &LevelGraph, at: &Arrangement) -> (Vec<[Slot; 2]>, Vec<Slot>) {
    let mut ends = vec![[Vec::new(), Vec::new()]; graph.len()];
    for (wire, wiring) in graph.wires.iter().enumerate() {
        let items = wiring.ends.map(|node| leveled.item_of[node]);
        if !items.iter().all(|&item| matches!(leveled.items[item], Item::Node(_))) {
            continue;
        }
        for end in [0, 1] {
            let (node, other) = (wiring.ends[end], wiring.ends[1 - end]);
            let bends = &leveled.bends[wire];
            let next = if end == 0 { bends.first() } else { bends.last() };
            let next = *next.unwrap_or(&leveled.item_of[other]);
            let lane = at.lanes[next][side(leveled, other, node)];
            let toward = at.boxes[next].middle() + lane.map_or(0, |lane| lane.at(0));
            ends[node][side(leveled, node, other)].push((toward, wire, end));
        }
    }
    let mut slots = vec![[Slot::default(); 2]; graph.wires.len()];
    let mut list_slots = vec![Slot::default(); leveled.items.len()];
    for (node, sides) in ends.iter_mut().enumerate() {
        let bounds = &at.boxes[leveled.item_of[node]];
        if let Some(list) = leveled.list_of[node] {
            sides[BOTTOM].push((at.boxes[list].middle(), usize::MAX, list));
        }
        for (side, ends) in sides.iter_mut().enumerate() {
            ends.sort_unstable();
            let count = whole(ends.len()).max(1);
            let pitch = ((bounds.width - 10) * 16 / count).min(WIDEST_PITCH * 16);
            for (nth, &(_, wire, end)) in ends.iter().enumerate() {
                let from_left = whole(nth);
                let x = bounds.middle() + (2 * from_left - count + 1) * pitch / 32;
                let rank = if side == TOP { from_left } else { count - 1 - from_left };
                let lane = at.lanes[leveled.item_of[node]][side];
                let gate = lane.map_or(x, |lane| bounds.middle() + lane.at(rank));
                let slot = Slot { x, side, gate, rank };
                match wire {
                    usize::MAX => list_slots[end] = slot,
                    wire => slots[wire][end] = slot,
                }
            }
        }
    }
    (slots, list_slots)
}

/// Finds how many lines above its level each link within a level runs.
fn tracks(graph: &Graph, leveled: &LevelGraph, slots: &[[Slot; 2]]) -> Vec<Option<usize>> {
    let mut beside: Vec<(usize, i64, i64, usize)> = Vec::new();
    for (wire, wiring) in graph.wires.iter().enumerate() {
        let [a, b] = wiring.ends.map(|node| leveled.item_of[node]);
        let is_node = |item: usize| matches!(leveled.items[item], Item::Node(_));
        if is_node(a) && is_node(b) && leveled.levels[a] == leveled.levels[b] {
            let [first, second] = slots[wire].map(|slot| slot.gate);
            beside.push((leveled.levels[a], first.min(second), first.max(second), wire));
        }
    }
    beside.sort_unstable();
    let mut tracks = vec![None; graph.wires.len()];
    let (mut level, mut ends): (usize, Vec<i64>) = (0, Vec::new());
    for (of_level, from, to, wire) in beside {
        if of_level != level {
            level = of_level;
            ends.clear();
        }
        let free = ends.iter().position(|&end| end < from);
        let track = free.unwrap_or(ends.len().min(MOST_TRACKS - 1));
        if track == ends.len() {
            ends.push(to);
        } else {
            ends[track] = ends[track].max(to);
        }
        tracks[wire] = Some(track);
    }
    tracks
}

/// Stacks the levels, far enough apart for the lines between them to be told apart, and returns the
/// top of each.
fn stack(
    graph: &Graph,
    leveled: &LevelGraph,
    arrangement: &mut Arrangement,
    slots: &[[Slot; 2]],
    tracks: &[Option<usize>],
) -> Vec<i64> {
    let depth = leveled.depth();
    let (mut lines, mut reach, mut room) = (vec![0; depth], vec![0; depth], vec![20; depth]);
    for (wire, wiring) in graph.wires.iter().enumerate() {
        let levels = wiring.ends.map(|node| leveled.levels[leveled.item_of[node]]);
        if let Some(track) = tracks[wire] {
            lines[levels[0]] = lines[levels[0]].max(whole(track) + 1);
        } else {
            let upper = levels[0].min(levels[1]);
            room[upper] = room[upper].max(wiring.label_width.min(36));
            reach[upper] = reach[upper].max((slots[wire][0].gate - slots[wire][1].gate).abs());
        }
    }
    let mut y = 0;
    let mut tops = Vec::with_capacity(depth);
    for level in 0..depth {
        let [above, below] = arrangement.stubs[level];
        let is_joined = level > 0 || lines[level] > 0;
        y += if is_joined { above + lines[level] * TRACK_PITCH } else { 0 };
        tops.push(y);
        arrangement.lower(level, y);
        y += arrangement.heights[level] + below + (reach[level] / 6).clamp(room[level], 260);
    }
    tops
}

/// The data that lines are drawn from.
struct Pen<'a> {
    graph: &'a Graph,
    leveled: &'a LevelGraph,
    arrangement: &'a Arrangement,
    tops: &'a [i64],
}

impl Pen<'_> {
    /// Draws a link between two nodes.
    fn route(&self, wire: usize, slots: [Slot; 2], track: Option<usize>) -> Route {
        let nodes = self.graph.wires[wire].ends;
        let [a, b] = [0, 1].map(|end| self.stub(nodes[end], slots[end]));
        let (before, mut points) = (a.len(), a);
        if let Some(track) = track {
            let level = self.leveled.levels[self.leveled.item_of[nodes[0]]];
            let above = self.tops[level] - self.arrangement.stubs[level][TOP];
            let y = above - (whole(track) + 1) * TRACK_PITCH + 3;
            points.extend(slots.map(|slot| Point { x: slot.gate, y }));
        } else {
            for &bend in &self.leveled.bends[wire] {
                let level = self.leveled.levels[bend];
                let x = self.arrangement.boxes[bend].middle();
                let top = Point { x, y: self.tops[level] };
                let bottom = Point { x, y: top.y + self.arrangement.heights[level] };
                let upwards = self.leveled.levels[self.leveled.item_of[nodes[0]]] > level;
                points.extend(if upwards { [bottom, top] } else { [top, bottom] });
            }
        }
        points.extend(b.into_iter().rev());
        let first = before + usize::from(track.is_some());
        let label_at = Point {
            x: i64::midpoint(points[first - 1].x, points[first].x),
            y: i64::midpoint(points[first - 1].y, points[first].y) + 4,
        };
        points.dedup();
        let port_labels = [0, 1].map(|end| self.port_label(wire, end, slots[end], nodes[end]));
        Route { points, port_labels, label_at }
    }

    /// Returns the piece of a line from a box to where it leaves the level.
    fn stub(&self, node: usize, slot: Slot) -> Vec<Point> {
        let item = self.leveled.item_of[node];
        let bounds = &self.arrangement.boxes[item];
        let level = self.leveled.levels[item];
        let stub = self.arrangement.stubs[level][slot.side];
        let (from, out, end) = if slot.side == TOP {
            (bounds.y, -1, self.tops[level] - stub)
        } else {
            (bounds.bottom(), 1, self.tops[level] + self.arrangement.heights[level] + stub)
        };
        let mut points = vec![Point { x: slot.x, y: from }];
        if slot.gate != slot.x {
            let turn = from + out * (stub + slot.rank * TURN_PITCH);
            points.extend([slot.x, slot.gate].map(|x| Point { x, y: turn }));
        }
        points.push(Point { x: slot.gate, y: end });
        points
    }

    fn port_label(&self, wire: usize, end: usize, slot: Slot, node: usize) -> Anchor {
        let bounds = &self.arrangement.boxes[self.leveled.item_of[node]];
        let is_top = slot.side == TOP;
        let y = if is_top { bounds.y - 4 } else { bounds.bottom() + 4 };
        Anchor {
            at: Point { x: slot.x - 4, y },
            ends_there: !is_top,
            upright: true,
            room: self.graph.wires[wire].port_widths[end],
        }
    }

    /// Draws a list of leaves, their boxes and their links.
    fn draw_list(&self, item: usize, list_slots: &[Slot], sheet: &mut Sheet) {
        let (Item::Leaves { owner, members }, Some(list)) =
            (&self.leveled.items[item], &self.arrangement.lists[item])
        else {
            return;
        };
        let corner = self.arrangement.corner(item);
        let mut slot = list_slots[item];
        let trunk = list.entry(corner).x;
        if slot.gate == slot.x && (trunk - slot.x).abs() <= SNAP {
            (slot.x, slot.gate) = (trunk, trunk);
        }
        let mut start = self.stub(*owner, slot);
        if let Some(lane) = self.arrangement.lanes[item][TOP] {
            let x = self.arrangement.boxes[item].middle() + lane.at(0);
            let level = self.leveled.levels[item];
            let above = self.tops[level] - self.arrangement.stubs[level][TOP];
            start.extend([above, corner.y].map(|y| Point { x, y }));
        }
        for (at, &leaf) in members.iter().enumerate() {
            let bounds = list.bounds(corner, at);
            sheet.boxes[leaf] = bounds;
            let wires = &self.graph.around[leaf];
            for (lane, &(_, wire)) in wires.iter().enumerate() {
                let wiring = &self.graph.wires[wire];
                let at_leaf = usize::from(wiring.ends[1] == leaf);
                let widths = [wiring.port_widths[1 - at_leaf], wiring.port_widths[at_leaf]];
                let mut route = list.route(corner, &bounds, (lane, wires.len()), widths);
                let shift = whole(lane) * LANE_PITCH;
                let start = start.iter().map(|at| Point { x: at.x + shift, ..*at });
                route.points.splice(0..0, start);
                if at_leaf == 0 {
                    route.points.reverse();
                    route.port_labels.reverse();
                }
                sheet.routes[wire] = route;
            }
        }
        sheet.groups.push(Group {
            owner: *owner,
            members: members.clone(),
            bounds: self.arrangement.boxes[item],
        });
    }
}
