//! Paths that clients of the contract request and this server does not have yet: lists are empty,
//! and writes get an error that says so.

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
    routing::{any, get},
};
use toposcope_types::PermissionLevel;

use super::{
    envelope::{List, Pagination},
    extract,
    query::Query,
};
use crate::{
    app::App,
    error::{Error, Result},
};

/// The paths, with the names of their rows.
const ABSENT: [(&str, &str); 6] = [
    ("/daemons", "daemons"),
    ("/discovery", "discoveries"),
    ("/credentials", "credentials of devices"),
    ("/snmp-credentials", "SNMP credentials"),
    ("/shares", "shares"),
    ("/invites", "invitations"),
];

/// Creates their routes.
pub fn router() -> Router<App> {
    ABSENT.into_iter().fold(Router::new(), |router, (path, what)| {
        let refused = move |request: Request| std::future::ready(refuse(&request, what));
        router
            .route(path, get(none).fallback(refused))
            .route(&format!("{path}/{{*below}}"), any(refused))
    })
}

/// Returns an empty page. Accepts any filter, since none could exclude anything.
async fn none(request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    extract::viewer(&parts)?;
    let mut query = Query::parse(parts.uri.query().unwrap_or_default())?;
    let (limit, offset) = (query.limit("limit")?, query.offset("offset")?);
    let pagination = Pagination::new(0, limit, offset, 0);
    Ok(List::<()> { rows: Vec::new(), pagination }.into_response())
}

/// Returns the error: there is none to show, and none can be created.
fn refuse(request: &Request, what: &'static str) -> Error {
    let caller = request.extensions().get::<crate::auth::Caller>();
    match caller.ok_or(Error::NotAuthenticated).and_then(crate::auth::Caller::viewer) {
        Err(error) => error,
        Ok(_) if request.method().is_safe() => Error::RouteNotFound,
        Ok(viewer) => match viewer.require(PermissionLevel::Member) {
            Err(error) => error,
            Ok(()) => Error::NotBuilt { what },
        },
    }
}
