//! The layers around every handler: time limit, panic, credential, budget.

use std::{any::Any, net::IpAddr, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    extract::{OriginalUri, Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode,
        header::{AUTHORIZATION, COOKIE},
    },
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt as _;
use toposcope_types::Id;

use crate::{
    app::App,
    auth::{
        Caller, Refusal, Token,
        rate_limit::{Payer, RateLimits, Remaining},
    },
    db::asked_by,
    error::{Error, Result},
    http::{forwarded::Client, hold, origin},
    rest::extract::session_id,
};

/// The header with the request id; the server keeps an id that the client sends.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_REQUEST_ID: usize = 128;
/// The path below which sessions begin and end.
const SESSIONS: &str = "/api/auth/";
/// The path that receives passwords.
const LOGIN: &str = "/api/auth/login";

/// The context of the layers.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The application.
    pub app: App,
    /// The rate limits.
    pub limits: RateLimits,
    /// The function that renders an error behind these layers.
    pub render: fn(Error) -> Response,
}

/// Looks up the credential, takes one request from the budget, and runs the rest under a time
/// limit. A caller without a valid credential passes as nobody, and handlers reject it. An unusable
/// credential, or one that cannot be looked up, is charged to the address and never to the user
/// that it may belong to. So is a login, whatever cookie comes with it.
pub async fn guard(State(layers): State<Layers>, mut request: Request, next: Next) -> Response {
    let settings = &layers.app.settings;
    let client = Client::of(&request, &settings.trusted_proxies);
    let address = client.address;
    tracing::Span::current().record("client", tracing::field::display(address));
    let is_login = path(&request) == LOGIN;
    let look_up = layers.app.look_up(token(request.headers()));
    let mut caller = within(settings.time_limit, look_up).await.flatten();
    if let Ok(Caller::Known { viewer, .. }) = &mut caller {
        viewer.request_id = request_id(request.headers());
        viewer.address = Some(address);
    }
    let payer = match &caller {
        Ok(Caller::Known { viewer, refusal: None }) if !is_login => Payer::User(viewer.user_id),
        _ => Payer::at(address),
    };
    let came = caller.as_ref().ok().filter(|_| !is_login);
    let came = came.map_or(Came::Well, |caller| Came::of(caller, request.headers()));
    let user_id = match &caller {
        Ok(Caller::Known { viewer, .. }) => Some(viewer.user_id),
        _ => None,
    };
    request.extensions_mut().insert(client);
    let (response, remaining) = match layers.limits.take(payer) {
        Ok(remaining) => (pass(&layers, caller, payer, request, next).await, remaining),
        Err((error, remaining)) => (Err(error), Some(remaining)),
    };
    let mut response = response.unwrap_or_else(layers.render);
    tell(response.status(), address, user_id, came);
    if let Some(remaining) = remaining {
        write_budget(&mut response, remaining);
    }
    response
}

/// Runs a request that has been paid for. Its response is under way until it has been read.
async fn pass(
    layers: &Layers,
    caller: Result<Caller>,
    payer: Payer,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let caller = caller?;
    let under_way = layers.limits.begin(payer)?;
    refuse_foreign(&request)?;
    request.extensions_mut().insert(caller);
    let asker = match payer {
        Payer::User(user_id) => Some(layers.limits.asker(user_id)),
        Payer::Address(_) => None,
    };
    let answer = async {
        let (head, body) = next.run(request).await.into_parts();
        Ok::<_, Error>(Response::from_parts(head, layers.app.spools.spool(body).await?))
    };
    let answer = AssertUnwindSafe(asked_by(asker, answer)).catch_unwind();
    let answer = within(layers.app.settings.time_limit, answer).await?;
    let (parts, body) = answer.map_err(panicked)??.into_parts();
    Ok(Response::from_parts(parts, hold(body, under_way)))
}

/// Rejects a request in which a page of another site uses its visitor's cookie to change something,
/// or changes that cookie. A key in a request always comes from the client itself.
fn refuse_foreign(request: &Request) -> Result<()> {
    let headers = request.headers();
    let by_cookie = session_id(headers).is_some() || path(request).starts_with(SESSIONS);
    let host = request.extensions().get::<Client>().and_then(|client| client.host.as_deref());
    let foreign = origin::is_foreign(request.method(), headers, host);
    if foreign && by_cookie && !headers.contains_key(AUTHORIZATION) {
        return Err(Error::denied("a page of another site may not do this with your session"));
    }
    Ok(())
}

/// Returns the path of the original request; within nested routes, part of it is left out.
fn path(request: &Request) -> &str {
    let original = request.extensions().get::<OriginalUri>();
    original.map_or(request.uri(), |OriginalUri(uri)| uri).path()
}

/// The credential that a caller came with, for the log; the response does not reveal it.
#[derive(Clone, Copy)]
enum Came {
    /// A usable credential, or one that the log does not report here.
    Well,
    /// No credential.
    Without,
    /// An unusable credential, with the reason.
    With(&'static str),
}

impl Came {
    fn of(caller: &Caller, headers: &HeaderMap) -> Self {
        Self::With(match caller {
            Caller::Known { refusal: None, .. } => return Self::Well,
            Caller::Known { refusal: Some(Refusal::Disabled), .. } => "it is disabled",
            Caller::Known { refusal: Some(Refusal::Expired), .. } => "it has expired",
            Caller::Known { refusal: Some(Refusal::ApiAccessDisabled), .. } => {
                "its organization allows no API keys"
            }
            Caller::Nobody => {
                let mut authorizations = headers.get_all(AUTHORIZATION).iter();
                match (authorizations.next(), authorizations.next()) {
                    (Some(_), Some(_)) => "there are several headers `Authorization`",
                    (Some(_), None) => match token(headers) {
                        Some(_) => {
                            "there is no such API key; it was deleted or replaced, or is mistyped"
                        }
                        None => "it is not `Bearer` and then an API key, which has 38 characters",
                    },
                    (None, _) if session_id(headers).is_some() => {
                        "its session is unknown or has ended"
                    }
                    (None, _) => return Self::Without,
                }
            }
        })
    }
}

/// Logs a refusal, with the address in a field that programs can find.
fn tell(status: StatusCode, address: IpAddr, user: Option<Id>, came: Came) {
    let user = user.map(tracing::field::display);
    if status == StatusCode::TOO_MANY_REQUESTS {
        tracing::info!(client.address = %address, user.id = user, "too many requests from {address}");
        return;
    }
    if !matches!(status.as_u16(), 401 | 403) {
        return;
    }
    match came {
        Came::Well => {}
        // Every page sends such a request before login.
        Came::Without => tracing::debug!(client.address = %address, "no credential from {address}"),
        Came::With(reason) => tracing::info!(
            client.address = %address,
            user.id = user,
            "refused a credential from {address}: {reason}"
        ),
    }
}

/// Returns the id of a request, as its response will carry it.
pub fn request_id(headers: &HeaderMap) -> Option<Arc<str>> {
    headers.get(&REQUEST_ID)?.to_str().ok().map(Arc::from)
}

/// Removes a client's request id that the server cannot keep: one that is empty, longer than 128
/// characters, or not of visible ASCII.
pub fn keep_request_id(mut request: Request) -> Request {
    let fits = |id: &HeaderValue| {
        let id = id.as_bytes();
        (1..=MAX_REQUEST_ID).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
    };
    if request.headers().get_all(&REQUEST_ID).iter().any(|id| !fits(id)) {
        request.headers_mut().remove(&REQUEST_ID);
    }
    request
}

async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T> {
    let late = |_| Error::unavailable("the request took too long");
    tokio::time::timeout(limit, work).await.map_err(late)
}

fn write_budget(response: &mut Response, remaining: Remaining) {
    const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
    const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
    const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
    let headers = response.headers_mut();
    headers.insert(LIMIT, HeaderValue::from(remaining.limit));
    headers.insert(REMAINING, HeaderValue::from(remaining.remaining));
    headers.insert(RESET, HeaderValue::from(remaining.reset));
}

/// Returns the credential that the caller presents. An `Authorization` header decides alone: a bad
/// one does not fall back to a cookie that the browser happens to send along.
fn token(headers: &HeaderMap) -> Option<Token> {
    let mut authorizations = headers.get_all(AUTHORIZATION).iter();
    if let Some(value) = authorizations.next() {
        if authorizations.next().is_some() {
            return None;
        }
        let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| Token::api_key(key.trim()))?;
    }
    headers.get(COOKIE)?;
    session_id(headers).map(|id| Token::session(&id))
}

/// Converts a panic to an error, whose cause goes to the log only.
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Error {
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned());
    Error::Internal(anyhow::anyhow!("panic: {message}"))
}
