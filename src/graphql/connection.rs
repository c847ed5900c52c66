//! Relay connections over the lists of resources.

use std::sync::Arc;

use async_graphql::{
    Context, Object, OutputType,
    connection::{self, Edge},
};
use futures_util::future::BoxFuture;

use super::{context, loader};
use crate::{
    db::{
        list::{self, ListQuery},
        page::{Cursor, DEFAULT_PAGE, MAX_PAGE, Slice, Window},
        resource::Listed,
    },
    types::Id,
};

/// A page of a list, with its total.
pub type Connection<N> = connection::Connection<
    Cursor,
    N,
    Total,
    connection::EmptyFields,
    connection::DefaultConnectionName,
    EdgeName,
>;

impl connection::CursorType for Cursor {
    type Error = std::convert::Infallible;

    /// Never used: a cursor that comes in is read by the list that it belongs to.
    fn decode_cursor(_: &str) -> Result<Self, Self::Error> {
        unreachable!("cursors are decoded with the keys of their list")
    }

    fn encode_cursor(&self) -> String {
        self.to_string()
    }
}

/// `HostEdge` for hosts and so on. A `GroupEdge` is what two bindings of a group are to each
/// other, so that of a list of groups has another name.
#[derive(Clone, Copy, Debug)]
pub struct EdgeName;

impl connection::EdgeNameType for EdgeName {
    fn type_name<T: OutputType>() -> String {
        match T::type_name().as_ref() {
            "Group" => "GroupConnectionEdge".to_owned(),
            name => format!("{name}Edge"),
        }
    }
}

type Count =
    dyn for<'a> Fn(&'a Context<'_>) -> BoxFuture<'a, async_graphql::Result<u64>> + Send + Sync;

/// The total of a list, counted when it is asked for.
pub struct Total(Box<Count>);

impl std::fmt::Debug for Total {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Total").finish_non_exhaustive()
    }
}

#[Object]
impl Total {
    /// How many there are in all pages together.
    async fn total_count(&self, context: &Context<'_>) -> async_graphql::Result<u64> {
        (self.0)(context).await
    }
}

/// What a connection counts for in the complexity of a query: its rows, each with what is asked
/// of it.
pub fn cost(first: Option<i32>, last: Option<i32>, of_each: usize) -> usize {
    let rows = first.or(last).and_then(|rows| u64::try_from(rows).ok()).unwrap_or(DEFAULT_PAGE);
    let rows = usize::try_from(rows.min(MAX_PAGE)).unwrap_or(usize::MAX);
    rows.saturating_mul(of_each.max(1)).saturating_add(1)
}

/// Whether any row of the connection is asked for, or only its total.
fn wants_rows(context: &Context<'_>) -> bool {
    let selection = context.look_ahead();
    ["nodes", "edges", "pageInfo"].iter().any(|field| selection.field(field).exists())
}

/// The list of everything within reach.
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
    let query = ListQuery::<E> {
        filter: filter.unwrap_or_default(),
        order: order.unwrap_or_default(),
    };
    let filter = Arc::new(query.filter.clone());
    let slice = if wants_rows(context) {
        context::run(context, |app, viewer| async move {
            list::by_cursor(&app, &viewer, &query, &window).await
        })
        .await?
    } else {
        Slice::default()
    };
    let total = Total(Box::new(move |context| {
        let filter = Arc::clone(&filter);
        Box::pin(async move {
            let total = context::run(context, |app, viewer| async move {
                list::count::<E>(&app, &viewer, &filter).await
            });
            Ok(total.await?)
        })
    }));
    Ok(connection(slice, total))
}

/// The list of the children of one parent: `column` names the parent.
pub async fn of_parent<E, N>(
    context: &Context<'_>,
    column: E::Column,
    parent: Id,
    filter: Option<E::Filter>,
    order: Option<Vec<E::Order>>,
    window: Window,
) -> async_graphql::Result<Connection<N>>
where
    E: Listed,
    N: OutputType + From<E::Model>,
{
    let query = ListQuery::<E> {
        filter: filter.unwrap_or_default(),
        order: order.unwrap_or_default(),
    };
    let filter = Arc::new(query.filter.clone());
    let slice = if wants_rows(context) {
        loader::page_of(context, column, parent, Arc::new((query, window))).await?
    } else {
        Slice::default()
    };
    let total = Total(Box::new(move |context| {
        let filter = Arc::clone(&filter);
        Box::pin(loader::count_of::<E>(context, column, parent, filter))
    }));
    Ok(connection(slice, total))
}

fn connection<M, N: OutputType + From<M>>(slice: Slice<M>, total: Total) -> Connection<N> {
    let mut connection =
        Connection::with_additional_fields(slice.has_previous, slice.has_next, total);
    let edges = slice.places.into_iter().map(|place| Edge::with_additional_fields(place.cursor, place.row.into(), connection::EmptyFields));
    connection.edges.extend(edges);
    connection
}
