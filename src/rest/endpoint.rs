//! Endpoints that describe themselves: their inputs, their responses, and their permissions.

use std::collections::BTreeMap;

use axum::{http::Method, routing::MethodFilter};
use serde_json::{Map, Value, json};
use toposcope_types::PermissionLevel;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

use super::query::{Parameter, Query};
use crate::error::Result;

/// The pattern of `If-Match`: an `ETag`, or any.
const ETAG: &str = r#"^\*$|^(W/)?"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z(-[0-9a-f]{16})?"$"#;

/// The note on every list.
const PAGES: &str = "Rows have a total order, so pages neither repeat a row nor skip one; \
    `meta.pagination` has the total count. Rows that you cannot see are omitted.";

/// The note on every update that compares versions.
const VERSIONS: &str = "With `If-Match` or `If-Unmodified-Since` only the version that you last read is \
    changed; if there is another by now, the server returns 409.";

/// The permission to call an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Open to anybody.
    Public,
    /// Requires a session or key with at least this level.
    Level(PermissionLevel),
    /// Requires a session with at least this level; keys are rejected.
    Session(PermissionLevel),
    /// Requires a session with at least the first level, or a key with at least the second.
    SessionOrKey(PermissionLevel, PermissionLevel),
}

/// The named schemas that a document references.
pub type Schemas = BTreeMap<String, Value>;

/// A builder for an endpoint: the inputs and responses of its handler.
#[derive(Debug)]
pub struct Endpoint {
    pub(super) method: Method,
    pub(super) path: String,
    id: String,
    tag: &'static str,
    summary: String,
    access: Access,
    parameters: Vec<Value>,
    pub(super) body: Option<Value>,
    pub(super) answer: Value,
    /// The additional content of `meta`.
    pub(super) beside: Option<Value>,
    /// Whether the response lists ignored keys of the body.
    pub(super) notes: bool,
    pub(super) content_type: &'static str,
    /// The types of files that the endpoint can return instead, on request.
    pub(super) files: Vec<&'static str>,
    pub(super) headers: Vec<(&'static str, &'static str)>,
    pub(super) paginated: bool,
    pub(super) errors: Vec<u16>,
    pub(super) schemas: Schemas,
}

impl Endpoint {
    /// Creates an endpoint with a method and a path, its unique name, and a one-sentence summary.
    pub fn new(
        method: Method,
        path: &str,
        id: impl Into<String>,
        summary: impl Into<String>,
    ) -> Self {
        // Every endpoint rejects unknown query parameters with 400.
        let mut errors = vec![400, 429, 500, 503];
        let mut parameters = Vec::new();
        for name in path.split(['{', '}']).skip(1).step_by(2) {
            parameters.push(json!({
                "name": name, "in": "path", "required": true, "description": "The id.",
                "schema": schema::<toposcope_types::Id>(&mut Schemas::new()),
            }));
            errors.push(404);
        }
        Self {
            method,
            path: path.to_owned(),
            id: id.into(),
            tag: "Server",
            summary: summary.into(),
            access: Access::Public,
            parameters,
            body: None,
            answer: json!({ "type": "null" }),
            beside: None,
            notes: false,
            content_type: "application/json",
            files: Vec::new(),
            headers: Vec::new(),
            paginated: false,
            errors,
            schemas: Schemas::new(),
        }
    }

    /// Sets the chapter of the document that contains the endpoint.
    #[must_use]
    pub fn tag(mut self, tag: &'static str) -> Self {
        self.tag = tag;
        self
    }

    /// Sets who may call the endpoint.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        if access != Access::Public {
            self.errors.extend([401, 403]);
        }
        self
    }

    /// Adds the query parameters that `read` reads.
    #[must_use]
    pub fn query<T>(mut self, read: fn(&mut Query) -> Result<T>) -> Self {
        let mut query = Query::default();
        // An empty query gives `read` nothing to reject.
        drop(read(&mut query));
        for Parameter { name, list, schema, description } in query.parameters() {
            let schema = take(schema());
            let schema = if *list { json!({ "type": "array", "items": schema }) } else { schema };
            self.parameters.push(json!({
                "name": name, "in": "query", "required": false, "description": description,
                "schema": schema, "allowEmptyValue": true,
            }));
        }
        self
    }

    /// Makes a query parameter required.
    #[must_use]
    pub fn requires(mut self, name: &str) -> Self {
        for parameter in self.parameters.iter_mut().filter(|one| one["name"] == name) {
            parameter["required"] = json!(true);
            parameter["allowEmptyValue"] = json!(false);
        }
        self
    }

    /// Sets the JSON body.
    #[must_use]
    pub fn body<T: ToSchema>(mut self) -> Self {
        self.body = Some(schema::<T>(&mut self.schemas));
        self.errors.extend([413, 415]);
        self
    }

    /// Sets a JSON body that is a list of ids.
    #[must_use]
    pub fn body_of_ids(mut self) -> Self {
        let id = schema::<toposcope_types::Id>(&mut self.schemas);
        self.body = Some(json!({ "type": "array", "items": id }));
        self.errors.extend([413, 415]);
        self
    }

    /// Declares that the endpoint compares versions (`If-Match`, `If-Unmodified-Since`).
    #[must_use]
    pub fn guarded(mut self) -> Self {
        let tag = json!({ "type": "string", "format": "etag", "pattern": ETAG });
        let date = json!({ "type": "string", "format": "http-date" });
        for (name, schema, description) in [
            (
                "If-Match",
                tag,
                "The `ETag` that you last read; if it no longer matches, nothing is changed.",
            ),
            (
                "If-Unmodified-Since",
                date,
                "Changes nothing if the row was updated after this moment.",
            ),
        ] {
            self.parameters.push(json!({
                "name": name, "in": "header", "required": false, "description": description,
                "schema": schema,
            }));
        }
        self.errors.push(409);
        self
    }

    /// Declares that the request may violate a rule: 409.
    #[must_use]
    pub fn conflicts(mut self) -> Self {
        self.errors.push(409);
        self
    }

    /// Declares that the endpoint may be closed, or closed to pages of other sites: 403.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.errors.push(403);
        self
    }

    /// Declares that the endpoint may reject the caller: 401.
    #[must_use]
    pub fn refuses(mut self) -> Self {
        self.errors.push(401);
        self
    }

    /// Declares that the resource may be missing: 404.
    #[must_use]
    pub fn not_found(mut self) -> Self {
        self.errors.push(404);
        self
    }

    /// Sets the `data` of the response.
    #[must_use]
    pub fn answers<T: ToSchema>(mut self) -> Self {
        self.answer = schema::<T>(&mut self.schemas);
        self
    }

    /// Sets the additional content of `meta` in the response.
    #[must_use]
    pub fn beside<T: ToSchema>(mut self) -> Self {
        self.beside = Some(schema::<T>(&mut self.schemas));
        self
    }

    /// Declares that the response lists ignored keys of the body.
    #[must_use]
    pub fn notes(mut self) -> Self {
        self.notes = true;
        self
    }

    /// Declares that the response carries an `ETag`.
    #[must_use]
    pub fn versioned(mut self) -> Self {
        self.headers.push(("ETag", "ETag"));
        self
    }

    /// Declares that the response sets the session cookie.
    #[must_use]
    pub fn sets_cookie(mut self) -> Self {
        self.headers.push(("Set-Cookie", "SetCookie"));
        self
    }

    /// Declares that the endpoint returns a page of these.
    #[must_use]
    pub fn answers_page<T: ToSchema>(mut self) -> Self {
        self.answer = json!({ "type": "array", "items": schema::<T>(&mut self.schemas) });
        self.paginated = true;
        self
    }

    /// Declares that the endpoint returns a file of this type instead of JSON.
    #[must_use]
    pub fn answers_text(mut self, content_type: &'static str) -> Self {
        self.content_type = content_type;
        self.headers.push(("Content-Disposition", "ContentDisposition"));
        self
    }

    /// Declares that the endpoint can return a file of one of these types instead of the JSON, on
    /// request.
    #[must_use]
    pub fn or_files(mut self, content_types: &[&'static str]) -> Self {
        let bare = content_types.iter().filter_map(|one| one.split(';').next());
        self.files.extend(bare);
        self.headers.push(("Content-Disposition", "ContentDisposition"));
        self
    }

    pub(super) fn filter(&self) -> MethodFilter {
        match self.method {
            Method::POST => MethodFilter::POST,
            Method::PUT => MethodFilter::PUT,
            Method::DELETE => MethodFilter::DELETE,
            _ => MethodFilter::GET,
        }
    }

    pub(super) fn operation(&self) -> Value {
        let mut operation = Map::new();
        operation.insert("tags".into(), json!([self.tag]));
        operation.insert("summary".into(), json!(self.summary));
        operation.insert("description".into(), json!(self.description()));
        operation.insert("operationId".into(), json!(self.id));
        if !self.parameters.is_empty() {
            operation.insert("parameters".into(), json!(self.parameters));
        }
        if let Some(body) = &self.body {
            let content = json!({ "application/json": { "schema": body } });
            operation.insert("requestBody".into(), json!({ "required": true, "content": content }));
        }
        operation.insert("responses".into(), self.responses());
        let security = match self.access {
            Access::Public => json!([]),
            Access::Level(_) | Access::SessionOrKey(..) => {
                json!([{ "api_key": [] }, { "session": [] }])
            }
            Access::Session(_) => json!([{ "session": [] }]),
        };
        operation.insert("security".into(), security);
        if let Access::Level(level) | Access::Session(level) | Access::SessionOrKey(level, _) =
            self.access
        {
            operation.insert("x-required-level".into(), json!(level));
        }
        if let Access::SessionOrKey(_, level) = self.access {
            operation.insert("x-required-key-level".into(), json!(level));
        }
        Value::Object(operation)
    }

    /// Returns who may call the endpoint, and what else a caller has to know beforehand.
    fn description(&self) -> String {
        let who = match self.access {
            Access::Public => "Requires no credential.".to_owned(),
            Access::Level(level) => {
                format!(
                    "Requires at least the {level:?} permission level, by a session or an API key."
                )
            }
            Access::Session(level) => {
                format!(
                    "Requires at least the {level:?} permission level and a session; API keys are refused."
                )
            }
            Access::SessionOrKey(level, key) => format!(
                "Requires a session with at least the {level:?} permission level, or an API key \
                 with at least the {key:?} level."
            ),
        };
        let has = |name: &str| self.parameters.iter().any(|one| one["name"] == name);
        let notes = [
            (self.paginated, PAGES),
            (has("If-Match"), VERSIONS),
            (has("dry_run"), "With `dry_run` it only reports what would be deleted."),
        ];
        let notes = notes.into_iter().filter(|(holds, _)| *holds);
        notes.fold(who, |text, (_, note)| text + " " + note)
    }
}

/// Returns the schema of a type, by reference if it has a name; adds the schemas that it references
/// to `schemas`.
fn schema<T: ToSchema>(schemas: &mut Schemas) -> Value {
    let mut named = Vec::new();
    T::schemas(&mut named);
    for (name, schema) in named {
        let schema = take(schema);
        schemas.insert(name, schema);
    }
    let own = take(T::schema());
    let is_object = own.get("properties").is_some() || own.get("allOf").is_some();
    if is_object || own.get("oneOf").is_some() {
        let name = T::name().into_owned();
        schemas.insert(name.clone(), own);
        return json!({ "$ref": format!("#/components/schemas/{name}") });
    }
    own
}

fn take(schema: RefOr<Schema>) -> Value {
    serde_json::to_value(schema).expect("a schema has only string keys and no failing part")
}
