//! Examples of requests and responses, generated from the schemas so that they match them.

use serde_json::{Map, Value, json};

/// The depth of references between schemas at which a list is left empty.
const MAX_DEPTH: usize = 12;

/// Example values that say more than their type does, by key.
const TELLING: &[(&str, &str)] = &[
    ("cdp_address", "192.0.2.7"),
    ("cdp_device_id", "core-1.example.org"),
    ("cdp_platform", "cisco C9300-48P"),
    ("cdp_port_id", "GigabitEthernet1/0/1"),
    ("chassis_id", "02:00:5E:00:53:01"),
    ("cidr", "192.0.2.0/24"),
    ("container_name", "web"),
    ("description", "In the rack by the door."),
    ("email", "owner@example.org"),
    ("hostname", "core-1.example.org"),
    ("if_alias", "to core-2"),
    ("if_descr", "GigabitEthernet1/0/1"),
    ("if_name", "Gi1/0/1"),
    ("ip_address", "192.0.2.7"),
    ("key", "**********"),
    ("lldp_mgmt_addr", "192.0.2.8"),
    ("lldp_port_desc", "to core-1"),
    ("lldp_sys_desc", "Router OS 7.1"),
    ("lldp_sys_name", "core-2"),
    ("management_address", "192.0.2.7"),
    ("management_url", "https://core-1.example.org"),
    ("manufacturer", "Example Networks"),
    ("model", "EN-48"),
    ("name", "core-1"),
    ("organization_name", "Example"),
    ("password", "Correct-Horse-7"),
    ("serial_number", "EN48000123"),
    ("server_version", "0.1.0"),
    ("service_definition", "Nginx"),
    ("software_version", "7.1.4"),
    ("sys_contact", "noc@example.org"),
    ("sys_descr", "Router OS 7.1"),
    ("sys_location", "Room 12"),
    ("sys_name", "core-1"),
    ("sys_object_id", "1.3.6.1.4.1.9.1.2494"),
    ("vm_id", "101"),
    ("vm_name", "db"),
];

/// Example numbers, by key.
const COUNTING: &[(&str, u32)] = &[
    ("if_type", 6),
    ("lag_if_index", 1000),
    ("limit", 50),
    ("mtu", 1500),
    ("native_vlan", 30),
    ("number", 443),
    ("offset", 50),
    ("parent_if_index", 7),
    ("speed_bps", 1_000_000_000),
    ("total_count", 120),
];

fn known<T: Copy>(table: &[(&str, T)], key: &str) -> Option<T> {
    table.iter().find(|(of, _)| *of == key).map(|(_, value)| *value)
}

fn number(schema: &Value, key: &str) -> Value {
    let least = || schema.get("minimum").cloned().unwrap_or(json!(1));
    known(COUNTING, key).map_or_else(least, Value::from)
}

/// Adds an example of the body and of the response to every operation.
pub(super) fn add(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let sampler = Sampler { schemas: &schemas };
    let Some(paths) = document["paths"].as_object_mut() else { return };
    let operations = paths.values_mut().filter_map(Value::as_object_mut);
    for operation in operations.flat_map(Map::values_mut) {
        for content in ["/requestBody/content", "/responses/200/content"] {
            let content = operation.pointer_mut(content).and_then(Value::as_object_mut);
            for (media_type, it) in content.into_iter().flatten() {
                let file = it["schema"]["type"] == "string";
                it["example"] =
                    if file { text(media_type) } else { sampler.of(&it["schema"], "", 0) };
            }
        }
    }
}

/// Returns the beginning of a file of another type.
fn text(media_type: &str) -> Value {
    Value::from(match media_type {
        "text/csv" => "id,name\n0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69,core-1\n",
        "text/vnd.mermaid" | "text/plain" => "flowchart LR\n  core-1 --- core-2\n",
        "image/svg+xml" => "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "application/yang-data+json" => "{\"ietf-network:networks\":{\"network\":[]}}",
        "text/vnd.graphviz" => "graph {\n  \"core-1\" -- \"core-2\"\n}\n",
        _ => "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    })
}

struct Sampler<'a> {
    schemas: &'a Value,
}

impl Sampler<'_> {
    /// Returns an example value of the schema of this key.
    fn of(&self, schema: &Value, key: &str, depth: usize) -> Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return self.of(&self.schemas[name], key, depth + 1);
        }
        for known in ["/example", "/examples/0", "/const", "/default", "/enum/0"] {
            if let Some(value) = schema.pointer(known) {
                return value.clone();
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let parts = parts.iter().map(|part| self.of(part, key, depth));
            let objects = parts.filter_map(|part| part.as_object().cloned());
            return Value::Object(objects.flatten().collect());
        }
        for variants in ["oneOf", "anyOf"] {
            let variants = schema[variants].as_array().into_iter().flatten();
            if let Some(variant) = variants.into_iter().find(|one| one["type"] != "null") {
                return self.of(variant, key, depth);
            }
        }
        if let Some(properties) = schema["properties"].as_object() {
            let of =
                |(key, schema): (&String, &Value)| (key.clone(), self.of(schema, key, depth + 1));
            return properties.iter().map(of).collect::<Map<_, _>>().into();
        }
        match type_of(schema) {
            "array" if depth > MAX_DEPTH => json!([]),
            "array" => json!([self.of(&schema["items"], key, depth + 1)]),
            "integer" | "number" => number(schema, key),
            // A key that reaches all networks takes no list of networks.
            "boolean" => json!(key != "all_networks"),
            // Ids, timestamps, addresses and the like have examples of their own.
            "string" => json!(known(TELLING, key).unwrap_or("text")),
            "null" => Value::Null,
            _ => json!({}),
        }
    }
}

/// Returns the type of a schema, or the first of several that is not null.
fn type_of(schema: &Value) -> &str {
    let kind = &schema["type"];
    let several = kind.as_array().into_iter().flatten().filter_map(Value::as_str);
    kind.as_str().or_else(|| several.into_iter().find(|one| *one != "null")).unwrap_or("object")
}
