//! Pages of other origins, which browsers let read an answer only if it says so.

use std::time::Duration;

use axum::http::{
    HeaderName, HeaderValue, Method,
    header::{
        ACCEPT, AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, IF_MATCH,
        IF_UNMODIFIED_SINCE, RETRY_AFTER,
    },
};
use tower_http::cors::{AllowOrigin, CorsLayer};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// How long a browser need not ask again.
const REMEMBERED: Duration = Duration::from_mins(10);

/// Lets pages of these origins ask with a key of their own (Fetch Standard, 3.2). Nothing allows
/// credentials, so that browsers send no cookie of their visitor along.
pub fn cors(origins: &[HeaderValue]) -> Option<CorsLayer> {
    if origins.is_empty() {
        return None;
    }
    let budget = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
    let shown = [ETAG, RETRY_AFTER, CONTENT_DISPOSITION, REQUEST_ID].into_iter();
    Some(
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins.iter().cloned()))
            .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
            .allow_headers([
                ACCEPT,
                AUTHORIZATION,
                CONTENT_TYPE,
                IF_MATCH,
                IF_UNMODIFIED_SINCE,
                REQUEST_ID,
            ])
            .expose_headers(shown.chain(budget.map(HeaderName::from_static)).collect::<Vec<_>>())
            .max_age(REMEMBERED),
    )
}

/// An origin as browsers send it (RFC 6454, 6.2).
pub fn origin(text: &str) -> Result<HeaderValue, String> {
    let refused = || {
        format!(
            "`{text}` is not an origin: write the scheme, the host and the port if it has one, such \
             as `https://map.example.com`, and no path"
        )
    };
    let uri: axum::http::Uri = text.parse().map_err(|_| refused())?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'));
    let (true, Some(authority)) = (is_web, authority) else { return Err(refused()) };
    let scheme = uri.scheme_str().unwrap_or_default();
    if text.len() != scheme.len() + "://".len() + authority.as_str().len() {
        return Err(refused());
    }
    // Browsers leave out the port that the scheme has by itself.
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    let text = text.to_lowercase();
    let text = text.strip_suffix(own_port).unwrap_or(&text);
    HeaderValue::from_str(text).map_err(|_| refused())
}
