//! Extractors for handlers, in the order in which the contract has a request checked: the viewer
//! and their level, the id in the path, the query, then the body.

use std::str::FromStr;

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request},
    http::{
        HeaderMap,
        header::{IF_MATCH, IF_UNMODIFIED_SINCE},
        request::Parts,
    },
};
use axum_extra::extract::cookie::CookieJar;
use chrono::DateTime;
use serde::de::DeserializeOwned;
use toposcope_types::{Id, PermissionLevel, json_path};

use super::{envelope, query::Query};
use crate::{
    auth::{Caller, Viewer},
    error::{Error, Result},
    http::request_body::{MAX_BODY, is_json, read},
    resource::Precondition,
};

/// The name of the session cookie.
pub const SESSION_COOKIE: &str = "session_id";

/// Returns the session id that a request presents.
pub fn session_id(headers: &HeaderMap) -> Option<String> {
    let jar = CookieJar::from_headers(headers);
    jar.get(SESSION_COOKIE).map(|cookie| cookie.value().to_owned())
}

impl<S: Sync> FromRequestParts<S> for Viewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        viewer(parts).cloned()
    }
}

/// Returns the viewer.
pub fn viewer(parts: &Parts) -> Result<&Viewer> {
    parts.extensions.get::<Caller>().ok_or(Error::NotAuthenticated)?.viewer()
}

/// A viewer who may write the contents of networks.
#[derive(Debug)]
pub struct Member(pub Viewer);

impl<S: Sync> FromRequestParts<S> for Member {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let viewer = viewer(parts)?;
        viewer.require(PermissionLevel::Member)?;
        Ok(Self(viewer.clone()))
    }
}

/// A viewer who has logged in.
#[derive(Debug)]
pub struct Session(pub Viewer);

impl<S: Sync> FromRequestParts<S> for Session {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let viewer = viewer(parts)?;
        viewer.require_session()?;
        Ok(Self(viewer.clone()))
    }
}

/// The one parameter of a path, parsed.
#[derive(Debug)]
pub struct Path<T = Id>(pub T);

impl<S: Send + Sync, T: FromStr<Err: std::fmt::Display>> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|error| Error::invalid("path", error))?;
        let (name, value) = params.iter().next().ok_or(Error::RouteNotFound)?;
        value.parse().map(Self).map_err(|error| Error::invalid(name, error))
    }
}

/// The two ids of a path, parsed.
#[derive(Debug)]
pub struct Paths(pub Id, pub Id);

impl<S: Send + Sync> FromRequestParts<S> for Paths {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|error| Error::invalid("path", error))?;
        let mut ids = params
            .iter()
            .map(|(name, value)| value.parse().map_err(|error| Error::invalid(name, error)));
        let mut next = || ids.next().unwrap_or(Err(Error::RouteNotFound));
        Ok(Self(next()?, next()?))
    }
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

/// Proof that a request has no query parameters; any parameter is unknown.
#[derive(Debug)]
pub struct NoQuery;

impl<S: Sync> FromRequestParts<S> for NoQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        Query::from_request_parts(parts, state).await?.finish()?;
        Ok(Self)
    }
}

impl<S: Sync> FromRequestParts<S> for Precondition {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let mut any_of = None;
        for tags in parts.headers.get_all(IF_MATCH) {
            let tags = tags.to_str().map_err(|_| Error::invalid("If-Match", "use plain text"))?;
            for tag in tags.split(',').map(str::trim).filter(|tag| *tag != "*") {
                let version = envelope::version(tag)
                    .ok_or_else(|| Error::invalid("If-Match", "use the `ETag` of an answer"));
                any_of.get_or_insert_with(Vec::new).push(version?);
            }
        }
        let unmodified_since = match header(&parts.headers, &IF_UNMODIFIED_SINCE)? {
            None => None,
            Some(date) => {
                let date = DateTime::parse_from_rfc2822(date).map_err(|_| {
                    Error::invalid("If-Unmodified-Since", "use an HTTP date, in GMT")
                })?;
                Some(date.to_utc())
            }
        };
        Ok(Self { any_of, expected: None, unmodified_since })
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Result<Option<&'a str>> {
    let Some(value) = headers.get(name) else { return Ok(None) };
    value.to_str().map(Some).map_err(|_| Error::invalid(name.as_str(), "use plain text"))
}

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        Self::read(request).await
    }
}

impl<T: DeserializeOwned> Body<T> {
    /// Reads an object.
    pub async fn read(request: Request) -> Result<Self> {
        Ok(Self(Self::read_noting(request, &mut Vec::new()).await?))
    }

    /// Reads an object and collects the paths of ignored keys.
    pub async fn read_noting(request: Request, ignored: &mut Vec<String>) -> Result<T> {
        let bytes = json_bytes(request).await?;
        // Serde would accept a list as an object, with its elements as the keys in order.
        if bytes.trim_ascii_start().starts_with(b"[") {
            return Err(Error::invalid("body", "an object is expected here"));
        }
        from_json(&bytes, &mut |path| ignored.push(json_path::of_ignored(&path)))
    }

    /// Reads a list.
    pub async fn read_list(request: Request) -> Result<T> {
        from_json(&json_bytes(request).await?, &mut |_| ())
    }
}

/// A JSON body that is an object, with the paths of ignored keys.
#[derive(Debug)]
pub struct Noted<T>(pub T, pub Vec<String>);

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Noted<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let mut ignored = Vec::new();
        let body = Body::read_noting(request, &mut ignored).await?;
        Ok(Self(body, ignored))
    }
}

async fn json_bytes(request: Request) -> Result<Bytes> {
    if is_json(request.headers()) {
        return read(request, MAX_BODY).await;
    }
    Err(Error::UnsupportedMediaType)
}

fn from_json<T: DeserializeOwned>(
    bytes: &[u8],
    ignored: &mut impl FnMut(serde_ignored::Path<'_>),
) -> Result<T> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let reader = serde_ignored::Deserializer::new(&mut json, ignored);
    let body =
        serde_path_to_error::deserialize(reader).map_err(|error| misread::<T>(bytes, &error))?;
    json.end().map_err(|_| Error::invalid("body", "there is something after the JSON value"))?;
    Ok(body)
}

/// Returns what is wrong with a body. `serde_json` reports bad syntax if anything but a text stands
/// in place of an enum, so a body that is valid JSON is read once more from its values.
fn misread<T: DeserializeOwned>(
    bytes: &[u8],
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> Error {
    if error.inner().is_syntax()
        && let Ok(value) = serde_json::from_slice::<serde_json::Value>(bytes)
        && let Err(error) = serde_path_to_error::deserialize::<_, T>(value)
    {
        return malformed(&error);
    }
    malformed(error)
}

/// Returns which field is wrong and how, based on the error from serde.
fn malformed(error: &serde_path_to_error::Error<serde_json::Error>) -> Error {
    let path = error.path().to_string();
    // A path ends in `?` if the text broke off before the next key was read.
    let path = match path.trim_end_matches(['?', '.']) {
        "" => ".",
        path => path,
    };
    let at = |field: &str| match (path, field) {
        (".", "") => "body".to_owned(),
        (".", field) => field.to_owned(),
        (path, field) => json_path::join(path, field),
    };
    let message = error.inner().to_string();
    // serde_json ends its messages with the position in the text; the path locates it better.
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    if let Some(field) = quoted(message, "missing field `") {
        return Error::Required { field: at(field) };
    }
    if message.starts_with("invalid type: null") && path != "." {
        return Error::Required { field: at("") };
    }
    if let Some(field) = quoted(message, "duplicate field `") {
        return Error::invalid(at(field), "the key stands twice in the object");
    }
    if error.inner().is_syntax() || error.inner().is_eof() {
        return Error::invalid(at(""), format!("the body is not JSON: {}", error.inner()));
    }
    if message.contains("expected struct") {
        return Error::invalid(at(""), "an object is expected here");
    }
    Error::invalid(at(""), message)
}

fn quoted<'a>(message: &'a str, prefix: &str) -> Option<&'a str> {
    message.strip_prefix(prefix)?.strip_suffix('`')
}
