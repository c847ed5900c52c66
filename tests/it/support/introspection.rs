//! The schema as clients see it, so that tests cover fields that are added later by themselves.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::app::TestApp;

/// The query that GraphiQL 3 sends when it opens (graphql-js `getIntrospectionQuery` with
/// descriptions).
pub(crate) const GRAPHIQL: &str = "query IntrospectionQuery {
  __schema {
    queryType { name } mutationType { name } subscriptionType { name }
    types { ...FullType }
    directives { name description locations args(includeDeprecated: true) { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind name description
  fields(includeDeprecated: true) {
    name description
    args(includeDeprecated: true) { ...InputValue }
    type { ...TypeRef }
    isDeprecated deprecationReason
  }
  inputFields(includeDeprecated: true) { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue {
  name description type { ...TypeRef } defaultValue isDeprecated deprecationReason
}
fragment TypeRef on __Type {
  kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
  ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }
}";

/// Every type of the schema, by name.
pub(crate) struct Types(BTreeMap<String, Value>);

impl Types {
    pub(crate) async fn read(test: &TestApp, credential: &str) -> Self {
        let answer = test.graphql(credential, GRAPHIQL, json!({})).await;
        assert_eq!(answer["errors"], json!(null), "{answer}");
        let types = answer["data"]["__schema"]["types"].as_array().unwrap();
        let named = types.iter().map(|one| (text(&one["name"]).to_owned(), one.clone()));
        Self(named.collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().filter(|(name, _)| !name.starts_with("__"))
    }

    pub(crate) fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or_else(|| panic!("there is no type {name}"))
    }

    /// The fields of an object or interface, or the fields of an input.
    pub(crate) fn fields(&self, name: &str) -> &[Value] {
        let one = self.get(name);
        one["fields"]
            .as_array()
            .or_else(|| one["inputFields"].as_array())
            .map_or(&[], Vec::as_slice)
    }

    pub(crate) fn kind(&self, name: &str) -> &str {
        text(&self.get(name)["kind"])
    }

    pub(crate) fn enum_values(&self, name: &str) -> Vec<String> {
        let values = self.get(name)["enumValues"].as_array().unwrap();
        values.iter().map(|value| text(&value["name"]).to_owned()).collect()
    }

    /// The connections that a type has: field, node type, filter type and order type.
    pub(crate) fn connections(&self, of: &str) -> Vec<Connection> {
        let connections =
            self.fields(of).iter().filter(|field| named(&field["type"]).ends_with("Connection"));
        connections.map(|field| self.connection(field)).collect()
    }

    fn connection(&self, field: &Value) -> Connection {
        let argument = |name: &str| {
            let arguments = field["args"].as_array().unwrap();
            let found = arguments.iter().find(|argument| argument["name"] == name);
            named(&found.unwrap_or_else(|| panic!("{} lacks {name}", field["name"]))["type"])
        };
        for name in ["first", "last", "after", "before"] {
            argument(name);
        }
        let connection = named(&field["type"]);
        let nodes = self.fields(connection).iter().find(|field| field["name"] == "nodes");
        Connection {
            field: text(&field["name"]).to_owned(),
            node: named(&nodes.unwrap()["type"]).to_owned(),
            filter: argument("filter").to_owned(),
            order: argument("orderBy").to_owned(),
        }
    }

    /// The values of the order of a connection.
    pub(crate) fn order_fields(&self, connection: &Connection) -> Vec<String> {
        let field = self.fields(&connection.order).iter().find(|field| field["name"] == "field");
        self.enum_values(named(&field.unwrap()["type"]))
    }
}

/// A field that is a connection.
pub(crate) struct Connection {
    pub(crate) field: String,
    pub(crate) node: String,
    pub(crate) filter: String,
    pub(crate) order: String,
}

/// The name of a type without its list and non-null wrappings.
pub(crate) fn named(of: &Value) -> &str {
    match of["name"].as_str() {
        Some(name) => name,
        None => named(&of["ofType"]),
    }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text"))
}

/// `IF_INDEX` as `ifIndex`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    for (nth, word) in name.to_lowercase().split('_').enumerate() {
        let (head, tail) = word.split_at(1.min(word.len()));
        camel += &(if nth == 0 { head.to_owned() } else { head.to_uppercase() } + tail);
    }
    camel
}
