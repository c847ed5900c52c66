//! The two faces of every resource, and what one shows in the words of the other.

use serde_json::{Map, Value, json};
use toposcope::router;

use crate::support::{
    introspection::{Types, camel_case, named, text},
    world::World,
};

/// A resource as both faces call it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// The path of its list.
    pub(crate) path: &'static str,
    /// The operation that makes one, without `create_`.
    pub(crate) operation: &'static str,
    /// Its type in GraphQL.
    pub(crate) of: &'static str,
    /// Its schema in the document.
    pub(crate) schema: &'static str,
    /// The fields of GraphQL that answer one and many; empty where there is none.
    pub(crate) one: &'static str,
    pub(crate) many: &'static str,
}

const fn face(
    path: &'static str,
    operation: &'static str,
    of: &'static str,
    one: &'static str,
    many: &'static str,
) -> Face {
    Face { path, operation, of, schema: of, one, many }
}

/// Every resource; a list of the document that is missing here fails a test.
pub(crate) const FACES: [Face; 14] = [
    face("/api/v1/networks", "network", "Network", "network", "networks"),
    face("/api/v1/hosts", "host", "Host", "host", "hosts"),
    face("/api/v1/interfaces", "interface", "Interface", "interface", "interfaces"),
    face("/api/v1/if-entries", "if_entry", "IfEntry", "ifEntry", "ifEntries"),
    face("/api/v1/ports", "port", "Port", "port", "ports"),
    face("/api/v1/services", "service", "Service", "service", "services"),
    face("/api/v1/bindings", "binding", "Binding", "binding", "bindings"),
    face("/api/v1/groups", "group", "Group", "group", "groups"),
    face("/api/v1/subnets", "subnet", "Subnet", "subnet", "subnets"),
    face("/api/v1/tags", "tag", "Tag", "tag", "tags"),
    Face {
        schema: "UserApiKey",
        ..face("/api/v1/auth/keys", "user_api_key", "ApiKey", "apiKey", "apiKeys")
    },
    face("/api/v1/users", "user", "User", "user", "users"),
    face("/api/v1/organizations", "organization", "Organization", "organization", ""),
    face("/api/v1/changes", "change", "Change", "", "changes"),
];

/// The keys that only REST shows, among them names of later versions of its contract.
const ONLY_REST: [(&str, &str); 5] = [
    ("UserApiKey", "key"),
    ("User", "has_password"),
    ("User", "network_ids"),
    ("Host", "ip_addresses"),
    ("Group", "dependency_type"),
];

/// The descriptions that both faces give of themselves.
pub(crate) struct Faces {
    pub(crate) document: Value,
    pub(crate) types: Types,
}

impl Faces {
    pub(crate) async fn read(world: &World) -> Self {
        let document = serde_json::from_str(&router::document()).unwrap();
        let types = Types::read(&world.test, &world.ours.owner.key).await;
        Self { document, types }
    }

    /// A named schema of the document.
    pub(crate) fn schema(&self, name: &str) -> &Value {
        let schema = &self.document["components"]["schemas"][name];
        assert!(schema.is_object(), "the document has no schema {name}");
        schema
    }

    /// A schema, or the one that it refers to, without the null that it may be.
    pub(crate) fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        if let Some(path) = schema["$ref"].as_str() {
            return self.schema(path.rsplit('/').next().unwrap());
        }
        match schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
            Some(some) if some.iter().any(|one| one["type"] == "null") => {
                self.resolved(some.iter().find(|one| one["type"] != "null").unwrap())
            }
            _ => schema,
        }
    }

    pub(crate) fn properties(&self, schema: &str) -> &Map<String, Value> {
        self.schema(schema)["properties"].as_object().unwrap()
    }

    /// The keys that both faces show.
    fn shared<'a>(&'a self, schema: &'a str) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.properties(schema)
            .iter()
            .filter(move |(key, _)| !ONLY_REST.contains(&(schema, key.as_str())))
    }

    /// The selection that asks GraphQL for all that REST shows.
    pub(crate) fn selection(&self, schema: &str) -> String {
        let fields = self.shared(schema).map(|(key, _)| match (schema, key.as_str()) {
            (_, "tags") => "tags { id }".to_owned(),
            ("Group", "binding_ids") => "bindings { id }".to_owned(),
            ("UserApiKey", "network_ids") => "networks { id }".to_owned(),
            ("Host", "interfaces") => format!("interfaces {{ {} }}", self.selection("Interface")),
            ("Host", "ports") => format!("ports {{ {} }}", self.selection("Port")),
            ("Host", "services") => format!(
                "services(first: 20, orderBy: [{{field: POSITION}}]) {{ nodes {{ {} }} }}",
                self.selection("Service")
            ),
            ("Host", "if_entries") => format!(
                "ifEntries(first: 20, orderBy: [{{field: IF_INDEX}}]) {{ nodes {{ {} }} }}",
                self.selection("IfEntry")
            ),
            ("Host", "stack_members") => {
                format!("stackMembers {{ {} }}", self.selection("StackMember"))
            }
            ("Service", "bindings") => format!("bindings {{ {} }}", self.selection("Binding")),
            ("Binding", "type") => "__typename".to_owned(),
            ("Binding", "port_id") => "... on PortBinding { portId interfaceId }".to_owned(),
            ("Binding", "interface_id") => "... on InterfaceBinding { interfaceId }".to_owned(),
            ("IfEntry", "neighbor") => {
                "neighbor { type: __typename ... on IfEntry { id } ... on Host { id } }".to_owned()
            }
            ("IfEntry", "lldp_chassis_id" | "lldp_port_id") => {
                format!("{} {{ subtype value }}", camel_case(key))
            }
            (_, key) => camel_case(key),
        });
        fields.collect::<Vec<_>>().join(" ")
    }

    /// Returns an answer of GraphQL as REST would show it, with the values of enumerations folded.
    pub(crate) fn told(&self, schema: &str, node: &Value) -> Value {
        if node.is_null() {
            return Value::Null;
        }
        let ids = |things: &Value| -> Value {
            things.as_array().unwrap().iter().map(|thing| thing["id"].clone()).collect()
        };
        let all = |of: &str, nodes: &Value| -> Value {
            nodes.as_array().unwrap().iter().map(|node| self.told(of, node)).collect()
        };
        let mut shown = Map::new();
        for (key, property) in self.shared(schema) {
            let value = &node[camel_case(key)];
            let value = match (schema, key.as_str()) {
                (_, "tags") => ids(&node["tags"]),
                ("Group", "binding_ids") => ids(&node["bindings"]),
                ("UserApiKey", "network_ids") => ids(&node["networks"]),
                ("Host", "interfaces") => all("Interface", value),
                ("Host", "ports") => all("Port", value),
                ("Host", "services") => all("Service", &value["nodes"]),
                ("Host", "if_entries") => all("IfEntry", &value["nodes"]),
                ("Host", "stack_members") if value.is_array() => all("StackMember", value),
                ("Service", "bindings") => all("Binding", value),
                ("Binding", "type") => {
                    json!(fold(text(&node["__typename"]).trim_end_matches("Binding")))
                }
                ("Binding", "port_id") if node.get("portId").is_none() => continue,
                _ => self.folded(property, value),
            };
            shown.insert(key.clone(), value);
        }
        Value::Object(shown)
    }

    /// Returns an answer of REST without the keys that only REST shows, with the values of
    /// enumerations folded.
    pub(crate) fn shown(&self, schema: &str, row: &Value) -> Value {
        let mut shown = Map::new();
        for (key, property) in self.shared(schema) {
            let Some(value) = row.get(key) else {
                assert_eq!((schema, key.as_str()), ("Binding", "port_id"), "{row}");
                continue;
            };
            let of = match (schema, key.as_str()) {
                ("Host", "interfaces") => "Interface",
                ("Host", "ports") => "Port",
                ("Host", "services") => "Service",
                ("Host", "if_entries") => "IfEntry",
                ("Host", "stack_members") if value.is_array() => "StackMember",
                ("Service", "bindings") => "Binding",
                _ => {
                    shown.insert(key.clone(), self.folded(property, value));
                    continue;
                }
            };
            let parts = value.as_array().unwrap().iter().map(|part| self.shown(of, part));
            shown.insert(key.clone(), parts.collect());
        }
        Value::Object(shown)
    }

    fn folded(&self, property: &Value, value: &Value) -> Value {
        let schema = self.resolved(property);
        match value {
            Value::String(name) if schema["enum"].is_array() => json!(fold(name)),
            Value::Object(fields) if schema["properties"]["subtype"].is_object() => {
                let mut fields = fields.clone();
                fields["subtype"] = json!(fold(text(&fields["subtype"])));
                Value::Object(fields)
            }
            value => value.clone(),
        }
    }

    /// A body of REST as an input of GraphQL of this type.
    pub(crate) fn input(&self, of: &str, body: &Value) -> Value {
        let fields = body.as_object().unwrap().iter().map(|(key, value)| {
            let name = camel_case(key);
            let field = self.types.fields(of).iter().find(|field| field["name"] == name.as_str());
            let value = match field {
                Some(field) => self.input_value(named(&field["type"]), value),
                None => value.clone(),
            };
            (name, value)
        });
        Value::Object(fields.collect())
    }

    fn input_value(&self, of: &str, value: &Value) -> Value {
        match (self.types.kind(of), value) {
            (_, Value::Array(some)) => some.iter().map(|one| self.input_value(of, one)).collect(),
            ("INPUT_OBJECT", Value::Object(_)) => self.input(of, value),
            ("ENUM", Value::String(name)) => {
                let values = self.types.enum_values(of);
                json!(values.iter().find(|value| fold(value) == fold(name)).unwrap_or(name))
            }
            _ => value.clone(),
        }
    }

    /// The fields of a filter with these values.
    pub(crate) fn enum_value(&self, filter: &str, name: &str) -> Value {
        let of = self.types.fields(filter).iter().find(|field| field["name"] == "eq");
        self.input_value(named(&of.unwrap()["type"]), &json!(name))
    }
}

/// The value of an enumeration without what the faces write differently.
pub(crate) fn fold(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// The one field that a GraphQL answer holds.
#[track_caller]
pub(crate) fn only(answer: &Value) -> &Value {
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    answer["data"].as_object().unwrap().values().next().unwrap()
}
