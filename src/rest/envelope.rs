//! The one shape of every answer under `/api`.

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

/// The version of the contract: it grows only on breaking changes.
pub const API_VERSION: u32 = 1;
/// The version of the application.
pub const SERVER_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Which versions answered, and where in a list the answer lies.
#[derive(Clone, Debug, Serialize)]
struct Meta {
    api_version: u32,
    server_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<Pagination>,
    /// The places of keys of the body that mean nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
}

/// Where in a list a page lies.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pagination {
    /// All rows that match, whatever the page.
    pub total_count: u64,
    /// The limit that was applied; 0 is none.
    pub limit: u64,
    /// The rows before this page.
    pub offset: u64,
    /// Whether more follow.
    pub has_more: bool,
}

impl Pagination {
    /// That of a page of so many rows, shown of `total_count` behind the `offset`.
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

/// The same, and more that only one endpoint says.
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

/// One thing.
#[derive(Debug)]
pub struct One<T>(pub T);

impl<T: Serialize> One<T> {
    /// The text of the answer.
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

/// One thing, with what is to be known besides among what every answer says of itself.
#[derive(Debug)]
pub struct Beside<T, M>(pub T, pub M);

impl<T: Serialize, M: Serialize> IntoResponse for Beside<T, M> {
    fn into_response(self) -> Response {
        let Self(data, more) = self;
        let meta = MetaWith { meta: meta(None), more };
        json(StatusCode::OK, text(&Success { success: true, data: &data, meta }))
    }
}

/// One thing, with the places of keys of the body that may mean nothing.
#[derive(Debug)]
pub struct Noticed<T>(pub T, pub Vec<String>);

impl<T: Serialize + ToSchema> IntoResponse for Noticed<T> {
    fn into_response(self) -> Response {
        let meta = Meta { ignored: unknown::<T>(self.1), ..meta(None) };
        json(StatusCode::OK, text(&Success { success: true, data: &self.0, meta }))
    }
}

/// What was written, with the places of keys of the body that may mean nothing.
#[derive(Debug)]
pub struct Written<T>(pub Versioned<T>, pub Vec<String>);

impl<T: Serialize + ToSchema> IntoResponse for Written<T> {
    fn into_response(self) -> Response {
        let Self(Versioned(data, tag), places) = self;
        tagged(Noticed(data, places).into_response(), tag)
    }
}

/// The same answer, which says what version it shows.
pub fn tagged(mut response: Response, tag: Tag) -> Response {
    if let Ok(tag) = HeaderValue::from_str(&tag.to_string()) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

/// One thing that carries its version in `ETag`, for `If-Match` of a later change.
#[derive(Debug)]
pub struct Versioned<T>(pub T, pub Tag);

/// A strong tag: the version of a thing, and what its body shows besides.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    /// The version.
    pub version: Timestamp,
    /// A moment that the body shows and that is no change of the thing, such as when a key was last
    /// used: it makes another tag, since the body is another, and no other version.
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

/// The version that a tag names, which is what a change is refused for: what it tells besides,
/// nobody can overwrite.
pub fn version(tag: &str) -> Option<Timestamp> {
    let tag = tag.trim_start_matches("W/").trim_matches('"');
    let besides =
        |rest: &str| rest.len() == 16 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    match tag.rsplit_once('-') {
        Some((version, rest)) if version.ends_with('Z') && besides(rest) => version.parse().ok(),
        _ => tag.parse().ok(),
    }
}

/// One page of a list.
#[derive(Debug)]
pub struct List<T> {
    /// The rows of the page.
    pub rows: Vec<T>,
    /// Where in the list it lies.
    pub pagination: Pagination,
}

impl<T: Serialize> IntoResponse for List<T> {
    fn into_response(self) -> Response {
        let meta = meta(Some(self.pagination));
        json(StatusCode::OK, text(&Success { success: true, data: &self.rows, meta }))
    }
}

/// A list whose rows come a few at a time; memory does not grow with its length. `pagination` is
/// told how many rows were shown.
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

/// An answer whose length is said if it is known.
pub fn respond((body, length): (Body, Option<u64>), content_type: HeaderValue) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    if let Some(length) = length {
        response.headers_mut().insert(CONTENT_LENGTH, length.into());
    }
    response
}

/// What all answers are but tables and pictures.
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
