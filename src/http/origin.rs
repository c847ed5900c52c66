//! The site of the page that sends a request, as reported by browsers.

use axum::http::{HeaderMap, HeaderName, Method, header::ORIGIN};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns whether a browser reports that a page of another site wants to change something.
/// Programs send no such header, and older browsers only the origin of the page.
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
