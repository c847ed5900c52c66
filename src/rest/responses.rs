//! The responses of endpoints, as the document describes them.

use serde_json::{Map, Value, json};

use super::endpoint::Endpoint;

impl Endpoint {
    /// Returns the responses of the endpoint by status.
    pub(super) fn responses(&self) -> Value {
        let mut meta = json!({ "$ref": "#/components/schemas/Meta" });
        let writes = self.body.is_some() && self.headers.contains(&("ETag", "ETag"));
        if writes || self.notes {
            meta = json!({ "$ref": "#/components/schemas/WriteMeta" });
        }
        if self.paginated {
            meta = json!({ "$ref": "#/components/schemas/PageMeta" });
        }
        if let Some(beside) = &self.beside {
            meta = json!({ "allOf": [meta, beside] });
        }
        let schema = match self.content_type {
            "application/json" => json!({
                "type": "object",
                "required": ["success", "data", "meta"],
                "properties": {
                    "success": { "type": "boolean", "const": true, "description": "Always true." },
                    "data": described(&self.answer, "The requested data."),
                    "meta": described(&meta, "The versions that answered."),
                },
            }),
            _ => json!({ "type": "string" }),
        };
        let mut headers = common_headers();
        for (name, component) in &self.headers {
            headers[*name] = json!({ "$ref": format!("#/components/headers/{component}") });
        }
        let mut responses = Map::new();
        let mut content = json!({ self.content_type: { "schema": schema } });
        for file in &self.files {
            // JSON of another format gets a schema that allows anything.
            let is_json = *file == self.content_type || file.ends_with("+json");
            let any = if is_json { json!({}) } else { json!({ "type": "string" }) };
            let known = content.get(*file).map(|known| known["schema"].clone());
            let schema =
                known.map_or(any, |known| json!({ "anyOf": [known, { "type": "object" }] }));
            content[*file] = json!({ "schema": schema });
        }
        responses.insert(
            "200".into(),
            json!({ "description": "Done.", "headers": headers, "content": content }),
        );
        let mut errors = self.errors.clone();
        errors.sort_unstable();
        errors.dedup();
        for status in errors {
            let reference = format!("#/components/responses/{}", response_name(status));
            responses.insert(status.to_string(), json!({ "$ref": reference }));
        }
        Value::Object(responses)
    }
}

/// Returns the name of a status among the responses of the document.
pub(super) fn response_name(status: u16) -> &'static str {
    match status {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        413 => "PayloadTooLarge",
        415 => "UnsupportedMediaType",
        429 => "TooManyRequests",
        500 => "InternalServerError",
        _ => "ServiceUnavailable",
    }
}

/// Adds a description to a schema; in OpenAPI 3.1 a bare reference may have one, too.
fn described(schema: &Value, description: &str) -> Value {
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        object.entry("description").or_insert_with(|| json!(description));
    }
    schema
}

/// Returns the headers of every response, as references.
pub(super) fn common_headers() -> Value {
    json!({
        "X-Request-Id": { "$ref": "#/components/headers/RequestId" },
        "X-RateLimit-Limit": { "$ref": "#/components/headers/RateLimitLimit" },
        "X-RateLimit-Remaining": { "$ref": "#/components/headers/RateLimitRemaining" },
        "X-RateLimit-Reset": { "$ref": "#/components/headers/RateLimitReset" },
    })
}
