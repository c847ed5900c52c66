//! The body of a request, read as a whole.

use axum::{
    extract::Request,
    http::{HeaderMap, header::CONTENT_TYPE},
};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use crate::error::{Error, Outage, Result};

/// The maximum bytes of a body.
pub const MAX_BODY: usize = 2 * 1024 * 1024;

/// Returns whether the content type is `application/json` or `application/*+json`.
pub fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let Some(subtype) = essence.strip_prefix("application/") else { return false };
    subtype == "json" || (subtype.ends_with("+json") && subtype.len() > "+json".len())
}

/// Reads the whole body, and rejects it as soon as it is known to exceed `limit` bytes.
pub async fn read(request: Request, limit: usize) -> Result<Bytes> {
    match Limited::new(request.into_body(), limit).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Error::PayloadTooLarge { limit }),
        Err(error) if is_of_ours(error.as_ref()) => Err(Error::unavailable(Outage::Stopping)),
        Err(_) => Err(Error::invalid("body", "it ended before it was complete")),
    }
}

/// Returns whether this server stopped waiting for the rest of a body.
fn is_of_ours(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(<dyn std::error::Error>::is::<Error>)
}
