//! The stored resolutions of the neighbors that ports heard.

use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, Query},
};
use toposcope::db::columns::FromColumns as _;
use toposcope_topology::resolution::resolved::Resolution;

/// Returns every stored resolution of every network.
pub(crate) async fn resolutions(db: &impl ConnectionTrait) -> Vec<Resolution> {
    let all = Query::select()
        .columns(Resolution::NAMES.iter().map(|name| Alias::new(*name)))
        .from(Alias::new("resolution"))
        .to_owned();
    let rows = db.query_all(&all).await.unwrap();
    rows.iter().map(|row| Resolution::of_row(row).unwrap()).collect()
}
