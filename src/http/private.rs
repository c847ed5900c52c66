//! What is said with every answer that depends on who asks.

use axum::{
    http::{
        HeaderValue,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::Response,
};

/// An answer is data: opened as a page it loads and runs nothing, and stands in no other page.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; sandbox";

/// Says that nobody may keep an answer, nor take it for anything else than it is.
pub async fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.append(VARY, HeaderValue::from_static("authorization, cookie"));
    response
}

/// The same for what is answered in the form that the client prefers.
pub async fn negotiated(mut response: Response) -> Response {
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    private(response).await
}
