//! The chapters of the document: the tags that group operations.

use serde_json::{Value, json};

/// Every tag, in reading order, with the subject of its operations.
const CHAPTERS: &[(&str, &str)] = &[
    ("Session", "Logging in and out, and registering the first user of an organization."),
    ("Networks", "Networks: what is managed together, and who reaches it."),
    ("Hosts", "Devices, with their addresses, ports, services and interface tables."),
    ("Interfaces", "Addresses of hosts in subnets."),
    (
        "Interface-table entries",
        "Entries in the interface tables of devices, and the neighbors they heard.",
    ),
    ("Ports", "TCP and UDP ports of hosts."),
    ("Services", "Services that hosts run."),
    ("Bindings", "The ports and interfaces that services listen on."),
    ("Groups", "Bindings that belong together, in an order that means something."),
    ("Subnets", "Ranges of addresses."),
    ("Tags", "Labels, and the entities that carry them."),
    ("Topology", "Networks as graphs, as JSON and for other tools."),
    ("Changes", "The change log: every change, its author and time."),
    ("API keys", "Keys by which programs act for a user."),
    ("Users", "The people of an organization."),
    ("Organizations", "Your organization."),
    ("Server", "Versions and health of this server."),
];

/// Returns the tags of these operations, each with a description.
pub(super) fn of<'a>(operations: impl Iterator<Item = &'a Value>) -> Value {
    let used: Vec<&str> =
        operations.filter_map(|operation| operation["tags"][0].as_str()).collect();
    let known = CHAPTERS.iter().filter(|(name, _)| used.contains(name));
    let tags = known.map(|(name, about)| json!({ "name": name, "description": about }));
    Value::Array(tags.collect())
}
