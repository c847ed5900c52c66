//! Headers of every response that depends on the viewer.

use axum::{
    http::{
        HeaderValue,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::Response,
};

/// The policy of a response, which is data: opened as a page it loads and runs nothing, and no
/// other page can embed it.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; sandbox";

/// Adds headers that forbid storing a response or taking it for another content type.
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

/// Adds the same headers to a response in the format that the client prefers.
pub async fn negotiated(mut response: Response) -> Response {
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    private(response).await
}
