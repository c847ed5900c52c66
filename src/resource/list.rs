//! The read operations that every list shares.

use std::sync::Arc;

use async_graphql::InputType as _;
use futures_util::{Stream, TryStreamExt as _};
use sea_orm::{
    ConnectionTrait, PaginatorTrait, QueryFilter, Select,
    sea_query::{Alias, Expr, Query},
};
use toposcope_types::Id;

use super::{
    Resource, Scope,
    filter::IdFilter,
    listed::{Filter, ListOrder, Listed},
    page::{self, MAX_PAGE, Slice, SortKey, Window},
};
use crate::{
    app::App,
    auth::Viewer,
    db::{IdSet, Transaction, turns::Turn},
    error::{Error, Result},
    input::text,
};

/// The number of networks above which merging costs more to plan than it saves.
const MAX_PARTS: usize = 16;

/// A query for a list: its filter and its order.
#[derive(Clone, Debug)]
pub struct ListQuery<E: Listed> {
    /// The filter; the default matches all visible rows.
    pub filter: E::Filter,
    /// The order, ahead of `created_at` and `id`.
    pub order: Vec<E::Order>,
}

impl<E: Listed> Default for ListQuery<E> {
    fn default() -> Self {
        Self { filter: E::Filter::default(), order: Vec::new() }
    }
}

/// The maximum number of filters and comparisons in a filter: both databases process them
/// recursively, and SQLite to a depth of at most 1,000.
const MAX_COMPARISONS: usize = 500;
/// The maximum number of values in a filter: SQLite accepts 32,766 in a statement.
const MAX_VALUES: usize = 20_000;
/// The maximum number of keys in an order.
const MAX_KEYS: usize = 10;

impl<E: Listed> ListQuery<E> {
    /// Creates a query, or returns an error if it is more than a statement can hold.
    pub fn new(filter: Option<E::Filter>, order: Option<Vec<E::Order>>) -> Result<Self> {
        let long = |field: &str, max| Err(Error::MaxLength { field: field.to_owned(), max });
        if let Some(filter) = &filter {
            let value = filter.to_value();
            if longest_text(&value) > text::MAX_TEXT {
                return long("filter", text::MAX_TEXT);
            }
            let (comparisons, values) = size(&value);
            if comparisons > MAX_COMPARISONS {
                return long("filter", MAX_COMPARISONS);
            }
            if values > MAX_VALUES {
                return long("filter", MAX_VALUES);
            }
        }
        let order = order.unwrap_or_default();
        if order.len() > MAX_KEYS {
            return long("orderBy", MAX_KEYS);
        }
        Ok(Self { filter: filter.unwrap_or_default(), order })
    }

    /// Returns the matching rows, in no order.
    pub fn select(&self, app: &App, viewer: &Viewer) -> Select<E> {
        match self.filter.only_networks() {
            Some(networks) => E::visible_to(&narrowed(app, viewer, networks)),
            None => E::visible_to(viewer).filter(self.filter.condition(app)),
        }
    }

    /// Returns the same rows as one select per network in reach, if those are few.
    fn parts(&self, app: &App, viewer: &Viewer) -> Vec<Select<E>> {
        let narrow = self.filter.only_networks().map(|networks| narrowed(app, viewer, networks));
        let viewer = narrow.as_ref().unwrap_or(viewer);
        let networks = viewer.networks.ids();
        if !matches!(E::SCOPE, Scope::Network(_)) || !(2..=MAX_PARTS).contains(&networks.len()) {
            return vec![self.select(app, viewer)];
        }
        let one = |id: &Id| self.select(app, &viewer.within(app.db.ids([*id])));
        networks.iter().map(one).collect()
    }

    /// Returns the keys of the order.
    pub fn keys(&self) -> Vec<SortKey> {
        self.order.iter().map(ListOrder::key).collect()
    }
}

/// Returns the length of the longest text in a value, in characters.
fn longest_text(value: &async_graphql::Value) -> usize {
    use async_graphql::Value;
    match value {
        Value::String(text) => text.chars().count(),
        Value::Object(fields) => fields.values().map(longest_text).max().unwrap_or(0),
        Value::List(elements) => elements.iter().map(longest_text).max().unwrap_or(0),
        _ => 0,
    }
}

/// Counts the objects in a value, itself included, and the scalar values.
fn size(value: &async_graphql::Value) -> (usize, usize) {
    use async_graphql::Value;
    let sum = |(objects, values): (usize, usize), part: &Value| {
        let (more_objects, more_values) = size(part);
        (objects + more_objects, values + more_values)
    };
    match value {
        Value::Null => (0, 0),
        Value::Object(fields) => fields.values().fold((1, 0), sum),
        Value::List(elements) => elements.iter().fold((0, 0), sum),
        _ => (0, 1),
    }
}

/// Narrows the viewer's reach to the filtered networks, which needs no second condition.
fn narrowed(app: &App, viewer: &Viewer, networks: &IdFilter) -> Viewer {
    viewer.within(app.db.ids(networks.passing(&app.db, viewer.networks.ids())))
}

/// Returns the page of `limit` rows after the first `offset`.
pub async fn by_offset<E: Listed>(
    app: &App,
    viewer: &Viewer,
    query: &ListQuery<E>,
    limit: u64,
    offset: u64,
) -> Result<Vec<E::Model>> {
    let parts = query.parts(app, viewer);
    page::by_offset(app.db.reader(), parts, &query.keys(), limit, offset).await
}

/// Returns the page that `window` describes.
pub async fn by_cursor<E: Listed>(
    app: &App,
    viewer: &Viewer,
    query: &ListQuery<E>,
    window: &Window,
) -> Result<Slice<E::Model>> {
    page::by_cursor(app.db.reader(), query.parts(app, viewer), &query.keys(), window, 0).await
}

/// Returns the exact number of matching rows, in one statement. If the filter only selects
/// networks, it comes from their counters; otherwise it is counted once per state of the networks.
pub async fn count<E: Listed>(app: &App, viewer: &Viewer, filter: &E::Filter) -> Result<u64> {
    let Some(counter) = E::COUNTER else {
        let query = ListQuery::<E> { filter: filter.clone(), order: Vec::new() };
        return Ok(query.select(app, viewer).count(app.db.reader()).await?);
    };
    if *filter == E::Filter::default() {
        return counted(app, &viewer.networks, counter).await;
    }
    if let Some(networks) = filter.only_networks() {
        return counted(app, &narrowed(app, viewer, networks).networks, counter).await;
    }
    let select = E::visible_to(viewer).filter(filter.condition(app));
    app.totals.count(&app.db, select, &viewer.networks).await
}

async fn counted(app: &App, networks: &IdSet, counter: &str) -> Result<u64> {
    let statement = Query::select()
        .expr_as(
            Expr::cust(format!("CAST(COALESCE(SUM({counter}), 0) AS BIGINT)")),
            Alias::new("total"),
        )
        .from(Alias::new("network"))
        .and_where(networks.includes(Expr::col(Alias::new("id"))))
        .to_owned();
    let row = app.db.reader().query_one(&statement).await?;
    let total = row.map(|row| row.try_get::<i64>("", "total")).transpose()?.unwrap_or_default();
    Ok(u64::try_from(total).unwrap_or_default())
}

/// Returns every row after the first `offset`, if they fit into one page.
pub async fn few<E: Listed>(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    query: &ListQuery<E>,
    offset: u64,
) -> Result<Option<Vec<E::Model>>> {
    let window = Window { first: Some(MAX_PAGE), ..Window::default() };
    let parts = query.parts(app, viewer);
    let slice = page::by_cursor(db, parts, &query.keys(), &window, offset).await?;
    Ok((!slice.has_next).then(|| slice.rows.into_iter().map(|one| one.row).collect()))
}

/// Returns every row after the first `offset`, a thousand at a time, all from one state of the
/// database.
pub fn chunks<E: Listed>(
    app: &App,
    viewer: &Viewer,
    query: ListQuery<E>,
    offset: u64,
    turn: Turn,
) -> impl Stream<Item = Result<(Vec<E::Model>, Arc<Transaction>)>> + Send + 'static + use<E> {
    struct State<E: Listed> {
        app: App,
        viewer: Viewer,
        query: ListQuery<E>,
        transaction: Option<Arc<Transaction>>,
        after: Option<String>,
        offset: u64,
        ended: bool,
        _turn: Turn,
    }
    let state = State {
        app: app.clone(),
        viewer: viewer.clone(),
        query,
        transaction: None,
        after: None,
        offset,
        ended: false,
        _turn: turn,
    };
    futures_util::stream::try_unfold(state, |mut state| async move {
        if state.ended {
            return Ok(None);
        }
        let transaction = match &state.transaction {
            Some(transaction) => Arc::clone(transaction),
            None => Arc::new(state.app.db.snapshot().await?),
        };
        state.transaction = Some(Arc::clone(&transaction));
        let window =
            Window { after: state.after.take(), first: Some(MAX_PAGE), ..Window::default() };
        let parts = state.query.parts(&state.app, &state.viewer);
        let skip = std::mem::take(&mut state.offset);
        let slice =
            page::by_cursor(&*transaction, parts, &state.query.keys(), &window, skip).await?;
        state.ended = !slice.has_next;
        state.after = slice.rows.last().map(|one| one.cursor.to_string());
        let rows = slice.rows.into_iter().map(|one| one.row).collect();
        Ok(Some(((rows, transaction), state)))
    })
    .into_stream()
}

/// Returns the rows of many parents, grouped by parent and in order of creation.
pub async fn children<E: Resource>(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    parent: E::Column,
    parents: &IdSet,
) -> Result<Vec<E::Model>> {
    let select = E::visible_to(viewer).filter(parents.includes(parent));
    Ok(page::ordered(db, select, &[]).all(db).await?)
}
