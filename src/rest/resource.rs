//! The endpoints that all resources share, each written once.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts as _, Request, State},
    http::{Method, header::CONTENT_DISPOSITION, request::Parts},
    response::{IntoResponse, Response},
};
use toposcope_types::{Id, OrderDirection, PermissionLevel};

pub use super::readable::{Creatable, LateParts, REPLACES, Readable, Updatable};
use super::{
    csv,
    endpoint::{Access, Endpoint},
    envelope::{self, List, One, Pagination, Versioned, Written},
    extract::{self, Body, NoQuery, Path},
    file_name::{Place, content_disposition},
    parts,
    pieces::{PIECE, chunks, first, late, pieces},
    query::Query,
    routes::Routes,
};
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
    resource::{
        self, Precondition,
        list::{self, ListQuery},
        listed::ListOrder,
        page::MAX_PAGE,
    },
    write,
    write::{BulkDeleted, Deleted, Removable},
};

/// Returns all endpoints of a resource: list, one, CSV, create, update, delete, bulk delete.
pub fn all<E: Creatable + Updatable + Removable>() -> Routes {
    let one = E::NAMES.0;
    let create = endpoint::<E>(Method::POST, "", format!("create_{one}"), "Creates one.")
        .access(access::<E>(E::WRITE))
        .query(E::asked)
        .body::<<E as Creatable>::Input>()
        .conflicts()
        .answers::<E::Full>()
        .versioned();
    shown::<E>()
        .add(create, create_one::<E>)
        .merge(changed::<E>())
        .merge(deleted::<E>())
        .merge(deleted_many::<E>())
}

/// Returns the endpoints of a read-only resource: list, one, CSV.
pub fn shown<E: Readable>() -> Routes {
    let many = E::NAMES.1;
    let list = endpoint::<E>(
        Method::GET,
        "",
        E::LIST.map_or_else(|| format!("list_{many}"), str::to_owned),
        "Lists the rows within reach, a page at a time; all of them with `limit=0`.",
    )
    .access(access::<E>(E::READ))
    .query(parse::<E>)
    .answers_page::<E::Full>();
    Routes::default().add(list, list_page::<E>).merge(shown_apart::<E>())
}

/// Returns the same endpoints without the list.
pub fn shown_apart<E: Readable>() -> Routes {
    let (one, many) = E::NAMES;
    let export = endpoint::<E>(
        Method::GET,
        "/export/csv",
        format!("export_{many}_csv"),
        "Exports the rows within reach as comma-separated values; all of them without `limit`.",
    )
    .access(access::<E>(E::READ))
    .query(parse_table::<E>)
    .answers_text("text/csv");
    let get = endpoint::<E>(Method::GET, "/{id}", format!("get_{one}"), "Returns one.")
        .access(access::<E>(E::READ))
        .answers::<E::Full>()
        .versioned();
    Routes::default().add(export, export_csv::<E>).add(get, get_one::<E>)
}

/// Returns the endpoint that updates one.
pub fn changed<E: Updatable>() -> Routes {
    let update = endpoint::<E>(Method::PUT, "/{id}", format!("update_{}", E::NAMES.0), E::SUMMARY)
        .access(access::<E>(E::WRITE))
        .guarded()
        .body::<<E as Updatable>::Input>()
        .answers::<E::Full>()
        .versioned();
    Routes::default().add(update, update_one::<E>)
}

/// Returns the endpoint that deletes one.
pub fn deleted<E: Readable + Removable>() -> Routes {
    let delete = endpoint::<E>(
        Method::DELETE,
        "/{id}",
        format!("delete_{}", E::NAMES.0),
        "Deletes one and everything that depends on it, and returns what was deleted.",
    )
    .access(access::<E>(E::LEVEL))
    .query(dry_run)
    .guarded()
    .answers::<Deleted>();
    Routes::default().add(delete, delete_one::<E>)
}

/// Returns the endpoint that deletes many.
pub fn deleted_many<E: Readable + Removable>() -> Routes {
    let bulk = endpoint::<E>(
        Method::POST,
        "/bulk-delete",
        format!("bulk_delete_{}", E::NAMES.1),
        "Deletes those of the given ids that are visible to you, all or nothing.",
    )
    .access(access::<E>(E::LEVEL))
    .body_of_ids()
    .conflicts()
    .answers::<BulkDeleted>();
    Routes::default().add(bulk, bulk_delete::<E>)
}

/// Creates an endpoint of a resource, without its permission.
pub fn endpoint<E: Readable>(
    method: Method,
    path: &str,
    id: String,
    summary: &'static str,
) -> Endpoint {
    Endpoint::new(method, &format!("{}{path}", E::PATH), id, summary).tag(E::TAG)
}

fn access<E: Readable>(level: PermissionLevel) -> Access {
    match E::KEYS {
        None => Access::Session(level),
        Some(key) if key > level => Access::SessionOrKey(level, key),
        Some(_) => Access::Level(level),
    }
}

/// Rejects a caller without permission, before checking anything else of the request.
fn permitted<E: Readable>(parts: &Parts, level: PermissionLevel) -> Result<Viewer> {
    let viewer = extract::viewer(parts)?;
    if E::KEYS.is_none() {
        viewer.require_session()?;
    }
    viewer.require(level)?;
    if let Some(level) = E::KEYS {
        viewer.require_session_or_key(level)?;
    }
    Ok(viewer.clone())
}

/// Reads the query string of a list: rows and their order, limit, offset.
pub fn parse<E: Readable>(query: &mut Query) -> Result<(ListQuery<E>, u64, u64)> {
    let query_of_list = parse_rows::<E>(query)?;
    Ok((query_of_list, query.limit("limit")?, query.offset("offset")?))
}

/// Reads the query string of a table, where the limit has no upper bound and defaults to all rows.
fn parse_table<E: Readable>(query: &mut Query) -> Result<(ListQuery<E>, u64, u64)> {
    let query_of_list = parse_rows::<E>(query)?;
    Ok((query_of_list, query.most("limit")?, query.offset("offset")?))
}

fn parse_rows<E: Readable>(query: &mut Query) -> Result<ListQuery<E>> {
    let filter = E::filter(query)?;
    let group_by = query.field("group_by")?;
    let order_by = query.field("order_by")?;
    let direction = query.one("order_direction")?.unwrap_or_default();
    let mut order: Vec<E::Order> =
        group_by.map(|field| E::Order::by(field, OrderDirection::Asc)).into_iter().collect();
    order.extend(order_by.map(|field| E::Order::by(field, direction)));
    Ok(ListQuery { filter, order })
}

fn dry_run(query: &mut Query) -> Result<bool> {
    query.flag("dry_run")
}

/// Reads a query string and rejects unread parameters.
async fn read<T>(parts: &mut Parts, parse: fn(&mut Query) -> Result<T>) -> Result<T> {
    let mut query = Query::from_request_parts(parts, &()).await?;
    let parsed = parse(&mut query)?;
    query.finish()?;
    Ok(parsed)
}

/// Returns a page of a list, or the whole list.
pub async fn list_page<E: Readable>(State(app): State<App>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::READ)?;
    let (query, limit, offset) = read(&mut parts, parse::<E>).await?;
    let total_count = match (limit, offset) {
        // The response contains all rows and counts them while writing.
        (0, 0) => 0,
        _ => list::count::<E>(&app, &viewer, &query.filter).await?,
    };
    if limit == 0 {
        let chunks = chunks::<E>(&app, &viewer, query, offset).await?;
        // Counts the written rows, since others may write meanwhile.
        let pagination = move |shown| {
            let total_count = if shown == 0 { total_count.min(offset) } else { offset + shown };
            Pagination { total_count, limit, offset, has_more: false }
        };
        return envelope::stream(&app.spools, chunks, pagination).await;
    }
    let rows = list::by_offset(&app, &viewer, &query, limit, offset).await?;
    let pagination = Pagination::new(total_count, limit, offset, rows.len());
    let db = Arc::new(app.db.reader().clone());
    if rows.len() > E::TOGETHER {
        let pieces = pieces::<E, _>(&app, db, &viewer, rows);
        return envelope::stream(&app.spools, pieces, move |_| pagination).await;
    }
    let rows = E::full(&app, &*db, &viewer, rows).await?;
    let long = rows.iter().any(|row| E::late(row) > 0);
    if !long && rows.iter().map(E::unfolded).sum::<u64>() <= PIECE {
        return Ok(List { rows, pagination }.into_response());
    }
    let pieces = late::<E, _>(&app, db, &viewer, rows);
    envelope::stream(&app.spools, pieces, move |_| pagination).await
}

async fn export_csv<E: Readable>(State(app): State<App>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::READ)?;
    let (query, limit, offset) = read(&mut parts, parse_table::<E>).await?;
    let mut response = if (1..=MAX_PAGE).contains(&limit) {
        let rows = list::by_offset(&app, &viewer, &query, limit, offset).await?;
        let pieces = pieces::<E, _>(&app, Arc::new(app.db.reader().clone()), &viewer, rows);
        csv::stream(&app.spools, E::COLUMNS, pieces).await?
    } else {
        let chunks = first(limit, chunks::<E>(&app, &viewer, query, offset).await?);
        csv::stream(&app.spools, E::COLUMNS, chunks).await?
    };
    let disposition = content_disposition(Place::Attachment, E::NAMES.1, ".csv");
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    Ok(response)
}

async fn get_one<E: Readable>(State(app): State<App>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::READ)?;
    let Path(id) = Path::from_request_parts(&mut parts, &()).await?;
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let row = resource::get::<E>(app.db.reader(), &viewer, id).await?;
    let full = E::full(&app, app.db.reader(), &viewer, vec![row]).await?.pop();
    answer::<E>(&app, &viewer, full.ok_or(Error::NotFound { kind: E::KIND, id })?).await
}

/// Returns the response with one resource.
pub async fn answer<E: Readable>(app: &App, viewer: &Viewer, full: E::Full) -> Result<Response> {
    if let Some(id) = parts::long::<E>(&full) {
        return parts::answer::<E>(app, viewer, id).await;
    }
    let mut full = [full];
    E::read_late(app, app.db.reader(), viewer, &mut full).await?;
    let [full] = full;
    let tag = E::tag(&full);
    Ok(Versioned(full, tag).into_response())
}

/// Returns the written resource, which was read with all of its parts before the commit.
fn shown_now<E: Readable>(full: E::Full) -> Versioned<E::Full> {
    let tag = E::tag(&full);
    Versioned(full, tag)
}

async fn create_one<E: Creatable>(
    State(app): State<App>,
    request: Request,
) -> Result<Written<E::Full>> {
    let (mut parts, body) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::WRITE)?;
    let asked = read(&mut parts, E::asked).await?;
    let mut ignored = Vec::new();
    let mut input = Body::read_noting(Request::from_parts(parts, body), &mut ignored).await?;
    asked(&mut input);
    let made = shown_now::<E>(E::create(&app, &viewer, input).await?);
    Ok(Written(made, ignored))
}

/// Updates one.
pub async fn update_one<E: Updatable>(
    State(app): State<App>,
    request: Request,
) -> Result<Written<E::Full>> {
    update::<E>(app, request, None).await
}

/// Updates the viewer's own resource, whose id is not in the path.
pub async fn update_own<E: Updatable>(
    app: App,
    request: Request,
    own: fn(&Viewer) -> Id,
) -> Result<Written<E::Full>> {
    update::<E>(app, request, Some(own)).await
}

async fn update<E: Updatable>(
    app: App,
    request: Request,
    own: Option<fn(&Viewer) -> Id>,
) -> Result<Written<E::Full>> {
    let (mut parts, body) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::WRITE)?;
    let id = match own {
        Some(own) => own(&viewer),
        None => Path::from_request_parts(&mut parts, &()).await?.0,
    };
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let precondition = Precondition::from_request_parts(&mut parts, &()).await?;
    let mut ignored = Vec::new();
    let input = Body::read_noting(Request::from_parts(parts, body), &mut ignored).await?;
    let changed = <E as Updatable>::update(&app, &viewer, id, input, &precondition).await?;
    Ok(Written(shown_now::<E>(changed), ignored))
}

async fn delete_one<E: Readable + Removable>(
    State(app): State<App>,
    request: Request,
) -> Result<One<Deleted>> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::LEVEL)?;
    let Path(id) = Path::from_request_parts(&mut parts, &()).await?;
    let dry_run = read(&mut parts, dry_run).await?;
    let precondition = Precondition::from_request_parts(&mut parts, &()).await?;
    Ok(One(write::delete::<E>(&app, &viewer, id, &precondition, dry_run).await?))
}

async fn bulk_delete<E: Readable + Removable>(
    State(app): State<App>,
    request: Request,
) -> Result<One<BulkDeleted>> {
    let (mut parts, body) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::LEVEL)?;
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let ids = Body::<Vec<Id>>::read_list(Request::from_parts(parts, body)).await?;
    Ok(One(write::bulk_delete::<E>(&app, &viewer, ids).await?))
}
