//! Properties of every format: all samples are written, read back, and the same each time.

use std::{fs, path::Path};

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::view::samples;

fn all_samples() -> Vec<(&'static str, View)> {
    vec![
        ("empty", samples::empty()),
        ("nasty", samples::nasty()),
        ("fabric-14", samples::spine_leaf(2, 4, 2)),
        ("campus-143", samples::campus(3, 5, 8)),
        ("services-30", samples::services(30)),
        ("backbone-143", samples::backbone(143)),
        ("backbone-3815", samples::backbone(3_815)),
        ("campus-3815", samples::campus(7, 27, 19)),
    ]
}

fn expected(view: &View) -> String {
    let nodes: Vec<_> = view
        .nodes
        .iter()
        .map(|node| json!({"id": node.id, "kind": node.kind.name(), "label": node.label}))
        .collect();
    let links: Vec<_> = view
        .links
        .iter()
        .map(|link| {
            let node = |end: usize| &view.nodes[link.ends[end].node].id;
            let port = |end: usize| link.ends[end].port.as_ref();
            json!({
                "id": link.id, "a": node(0), "b": node(1), "directed": link.directed,
                "a_port": port(0).map(|port| &port.label), "b_port": port(1).map(|port| &port.label),
                "a_port_id": port(0).map(|port| &port.id), "b_port_id": port(1).map(|port| &port.id),
                "speed_bps": link.speed_bps, "state": link.state(), "label": link.label,
            })
        })
        .collect();
    json!({"network": view.network, "network_id": view.network_id, "nodes": nodes, "links": links})
        .to_string()
}

proptest! {
    #[test]
    fn no_label_adds_or_removes_a_tag(label in any::<String>()) {
        let plain = samples::small();
        let mut view = samples::small();
        view.nodes[0].label = label;
        for form in [Export::Drawio, Export::Graphml, Export::Svg] {
            let tags = |view: &View| write(form, view).matches('<').count();
            prop_assert_eq!(tags(&view), tags(&plain), "{:?}", form);
        }
    }
}

#[test]
fn every_sample_is_written_in_every_form() {
    let thrown_away = tempfile::tempdir().unwrap();
    // Other tools can read the files if the environment names a folder.
    let chosen = std::env::var_os("TOPOSCOPE_EXPORTS");
    let root = chosen.as_ref().map_or(thrown_away.path(), Path::new);
    for (name, view) in all_samples() {
        let folder = root.join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("expected.json"), expected(&view)).unwrap();
        for form in Export::ALL {
            let file = folder.join(format!("{name}.{}", form.extension()));
            let written = write(form, &view);
            assert!(written.ends_with('\n'), "{form:?}");
            fs::write(file, written).unwrap();
        }
    }
}

#[test]
fn the_order_of_the_view_changes_no_byte() {
    for view in [samples::nasty(), samples::campus(3, 5, 8), samples::backbone(500)] {
        let turned = samples::reversed(&view);
        for form in Export::ALL {
            assert!(write(form, &view) == write(form, &turned), "{form:?}");
        }
    }
}

/// Reads what a picture shows: neither ids, nor the end that a line is drawn from.
fn read(view: &View) -> Vec<String> {
    let svg = write(Export::Svg, view);
    let pieces = svg.split('<').filter(|piece| {
        !piece.starts_with("g ") && !piece.starts_with("title") && !piece.starts_with("/g")
    });
    let line = |piece: &str| {
        let (style, line) = piece.strip_prefix("path class=\"link")?.split_once(" d=\"")?;
        let (points, rest) = line.split_once('"')?;
        let points: Vec<&str> =
            points.split(['M', 'L']).filter(|point| !point.is_empty()).collect();
        let reversed: Vec<&str> = points.iter().rev().copied().collect();
        Some(format!("{style} {:?}{rest}", points.min(reversed)))
    };
    let mut texts: Vec<String> =
        pieces.map(|piece| line(piece).unwrap_or_else(|| piece.to_owned())).collect();
    texts.sort_unstable();
    texts
}

#[test]
fn other_ids_give_the_same_picture() {
    for (name, view) in all_samples().into_iter().chain([("alike", samples::alike())]) {
        let [here, there] = [&view, &samples::recorded_anew(&view)].map(read);
        let first = here.iter().zip(&there).find(|(one, other)| one != other);
        assert!(here == there, "{name}: {first:?}");
    }
}

#[test]
fn other_ids_give_the_same_text_to_those_who_lay_it_out_themselves() {
    for view in [samples::alike(), samples::campus(3, 5, 8), samples::services(30)] {
        let (view, anew) = (view.clone().in_order(), samples::recorded_anew(&view).in_order());
        for form in [Export::Dot, Export::Mermaid] {
            let without_ids = |view: &View| {
                let nodes = view.nodes.iter().map(|node| &node.id);
                let ids = nodes.chain(view.links.iter().map(|link| &link.id));
                ids.fold(write(form, view), |text, id| text.replace(id.as_str(), ""))
            };
            assert_eq!(without_ids(&view), without_ids(&anew), "{form:?}");
        }
    }
}

#[test]
fn two_nodes_of_one_label_are_two_nodes() {
    let mut view = samples::small();
    view.nodes[1].label = view.nodes[0].label.clone();
    let nodes =
        |text: &str| (0..4).filter(|rank| text.contains(&format!(" id=\"n{rank}\""))).count();
    assert_eq!(nodes(&write(Export::Graphml, &view)), 3);
    assert_eq!(nodes(&write(Export::Svg, &view)), 3);
    assert_eq!(nodes(&write(Export::Drawio, &view)), 3);
}

#[test]
fn every_form_is_found_by_its_name() {
    for form in Export::ALL {
        assert_eq!(Format::from_name(form.name()), Some(Format::Export(form)));
        assert!(Format::Export(form).media_type().contains('/'));
    }
    assert_eq!(Format::from_name("json"), Some(Format::Json));
    assert_eq!(Format::from_name("pdf"), None);
}
