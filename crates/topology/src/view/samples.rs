//! Views for tests: made by rule, the same each time.

use toposcope_types::Method;

use super::{End, Layer, Link, Node, NodeKind, Port, View};

/// Labels that try to break out of every form.
pub(crate) const NASTY_LABELS: [&str; 35] = [
    "plain",
    "",
    " ",
    "\"quoted\" and 'single'",
    "<script>alert(1)</script>",
    "<!-- a --> --> ]]> <![CDATA[x]]>",
    "&amp; &#10; &lt; & &nbsp;",
    "line one\nline two\r\nline three\rlast",
    "tab\there",
    "nul\u{0} bell\u{7} escape\u{1b}[31m c1\u{85} non\u{fffe}\u{ffff}",
    "emoji 🖧🔥👩‍💻 中文 עברית",
    "\u{202e}turned\u{202c}",
    "back\\slash \\n \\N \\l \\",
    "ends with \\",
    "{record | field} | <port> x",
    "[brackets] (round) {curly} ((two)) [[two]]",
    "#35; #quot; #; ; end",
    "end",
    "graph",
    "flowchart TB\nn0 --> n1",
    "%% comment %%{init: {\"theme\":\"dark\"}}%%",
    "`**bold** _it_`",
    "1. list",
    "- list",
    "# heading",
    "$$x^2$$",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1",
    "@SUM(A1)",
    "  =1+1",
    "'=1+1",
    "comma, semicolon; \"quote\"",
    "click n0 \"javascript:alert(1)\"",
    "%network% ${x} {{y}} :::unknown",
];

/// Numbers that look random and are not.
struct Dice(u64);

impl Dice {
    /// A number below a bound.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn empty_named(network: &str) -> View {
    View {
        network_id: "7d7f0c9e-0c5e-4c0b-9a59-5a1f5b9f1c11".to_owned(),
        network: network.to_owned(),
        layer: Layer::L2,
        revision: 7,
        nodes: Vec::new(),
        links: Vec::new(),
    }
}

impl View {
    fn add(&mut self, label: impl Into<String>, kind: NodeKind, area: Option<String>) -> usize {
        let place = self.nodes.len();
        self.nodes.push(Node {
            id: format!("{place:08x}-0000-4000-8000-000000000000"),
            kind,
            label: label.into(),
            facts: vec![("management_address", format!("10.0.{}.{}", place / 250, place % 250))],
            area,
        });
        place
    }

    fn connect(&mut self, a: (usize, &str), b: (usize, &str), speed: u64, up: Option<bool>) {
        let place = self.links.len();
        let (a, b) = if self.nodes[b.0].id < self.nodes[a.0].id { (b, a) } else { (a, b) };
        let end = |(node, label): (usize, &str)| {
            let id = format!("{node:08x}-{place:04x}-4000-8000-000000000001");
            let port = (!label.is_empty()).then(|| Port { id, label: label.to_owned() });
            End { node, port }
        };
        self.links.push(Link {
            id: format!("{place:08x}-0000-4000-8000-0000000000ff"),
            ends: [end(a), end(b)],
            directed: false,
            speed_bps: Some(speed),
            up,
            method: Some(Method::Lldp),
            label: None,
        });
    }
}

/// Nothing at all.
pub(crate) fn empty() -> View {
    empty_named("empty")
}

/// Two switches with two parallel links, and a host.
pub(crate) fn small() -> View {
    let mut view = empty_named("small");
    let a = view.add("sw-a", NodeKind::Host, None);
    let b = view.add("sw-b", NodeKind::Host, None);
    let host = view.add("host", NodeKind::Host, None);
    view.connect((a, "Gi1/0/1"), (b, "Gi1/0/1"), 1_000_000_000, Some(true));
    view.connect((a, "Gi1/0/2"), (b, "Gi1/0/2"), 1_000_000_000, Some(true));
    view.connect((a, "Gi1/0/3"), (host, "eth0"), 100_000_000, None);
    view
}

/// All labels that try to break out, as nodes, ports and names of links.
pub(crate) fn nasty() -> View {
    let mut view = empty_named("nasty ]]> <script>\"&'--> \u{1}\n end");
    let kinds = [NodeKind::Host, NodeKind::Unknown, NodeKind::Subnet, NodeKind::Service];
    for (place, label) in NASTY_LABELS.iter().enumerate() {
        view.add(*label, kinds[place % 4], Some((*label).to_owned()));
        view.nodes[place].facts.push(("description", format!("x{label}")));
    }
    view.add("plain", NodeKind::Host, None);
    view.nodes[3].id = "neighbor:02:00:5e <\"&'>\n\\|{}%".to_owned();
    view.nodes[5].id = "n0".to_owned();
    for (place, label) in NASTY_LABELS.iter().enumerate() {
        let next = (place * 7 + 1) % NASTY_LABELS.len();
        view.connect(
            (place, label),
            (next, "Gi1/0/1"),
            [1, 10, 100, 1_000, 10_000, 40_000][place % 6] * 10_000_000,
            None,
        );
        view.links[place].up = [None, Some(true), Some(false)][place % 3];
        view.links[place].label = (place % 2 == 0).then(|| (*label).to_owned());
    }
    view.connect((1, "a"), (2, "b"), 1_000_000_000, Some(true));
    view.connect((1, "c"), (2, "d"), 1_000_000_000, Some(true));
    view.connect((4, "x"), (4, "y"), 1_000_000_000, Some(true));
    view.links[6].speed_bps = None;
    view.links[7].id = "link <\"&'>\n\\|{}%".to_owned();
    view.links[8].id = "e0".to_owned();
    view
}

/// A fabric: each leaf is joined to each spine, hosts to their leaf.
pub(crate) fn spine_leaf(spines: usize, leaves: usize, hosts: usize) -> View {
    let mut view = empty_named("spine-leaf fabric");
    let spines: Vec<usize> = (0..spines)
        .map(|spine| view.add(format!("spine-{}", spine + 1), NodeKind::Host, None))
        .collect();
    for leaf in 0..leaves {
        let area = format!("10.{leaf}.0.0/24");
        let switch = view.add(format!("leaf-{}", leaf + 1), NodeKind::Host, Some(area.clone()));
        for (place, &spine) in spines.iter().enumerate() {
            let ports = (format!("Eth1/{}", leaf + 1), format!("Eth1/{}", 49 + place));
            let up = Some(leaf != 2 || place != 1);
            view.connect((spine, &ports.0), (switch, &ports.1), 100_000_000_000, up);
        }
        for host in 0..hosts {
            let kind = if host == 1 { NodeKind::Unknown } else { NodeKind::Host };
            let name = format!("srv-{}-{}", leaf + 1, host + 1);
            let server = view.add(name, kind, Some(area.clone()));
            let port = format!("Eth1/{}", host + 1);
            view.connect((switch, &port), (server, "eno1"), 25_000_000_000, Some(true));
        }
    }
    view
}

/// A campus: two cores, distribution switches joined to both, access switches to two of them.
pub(crate) fn campus(distributions: usize, accesses: usize, hosts: usize) -> View {
    let mut view = empty_named("campus");
    let mut dice = Dice(42);
    let cores = [1, 2].map(|core| view.add(format!("core-{core}"), NodeKind::Host, None));
    for port in ["Te1/1/1", "Te1/1/2"] {
        view.connect((cores[0], port), (cores[1], port), 40_000_000_000, Some(true));
    }
    for building in 0..distributions {
        let area = format!("10.{}.0.0/16", building + 1);
        let pair = ["a", "b"].map(|half| {
            view.add(format!("dist-{}{half}", building + 1), NodeKind::Host, Some(area.clone()))
        });
        for (half, &switch) in pair.iter().enumerate() {
            for (place, &core) in cores.iter().enumerate() {
                let port = format!("Te2/0/{}", building * 2 + half + 1);
                let uplink = format!("Te1/1/{}", place + 1);
                view.connect((core, &port), (switch, &uplink), 10_000_000_000, Some(true));
            }
        }
        for access in 0..accesses {
            let name = format!("acc-{}-{}", building + 1, access + 1);
            let switch = view.add(name, NodeKind::Host, Some(area.clone()));
            for (half, &above) in pair.iter().enumerate() {
                let port = format!("Gi1/0/{}", access + 1);
                let uplink = format!("Gi1/1/{}", half + 1);
                let up = Some(dice.below(12) > 0);
                view.connect((above, &port), (switch, &uplink), 1_000_000_000, up);
            }
            for host in 0..hosts {
                let is_known = dice.below(10) > 0;
                let kind = if is_known { NodeKind::Host } else { NodeKind::Unknown };
                let name = format!("pc-{}-{}-{}", building + 1, access + 1, host + 1);
                let station = view.add(name, kind, Some(area.clone()));
                let port = format!("Gi1/0/{}", host + 1);
                view.connect((switch, &port), (station, ""), 100_000_000, Some(true));
            }
        }
    }
    view
}

/// A backbone: each node is joined to the nearest one or two or three of those before it.
pub(crate) fn backbone(size: usize) -> View {
    let mut view = empty_named("backbone");
    let mut dice = Dice(7);
    let mut points: Vec<(u64, u64)> = Vec::new();
    for place in 0..size {
        let point = (dice.below(10_000), dice.below(6_000));
        let node = view.add(format!("pop-{:04}", place + 1), NodeKind::Host, None);
        let mut near: Vec<(u64, usize)> = points
            .iter()
            .enumerate()
            .map(|(other, at)| {
                (at.0.abs_diff(point.0).pow(2) + at.1.abs_diff(point.1).pow(2), other)
            })
            .collect();
        near.sort_unstable();
        let count = usize::try_from(1 + dice.below(2)).unwrap();
        for (rank, (_, other)) in near.into_iter().take(count).enumerate() {
            let speed = [10_000_000_000, 100_000_000_000][usize::from(rank == 0)];
            let port = format!("et-0/0/{}", place % 16);
            view.connect((other, &port), (node, "et-0/1/0"), speed, Some(dice.below(30) > 0));
        }
        points.push(point);
    }
    view
}

/// Services: each depends on some of those after it, and the last one on the first.
pub(crate) fn services(size: usize) -> View {
    let mut view = empty_named("services");
    view.layer = Layer::Application;
    let mut dice = Dice(5);
    for place in 0..size {
        view.add(format!("service-{place}"), NodeKind::Service, None);
    }
    for place in 0..size - 1 {
        for _ in 0..2 {
            let other = place + 1 + usize::try_from(dice.below(6)).unwrap();
            view.connect((place, ""), (other.min(size - 1), ""), 1, Some(true));
        }
    }
    view.connect((0, ""), (size - 1, ""), 1, Some(true));
    for link in &mut view.links {
        link.directed = true;
        link.speed_bps = None;
        link.method = None;
    }
    let last = view.links.len() - 1;
    view.links[last].ends.reverse();
    view
}

/// Neighbors that are called alike and joined to what is called alike, and links that differ in
/// nothing but their state.
pub(crate) fn alike() -> View {
    let mut view = empty_named("alike");
    let core = view.add("core", NodeKind::Host, None);
    for number in 0..6 {
        let port = format!("Gi0/{}", number % 2);
        let switch = view.add("switch", NodeKind::Host, None);
        let phone = view.add("phone", NodeKind::Unknown, None);
        view.connect((core, &port), (switch, "1"), 1_000_000_000, Some(number > 2));
        view.connect((switch, "2"), (phone, ""), 1_000_000_000, Some(number % 3 > 0));
        view.connect((switch, "2"), (phone, ""), 10_000_000_000, Some(number % 3 == 0));
    }
    for node in &mut view.nodes {
        node.facts.clear();
    }
    view
}

/// The same facts in the reverse order.
pub(crate) fn reversed(view: &View) -> View {
    let mut turned = view.clone();
    turned.nodes.reverse();
    turned.links.reverse();
    for end in turned.links.iter_mut().flat_map(|link| &mut link.ends) {
        end.node = view.nodes.len() - 1 - end.node;
    }
    turned
}

/// The same facts recorded elsewhere: with other ids, and so in another order.
pub(crate) fn recorded_anew(view: &View) -> View {
    let mut other = reversed(view);
    let anew = |kind: &str, place: usize| {
        format!("{kind}-{:016x}", place.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    };
    for (place, node) in other.nodes.iter_mut().enumerate() {
        node.id = anew("node", place);
    }
    let ids: Vec<String> = other.nodes.iter().map(|node| node.id.clone()).collect();
    for (place, link) in other.links.iter_mut().enumerate() {
        link.id = anew("link", place);
        if !link.directed && ids[link.ends[1].node] < ids[link.ends[0].node] {
            link.ends.reverse();
        }
    }
    other
}
