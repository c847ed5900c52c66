//! Access for pages of other origins: browsers let them read a response only if it permits that.

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
/// How long a browser may cache the permission.
const REMEMBERED: Duration = Duration::from_mins(10);

/// Allows pages of these origins to send requests with a key of their own (Fetch Standard, 3.2).
/// Credentials are never allowed, so browsers do not send their visitor's cookie.
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
