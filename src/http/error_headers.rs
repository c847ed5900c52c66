//! The headers of an error, the same over REST and GraphQL.

use std::sync::LazyLock;

use axum::{
    http::{
        HeaderValue,
        header::{RETRY_AFTER, WWW_AUTHENTICATE},
    },
    response::Response,
};

use crate::error::Error;

static BEARER: LazyLock<HeaderValue> = LazyLock::new(|| HeaderValue::from_static("Bearer"));

/// Adds the headers of an error, the same over REST and GraphQL.
pub fn error_headers(error: &Error, response: &mut Response) {
    let headers = response.headers_mut();
    if matches!(error, Error::NotAuthenticated) {
        headers.insert(WWW_AUTHENTICATE, BEARER.clone());
    }
    if let Some(seconds) = error.retry_after() {
        headers.insert(RETRY_AFTER, seconds.into());
    }
}
