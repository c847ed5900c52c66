//! Which site's page sends a request, as browsers tell it.

use axum::http::{HeaderMap, HeaderName, Method, header::ORIGIN};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a browser says that it is a page of another site that wants to change something.
/// Programs say nothing of the kind, and older browsers only which origin it is.
pub fn is_foreign(method: &Method, headers: &HeaderMap, host: Option<&str>) -> bool {
    if method.is_safe() {
        return false;
    }
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site != "same-origin" && site != "none";
    }
    let Some(origin) = headers.get(ORIGIN) else { return false };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let (Some((_, origin)), Some(host)) = (origin, host) else { return true };
    !origin.eq_ignore_ascii_case(host)
}
