//! Every URL: the table of contents of the HTTP API.

use std::{sync::LazyLock, time::Duration};

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{Method, header::CONTENT_TYPE},
    middleware::{from_fn_with_state, map_response},
    response::{IntoResponse, Response},
    routing::{any, get},
};
use serde::Serialize;
use toposcope_types::Id;
use tower::{ServiceBuilder, util::option_layer};
use tower_http::{
    catch_panic::CatchPanicLayer,
    request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer},
    trace::TraceLayer,
};
use utoipa::ToSchema;

use crate::{
    api_keys,
    app::App,
    auth::{Caller, rate_limit::RateLimits},
    bindings, changes,
    error::{Error, Result},
    graphql, groups, hosts,
    http::{
        cors::cors,
        private::{negotiated, private},
    },
    if_entries, interfaces, networks, organizations, playground, ports,
    rest::{
        absent, document,
        endpoint::Endpoint,
        envelope::{API_VERSION, Beside, One, SERVER_VERSION},
        extract::NoQuery,
        layers::{Layers, REQUEST_ID, guard, keep_request_id, panicked},
        resource,
        routes::Routes,
    },
    schema::Schema,
    services, subnets, tags, topology, users,
};

/// How long the database may take to respond to a health check.
const HEALTH_LIMIT: Duration = Duration::from_secs(2);

/// Creates the router of the whole application.
pub fn router(app: App, schema: Schema, limits: RateLimits) -> Router {
    let layers = |render| Layers { app: app.clone(), limits: limits.clone(), render };

    let elsewhere = || option_layer(cors(&app.settings.cors_origins));

    let (routes, ..) = api().into_parts("/api");
    let api = routes
        .nest("/v1", aliases().merge(absent::router()))
        .merge(unversioned())
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(layers(Error::into_response), guard))
        .layer(map_response(private))
        .layer(elsewhere());
    // Nesting does not cover this spelling of the root.
    let root_of_api = any(no_route)
        .layer(from_fn_with_state(layers(Error::into_response), guard))
        .layer(map_response(private));
    let graphql = graphql::http::router(schema)
        .layer(from_fn_with_state(layers(graphql::http::error_response), guard))
        .layer(map_response(negotiated))
        .layer(elsewhere());

    let public = Router::new()
        .route("/api/health", get(health).layer(map_response(private)))
        .route("/openapi.json", get(openapi))
        .method_not_allowed_fallback(no_method)
        .layer(elsewhere());

    Router::new()
        .merge(public)
        .nest("/api", api)
        .route("/api/", root_of_api)
        .merge(graphql)
        .merge(playground::router())
        .fallback(playground::nowhere)
        .method_not_allowed_fallback(no_method)
        .with_state(app)
        .layer(
            ServiceBuilder::new()
                .map_request(keep_request_id)
                .layer(SetRequestIdLayer::new(REQUEST_ID, NewRequestId))
                .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(()))
                .layer(PropagateRequestIdLayer::new(REQUEST_ID))
                .layer(CatchPanicLayer::custom(|panic| panicked(panic).into_response())),
        )
}

/// Returns all documented routes below `/api` that need the credential and budget guard.
fn api() -> Routes {
    let version = Endpoint::new(
        Method::GET,
        "/version",
        "get_version",
        "Returns the versions of the API and the server.",
    );
    Routes::default()
        .add(version.answers::<Version>(), self::version)
        .merge(users::rest::session())
        .nest("/v1", v1())
}

/// Returns the routes of `/api/v1`.
fn v1() -> Routes {
    Routes::default()
        .merge(networks::rest::router())
        .merge(hosts::rest::router())
        .merge(interfaces::rest::router())
        .merge(if_entries::rest::router())
        .merge(ports::rest::router())
        .merge(services::rest::router())
        .merge(bindings::rest::router())
        .merge(groups::rest::router())
        .merge(subnets::rest::router())
        .merge(tags::rest::router())
        .merge(api_keys::rest::router())
        .merge(users::rest::router())
        .merge(organizations::rest::router())
        .merge(changes::rest::router())
        .merge(topology::rest::router())
}

/// Creates the undocumented aliases of resources, for clients in the field: same routes, other
/// names.
fn aliases() -> Router<App> {
    let interfaces = interfaces::rest::router().renamed("/interfaces", "/ip-addresses");
    interfaces.merge(groups::rest::router().renamed("/groups", "/dependencies"))
}

/// Creates the routes from before there were versions, for clients in the field.
fn unversioned() -> Router<App> {
    Router::new()
        .route("/config", get(config))
        .route("/openapi.json", get(openapi))
        .route("/hosts", get(resource::list_page::<hosts::Entity>))
        .route("/services", get(resource::list_page::<services::Entity>))
}

/// Returns the description of the REST API, as in `openapi.json`.
pub fn document() -> String {
    let (_, mut operations, mut schemas) = api().into_parts("/api");
    let health = Routes::default().add(
        Endpoint::new(
            Method::GET,
            "/health",
            "get_health",
            "Reports whether the database answers and accepts writes.",
        )
        .answers::<String>()
        .beside::<Health>(),
        self::health,
    );
    let (_, more, named) = health.into_parts("/api");
    operations.extend(more);
    schemas.extend(named);
    document::build(operations, schemas)
}

async fn openapi(_: NoQuery) -> impl IntoResponse {
    static DOCUMENT: LazyLock<String> = LazyLock::new(document);
    ([(CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}

/// The data that a client needs before login.
#[derive(Debug, Serialize)]
struct Config {
    api_version: u32,
    server_version: &'static str,
    /// Whether anybody may create an organization.
    registration_open: bool,
    /// Whether nothing has been set up yet.
    first_start: bool,
    /// Whether the request presents a session, or a valid key.
    signed_in: bool,
}

async fn config(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    _: NoQuery,
) -> Result<One<Config>> {
    let registration_open = match users::require_open(&app).await {
        Err(Error::PermissionDenied { .. }) => false,
        open => open.map(|()| true)?,
    };
    Ok(One(Config {
        api_version: API_VERSION,
        server_version: SERVER_VERSION,
        registration_open,
        first_start: registration_open && users::are_none(&app).await?,
        signed_in: caller.viewer().is_ok(),
    }))
}

/// The versions of the API and the server.
#[derive(Debug, Serialize, ToSchema)]
struct Version {
    /// The version of the API, increased only for breaking changes.
    api_version: u32,
    /// The version of the application.
    server_version: &'static str,
}

async fn version(_: NoQuery) -> One<Version> {
    One(Version { api_version: API_VERSION, server_version: SERVER_VERSION })
}

/// The health of the service.
#[derive(Debug, Serialize, ToSchema)]
struct Health {
    /// `ok`.
    status: &'static str,
}

/// The text that clients expect.
const HEALTHY: &str = "ok";

async fn health(State(app): State<App>, _: NoQuery) -> Result<Beside<&'static str, Health>> {
    let check = tokio::time::timeout(HEALTH_LIMIT, app.db.check());
    check.await.map_err(|_| Error::unavailable("the database does not answer"))??;
    Ok(Beside(HEALTHY, Health { status: "ok" }))
}

async fn no_route() -> Error {
    Error::RouteNotFound
}

async fn no_method(method: Method) -> Response {
    Error::MethodNotAllowed { method: method.to_string() }.into_response()
}

/// A generator of request ids, which sort by time like all other ids.
#[derive(Clone, Copy, Debug)]
struct NewRequestId;

impl MakeRequestId for NewRequestId {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        Id::new().to_string().parse().ok().map(RequestId::new)
    }
}

/// Creates a span with the path but not the query, which can contain data that belongs in no log.
fn span(request: &Request) -> tracing::Span {
    let id = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
    let path = request.uri().path();
    let client = tracing::field::Empty;
    tracing::info_span!("request", id, method = %request.method(), path, client)
}
