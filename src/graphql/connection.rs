//! Relay connections over the lists of resources.

use std::{borrow::Cow, sync::Arc};

use async_graphql::{
    ComplexObject, Context, OutputType, SimpleObject, TypeName, connection::PageInfo,
};
use futures_util::future::BoxFuture;
use toposcope_types::Id;

use super::{context, loader};
use crate::resource::{
    children::Relation,
    list::{self, ListQuery},
    listed::Listed,
    page::{Cursor, DEFAULT_PAGE, MAX_PAGE, Slice, Window},
};

/// A page of a list, with the total count of the list.
#[derive(SimpleObject)]
#[graphql(complex, name_type)]
pub struct Connection<N: OutputType> {
    /// The position of the page in the list.
    page_info: PageInfo,
    /// The rows of the page, each with its cursor.
    edges: Vec<Edge<N>>,
    #[graphql(skip)]
    total: Box<Count>,
}

/// A row of a page, with the cursor of its position in the list.
#[derive(Debug, SimpleObject)]
#[graphql(complex, name_type)]
pub struct Edge<N: OutputType> {
    /// The row.
    node: N,
    #[graphql(skip)]
    cursor: Cursor,
}

#[ComplexObject]
impl<N: OutputType> Edge<N> {
    /// The cursor of the row, for `after` and `before`.
    async fn cursor(&self) -> String {
        self.cursor.to_string()
    }
}

type Count =
    dyn for<'a> Fn(&'a Context<'_>) -> BoxFuture<'a, async_graphql::Result<u64>> + Send + Sync;

impl<N: OutputType> TypeName for Connection<N> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Connection", N::type_name()).into()
    }
}

/// `HostEdge` for hosts and so on. `GroupEdge` already names the relation between two bindings of a
/// group, so the edge of a list of groups has another name.
impl<N: OutputType> TypeName for Edge<N> {
    fn type_name() -> Cow<'static, str> {
        match N::type_name().as_ref() {
            "Group" => "GroupConnectionEdge".into(),
            name => format!("{name}Edge").into(),
        }
    }
}

#[ComplexObject]
impl<N: OutputType> Connection<N> {
    /// The rows of the page.
    async fn nodes(&self) -> Vec<&N> {
        self.edges.iter().map(|edge| &edge.node).collect()
    }

    /// The total number of rows in all pages.
    async fn total_count(&self, context: &Context<'_>) -> async_graphql::Result<u64> {
        (self.total)(context).await
    }
}

impl<N: OutputType> std::fmt::Debug for Connection<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("rows", &self.edges.len()).finish_non_exhaustive()
    }
}

/// A cost that exceeds the limit of any query, yet is small enough that sums never overflow.
const BOUNDLESS: usize = 1 << 32;

/// Returns the complexity of a connection in a query: its rows, each with its selection.
pub fn cost(first: Option<i32>, last: Option<i32>, of_each: usize) -> usize {
    let rows = first.or(last).and_then(|rows| u64::try_from(rows).ok()).unwrap_or(DEFAULT_PAGE);
    per_row(usize::try_from(rows.min(MAX_PAGE)).unwrap_or(usize::MAX), of_each)
}

/// Returns the complexity of a list of this many rows in a query.
pub fn per_row(rows: usize, of_each: usize) -> usize {
    rows.saturating_mul(of_each.max(1)).saturating_add(1).min(BOUNDLESS)
}

/// Returns whether the query selects any row of the connection, rather than only its total.
fn wants_rows(context: &Context<'_>) -> bool {
    let selection = context.look_ahead();
    ["nodes", "edges", "pageInfo"].iter().any(|field| selection.field(field).exists())
}

/// Returns the connection over all rows within the viewer's reach.
pub async fn of_everything<E, N>(
    context: &Context<'_>,
    filter: Option<E::Filter>,
    order: Option<Vec<E::Order>>,
    window: Window,
) -> async_graphql::Result<Connection<N>>
where
    E: Listed,
    N: OutputType + From<E::Model>,
{
    let query = ListQuery::<E>::new(filter, order)?;
    let filter = Arc::new(query.filter.clone());
    let slice = if wants_rows(context) {
        context::run(context, |app, viewer| async move {
            list::by_cursor(&app, &viewer, &query, &window).await
        })
        .await?
    } else {
        Slice::default()
    };
    context::count(context, slice.rows.len())?;
    let total: Box<Count> = Box::new(move |context| {
        let filter = Arc::clone(&filter);
        Box::pin(async move {
            let total = context::run(context, |app, viewer| async move {
                list::count::<E>(&app, &viewer, &filter).await
            });
            Ok(total.await?)
        })
    });
    Ok(connection(slice, total))
}

/// Returns the connection over the children of one parent.
pub async fn of_parent<E, N>(
    context: &Context<'_>,
    relation: Relation<E>,
    parent: Id,
    filter: Option<E::Filter>,
    order: Option<Vec<E::Order>>,
    window: Window,
) -> async_graphql::Result<Connection<N>>
where
    E: Listed,
    N: OutputType + From<E::Model>,
{
    let query = ListQuery::<E>::new(filter, order)?;
    let filter = Arc::new(query.filter.clone());
    let slice = if wants_rows(context) {
        loader::page_of(context, relation, parent, Arc::new((query, window))).await?
    } else {
        Slice::default()
    };
    let total: Box<Count> = Box::new(move |context| {
        let filter = Arc::clone(&filter);
        Box::pin(loader::count_of::<E>(context, relation, parent, filter))
    });
    Ok(connection(slice, total))
}

fn connection<M, N: OutputType + From<M>>(slice: Slice<M>, total: Box<Count>) -> Connection<N> {
    let (has_next_page, has_previous_page) = (slice.has_next, slice.has_previous);
    let edges: Vec<Edge<N>> = slice
        .rows
        .into_iter()
        .map(|one| Edge { node: one.row.into(), cursor: one.cursor })
        .collect();
    let cursor = |edge: Option<&Edge<N>>| edge.map(|edge| edge.cursor.to_string());
    let page_info = PageInfo {
        has_previous_page,
        has_next_page,
        start_cursor: cursor(edges.first()),
        end_cursor: cursor(edges.last()),
    };
    Connection { page_info, edges, total }
}
