//! What every request passes before a handler sees it: time, panic, credential, budget.

use std::{
    any::Any,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue,
        header::{AUTHORIZATION, COOKIE},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use ipnet::IpNet;

use crate::{
    app::App,
    auth::{
        Caller, Token,
        rate_limit::{Payer, RateLimits, Remaining},
    },
    error::Error,
    users::rest::session_id,
};

/// How long a request may take until its answer begins.
const TIME_LIMIT: Duration = Duration::from_secs(30);

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
/// limit. Whoever has no valid credential passes as nobody: handlers refuse them.
pub async fn guard(State(layers): State<Layers>, mut request: Request, next: Next) -> Response {
    let client = client(&request, &layers.app.settings.trusted_proxies);
    let token = token(request.headers());
    let caller = match layers.app.credentials.look_up(&layers.app, token).await {
        Ok(caller) => caller,
        Err(error) => return (layers.render)(error),
    };
    let payer = match &caller {
        Caller::Known { viewer, .. } => Payer::User(viewer.user_id),
        Caller::Nobody => Payer::Address(client),
    };
    let remaining = match layers.limits.take(payer) {
        Ok(remaining) => remaining,
        Err((error, remaining)) => {
            let mut response = (layers.render)(error);
            write_budget(&mut response, remaining);
            return response;
        }
    };
    request.extensions_mut().insert(Client(client));
    request.extensions_mut().insert(caller);
    let mut response = match tokio::time::timeout(TIME_LIMIT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (layers.render)(Error::Unavailable { reason: "the request took too long" }),
    };
    if let Some(remaining) = remaining {
        write_budget(&mut response, remaining);
    }
    response
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
    if let Some(value) = headers.get(AUTHORIZATION) {
        let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| Token::api_key(key.trim()))?;
    }
    headers.get(COOKIE)?;
    session_id(headers).map(|id| Token::session(&id))
}

/// The peer, or behind configured proxies the last address that none of them is.
fn client(request: &Request, proxies: &[IpNet]) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |ConnectInfo(peer)| peer.ip().to_canonical());
    let trusted = |address: &IpAddr| proxies.iter().any(|proxy| proxy.contains(address));
    if !trusted(&peer) {
        return peer;
    }
    let forwarded = request.headers().get_all("x-forwarded-for").iter();
    let addresses: Vec<&str> =
        forwarded.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).collect();
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

/// The answer to a panic, whose message goes to the log only.
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned());
    Error::Internal(anyhow::anyhow!("panic: {message}")).into_response()
}
