//! Services over REST.

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use futures_util::TryStreamExt as _;

use super::{FullService, ServiceFilter, ServiceOrder, ServiceOrderField, with_children};
use crate::{
    app::App,
    auth::Viewer,
    db::{
        filter::{EnumFilter, IdFilter},
        list::{self, ListQuery},
    },
    error::Result,
    rest::{
        envelope::{self, List},
        query::Query,
    },
    types::OrderDirection,
};

/// The routes of services.
pub fn router() -> Router<App> {
    Router::new().route("/services", get(list))
}

async fn list(State(app): State<App>, viewer: Viewer, query: Query) -> Result<Response> {
    let (query, limit, offset) = parse(query)?;
    let total_count = list::count::<super::Entity>(&app, &viewer, &query.filter).await?;
    if limit == 0 {
        let turn = app.db.turn_to_stream().await?;
        let chunks =
            list::chunks(&app, &viewer, query, offset, turn).and_then(move |(rows, snapshot)| {
                let (app, viewer) = (app.clone(), viewer.clone());
                async move { with_children(&app, &*snapshot, &viewer, rows).await }
            });
        return Ok(envelope::stream::<FullService>(chunks, total_count, offset));
    }
    let rows = list::by_offset(&app, &viewer, &query, limit, offset).await?;
    let rows = with_children(&app, app.db.reader(), &viewer, rows).await?;
    Ok(List { rows, total_count, limit, offset }.into_response())
}

fn parse(mut query: Query) -> Result<(ListQuery<super::Entity>, u64, u64)> {
    let one = |id: Option<_>| id.map(|id| IdFilter { eq: Some(id), any_of: None });
    let filter = ServiceFilter {
        network_id: one(query.one("network_id")?),
        host_id: one(query.one("host_id")?),
        id: query.many("ids")?.map(IdFilter::any_of),
        tag_id: query.many("tag_ids")?.map(IdFilter::any_of),
        not: query.many("exclude_categories")?.map(|categories| {
            let category = Some(EnumFilter { eq: None, any_of: Some(categories) });
            Box::new(ServiceFilter { category, ..ServiceFilter::default() })
        }),
        ..ServiceFilter::default()
    };
    let group_by = query.one::<ServiceOrderField>("group_by")?;
    let order_by = query.one::<ServiceOrderField>("order_by")?;
    let direction = query.one::<OrderDirection>("order_direction")?.unwrap_or_default();
    let limit = query.limit("limit")?;
    let offset = query.offset("offset")?;
    query.finish()?;
    let groups = group_by.map(|field| ServiceOrder { field, direction: OrderDirection::Asc });
    let orders = order_by.map(|field| ServiceOrder { field, direction });
    Ok((ListQuery { filter, order: groups.into_iter().chain(orders).collect() }, limit, offset))
}
