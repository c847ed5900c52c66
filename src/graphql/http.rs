//! GraphQL over HTTP, following its specification.

use std::sync::Arc;

use async_graphql::{
    ErrorExtensionValues, Response as GraphqlResponse, ServerError, Value, Variables,
    parser::types::{ExecutableDocument, OperationType},
};
use async_graphql_axum::GraphQLResponse;
use axum::{
    Router,
    extract::{FromRequestParts as _, Request, State},
    http::{
        HeaderValue, Method, StatusCode,
        header::{ALLOW, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
    routing::any,
};
use serde::Serialize;
use serde_json::{Map, json};

use super::{
    batch_driver::{BatchDriver, drive},
    context::ResponseSize,
    cost, guard,
    loader::{Batch, LoadError},
    media_type::MediaType,
    persisted::{self, PersistedQueries, QueryHash},
    takes::Takes,
    unset,
};
use crate::{
    app::App,
    auth::Viewer,
    db::Asker,
    error::{Error, Result},
    http::{
        error_headers::error_headers,
        request_body::{MAX_BODY, is_json, read},
    },
    schema::Schema,
};

/// The maximum number of errors in a response; more than these help nobody.
const MAX_ERRORS: usize = 50;

/// The number of comparisons per row above which filters take long on many rows.
const FEW_COMPARISONS: usize = 20;

/// The maximum number of characters in an error message.
const MAX_MESSAGE: usize = 500;

/// Creates the router of `/graphql`.
pub fn router(schema: Schema) -> Router<App> {
    let persisted = PersistedQueries::default();
    Router::new().route(
        "/graphql",
        any(move |State(app): State<App>, request: Request| {
            let (schema, persisted) = (schema.clone(), persisted.clone());
            async move { answer(app, schema, &persisted, request).await }
        }),
    )
}

/// A parsed GraphQL request.
struct Asked {
    document: ExecutableDocument,
    operation: Option<String>,
    variables: Variables,
    /// Whether the response is to report its cost.
    wants_cost: bool,
}

async fn answer(
    app: App,
    schema: Schema,
    persisted: &PersistedQueries,
    request: Request,
) -> Response {
    let Some(media_type) = MediaType::negotiate(request.headers()) else {
        return StatusCode::NOT_ACCEPTABLE.into_response();
    };
    let method = request.method().clone();
    let (mut parts, body) = request.into_parts();
    let viewer = match Viewer::from_request_parts(&mut parts, &()).await {
        Ok(viewer) => viewer,
        Err(error) => return refuse(error, media_type),
    };
    let asked = match method {
        Method::GET => from_query_string(parts.uri.query().unwrap_or_default()),
        Method::POST => from_body(Request::from_parts(parts, body)).await,
        _ => {
            let error = Error::MethodNotAllowed { method: method.to_string() };
            let mut response = refuse(error, media_type);
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, POST"));
            return response;
        }
    };
    let asked = match asked.and_then(|params| parse(params, &schema, persisted, media_type)) {
        Ok(asked) => asked,
        Err(Refusal::Error(error)) => return refuse(error, media_type),
        Err(Refusal::Document(error)) => {
            return respond(GraphqlResponse::from_errors(vec![error]), media_type);
        }
    };
    if method == Method::GET && asked.mutates() {
        let error = Error::MethodNotAllowed { method: method.to_string() };
        let mut response = refuse(error, media_type);
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        return response;
    }
    // The body may have taken a while, and the viewer's rights may have changed by now.
    match app.renewed(&viewer).await {
        Ok(viewer) => respond(execute(app, viewer, &schema, asked).await, media_type),
        Err(error) => refuse(error, media_type),
    }
}

/// Runs a request with loaders of its own.
async fn execute(app: App, viewer: Viewer, schema: &Schema, asked: Asked) -> GraphqlResponse {
    let turn = Arc::new(BatchDriver::default());
    let size = ResponseSize::default();
    let loaders = Batch::loaders(app.clone(), viewer.clone(), Arc::clone(&turn));
    let mut request = async_graphql::Request::new(String::new())
        .variables(asked.variables)
        .data(Arc::clone(&turn))
        .data(size.clone())
        .data(loaders)
        .data(app)
        .data(viewer);
    request.operation_name = asked.operation;
    request.set_parsed_query(asked.document);
    // The future is large, and each future around it would be as large again.
    let answer = Box::pin(drive(turn, schema.execute(request)));
    if asked.wants_cost { cost::told(size, answer).await } else { answer.await }
}

/// The reason why a request does not run: it is malformed, or its document does not parse.
enum Refusal {
    Error(Error),
    Document(ServerError),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

type Params = Map<String, serde_json::Value>;

fn from_query_string(query: &str) -> Result<Params, Refusal> {
    let mut params = Params::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let value = match name.as_ref() {
            "variables" | "extensions" if value.is_empty() => continue,
            "variables" | "extensions" => serde_json::from_str(&value).map_err(|error| {
                Error::invalid(name.as_ref(), format!("it is not JSON: {error}"))
            })?,
            "query" | "operationName" => serde_json::Value::String(value.into_owned()),
            _ => continue,
        };
        if params.insert(name.clone().into_owned(), value).is_some() {
            return Err(Error::invalid(name.into_owned(), "give it only once").into());
        }
    }
    Ok(params)
}

async fn from_body(request: Request) -> Result<Params, Refusal> {
    if !is_json(request.headers()) {
        return Err(Error::UnsupportedMediaType.into());
    }
    let body = read(request, MAX_BODY).await?;
    match serde_json::from_slice(&body) {
        Ok(serde_json::Value::Object(params)) => Ok(params),
        Ok(serde_json::Value::Array(_)) => {
            Err(Error::invalid("body", "batches are not supported; send one request at a time")
                .into())
        }
        Ok(_) => {
            Err(Error::invalid("body", "it must be a JSON object with the key `query`").into())
        }
        Err(error) => Err(Error::invalid("body", format!("it is not JSON: {error}")).into()),
    }
}

fn parse(
    mut params: Params,
    schema: &Schema,
    persisted: &PersistedQueries,
    media_type: MediaType,
) -> Result<Asked, Refusal> {
    use serde_json::Value as Json;
    let query = match params.remove("query") {
        Some(Json::String(query)) => Some(query),
        Some(Json::Null) | None => None,
        Some(_) => return Err(Error::invalid("query", "it must be a text").into()),
    };
    let operation = match params.remove("operationName") {
        Some(Json::String(name)) if !name.is_empty() => Some(name),
        Some(Json::String(_) | Json::Null) | None => None,
        Some(_) => return Err(Error::invalid("operationName", "it must be a text").into()),
    };
    let mut object = |name: &str| match params.remove(name) {
        Some(Json::Null) | None => Ok(Json::Object(Map::new())),
        Some(object @ Json::Object(_)) => Ok(object),
        Some(_) => Err(Error::invalid(name, "it must be a JSON object")),
    };
    let variables = Variables::from_json(object("variables")?);
    let extensions = object("extensions")?;
    let wants_cost = extensions["cost"] == Json::Bool(true);
    let hash = QueryHash::of(&extensions)?;
    let query = match (query, hash) {
        (Some(query), _) => query,
        (None, Some(hash)) => {
            persisted.get(hash).ok_or_else(|| Refusal::Document(persisted::not_found()))?
        }
        (None, None) => return Err(Error::Required { field: "query".to_owned() }.into()),
    };
    hash.map_or(Ok(()), |hash| hash.check(&query))?;
    let as_document = |error: Error| match media_type {
        MediaType::GraphqlResponse => Refusal::Error(error),
        MediaType::Json => Refusal::Document(server_error(&error)),
    };
    guard::check_text(&query).map_err(as_document)?;
    let mut document = async_graphql::parser::parse_query(&query)
        .map_err(|error| Refusal::Document(coded(error.into())))?;
    let comparisons = guard::check_document(&document, &variables).map_err(as_document)?;
    let takes = || Takes::of(|| schema.sdl());
    unset::leave_out(&mut document, operation.as_deref(), &variables, takes)
        .map_err(as_document)?;
    if comparisons > FEW_COMPARISONS
        && let Some(asker) = Asker::current()
    {
        asker.takes_long();
    }
    if let Some(hash) = hash {
        persisted.keep(hash, &query);
    }
    Ok(Asked { document, operation, variables, wants_cost })
}

impl Asked {
    /// Returns whether the operation that would run is a mutation.
    fn mutates(&self) -> bool {
        let mut operations = self.document.operations.iter();
        let chosen = match &self.operation {
            Some(wanted) => {
                operations.find(|(name, _)| name.is_some_and(|name| name.as_str() == wanted))
            }
            None => operations.next(),
        };
        chosen.is_some_and(|(_, operation)| operation.node.ty != OperationType::Query)
    }
}

/// Converts one of our errors to a GraphQL error.
fn server_error(error: &Error) -> ServerError {
    let mut server_error = ServerError::new(error.to_string(), None);
    describe(&mut server_error, error);
    server_error
}

fn describe(server_error: &mut ServerError, error: &Error) {
    let extensions = server_error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    extensions.set("code", error.code());
    if let Some(params) = error.params() {
        extensions.set("params", Value::from_json(params.into()).unwrap_or_default());
    }
}

/// Gives an error that GraphQL itself found the code of an invalid input. Truncates its message,
/// which may quote input of any length.
fn coded(mut error: ServerError) -> ServerError {
    if let Some((end, _)) = error.message.char_indices().nth(MAX_MESSAGE) {
        error.message.truncate(end);
        error.message.push('…');
    }
    let wrong = wrong_argument(&error.message);
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    let required = wrong.as_ref().is_some_and(|(_, required)| *required);
    if extensions.get("code").is_none() {
        let code = if required { "validation_required" } else { "validation_invalid_format" };
        extensions.set("code", code);
    }
    if let Some((field, _)) = wrong {
        extensions.set("params", Value::from_json(json!({ "field": field })).unwrap_or_default());
    }
    error
}

/// Returns the path of the wrong input field, spelled as in REST, and whether the field is missing.
/// GraphQL names it only in its message:
/// `Invalid value for argument "input.fdbMacs.3", expected …`.
fn wrong_argument(message: &str) -> Option<(String, bool)> {
    let message = message.strip_prefix("Invalid value for argument \"")?;
    let (path, reason) = message.split_once('"')?;
    let missing = reason
        .strip_prefix(", field \"")
        .filter(|_| reason.ends_with("is required but not provided"))
        .and_then(|reason| reason.split_once('"'));
    let mut field = String::new();
    let parts = path.strip_prefix("input").map_or(path, |rest| rest.trim_start_matches('.'));
    let parts = parts.split('.').filter(|part| !part.is_empty());
    for part in parts.chain(missing.map(|(name, _)| name)) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            field.extend(["[", part, "]"]);
            continue;
        }
        if !field.is_empty() {
            field.push('.');
        }
        for character in part.chars() {
            if character.is_ascii_uppercase() {
                field.push('_');
            }
            field.push(character.to_ascii_lowercase());
        }
    }
    Some((field, missing.is_some()))
}

/// Writes the errors of a request that did not run: there is no `data`, not even null.
fn write_refusal(errors: &[ServerError]) -> Response {
    #[derive(Serialize)]
    struct Refused<'a> {
        errors: &'a [ServerError],
    }
    serde_json::to_vec(&Refused { errors }).map_or_else(
        |_| StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        IntoResponse::into_response,
    )
}

/// Returns the response to a request that does not run at all.
fn refuse(error: Error, media_type: MediaType) -> Response {
    error.log();
    let mut response = write_refusal(&[server_error(&error)]);
    *response.status_mut() = error.status();
    error_headers(&error, &mut response);
    response.headers_mut().insert(CONTENT_TYPE, media_type.header());
    response
}

/// Returns the response of `/graphql` to an error that occurs before the request is read.
pub fn error_response(error: Error) -> Response {
    refuse(error, MediaType::Json)
}

/// Writes the response, with a code on every error; error causes go to the log only.
fn respond(mut answer: GraphqlResponse, media_type: MediaType) -> Response {
    answer.errors.truncate(MAX_ERRORS);
    let mut unavailable = None;
    for error in &mut answer.errors {
        let loaded = error.source::<LoadError>().cloned();
        let direct = error.source.clone().and_then(|source| source.downcast::<Error>().ok());
        if let Some(own) = loaded.or(direct) {
            own.log();
            error.message = own.to_string();
            describe(error, &own);
            if own.retry_after().is_some() {
                unavailable = Some(own);
            }
        } else {
            *error = coded(std::mem::replace(error, ServerError::new("", None)));
        }
    }
    // Nothing ran if no error has a path in the response.
    let refused =
        !answer.errors.is_empty() && answer.errors.iter().all(|error| error.path.is_empty());
    let empty = matches!(answer.data, Value::Null);
    let mut response = if refused {
        write_refusal(&answer.errors)
    } else {
        GraphQLResponse::from(answer).into_response()
    };
    if media_type == MediaType::GraphqlResponse {
        if refused {
            *response.status_mut() = StatusCode::BAD_REQUEST;
        } else if let Some(error) = unavailable.filter(|_| empty) {
            *response.status_mut() = error.status();
            error_headers(&error, &mut response);
        }
    }
    response.headers_mut().insert(CONTENT_TYPE, media_type.header());
    response
}
