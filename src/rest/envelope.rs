//! The common format of every response under `/api`.

use std::{
    fmt::{self, Display},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG},
    },
    response::{IntoResponse, Response},
};
use futures_util::{Stream, StreamExt as _};
use serde::Serialize;
use serde_json::{Map, Value};
use toposcope_types::Timestamp;
use utoipa::ToSchema;

use super::{ignored::unknown, spool::Spools};
use crate::{
    error::{Error, Result},
    http::error_headers::error_headers,
};

/// The version of the contract, increased only for breaking changes.
pub const API_VERSION: u32 = 1;
/// The version of the application.
pub const SERVER_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The versions that answered, and the position of the response in a list.
#[derive(Clone, Debug, Serialize)]
struct Meta {
    api_version: u32,
    server_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<Pagination>,
    /// The paths of ignored keys of the body.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
}

/// The position of a page in a list.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pagination {
    /// The number of all matching rows, whatever the page.
    pub total_count: u64,
    /// The limit that was applied; 0 is no limit.
    pub limit: u64,
    /// The number of rows before this page.
    pub offset: u64,
    /// Whether more rows follow.
    pub has_more: bool,
}

impl Pagination {
    /// Creates the pagination of a page of `shown` rows after `offset`, out of `total_count`.
    pub fn new(total_count: u64, limit: u64, offset: u64, shown: usize) -> Self {
        Self { total_count, limit, offset, has_more: offset + (shown as u64) < total_count }
    }
}

const fn meta(pagination: Option<Pagination>) -> Meta {
    Meta {
        api_version: API_VERSION,
        server_version: SERVER_VERSION,
        pagination,
        ignored: Vec::new(),
    }
}

/// The usual `meta`, with additional content of one endpoint.
#[derive(Serialize)]
struct MetaWith<M> {
    #[serde(flatten)]
    meta: Meta,
    #[serde(flatten)]
    more: M,
}

#[expect(clippy::struct_field_names, reason = "the contract names it so")]
#[derive(Serialize)]
struct Success<'a, T, M = Meta> {
    success: bool,
    data: &'a T,
    meta: M,
}

#[derive(Serialize)]
struct Failure {
    success: bool,
    error: String,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Map<String, Value>>,
    meta: Meta,
}

/// A response with one object.
#[derive(Debug)]
pub struct One<T>(pub T);

impl<T: Serialize> One<T> {
    /// Returns the text of the response.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let answer = Success { success: true, data: &self.0, meta: meta(None) };
        text(&answer)
    }
}

fn text(value: &impl Serialize) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(value).map_err(anyhow::Error::from)?)
}

impl<T: Serialize> IntoResponse for One<T> {
    fn into_response(self) -> Response {
        json(StatusCode::OK, self.to_json())
    }
}

/// A response with one object, and additional content in `meta`.
#[derive(Debug)]
pub struct Beside<T, M>(pub T, pub M);

impl<T: Serialize, M: Serialize> IntoResponse for Beside<T, M> {
    fn into_response(self) -> Response {
        let Self(data, more) = self;
        let meta = MetaWith { meta: meta(None), more };
        json(StatusCode::OK, text(&Success { success: true, data: &data, meta }))
    }
}

/// A response with one object, and the paths of body keys that may be ignored.
#[derive(Debug)]
pub struct Noticed<T>(pub T, pub Vec<String>);

impl<T: Serialize + ToSchema> IntoResponse for Noticed<T> {
    fn into_response(self) -> Response {
        let meta = Meta { ignored: unknown::<T>(self.1), ..meta(None) };
        json(StatusCode::OK, text(&Success { success: true, data: &self.0, meta }))
    }
}

/// A response with the written object, and the paths of body keys that may be ignored.
#[derive(Debug)]
pub struct Written<T>(pub Versioned<T>, pub Vec<String>);

impl<T: Serialize + ToSchema> IntoResponse for Written<T> {
    fn into_response(self) -> Response {
        let Self(Versioned(data, tag), places) = self;
        tagged(Noticed(data, places).into_response(), tag)
    }
}

/// Adds the version of the object to a response.
pub fn tagged(mut response: Response, tag: Tag) -> Response {
    if let Ok(tag) = HeaderValue::from_str(&tag.to_string()) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

/// A response with one object and its version in `ETag`, for `If-Match` of a later update.
#[derive(Debug)]
pub struct Versioned<T>(pub T, pub Tag);

/// A strong tag: the version of an object, and anything else that changes its body.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    /// The version.
    pub version: Timestamp,
    /// A timestamp that the body shows and that is no update of the object, such as the last use of
    /// a key. It changes the tag, since the body differs, but not the version.
    pub besides: Option<Timestamp>,
}

impl From<Timestamp> for Tag {
    fn from(version: Timestamp) -> Self {
        Self { version, besides: None }
    }
}

impl Display for Tag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{}", self.version)?;
        if let Some(besides) = self.besides {
            write!(formatter, "-{:016x}", besides.date_time().timestamp_micros())?;
        }
        formatter.write_str("\"")
    }
}

impl<T: Serialize> IntoResponse for Versioned<T> {
    fn into_response(self) -> Response {
        tagged(One(self.0).into_response(), self.1)
    }
}

/// Returns the version in a tag. Preconditions compare only the version, since nobody can overwrite
/// the rest of the tag.
pub fn version(tag: &str) -> Option<Timestamp> {
    let tag = tag.trim_start_matches("W/").trim_matches('"');
    let besides =
        |rest: &str| rest.len() == 16 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    match tag.rsplit_once('-') {
        Some((version, rest)) if version.ends_with('Z') && besides(rest) => version.parse().ok(),
        _ => tag.parse().ok(),
    }
}

/// A response with one page of a list.
#[derive(Debug)]
pub struct List<T> {
    /// The rows of the page.
    pub rows: Vec<T>,
    /// The position of the page in the list.
    pub pagination: Pagination,
}

impl<T: Serialize> IntoResponse for List<T> {
    fn into_response(self) -> Response {
        let meta = meta(Some(self.pagination));
        json(StatusCode::OK, text(&Success { success: true, data: &self.rows, meta }))
    }
}

/// Streams a list whose rows arrive a few at a time, so that memory does not grow with its length.
/// Calls `pagination` with the number of rows in the response.
pub async fn stream<T: Serialize + Send + 'static>(
    spools: &Spools,
    chunks: impl Stream<Item = Result<Vec<T>>> + Send + 'static,
    pagination: impl FnOnce(u64) -> Pagination + Send + 'static,
) -> Result<Response> {
    let mut first = true;
    let shown = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&shown);
    let rows = chunks.map(move |chunk| {
        let chunk = chunk?;
        count.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        let mut bytes = Vec::with_capacity(chunk.len() * 512);
        for row in &chunk {
            if !std::mem::take(&mut first) {
                bytes.push(b',');
            }
            serde_json::to_writer(&mut bytes, row).map_err(anyhow::Error::from)?;
        }
        Ok::<_, Error>(bytes)
    });
    let head = futures_util::stream::iter([Ok(b"{\"success\":true,\"data\":[".to_vec())]);
    let tail = futures_util::stream::once(async move {
        let meta = meta(Some(pagination(shown.load(Ordering::Relaxed))));
        let meta = serde_json::to_string(&meta).map_err(anyhow::Error::from)?;
        Ok(format!("],\"meta\":{meta}}}").into_bytes())
    });
    let body = spools.body(head.chain(rows).chain(tail)).await?;
    Ok(respond(body, JSON))
}

/// Creates a response, with its length if it is known.
pub fn respond((body, length): (Body, Option<u64>), content_type: HeaderValue) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    if let Some(length) = length {
        response.headers_mut().insert(CONTENT_LENGTH, length.into());
    }
    response
}

/// The content type of all responses except tables and pictures.
pub const JSON: HeaderValue = HeaderValue::from_static("application/json");

fn json(status: StatusCode, text: Result<Vec<u8>>) -> Response {
    let mut response = match text {
        Ok(text) => Response::new(Body::from(text)),
        Err(error) => return error.into_response(),
    };
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let failure = Failure {
            success: false,
            error: self.to_string(),
            code: self.code(),
            params: self.params(),
            meta: meta(None),
        };
        let mut response = json(self.status(), text(&failure));
        error_headers(&self, &mut response);
        response
    }
}
