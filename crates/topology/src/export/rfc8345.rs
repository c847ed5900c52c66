//! JSON (RFC 7951) of the YANG modules `ietf-network` and `ietf-network-topology` (RFC 8345).
//!
//! The rule: only these two modules are used, which have no place for labels, so ids are the ids of
//! the view, as URIs. Links are unidirectional there: an undirected link is written twice.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::view::{
    View,
    canonical_order::{Edge, Sorted},
};

/// Writes a view as an RFC 8345 network.
pub(crate) fn write(view: &View) -> String {
    let sorted = Sorted::new(view);
    let mut ports = vec![BTreeSet::new(); sorted.nodes.len()];
    for edge in &sorted.links {
        for end in [0, 1] {
            if let Some(port) = edge.port(end) {
                ports[edge.ends[end]].insert(uri(&port.id));
            }
        }
    }
    let nodes: Vec<Value> = sorted
        .nodes
        .iter()
        .zip(&ports)
        .map(|(node, ports)| node_entry(&node.id, ports.iter()))
        .collect();
    let links: Vec<Value> =
        sorted.links.iter().flat_map(|edge| link_entries(&sorted, edge)).collect();
    let mut network = Map::new();
    network.insert(
        "network-id".to_owned(),
        json!(format!("{}:{}", uri(&view.network_id), view.layer.name())),
    );
    network.insert("network-types".to_owned(), json!({}));
    network.insert("node".to_owned(), Value::from(nodes));
    network.insert("ietf-network-topology:link".to_owned(), Value::from(links));
    let document = json!({"ietf-network:networks": {"network": [network]}});
    format!("{document:#}\n")
}

fn node_entry<'a>(id: &str, ports: impl Iterator<Item = &'a String>) -> Value {
    let points: Vec<Value> = ports.map(|id| json!({"tp-id": id})).collect();
    json!({"node-id": uri(id), "ietf-network-topology:termination-point": points})
}

/// Writes a link once for each of its directions.
fn link_entries(sorted: &Sorted<'_>, edge: &Edge<'_>) -> Vec<Value> {
    let entry = |from: usize, to: usize, direction: &str| {
        let mut source = json!({"source-node": uri(&sorted.nodes[edge.ends[from]].id)});
        if let Some(port) = edge.port(from) {
            source["source-tp"] = Value::from(uri(&port.id));
        }
        let mut destination = json!({"dest-node": uri(&sorted.nodes[edge.ends[to]].id)});
        if let Some(port) = edge.port(to) {
            destination["dest-tp"] = Value::from(uri(&port.id));
        }
        let id = format!("{}:{direction}", uri(&edge.link.id));
        json!({"link-id": id, "source": source, "destination": destination})
    };
    if edge.link.directed {
        return vec![entry(0, 1, "forward")];
    }
    // Orders the ends by id: names change, and the forward direction must not.
    let [a, b] = [0, 1].map(|end| &sorted.nodes[edge.ends[end]].id);
    let (first, second) = if b < a { (1, 0) } else { (0, 1) };
    vec![entry(first, second, "forward"), entry(second, first, "backward")]
}

/// Writes an id as a URI: a UUID per RFC 9562, anything else percent-encoded.
fn uri(id: &str) -> String {
    if is_uuid(id) {
        return format!("urn:uuid:{id}");
    }
    let mut uri = "toposcope:".to_owned();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// Returns whether text is a UUID in its hyphenated lower-case form.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn different_ids_have_different_uris(a in any::<String>(), b in any::<String>()) {
            prop_assert_eq!(uri(&a) == uri(&b), a == b);
            let safe = |byte: u8| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte);
            prop_assert!(uri(&a).bytes().all(safe));
        }
    }

    #[test]
    fn an_undirected_link_is_written_in_both_directions() {
        let mut view = samples::small();
        view.links.truncate(1);
        assert_eq!(write(&view).matches("\"link-id\"").count(), 2);
        view.links[0].directed = true;
        assert_eq!(write(&view).matches("\"link-id\"").count(), 1);
    }

    #[test]
    fn a_uuid_is_a_urn() {
        let id = "0b5fc8a2-91c4-4c1c-8a0e-2f6f6f7f9d10";
        assert_eq!(uri(id), format!("urn:uuid:{id}"));
        assert_eq!(uri("02:00:5e"), "toposcope:02%3A00%3A5e");
    }
}
