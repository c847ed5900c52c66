//! The web pages: the contents of `playground/`, built with npm and embedded in the binary.

use std::{borrow::Cow, ffi::OsStr, path::Path};

use axum::{
    Router,
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri,
        header::{
            ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY,
            CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    middleware::map_response,
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::error::Error;

/// The policy of pages: they load nothing from elsewhere, send nothing elsewhere, and run no inline
/// code.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The placeholder in the application's document for the nonce of each response.
const NONCE: &str = "%CSP_NONCE%";
/// For names that the next build reuses for other contents: browsers ask again at each visit.
const REVALIDATED: &str = "no-cache";
/// For names that contain a hash of the contents: browsers never ask again.
const FOREVER: &str = "public, max-age=31536000, immutable";
const NOT_BUILT: &str = "This build has no pages: install Node.js 20.19 or newer, then `touch \
                         build.rs` and build again with the feature `playground`, which is on by \
                         default.\n";

/// Creates the routes of the pages and the files that they load.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/", get(application))
        .route("/sign-in", get(application))
        .route("/sign-in/", get(async || Redirect::permanent("/sign-in")))
        .route("/keys", get(application))
        .route("/keys/", get(async || Redirect::permanent("/keys")))
        .route("/groups", get(application))
        .route("/groups/", get(async || Redirect::permanent("/groups")))
        .route("/groups/{id}", get(application))
        .route("/query", get(query))
        .route("/query/", get(async || Redirect::permanent("/query")))
        .route("/docs", get(docs))
        .route("/docs/", get(async || Redirect::permanent("/docs")))
        .route("/licences.txt", get(licences))
        .route("/assets/{file}", get(asset))
        .route_layer(map_response(protect))
}

/// Returns the document of the single application, which decides itself which page to show.
///
/// Its components write style elements, which the policy allows by a nonce. So no two responses are
/// alike, and no client can keep one by its tag.
async fn application() -> Response {
    let Some((html, _)) = file("index.html") else { return not_built() };
    let nonce = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>());
    let html = String::from_utf8_lossy(&html).replace(NONCE, &nonce);
    let policy = policy(&format!("'nonce-{nonce}'"));
    ([(CONTENT_SECURITY_POLICY, policy), (CACHE_CONTROL, REVALIDATED.to_owned())], Html(html))
        .into_response()
}

/// Returns the query editor, which writes style elements without a nonce.
async fn query(headers: HeaderMap) -> Response {
    let policy = policy("'unsafe-inline'");
    ([(CONTENT_SECURITY_POLICY, policy)], document("query/index.html", &headers)).into_response()
}

async fn docs(headers: HeaderMap) -> Response {
    document("docs/index.html", &headers)
}

async fn licences(headers: HeaderMap) -> Response {
    document("licences.txt", &headers)
}

fn document(path: &str, headers: &HeaderMap) -> Response {
    serve(path, REVALIDATED, headers).unwrap_or_else(not_built)
}

fn not_built() -> Response {
    (StatusCode::NOT_FOUND, NOT_BUILT).into_response()
}

/// Returns the policy of a page that needs style elements.
fn policy(styles: &str) -> String {
    format!("{POLICY}; style-src 'self' {styles}")
}

async fn asset(uri: Uri, headers: HeaderMap) -> Result<Response, Error> {
    serve(uri.path().trim_start_matches('/'), FOREVER, &headers).ok_or(Error::RouteNotFound)
}

/// Responds to unknown addresses: the application tells a person who mistyped one, and programs get
/// an error.
pub async fn nowhere(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let is_read = method == Method::GET || method == Method::HEAD;
    let is_page = !["/graphql/", "/assets"].iter().any(|start| uri.path().starts_with(start));
    if !(is_read && is_page) {
        return Error::RouteNotFound.into_response();
    }
    let mut response = if takes(&headers, &ACCEPT, "text/html") {
        protect(application().await).await
    } else {
        Error::RouteNotFound.into_response()
    };
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    response
}

/// Adds the policy, unless there is one, and headers that keep browsers to it.
async fn protect(mut response: Response) -> Response {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns a file of the build in the best encoding that the client accepts; `None` if there is
/// none.
fn serve(path: &str, cached: &'static str, headers: &HeaderMap) -> Option<Response> {
    let content_type = content_type(path)?;
    let packed = [("br", ".br"), ("gzip", ".gz")].into_iter().find_map(|(encoding, suffix)| {
        let file = takes(headers, &ACCEPT_ENCODING, encoding)
            .then(|| file(&format!("{path}{suffix}")))
            .flatten()?;
        Some((Some(encoding), file))
    });
    let (encoding, (bytes, hash)) = packed.or_else(|| Some((None, file(path)?)))?;
    let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(hash));
    let about = [(CACHE_CONTROL, cached), (VARY, "accept-encoding"), (ETAG, &tag)];
    if is_held(headers, &tag) {
        return Some((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let encoding = encoding.map(|encoding| [(CONTENT_ENCODING, encoding)]);
    Some((about, [(CONTENT_TYPE, content_type)], encoding, bytes).into_response())
}

/// Returns the content type by extension; compressed files have none of their own.
fn content_type(path: &str) -> Option<&'static str> {
    Some(match Path::new(path).extension().and_then(OsStr::to_str) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("ttf") => "font/ttf",
        Some("txt") | None => "text/plain; charset=utf-8",
        Some(_) => return None,
    })
}

/// Returns the elements of a list header, no matter how often it is sent.
fn elements<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter();
    values.flat_map(|value| value.to_str().unwrap_or_default().split(',')).map(str::trim)
}

/// Returns whether the client accepts an encoding or a media type by name; weight 0 is a refusal.
fn takes(headers: &HeaderMap, header: &HeaderName, wanted: &str) -> bool {
    elements(headers, header).any(|element| {
        let (name, weight) = element.split_once(';').unwrap_or((element, ""));
        let refused = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|weight| weight.chars().all(|character| ['0', '.'].contains(&character)));
        name.trim().eq_ignore_ascii_case(wanted) && !refused
    })
}

/// Returns whether the client already has this very file.
fn is_held(headers: &HeaderMap, tag: &str) -> bool {
    elements(headers, &IF_NONE_MATCH)
        .any(|element| element == "*" || element.trim_start_matches("W/") == tag)
}

#[cfg(feature = "playground")]
include!(concat!(env!("OUT_DIR"), "/playground.rs"));

/// Returns a file of the build and the SHA-256 of its contents.
#[cfg(feature = "playground")]
fn file(path: &str) -> Option<(Cow<'static, [u8]>, [u8; 32])> {
    Files::get(path).map(|file| (file.data, file.metadata.sha256_hash()))
}

#[cfg(not(feature = "playground"))]
fn file(_: &str) -> Option<(Cow<'static, [u8]>, [u8; 32])> {
    None
}
