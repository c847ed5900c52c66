//! What every request passes before a handler sees it: time, panic, credential, budget.

use std::{
    any::Any,
    net::{IpAddr, SocketAddr},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Duration,
};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue,
        header::{AUTHORIZATION, COOKIE},
    },
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt as _;
use ipnet::IpNet;

use crate::{
    app::App,
    auth::{
        Caller, Token,
        rate_limit::{Payer, RateLimits, Remaining},
    },
    db::asked_by,
    error::{Error, Result},
    rest::extract::session_id,
};

/// The header that names a request: the client's own name for it is kept.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_REQUEST_ID: usize = 128;

/// The address that a request comes from, as far as it can be believed.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

/// What the layers need.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The application.
    pub app: App,
    /// The budgets.
    pub limits: RateLimits,
    /// How an error looks behind these layers.
    pub render: fn(Error) -> Response,
}

/// Looks the credential up, takes one request from the budget, and runs the rest under a time
/// limit. Whoever has no valid credential passes as nobody: handlers refuse them. What cannot be
/// used, or not be looked up, costs the address and never the user that it may belong to.
pub async fn guard(State(layers): State<Layers>, mut request: Request, next: Next) -> Response {
    let time_limit = layers.app.settings.time_limit;
    let client = client(&request, &layers.app.settings.trusted_proxies);
    let token = token(request.headers());
    let look_up = layers.app.credentials.look_up(&layers.app, token);
    let mut caller = within(time_limit, look_up).await.flatten();
    if let Ok(Caller::Known { viewer, .. }) = &mut caller {
        viewer.request_id = request_id(request.headers());
    }
    let payer = match &caller {
        Ok(Caller::Known { viewer, refusal: None }) => Payer::User(viewer.user_id),
        _ => Payer::at(client),
    };
    let remaining = match layers.limits.take(payer) {
        Ok(remaining) => remaining,
        Err((error, remaining)) => {
            let mut response = (layers.render)(error);
            write_budget(&mut response, remaining);
            return response;
        }
    };
    let response = match caller {
        Ok(caller) => {
            request.extensions_mut().insert(Client(client));
            let asker = match payer {
                Payer::User(user_id) => Some(layers.limits.asker(user_id)),
                Payer::Address(_) => None,
            };
            request.extensions_mut().insert(caller);
            let answer = async {
                let (head, body) = next.run(request).await.into_parts();
                Ok(Response::from_parts(head, layers.app.spools.spool(body).await?))
            };
            let answer = AssertUnwindSafe(asked_by(asker, answer)).catch_unwind();
            within(time_limit, answer)
                .await
                .and_then(|answer| answer.map_err(panicked).and_then(|answer| answer))
        }
        Err(error) => Err(error),
    };
    let mut response = response.unwrap_or_else(layers.render);
    if let Some(remaining) = remaining {
        write_budget(&mut response, remaining);
    }
    response
}

/// The id of a request, as its answer will carry it.
pub fn request_id(headers: &HeaderMap) -> Option<Arc<str>> {
    headers.get(&REQUEST_ID)?.to_str().ok().map(Arc::from)
}

/// Takes away an id that a client gives its request, where that cannot be kept: one that is empty,
/// longer than 128 characters, or not of visible ASCII.
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
    let late = |_| Error::Unavailable { reason: "the request took too long" };
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

/// What the caller presents. An `Authorization` header decides alone: a bad one does not fall back
/// to a cookie that the browser happens to send along.
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

/// The peer, or behind configured proxies the last address that none of them is.
fn client(request: &Request, proxies: &[IpNet]) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer =
        peer.map_or(IpAddr::from([0, 0, 0, 0]), |ConnectInfo(peer)| peer.ip().to_canonical());
    let trusted = |address: &IpAddr| proxies.iter().any(|proxy| proxy.contains(address));
    if !trusted(&peer) {
        return peer;
    }
    let forwarded = request.headers().get_all("x-forwarded-for").iter();
    let addresses: Vec<&str> = forwarded
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    let mut nearest = peer;
    for address in addresses.iter().rev() {
        let Ok(address) = address.trim().parse::<IpAddr>() else { break };
        nearest = address.to_canonical();
        if !trusted(&nearest) {
            break;
        }
    }
    nearest
}

/// A panic as an error, whose cause goes to the log only.
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Error {
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned());
    Error::Internal(anyhow::anyhow!("panic: {message}"))
}
