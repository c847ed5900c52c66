//! Setup, registration, login and logout over REST.

use axum::{
    Extension,
    extract::{FromRequestParts, State},
    http::{HeaderMap, HeaderValue, Method, header::SET_COOKIE, request::Parts},
    response::{IntoResponse, Response},
};
use axum_extra::extract::cookie::{Cookie, SameSite};
use serde::Serialize;
use toposcope_types::{Id, PermissionLevel};
use utoipa::ToSchema;

use crate::{
    app::App,
    config::CookieSecure,
    error::{Error, Result},
    http::forwarded::Client,
    rest::{
        endpoint::{Access, Endpoint},
        envelope::{Noticed, One},
        extract::{NoQuery, Noted, SESSION_COOKIE, Session, session_id},
        layers::request_id,
        routes::Routes,
    },
    users::{FullUser, LoginInput, RegisterInput, SetupInput},
};

/// Returns the routes for setup and login.
pub(super) fn router() -> Routes {
    let post = |path: &str, id: &str, summary: &str| {
        Endpoint::new(Method::POST, path, id, summary).tag("Session")
    };
    let keeps = "Stores the names of an organization and its first network for the registration that follows.";
    let makes = "Creates the first user and the organization that was set up.";
    Routes::default()
        .add(
            post("/auth/setup", "setup", keeps)
                .body::<SetupInput>()
                .notes()
                .answers::<SetUp>()
                .sets_cookie()
                .closed(),
            setup,
        )
        .add(
            post("/auth/register", "register", makes)
                .body::<RegisterInput>()
                .notes()
                .answers::<FullUser>()
                .sets_cookie()
                .closed()
                .conflicts(),
            register,
        )
        .add(
            post("/auth/login", "login", "Starts a session; the cookie carries its id.")
                .body::<LoginInput>()
                .notes()
                .answers::<FullUser>()
                .sets_cookie()
                .refuses()
                .closed(),
            login,
        )
        .add(post("/auth/logout", "logout", "Ends the session.").sets_cookie().closed(), logout)
        .add(
            post(
                "/auth/me",
                "get_current_user",
                "Returns the logged-in user, and prolongs the session.",
            )
            .access(Access::Session(PermissionLevel::Viewer))
            .answers::<FullUser>()
            .sets_cookie(),
            me,
        )
}

/// Proof that registration is open, obtained before the body is examined.
struct Open;

impl FromRequestParts<App> for Open {
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<Self> {
        crate::users::require_open(app).await?;
        Ok(Self)
    }
}

/// The result of a setup.
#[derive(Serialize, ToSchema)]
struct SetUp {
    /// The id that the first network will have.
    network_id: Id,
}

async fn setup(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    _: Open,
    _: NoQuery,
    Noted(input, ignored): Noted<SetupInput>,
) -> Result<Response> {
    let (session, network_id) = crate::users::setup(&app, input).await?;
    with_session(&app, &client, Some(session), Noticed(SetUp { network_id }, ignored))
}

async fn register(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    _: Open,
    headers: HeaderMap,
    _: NoQuery,
    Noted(input, ignored): Noted<RegisterInput>,
) -> Result<Response> {
    let before = session_id(&headers);
    let (address, request_id) = (client.address, request_id(&headers));
    let (user, session) =
        crate::users::register(&app, address, before.as_deref(), request_id, input).await?;
    with_session(&app, &client, Some(session), Noticed(user, ignored))
}

async fn login(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    _: NoQuery,
    Noted(input, ignored): Noted<LoginInput>,
) -> Result<Response> {
    let before = session_id(&headers);
    let (user, session) =
        crate::users::login(&app, client.address, before.as_deref(), input).await?;
    with_session(&app, &client, Some(session), Noticed(user, ignored))
}

async fn logout(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    _: NoQuery,
) -> Result<Response> {
    if let Some(session) = session_id(&headers) {
        crate::users::logout(&app, &session).await?;
    }
    with_session(&app, &client, None, One(()))
}

/// Returns the current user and renews the cookie, so that active users stay logged in.
async fn me(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Session(viewer): Session,
    headers: HeaderMap,
    _: NoQuery,
) -> Result<Response> {
    let user = crate::users::me(&app, &viewer).await?;
    with_session(&app, &client, session_id(&headers), One(user))
}

/// Sets or removes the session cookie.
fn with_session(
    app: &App,
    client: &Client,
    session: Option<String>,
    answer: impl IntoResponse,
) -> Result<Response> {
    let secure = client.https || app.settings.session_cookie_secure != CookieSecure::False;
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
