//! The endpoints that every resource has, each written once.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts as _, Request, State},
    http::{HeaderValue, Method, header::CONTENT_DISPOSITION, request::Parts},
    response::{IntoResponse, Response},
};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use sea_orm::ConnectionTrait;
use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use super::{
    csv,
    endpoint::{Access, Endpoint},
    envelope::{self, List, One, Pagination, Versioned},
    extract::{self, Body, NoQuery, Path},
    query::Query,
    routes::Routes,
};
use crate::{
    app::App,
    auth::Viewer,
    changes::{self, BulkDeleted, Deleted, Removable},
    db::{
        Precondition,
        list::{self, ListQuery},
        resource::{self, ListOrder, Listed},
    },
    error::{Error, Result},
    types::{Id, OrderDirection, PermissionLevel, Timestamp},
};

/// A resource that REST shows.
pub trait Shown: Listed {
    /// How its routes begin, such as `/hosts`.
    const PATH: &'static str;
    /// Its name in `operationId`s: one and many.
    const NAMES: (&'static str, &'static str);
    /// The name of its list.
    const LIST: Option<&'static str> = None;
    /// The part of the document that its endpoints stand in.
    const TAG: &'static str;
    /// Whether it is shown to sessions only.
    const SESSION: bool = false;
    /// The level that reading it needs.
    const READ: PermissionLevel = PermissionLevel::Viewer;
    /// The level that making and changing it needs.
    const WRITE: PermissionLevel = PermissionLevel::Member;
    /// How many are read at once with all that belongs to them.
    const TOGETHER: usize = 1000;
    /// The columns of its CSV: keys of [`Self::Full`].
    const COLUMNS: &'static [&'static str];
    /// What is shown: the row with all that belongs to it.
    type Full: Serialize + ToSchema + Send + 'static;

    /// The version of what is shown.
    fn updated_at(full: &Self::Full) -> Timestamp;

    /// The filter that a query string gives.
    fn filter(query: &mut Query) -> Result<Self::Filter>;

    /// Adds to rows what belongs to them, in a number of statements that does not grow with them.
    fn full(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: Vec<Self::Model>,
    ) -> impl Future<Output = Result<Vec<Self::Full>>> + Send;

    /// How many bytes of what is shown are so long that they are not read yet.
    fn late(_: &Self::Full) -> u64 {
        0
    }

    /// Reads what was left for later.
    fn read_late(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        _: &mut [Self::Full],
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// A resource that can be made over REST.
pub trait Made: Shown {
    /// What making one takes.
    type Input: DeserializeOwned + ToSchema + Send + 'static;

    /// Makes one.
    fn create(
        app: &App,
        viewer: &Viewer,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Full>> + Send;
}

/// A resource that can be changed over REST.
pub trait Changed: Shown {
    /// What changing one does to what is left out.
    const SUMMARY: &'static str = "Replaces one: what is left out becomes empty.";
    /// What changing one takes.
    type Input: DeserializeOwned + ToSchema + Send + 'static;

    /// Replaces one.
    fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> impl Future<Output = Result<Self::Full>> + Send;
}

/// The whole life of a resource: list, one, CSV, create, update, delete, bulk delete.
pub fn all<E: Made + Changed + Removable>() -> Routes {
    let one = E::NAMES.0;
    let create = endpoint::<E>(Method::POST, "", format!("create_{one}"), "Makes a new one.")
        .access(access::<E>(E::WRITE))
        .body::<<E as Made>::Input>()
        .conflicts()
        .answers::<E::Full>()
        .versioned();
    shown::<E>()
        .add(create, create_one::<E>)
        .merge(changed::<E>())
        .merge(deleted::<E>())
        .merge(deleted_many::<E>())
}

/// The endpoints of a resource that only is shown: list, one, CSV.
pub fn shown<E: Shown>() -> Routes {
    let (one, many) = E::NAMES;
    let list = endpoint::<E>(
        Method::GET,
        "",
        E::LIST.map_or_else(|| format!("list_{many}"), str::to_owned),
        "Those in reach, a page at a time; all of them with `limit=0`.",
    )
    .access(access::<E>(E::READ))
    .query(parse::<E>)
    .answers_page::<E::Full>();
    let export = endpoint::<E>(
        Method::GET,
        "/export/csv",
        format!("export_{many}_csv"),
        "Those in reach as a table of comma-separated values, all of them.",
    )
    .access(access::<E>(E::READ))
    .query(parse_export::<E>)
    .answers_text("text/csv");
    let get = endpoint::<E>(Method::GET, "/{id}", format!("get_{one}"), "One of them.")
        .access(access::<E>(E::READ))
        .answers::<E::Full>()
        .versioned();
    Routes::default().add(list, list_page::<E>).add(export, export_csv::<E>).add(get, get_one::<E>)
}

/// The endpoint that changes one.
pub fn changed<E: Changed>() -> Routes {
    let update = endpoint::<E>(Method::PUT, "/{id}", format!("update_{}", E::NAMES.0), E::SUMMARY)
        .access(access::<E>(E::WRITE))
        .guarded()
        .body::<<E as Changed>::Input>()
        .answers::<E::Full>()
        .versioned();
    Routes::default().add(update, update_one::<E>)
}

/// The endpoint that deletes one.
pub fn deleted<E: Shown + Removable>() -> Routes {
    let delete = endpoint::<E>(
        Method::DELETE,
        "/{id}",
        format!("delete_{}", E::NAMES.0),
        "Deletes one with all that hangs on it, and tells what went.",
    )
    .access(access::<E>(E::LEVEL))
    .query(dry_run)
    .guarded()
    .answers::<Deleted>();
    Routes::default().add(delete, delete_one::<E>)
}

/// The endpoint that deletes many.
pub fn deleted_many<E: Shown + Removable>() -> Routes {
    let bulk = endpoint::<E>(
        Method::POST,
        "/bulk-delete",
        format!("bulk_delete_{}", E::NAMES.1),
        "Deletes those of the given ids that are in reach, all or nothing.",
    )
    .access(access::<E>(E::LEVEL))
    .body_of_ids()
    .conflicts()
    .answers::<BulkDeleted>();
    Routes::default().add(bulk, bulk_delete::<E>)
}

/// An endpoint of a resource, without those who may call it.
pub fn endpoint<E: Shown>(
    method: Method,
    path: &str,
    id: String,
    summary: &'static str,
) -> Endpoint {
    Endpoint::new(method, &format!("{}{path}", E::PATH), id, summary).tag(E::TAG)
}

fn access<E: Shown>(level: PermissionLevel) -> Access {
    if E::SESSION { Access::Session(level) } else { Access::Level(level) }
}

/// Refuses whoever may not, before anything is said of the request.
fn permitted<E: Shown>(parts: &Parts, level: PermissionLevel) -> Result<Viewer> {
    let viewer = extract::viewer(parts)?;
    if E::SESSION {
        viewer.require_session()?;
    }
    viewer.require(level)?;
    Ok(viewer.clone())
}

/// What a query string of a list says: which rows in which order, how many, after how many.
pub fn parse<E: Shown>(query: &mut Query) -> Result<(ListQuery<E>, u64, u64)> {
    let query_of_list = parse_export::<E>(query)?;
    Ok((query_of_list, query.limit("limit")?, query.offset("offset")?))
}

fn parse_export<E: Shown>(query: &mut Query) -> Result<ListQuery<E>> {
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

/// Reads a query string and refuses what nobody has taken.
async fn read<T>(parts: &mut Parts, parse: fn(&mut Query) -> Result<T>) -> Result<T> {
    let mut query = Query::from_request_parts(parts, &()).await?;
    let parsed = parse(&mut query)?;
    query.finish()?;
    Ok(parsed)
}

/// A page of a list, or all of it.
pub async fn list_page<E: Shown>(State(app): State<App>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::READ)?;
    let (query, limit, offset) = read(&mut parts, parse::<E>).await?;
    let total_count = match (limit, offset) {
        // All of them are shown, and counted as they are.
        (0, 0) => 0,
        _ => list::count::<E>(&app, &viewer, &query.filter).await?,
    };
    if limit == 0 {
        let chunks = chunks::<E>(&app, &viewer, query, offset).await?;
        // What was written is counted, since others write meanwhile.
        let pagination = move |shown| {
            let total_count = if shown == 0 { total_count.min(offset) } else { offset + shown };
            Pagination { total_count, limit, offset, has_more: false }
        };
        return envelope::stream(&app.spools, chunks, pagination).await;
    }
    let rows = list::by_offset(&app, &viewer, &query, limit, offset).await?;
    let has_more = offset + (rows.len() as u64) < total_count;
    let pagination = Pagination { total_count, limit, offset, has_more };
    let db = Arc::new(app.db.reader().clone());
    if rows.len() > E::TOGETHER {
        let pieces = pieces::<E, _>(&app, db, &viewer, rows);
        return envelope::stream(&app.spools, pieces, move |_| pagination).await;
    }
    let rows = E::full(&app, &*db, &viewer, rows).await?;
    if rows.iter().all(|row| E::late(row) == 0) {
        return Ok(List { rows, pagination }.into_response());
    }
    let pieces = late::<E, _>(&app, db, &viewer, rows);
    envelope::stream(&app.spools, pieces, move |_| pagination).await
}

/// All rows from one state of the database, with what belongs to them. What is no more than a page
/// waits for nobody who reads long lists; for others a user has one turn.
async fn chunks<E: Shown>(
    app: &App,
    viewer: &Viewer,
    query: ListQuery<E>,
    offset: u64,
) -> Result<impl Stream<Item = Result<Vec<E::Full>>> + Send + 'static + use<E>> {
    let snapshot = app.db.snapshot().await?;
    if let Some(rows) = list::few(app, &snapshot, viewer, &query, offset).await? {
        return Ok(pieces::<E, _>(app, Arc::new(snapshot), viewer, rows).left_stream());
    }
    snapshot.rollback().await?;
    let turn = app.db.turn_to_read_all().await?;
    let (app, viewer) = (app.clone(), viewer.clone());
    let chunks = list::chunks(&app, &viewer, query, offset, turn);
    let pieces = chunks.map_ok(move |(rows, db)| pieces::<E, _>(&app, db, &viewer, rows));
    Ok(pieces.try_flatten().right_stream())
}

/// The most bytes of what is long that are read at once.
const PIECE: u64 = 2 * 1024 * 1024;
/// The most bytes of what is long in one of the things of a list.
const MOST: u64 = 32 * PIECE;

/// Rows with what belongs to them, as many at once as memory is to hold.
fn pieces<E: Shown, C: ConnectionTrait + Send + Sync + 'static>(
    app: &App,
    db: Arc<C>,
    viewer: &Viewer,
    rows: Vec<E::Model>,
) -> impl Stream<Item = Result<Vec<E::Full>>> + Send + 'static + use<E, C> {
    let (app, viewer) = (app.clone(), viewer.clone());
    let groups: Vec<_> = changes::chunks(rows, E::TOGETHER).collect();
    let groups = futures_util::stream::iter(groups.into_iter().map(Ok::<_, Error>));
    groups
        .and_then(move |rows| {
            let (app, viewer, db) = (app.clone(), viewer.clone(), Arc::clone(&db));
            async move {
                let rows = E::full(&app, &*db, &viewer, rows).await?;
                Ok(late::<E, _>(&app, db, &viewer, rows))
            }
        })
        .try_flatten()
}

/// The same rows with what was left for later, a piece at a time.
fn late<E: Shown, C: ConnectionTrait + Send + Sync + 'static>(
    app: &App,
    db: Arc<C>,
    viewer: &Viewer,
    rows: Vec<E::Full>,
) -> impl Stream<Item = Result<Vec<E::Full>>> + Send + 'static + use<E, C> {
    let (app, viewer) = (app.clone(), viewer.clone());
    let rows = rows.into_iter().peekable();
    futures_util::stream::try_unfold(rows, move |mut rows| {
        let (app, viewer, db) = (app.clone(), viewer.clone(), Arc::clone(&db));
        async move {
            let (mut piece, mut bytes) = (Vec::new(), 0);
            while let Some(row) =
                rows.next_if(|row| piece.is_empty() || bytes + E::late(row) <= PIECE)
            {
                bytes += E::late(&row);
                piece.push(row);
            }
            if piece.is_empty() {
                return Ok(None);
            }
            if bytes > MOST {
                let reason = format!(
                    "a {} of this list is longer than {MOST} bytes; ask for its parts in lists of \
                     their own",
                    E::KIND
                );
                return Err(Error::invalid("limit", reason));
            }
            if bytes > 0 {
                E::read_late(&app, &*db, &viewer, &mut piece).await?;
            }
            Ok(Some((piece, rows)))
        }
    })
}

async fn export_csv<E: Shown>(State(app): State<App>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::READ)?;
    let query = read(&mut parts, parse_export::<E>).await?;
    let chunks = chunks::<E>(&app, &viewer, query, 0).await?;
    let mut response = csv::stream(&app.spools, E::COLUMNS, chunks).await?;
    let name = format!("attachment; filename=\"{}.csv\"", E::NAMES.1);
    if let Ok(name) = HeaderValue::from_str(&name) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

async fn get_one<E: Shown>(State(app): State<App>, request: Request) -> Result<Versioned<E::Full>> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::READ)?;
    let Path(id) = Path::from_request_parts(&mut parts, &()).await?;
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let row = resource::get::<E>(app.db.reader(), &viewer, id).await?;
    let mut full = E::full(&app, app.db.reader(), &viewer, vec![row]).await?;
    E::read_late(&app, app.db.reader(), &viewer, &mut full).await?;
    let full = full.pop().ok_or(Error::NotFound { kind: E::KIND, id })?;
    Ok(shown_now::<E>(full))
}

fn shown_now<E: Shown>(full: E::Full) -> Versioned<E::Full> {
    let version = <E as Shown>::updated_at(&full);
    Versioned(full, version)
}

async fn create_one<E: Made>(
    State(app): State<App>,
    request: Request,
) -> Result<Versioned<E::Full>> {
    let (mut parts, body) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::WRITE)?;
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let Body(input) = Body::read(Request::from_parts(parts, body)).await?;
    Ok(shown_now::<E>(E::create(&app, &viewer, input).await?))
}

async fn update_one<E: Changed>(
    State(app): State<App>,
    request: Request,
) -> Result<Versioned<E::Full>> {
    let (mut parts, body) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::WRITE)?;
    let Path(id) = Path::from_request_parts(&mut parts, &()).await?;
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let precondition = Precondition::from_request_parts(&mut parts, &()).await?;
    let Body(input) = Body::read(Request::from_parts(parts, body)).await?;
    Ok(shown_now::<E>(<E as Changed>::update(&app, &viewer, id, input, &precondition).await?))
}

async fn delete_one<E: Shown + Removable>(
    State(app): State<App>,
    request: Request,
) -> Result<One<Deleted>> {
    let (mut parts, _) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::LEVEL)?;
    let Path(id) = Path::from_request_parts(&mut parts, &()).await?;
    let dry_run = read(&mut parts, dry_run).await?;
    let precondition = Precondition::from_request_parts(&mut parts, &()).await?;
    Ok(One(changes::delete::<E>(&app, &viewer, id, &precondition, dry_run).await?))
}

async fn bulk_delete<E: Shown + Removable>(
    State(app): State<App>,
    request: Request,
) -> Result<One<BulkDeleted>> {
    let (mut parts, body) = request.into_parts();
    let viewer = permitted::<E>(&parts, E::LEVEL)?;
    NoQuery::from_request_parts(&mut parts, &()).await?;
    let ids = Body::<Vec<Id>>::read_list(Request::from_parts(parts, body)).await?;
    Ok(One(changes::bulk_delete::<E>(&app, &viewer, ids).await?))
}
