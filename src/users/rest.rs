//! Setting up, registering, logging in and out.

use axum::{
    Extension, Router,
    extract::{FromRequestParts, State},
    http::{HeaderMap, HeaderValue, header::SET_COOKIE, request::Parts},
    response::{IntoResponse, Response},
    routing::post,
};
use axum_extra::extract::cookie::{Cookie, SameSite};
use serde::Serialize;

use super::{LoginInput, RegisterInput, SetupInput};
use crate::{
    app::App,
    config::CookieSecure,
    error::{Error, Result},
    rest::{
        envelope::One,
        extract::{Body, NoQuery, SESSION_COOKIE, Session, session_id},
        layers::Client,
    },
    types::Id,
};

/// The routes of setting up and logging in.
pub fn router() -> Router<App> {
    Router::new()
        .route("/auth/setup", post(setup))
        .route("/auth/register", post(register))
        .route("/auth/login", post(login))
        .route("/auth/logout", post(logout))
        .route("/auth/me", post(me))
}

/// Proof that registration is open, found before anything is said of a body.
struct Open;

impl FromRequestParts<App> for Open {
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<Self> {
        super::require_open(app).await?;
        Ok(Self)
    }
}

#[derive(Serialize)]
struct SetUp {
    network_id: Id,
}

async fn setup(
    State(app): State<App>,
    _: Open,
    _: NoQuery,
    Body(input): Body<SetupInput>,
) -> Result<Response> {
    let (session, network_id) = super::setup(&app, input).await?;
    with_session(&app, Some(session), One(SetUp { network_id }))
}

async fn register(
    State(app): State<App>,
    _: Open,
    headers: HeaderMap,
    _: NoQuery,
    Body(input): Body<RegisterInput>,
) -> Result<Response> {
    let before = session_id(&headers);
    let (user, session) = super::register(&app, before.as_deref(), input).await?;
    with_session(&app, Some(session), One(user))
}

async fn login(
    State(app): State<App>,
    Extension(Client(address)): Extension<Client>,
    headers: HeaderMap,
    _: NoQuery,
    Body(input): Body<LoginInput>,
) -> Result<Response> {
    let before = session_id(&headers);
    let (user, session) = super::login(&app, address, before.as_deref(), input).await?;
    with_session(&app, Some(session), One(user))
}

async fn logout(State(app): State<App>, headers: HeaderMap, _: NoQuery) -> Result<Response> {
    if let Some(session) = session_id(&headers) {
        super::logout(&app, &session).await?;
    }
    with_session(&app, None, One(()))
}

/// Also prolongs the cookie: whoever keeps coming back stays logged in.
async fn me(
    State(app): State<App>,
    Session(viewer): Session,
    headers: HeaderMap,
    _: NoQuery,
) -> Result<Response> {
    let user = super::me(&app, &viewer).await?;
    with_session(&app, session_id(&headers), One(user))
}

/// Sets the cookie, or takes it away.
fn with_session(app: &App, session: Option<String>, answer: impl IntoResponse) -> Result<Response> {
    let secure = app.settings.session_cookie_secure != CookieSecure::False;
    let cookie = Cookie::build((SESSION_COOKIE, session.clone().unwrap_or_default()))
        .http_only(true)
        .same_site(SameSite::Lax)
        .path("/")
        .secure(secure);
    let age = if session.is_some() { 7 * 24 * 60 * 60 } else { 0 };
    let text = format!("{cookie}; Max-Age={age}");
    let mut response = answer.into_response();
    let value = HeaderValue::from_str(&text).map_err(|error| Error::Internal(error.into()))?;
    response.headers_mut().insert(SET_COOKIE, value);
    Ok(response)
}
