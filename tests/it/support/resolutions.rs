//! What is stored of the neighbors that ports heard.

use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, Query},
};
use toposcope::resolution::rows::{RESOLUTION, resolution};
use toposcope_topology::resolution::resolved::Resolution;

/// Returns every stored resolution of every network.
pub(crate) async fn resolutions(db: &impl ConnectionTrait) -> Vec<Resolution> {
    let all = Query::select()
        .columns(RESOLUTION.map(Alias::new))
        .from(Alias::new("resolution"))
        .to_owned();
    let rows = db.query_all(&all).await.unwrap();
    rows.iter().map(|row| resolution(row).unwrap()).collect()
}
