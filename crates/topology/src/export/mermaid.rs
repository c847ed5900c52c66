//! Mermaid flowcharts (Mermaid 11), for pasting into Markdown.
//!
//! The rule: the text renders with Mermaid's default limits of 50,000 characters and 500 edges. A
//! larger view is rolled up, and a comment says so. Labels are quoted, with entity codes.

use std::fmt::Write as _;

use crate::{
    rollup::{Limits, RolledUp, roll_up},
    text,
    view::{
        NodeKind, View,
        canonical_order::{Edge, Sorted},
    },
};

/// Mermaid's default `maxTextSize`, in UTF-16 units, less some room.
const LONGEST_TEXT: usize = 49_000;
/// Mermaid's default `maxEdges`.
const MOST_EDGES: usize = 500;
/// The most nodes to try in a flowchart.
const MOST_NODES: usize = 400;
/// The longest label, in characters, once nothing else makes the text short enough.
const SHORT_LABEL: usize = 60;

/// Writes a view as a flowchart.
pub(crate) fn write(view: &View) -> String {
    let mut limits = Limits { nodes: MOST_NODES, links: MOST_EDGES };
    loop {
        let rolled = roll_up(view, limits);
        let chart = write_rolled(view, &rolled, usize::MAX);
        if length(&chart) <= LONGEST_TEXT {
            return chart;
        }
        let short = write_rolled(view, &rolled, SHORT_LABEL);
        if length(&short) <= LONGEST_TEXT || limits.nodes <= 1 {
            return short;
        }
        limits = Limits { nodes: limits.nodes * 2 / 3, links: (limits.links * 2 / 3).max(1) };
    }
}

fn length(chart: &str) -> usize {
    chart.encode_utf16().count()
}

fn write_rolled(full: &View, rolled: &RolledUp, longest: usize) -> String {
    let sorted = Sorted::new(&rolled.view);
    let mut chart = "flowchart TB\n".to_owned();
    if rolled.is_rolled_up() {
        let _ = writeln!(
            chart,
            "  %% rolled up: {} nodes and {} links are shown as {} nodes and {} links",
            full.nodes.len(),
            full.links.len(),
            sorted.nodes.len(),
            sorted.links.len()
        );
    }
    if longest < usize::MAX {
        let _ = writeln!(chart, "  %% labels are cut to {longest} characters");
    }
    let entity = |label: &str| entities(&text::shortened(label, longest));
    for (rank, node) in sorted.nodes.iter().enumerate() {
        let (open, close, class) = match node.kind {
            NodeKind::Host => ("[", "]", ""),
            NodeKind::Unknown => ("([", "])", ":::unknown"),
            NodeKind::Subnet => ("{{", "}}", ""),
            NodeKind::Service => ("[[", "]]", ""),
        };
        let _ = writeln!(chart, "  n{rank}{open}\"{}\"{close}{class}", entity(&node.label));
    }
    for edge in &sorted.links {
        let [a, b] = edge.ends;
        let label = edge_label(edge);
        let label = if label.is_empty() { label } else { format!("|\"{}\"|", entity(&label)) };
        let _ = writeln!(chart, "  n{a} {}{label} n{b}", arrow(edge));
    }
    if sorted.nodes.iter().any(|node| node.kind == NodeKind::Unknown) {
        chart.push_str("  classDef unknown fill:none,stroke-dasharray:4 3\n");
    }
    chart
}

/// Returns the line of a link: dotted when down, thick from 10 Gbit/s on.
fn arrow(edge: &Edge<'_>) -> &'static str {
    const THICK: u64 = 10_000_000_000;
    let is_thick = edge.link.speed_bps.is_some_and(|speed| speed >= THICK);
    match (edge.link.is_down(), is_thick, edge.link.directed) {
        (true, _, false) => "-.-",
        (true, _, true) => "-.->",
        (false, true, false) => "===",
        (false, true, true) => "==>",
        (false, false, false) => "---",
        (false, false, true) => "-->",
    }
}

fn edge_label(edge: &Edge<'_>) -> String {
    let ports = match (edge.port(0), edge.port(1)) {
        (None, None) => None,
        _ => Some([0, 1].map(|end| match edge.port_label(end) {
            "" => "?",
            label => label,
        })),
    };
    let ports = ports.map(|[a, b]| format!("{a} – {b}"));
    let label: Vec<String> = edge.link.label.clone().into_iter().chain(ports).collect();
    label.join(" · ")
}

/// Writes every character that could mean something to Mermaid or to Markdown as an entity code.
fn entities(label: &str) -> String {
    let mut coded = String::with_capacity(label.len() + 8);
    for c in text::printable(label).chars() {
        let is_plain = c.is_ascii_alphanumeric() || matches!(c, ' ' | '/' | ':' | '?' | ',');
        if is_plain || u32::from(c) >= 0xa0 {
            coded.push(c);
        } else {
            let _ = write!(coded, "#{};", u32::from(c));
        }
    }
    if coded.is_empty() { " ".to_owned() } else { coded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;
    use proptest::prelude::*;

    fn decoded(coded: &str) -> Option<String> {
        let mut pieces = coded.split('#');
        let mut label = pieces.next()?.to_owned();
        for piece in pieces {
            let (code, rest) = piece.split_once(';')?;
            label.push(char::from_u32(code.parse().ok()?)?);
            label.push_str(rest);
        }
        Some(label)
    }

    proptest! {
        #[test]
        fn any_label_comes_back_from_its_codes(label in "[#;\"`\\[\\]{}|<>&\n\\PC]{1,20}") {
            let coded = entities(&label);
            let breaks_out = coded.contains(['"', '`', '<', '>', '\n', '|', '[', '{', '&', '%']);
            prop_assert!(!breaks_out, "{}", coded);
            prop_assert_eq!(decoded(&coded), Some(text::printable(&label).into_owned()));
        }
    }

    #[test]
    fn a_large_view_stays_within_the_limits_and_says_so() {
        for view in [samples::backbone(1_500), samples::campus(4, 12, 24)] {
            let chart = write(&view);
            assert!(length(&chart) < 50_000);
            assert!(chart.lines().count() < 1_000);
            assert!(chart.contains("%% rolled up: "));
            assert!(chart.starts_with("flowchart"));
        }
    }

    #[test]
    fn labels_are_cut_where_they_alone_are_too_long() {
        let mut view = samples::small();
        view.nodes[0].label = "x".repeat(60_000);
        let chart = write(&view);
        assert!(length(&chart) < 50_000);
        assert!(chart.contains("%% labels are cut"));
    }
}
