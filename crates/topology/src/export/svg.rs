//! A picture as SVG, for screens and for print.
//!
//! The rule: it holds no script and no external references; it follows the reader's light or dark
//! color scheme; a view of more than a few hundred nodes is rolled up.

use std::fmt::Write as _;

use crate::{
    layout::{
        Anchor, Layout, Point, Rectangle, Route, layout,
        measure::{LABEL_SIZE, PORT_SIZE, WIDEST_LABEL, WIDEST_PORT, fitted, text_width},
    },
    rollup::{Limits, RolledUp, roll_up},
    text,
    view::{
        Node, NodeKind, View,
        canonical_order::{Edge, Sorted},
    },
};

/// The limits above which a view is rolled up.
const LIMITS: Limits = Limits { nodes: 300, links: 1_500 };
/// The height of the title above the picture.
const HEAD: i64 = 64;
/// The height of the legend below it.
const FOOT: i64 = 46;
/// The minimum width, so that the legend has room.
const LEAST_WIDTH: i64 = 760;

const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',Roboto,sans-serif;fill:#1b2733}\
.back{fill:#fff}.name{font-size:13px;text-anchor:middle}.port{font-size:11px;fill:#46566a}\
.head{font-size:20px;font-weight:600}.sub{font-size:13px;fill:#5a6b7e}\
.mid{font-size:11px;text-anchor:middle}\
.mid{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\
.box{stroke-width:1.4}.host{fill:#eaf1fb;stroke:#4a78b5}\
.unknown{fill:#fff;stroke:#7b8794;stroke-dasharray:4 3}.subnet{fill:#e8f5ec;stroke:#3f9160}\
.service{fill:#fff4de;stroke:#c18a1c}\
.link{fill:none;stroke:#6b7d92;stroke-linejoin:round}.state-up{stroke:#4b6a8f}\
.state-down{stroke:#d32f2f;stroke-dasharray:7 5}.tip{fill:#4b6a8f}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#11161d}.port{fill:#a9b8c8}\
.mid{stroke:#11161d}.sub{fill:#93a4b5}.host{fill:#1b2c42;stroke:#6ea3e6}\
.unknown{fill:#11161d;stroke:#8b98a5}.subnet{fill:#16301f;stroke:#5cc384}\
.service{fill:#36290f;stroke:#e0aa3e}.link{stroke:#7d8fa3}.state-up{stroke:#82a9d8}\
.state-down{stroke:#ff6b62}.tip{fill:#82a9d8}}\
@media print{svg{color-scheme:light}}";

/// Writes a view as an SVG picture.
pub(crate) fn write(view: &View) -> String {
    let rolled = roll_up(view, LIMITS);
    let layout = layout(&rolled.view);
    let sorted = Sorted::new(&rolled.view);
    let (width, height) = (layout.width.max(LEAST_WIDTH), layout.height + HEAD + FOOT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
    );
    let _ = writeln!(svg, "<title>{}</title>", text::xml(&view.network));
    let _ = writeln!(svg, "<style>{STYLE}</style>");
    svg.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" \
         markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip\" \
         d=\"M0 0L8 4L0 8Z\"/></marker></defs>\n",
    );
    let _ = writeln!(svg, "<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>");
    write_head(&mut svg, view, &rolled, width);
    let _ = writeln!(svg, "<g transform=\"translate({} {HEAD})\">", (width - layout.width) / 2);
    write_links(&mut svg, &sorted, &rolled, &layout);
    write_nodes(&mut svg, &sorted, &rolled, &layout);
    write_port_labels(&mut svg, &sorted, &layout);
    svg.push_str("</g>\n");
    write_legend(&mut svg, &sorted, height - FOOT / 2);
    svg.push_str("</svg>\n");
    svg
}

fn write_head(svg: &mut String, view: &View, rolled: &RolledUp, width: i64) {
    let name = text::xml(&fitted(&view.network, 20, width - 60));
    let mut facts = format!(
        "{} · revision {} · {} nodes · {} links",
        view.layer.title(),
        view.revision,
        view.nodes.len(),
        view.links.len()
    );
    if rolled.is_rolled_up() {
        let _ = write!(facts, " · rolled up to {} nodes", rolled.view.nodes.len());
    }
    let _ = writeln!(svg, "<text class=\"head\" x=\"28\" y=\"34\">{name}</text>");
    let _ = writeln!(svg, "<text class=\"sub\" x=\"28\" y=\"54\">{}</text>", text::xml(&facts));
}

fn write_links(svg: &mut String, sorted: &Sorted<'_>, rolled: &RolledUp, layout: &Layout) {
    for (rank, edge) in sorted.links.iter().enumerate() {
        let place = sorted.link_places[rank];
        let route = &layout.routes[place];
        let count = rolled.link_counts[place];
        let [a, b] = edge.ends.map(|node| sorted.nodes[node]);
        let width = edge.link.line_width();
        let marker = if edge.link.directed { " marker-end=\"url(#tip)\"" } else { "" };
        let _ = write!(
            svg,
            "<g class=\"edge\" id=\"e{rank}\" data-id=\"{}\" data-a=\"{}\" data-b=\"{}\" \
             data-count=\"{count}\"><title>{}</title><path class=\"link state-{}\" \
             stroke-width=\"{}.{}\"{marker} d=\"{}\"/>",
            text::xml(&edge.link.id),
            text::xml(&a.id),
            text::xml(&b.id),
            text::xml(&link_title(edge, [a, b])),
            edge.link.state(),
            width / 10,
            width % 10,
            path(route)
        );
        if let Some(label) = &edge.link.label {
            write_label(svg, route.label_at, label);
        }
        svg.push_str("</g>\n");
    }
}

/// Lists everything known about a link.
fn link_title(edge: &Edge<'_>, nodes: [&Node; 2]) -> String {
    let end = |end: usize| match edge.port(end) {
        Some(port) => format!("{} {}", nodes[end].label, port.label),
        None => nodes[end].label.clone(),
    };
    let joint = if edge.link.directed { "→" } else { "—" };
    let mut lines = vec![format!("{} {joint} {}", end(0), end(1))];
    lines.extend(edge.link.label.clone());
    lines.push(format!("state: {}", edge.link.state()));
    lines.extend(edge.link.speed_bps.map(|speed| format!("speed: {}", text::speed(speed))));
    if let Some(method) = edge.link.method {
        lines.push(format!("known by: {}", method.spelled()));
    }
    lines.join("\n")
}

fn path(route: &Route) -> String {
    let mut path = String::new();
    for (place, point) in route.points.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if place == 0 { "M" } else { "L" }, point.x, point.y);
    }
    path
}

fn write_label(svg: &mut String, at: Point, label: &str) {
    let label = text::xml(&fitted(label, PORT_SIZE, WIDEST_PORT));
    let _ = write!(svg, "<text class=\"mid\" x=\"{}\" y=\"{}\">{label}</text>", at.x, at.y);
}

fn write_nodes(svg: &mut String, sorted: &Sorted<'_>, rolled: &RolledUp, layout: &Layout) {
    for (rank, node) in sorted.nodes.iter().enumerate() {
        let place = sorted.node_places[rank];
        let spot = &layout.boxes[place];
        let count = rolled.node_counts[place];
        let _ = write!(
            svg,
            "<g class=\"node\" id=\"n{rank}\" data-id=\"{}\" data-label=\"{}\" \
             data-count=\"{count}\"><title>{}</title>",
            text::xml(&node.id),
            text::xml(&node.label),
            text::xml(&node_title(node, count))
        );
        if count > 1 {
            let behind = Rectangle { x: spot.x + 4, y: spot.y + 4, ..*spot };
            write_box(svg, node.kind, &behind);
        }
        write_box(svg, node.kind, spot);
        let label = text::xml(&fitted(&node.label, LABEL_SIZE, WIDEST_LABEL));
        let (x, y) = (spot.middle(), spot.y + spot.height / 2 + 5);
        let _ = writeln!(svg, "<text class=\"name\" x=\"{x}\" y=\"{y}\">{label}</text></g>");
    }
}

fn node_title(node: &Node, count: usize) -> String {
    let mut lines = vec![node.label.clone(), node.kind.title().to_owned()];
    if count == 1 {
        lines.extend(node.facts.iter().map(|(name, value)| format!("{name}: {value}")));
    }
    lines.join("\n")
}

fn write_box(svg: &mut String, kind: NodeKind, bounds: &Rectangle) {
    let radius = match kind {
        NodeKind::Host | NodeKind::Unknown => 5,
        NodeKind::Subnet => bounds.height / 2,
        NodeKind::Service => 1,
    };
    let _ = write!(
        svg,
        "<rect class=\"box {}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{radius}\"/>",
        kind.name(),
        bounds.x,
        bounds.y,
        bounds.width,
        bounds.height
    );
}

fn write_port_labels(svg: &mut String, sorted: &Sorted<'_>, layout: &Layout) {
    for (rank, edge) in sorted.links.iter().enumerate() {
        let anchors = &layout.routes[sorted.link_places[rank]].port_labels;
        for (end, anchor) in anchors.iter().enumerate() {
            if let Some(port) = edge.port(end) {
                write_port_label(svg, anchor, &port.label);
            }
        }
    }
}

fn write_port_label(svg: &mut String, anchor: &Anchor, label: &str) {
    let side = if anchor.ends_there { " text-anchor=\"end\"" } else { "" };
    let (x, y) = (anchor.at.x, anchor.at.y);
    let turn =
        if anchor.upright { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let label = text::xml(&fitted(label, PORT_SIZE, anchor.room));
    let _ = writeln!(svg, "<text class=\"port\" x=\"{x}\" y=\"{y}\"{side}{turn}>{label}</text>");
}

/// Explains the lines and boxes in the picture.
fn write_legend(svg: &mut String, sorted: &Sorted<'_>, y: i64) {
    let mut speeds: Vec<(u32, u64)> = sorted
        .links
        .iter()
        .filter_map(|edge| edge.link.speed_bps.map(|speed| (edge.link.line_width(), speed)))
        .collect();
    speeds.sort_unstable();
    speeds.dedup_by_key(|&mut (width, _)| width);
    let mut entries: Vec<(String, String)> = Vec::new();
    let step = speeds.len().div_ceil(5).max(1);
    for (width, speed) in speeds.iter().step_by(step) {
        let sample = format!("link state-up\" stroke-width=\"{}.{}", width / 10, width % 10);
        entries.push((sample, text::speed(*speed)));
    }
    if sorted.links.iter().any(|edge| edge.link.is_down()) {
        entries.push(("link state-down\" stroke-width=\"2".to_owned(), "down".to_owned()));
    }
    let mut x = 28;
    for (sample, label) in entries {
        let _ = writeln!(
            svg,
            "<path class=\"{sample}\" d=\"M{x} {y}h30\"/><text class=\"sub\" x=\"{}\" y=\"{}\">{label}</text>",
            x + 37,
            y + 5
        );
        x += 37 + text_width(&label, 13) + 22;
    }
    for kind in [NodeKind::Host, NodeKind::Unknown, NodeKind::Subnet, NodeKind::Service] {
        if sorted.nodes.iter().any(|node| node.kind == kind) {
            write_box(svg, kind, &Rectangle { x, y: y - 8, width: 26, height: 16 });
            let label = kind.title();
            let _ = writeln!(
                svg,
                "<text class=\"sub\" x=\"{}\" y=\"{}\">{label}</text>",
                x + 33,
                y + 5
            );
            x += 33 + text_width(label, 13) + 22;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;

    #[test]
    fn a_picture_holds_no_script_and_refers_to_nothing_outside() {
        let svg = write(&samples::nasty());
        assert!(!svg.contains("<script") && !svg.contains("href") && !svg.contains("url(h"));
    }

    #[test]
    fn down_links_and_unknown_ends_are_told_apart() {
        let svg = write(&samples::nasty());
        assert!(svg.contains("link state-down") && svg.contains("box unknown"));
    }

    #[test]
    fn a_large_view_is_rolled_up_with_counts() {
        let svg = write(&samples::campus(4, 12, 24));
        let counted: usize = svg
            .split("<g class=\"node\"")
            .skip(1)
            .filter_map(|node| {
                node.split("data-count=\"").nth(1)?.split('"').next()?.parse::<usize>().ok()
            })
            .sum();
        assert_eq!(counted, samples::campus(4, 12, 24).nodes.len());
        assert!(svg.contains("rolled up to"));
    }
}
