//! A layer of a network laid out for drawing, over GraphQL.

use std::collections::{HashMap, HashSet};

use async_graphql::{Enum, ID, SimpleObject};
use toposcope_topology::{
    layout::{Rectangle, layout},
    network::layers::Counted,
    rollup::{Limits, RolledUp, roll_up},
    view::{NodeKind, View, of_network},
};
use toposcope_types::{BigInt, Id, Method};

use super::{link::LinkState, scene::Scene};

/// The most nodes that a client can request in a picture.
pub(super) const MOST: u32 = 5_000;
/// The most members that one node of a roll-up lists.
const MEMBERS: usize = 1_000;
/// The limit on the links of a picture: per node, and its lower bound.
const LINKS: (usize, usize) = (4, 4_000);

/// A part of a network laid out for drawing, in pixels; the same facts give the same picture.
#[derive(Clone, Debug, SimpleObject)]
pub struct Picture {
    /// The width.
    width: i64,
    /// The height.
    height: i64,
    /// Whether any node or link stands for several.
    is_rolled_up: bool,
    /// The nodes, drawn as boxes.
    nodes: Vec<PictureNode>,
    /// The links, drawn as lines.
    links: Vec<PictureLink>,
}

/// The kind of a box in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum PictureNodeKind {
    /// A device.
    Host,
    /// A neighbor that a port heard and the inventory does not know.
    Unknown,
    /// A subnet.
    Subnet,
    /// A service.
    Service,
}

/// A box in a picture: a device, a subnet, a service, an unknown neighbor, or several of them.
#[derive(Clone, Debug, SimpleObject)]
pub struct PictureNode {
    /// The id of the device, subnet or service; for an unknown neighbor or several nodes, a text
    /// that is unique among the boxes of the picture.
    id: ID,
    /// The kind; for several nodes, the first kind among them.
    kind: PictureNodeKind,
    /// The display name.
    label: String,
    /// The address of a device, the range of a subnet, or the device of a service, if known.
    detail: Option<String>,
    /// The distance from the left of the picture to the box.
    x: i64,
    /// The distance from the top of the picture to the box.
    y: i64,
    /// The width of the box.
    width: i64,
    /// The height of the box.
    height: i64,
    /// The number of nodes that it stands for.
    count: usize,
    /// The nodes that it stands for if there are several: the first 1,000 by name.
    members: Vec<PictureMember>,
    /// Whether losing it, or a node that it stands for, cuts the network into parts.
    is_articulation_point: bool,
    /// The ids of the observations of an unknown neighbor, by which it can be identified.
    observation_ids: Vec<Id>,
}

/// A node that a box of a picture stands for.
#[derive(Clone, Debug, SimpleObject)]
pub struct PictureMember {
    /// The id of the device, subnet or service; for an unknown neighbor, a text.
    id: ID,
    /// The kind of node.
    kind: PictureNodeKind,
    /// The display name.
    label: String,
}

/// A line in a picture.
#[derive(Clone, Debug, SimpleObject)]
pub struct PictureLink {
    /// The id, unique among the lines of the picture.
    id: ID,
    /// The id of the box at one end.
    a: ID,
    /// The id of the box at the other end.
    b: ID,
    /// The port or the address at end `a`, if known.
    a_port: Option<String>,
    /// The port or the address at end `b`, if known.
    b_port: Option<String>,
    /// The id of the link, if the line stands for just one and the neighbor is known.
    link_id: Option<Id>,
    /// Whether the link works; for several links, whether one of them does.
    state: LinkState,
    /// The method by which the link is known, on layer L2; for several links, only if all share it.
    method: Option<Method>,
    /// The speed in bits per second; for several links, the sum.
    speed_bps: Option<BigInt>,
    /// The number of links that it stands for.
    count: usize,
    /// Whether losing it, or a link that it stands for, cuts the network in two.
    is_bridge: bool,
    /// Whether the line is directed from `a` to `b`.
    is_directed: bool,
    /// The label, such as the name of a group.
    label: Option<String>,
}

impl Picture {
    /// Returns how many rows of a response it counts as.
    pub(super) fn len(&self) -> usize {
        let lists = |node: &PictureNode| node.members.len() + node.observation_ids.len();
        self.nodes.len() + self.links.len() + self.nodes.iter().map(lists).sum::<usize>()
    }
}

/// Lays out the shown part of the network in at most `at_most` boxes.
pub(super) fn picture(scene: &Scene, at_most: u32) -> Picture {
    let view = of_network::view(&scene.snapshot, scene.layer, &scene.region);
    let nodes = at_most as usize;
    let rolled = roll_up(&view, Limits { nodes, links: LINKS.1.max(nodes * LINKS.0) });
    let layout = layout(&rolled.view);
    Picture {
        width: layout.width,
        height: layout.height,
        is_rolled_up: rolled.is_rolled_up(),
        nodes: boxes(scene, &view, &rolled, &layout.boxes),
        links: lines(scene, &view, &rolled),
    }
}

fn boxes(
    scene: &Scene,
    view: &View,
    rolled: &RolledUp,
    rectangles: &[Rectangle],
) -> Vec<PictureNode> {
    let points: HashSet<String> =
        (scene.counted(Counted::Cables).cuts().articulation_points.iter())
            .map(|point| scene.id(point.node).to_string())
            .collect();
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); rolled.view.nodes.len()];
    for (member, node) in rolled.members_of.iter().enumerate() {
        members[*node].push(member);
    }
    let mut heard = observations(&rolled.view);
    let each = rolled.view.nodes.iter().zip(members).zip(rectangles).enumerate();
    each.map(|(number, ((node, mut members), bounds))| {
        let is_articulation_point =
            members.iter().any(|&member| points.contains(&view.nodes[member].id));
        if let [_] = members[..] {
            members.clear();
        }
        members.sort_by_key(|&member| (&view.nodes[member].label, &view.nodes[member].id));
        members.truncate(MEMBERS);
        let count = rolled.node_counts[number];
        let told = |(name, value): &(&str, String)| (*name != "count").then(|| value.clone());
        PictureNode {
            id: ID(node.id.clone()),
            kind: node.kind.into(),
            label: node.label.clone(),
            detail: node.facts.iter().find_map(told).filter(|detail| *detail != node.label),
            x: bounds.x,
            y: bounds.y,
            width: bounds.width,
            height: bounds.height,
            count,
            members: members.into_iter().map(|member| PictureMember::of(view, member)).collect(),
            is_articulation_point,
            observation_ids: heard.remove(&number).unwrap_or_default(),
        }
    })
    .collect()
}

/// Returns the observations of each unknown neighbor, by its index.
fn observations(view: &View) -> HashMap<usize, Vec<Id>> {
    let mut heard: HashMap<usize, Vec<Id>> = HashMap::new();
    for link in &view.links {
        for end in &link.ends {
            let is_unknown = view.nodes[end.node].kind == NodeKind::Unknown;
            if let (true, Some(id)) = (is_unknown, of_network::observation_of(link)) {
                heard.entry(end.node).or_default().push(id);
            }
        }
    }
    heard
}

fn lines(scene: &Scene, view: &View, rolled: &RolledUp) -> Vec<PictureLink> {
    let cables = scene.counted(Counted::Cables);
    let bridges: HashSet<String> = (cables.cuts().bridges.iter())
        .map(|bridge| scene.link_id(cables.whole(bridge.edge)).to_string())
        .collect();
    let cutting: HashSet<[usize; 2]> = (view.links.iter())
        .filter(|link| bridges.contains(&link.id))
        .map(|link| sorted(link.ends.each_ref().map(|end| rolled.members_of[end.node])))
        .collect();
    let drawn = &rolled.view;
    let each = drawn.links.iter().zip(&rolled.link_counts);
    each.map(|(link, &count)| {
        let [a, b] = link.ends.each_ref().map(|end| ID(drawn.nodes[end.node].id.clone()));
        let [a_port, b_port] =
            link.ends.each_ref().map(|end| end.port.as_ref().map(|port| port.label.clone()));
        let is_one = count == 1;
        PictureLink {
            id: ID(link.id.clone()),
            a,
            b,
            a_port,
            b_port,
            link_id: link.id.parse().ok().filter(|_| is_one),
            state: LinkState::of(link.up),
            method: link.method,
            speed_bps: link.speed_bps.and_then(|speed| i64::try_from(speed).ok()).map(BigInt),
            count,
            is_bridge: if is_one {
                bridges.contains(&link.id)
            } else {
                cutting.contains(&sorted(link.ends.each_ref().map(|end| end.node)))
            },
            is_directed: link.directed,
            label: link.label.clone(),
        }
    })
    .collect()
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

impl PictureMember {
    fn of(view: &View, place: usize) -> Self {
        let node = &view.nodes[place];
        Self { id: ID(node.id.clone()), kind: node.kind.into(), label: node.label.clone() }
    }
}

impl From<NodeKind> for PictureNodeKind {
    fn from(kind: NodeKind) -> Self {
        match kind {
            NodeKind::Host => Self::Host,
            NodeKind::Unknown => Self::Unknown,
            NodeKind::Subnet => Self::Subnet,
            NodeKind::Service => Self::Service,
        }
    }
}
