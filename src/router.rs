//! Every URL: the table of contents of the HTTP side.

use std::time::Duration;

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, Method, StatusCode},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::{any, get},
};
use serde::Serialize;
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer},
    trace::TraceLayer,
};

use crate::{
    api_keys,
    app::App,
    auth::rate_limit::RateLimits,
    error::{Error, Result},
    graphql, groups, if_entries, playground,
    rest::{
        envelope::{API_VERSION, One, SERVER_VERSION},
        extract::NoQuery,
        layers::{Layers, guard, panicked},
    },
    schema::Schema,
    services,
    types::Id,
    users,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// How long the database may take to show that it is there.
const HEALTH_LIMIT: Duration = Duration::from_secs(2);

/// The whole HTTP side of an application.
pub fn router(app: App, schema: Schema, limits: RateLimits) -> Router {
    let layers = |render| Layers { app: app.clone(), limits: limits.clone(), render };

    let api = Router::new()
        .nest("/v1", v1())
        .merge(users::rest::router())
        .route("/version", get(version))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(layers(Error::into_response), guard));
    // Nesting leaves this one spelling of the root out.
    let root_of_api = any(no_route).layer(from_fn_with_state(layers(Error::into_response), guard));
    let graphql = graphql::http::router(schema)
        .layer(from_fn_with_state(layers(graphql::http::error_response), guard));

    Router::new()
        .route("/api/health", get(health))
        .nest("/api", api)
        .route("/api/", root_of_api)
        .merge(graphql)
        .merge(playground::router())
        .route("/", get(root))
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .with_state(app)
        .layer(
            ServiceBuilder::new()
                .layer(SetRequestIdLayer::new(REQUEST_ID, NewRequestId))
                .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(()))
                .layer(PropagateRequestIdLayer::new(REQUEST_ID))
                .layer(CatchPanicLayer::custom(|panic| panicked(panic).into_response())),
        )
}

/// `/api/v1`.
fn v1() -> Router<App> {
    Router::new()
        .merge(services::rest::router())
        .merge(if_entries::rest::router())
        .merge(groups::rest::router())
        .merge(api_keys::rest::router())
}

#[derive(Debug, Serialize)]
struct Version {
    api_version: u32,
    server_version: &'static str,
}

async fn version(_: NoQuery) -> One<Version> {
    One(Version { api_version: API_VERSION, server_version: SERVER_VERSION })
}

#[derive(Debug, Serialize)]
struct Health {
    status: &'static str,
}

async fn health(State(app): State<App>, _: NoQuery) -> Result<One<Health>> {
    let ping = tokio::time::timeout(HEALTH_LIMIT, app.db.ping());
    ping.await.map_err(|_| Error::Unavailable { reason: "the database does not answer" })??;
    Ok(One(Health { status: "ok" }))
}

async fn root() -> impl IntoResponse {
    (
        StatusCode::OK,
        format!(
            "Toposcope {SERVER_VERSION}\n\n\
             GraphQL: POST /graphql\n\
             REST:    /api/v1/services, /api/v1/if-entries/{{id}}, /api/v1/groups/{{id}}, /api/v1/auth/keys\n\
             Health:  /api/health\n\
             Docs:    /docs\n\n\
             All but /docs, /api/version and /api/health need an API key (Authorization: Bearer scp_u_…)\n\
             or a session (POST /api/auth/login).\n"
        ),
    )
}

async fn no_route() -> Error {
    Error::RouteNotFound
}

async fn no_method(method: Method) -> Response {
    Error::MethodNotAllowed { method: method.to_string() }.into_response()
}

/// Ids of requests sort by time, like all others.
#[derive(Clone, Copy, Debug)]
struct NewRequestId;

impl MakeRequestId for NewRequestId {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        Id::new().to_string().parse().ok().map(RequestId::new)
    }
}

/// The path without its query: a query can hold what belongs in no log.
fn span(request: &Request) -> tracing::Span {
    let id = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
    tracing::info_span!("request", id, method = %request.method(), path = request.uri().path())
}
