//! Cytoscape's JSON (`cyjs`): elements with data and positions, for Cytoscape and Cytoscape.js.
//!
//! The rule: element ids are generated, since nodes and edges share one id space there.

use serde_json::{Map, Value, json};

use crate::{
    layout::{Rectangle, layout},
    view::{
        Node, View,
        canonical_order::{Edge, Sorted},
    },
};

/// Writes a view as Cytoscape JSON.
pub(crate) fn write(view: &View) -> String {
    let sorted = Sorted::new(view);
    let layout = layout(view);
    let nodes: Vec<Value> = sorted
        .nodes
        .iter()
        .enumerate()
        .map(|(rank, node)| node_element(rank, node, &layout.boxes[sorted.node_places[rank]]))
        .collect();
    let edges: Vec<Value> =
        sorted.links.iter().enumerate().map(|(rank, edge)| edge_element(rank, edge)).collect();
    let document = json!({
        "format_version": "1.0",
        "generated_by": "Toposcope",
        "target_cytoscapejs_version": "~3.0",
        "data": {
            "name": view.network,
            "network_id": view.network_id,
            "layer": view.layer.name(),
            "revision": view.revision,
        },
        "elements": {"nodes": nodes, "edges": edges},
    });
    format!("{document:#}\n")
}

fn node_element(rank: usize, node: &Node, bounds: &Rectangle) -> Value {
    let facts: Map<String, Value> = node
        .facts
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Value::from(value.as_str())))
        .collect();
    json!({
        "data": {
            "id": format!("n{rank}"),
            "node_id": node.id,
            "label": node.label,
            "name": node.label,
            "kind": node.kind.name(),
            "area": node.area,
            "facts": facts,
            "width": bounds.width,
            "height": bounds.height,
        },
        "position": {"x": bounds.x + bounds.width / 2, "y": bounds.y + bounds.height / 2},
        "classes": node.kind.name(),
    })
}

fn edge_element(rank: usize, edge: &Edge<'_>) -> Value {
    let link = edge.link;
    let port_id = |end| edge.port(end).map(|port| port.id.as_str());
    let port_label = |end| edge.port(end).map(|port| port.label.as_str());
    json!({
        "data": {
            "id": format!("e{rank}"),
            "link_id": link.id,
            "source": format!("n{}", edge.ends[0]),
            "target": format!("n{}", edge.ends[1]),
            "directed": link.directed,
            "label": link.label,
            "speed_bps": link.speed_bps,
            "state": link.state(),
            "method": link.known_by(),
            "line_width": f64::from(link.line_width()) / 10.0,
            "source_port": port_label(0),
            "source_port_id": port_id(0),
            "target_port": port_label(1),
            "target_port_id": port_id(1),
        },
        "classes": link.state(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_label_comes_back(label in any::<String>()) {
            let mut view = samples::small();
            view.nodes.truncate(1);
            view.links.clear();
            view.nodes[0].label.clone_from(&label);
            let document: Value = serde_json::from_str(&write(&view)).unwrap();
            prop_assert_eq!(&document["elements"]["nodes"][0]["data"]["label"], &Value::from(label));
        }
    }

    #[test]
    fn every_edge_joins_nodes_that_are_there() {
        let document: Value = serde_json::from_str(&write(&samples::nasty())).unwrap();
        let nodes = document["elements"]["nodes"].as_array().unwrap();
        let ids: Vec<&Value> = nodes.iter().map(|node| &node["data"]["id"]).collect();
        for edge in document["elements"]["edges"].as_array().unwrap() {
            assert!(ids.contains(&&edge["data"]["source"]), "{edge}");
            assert!(ids.contains(&&edge["data"]["target"]), "{edge}");
        }
    }
}
