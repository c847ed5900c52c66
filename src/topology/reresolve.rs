//! Re-resolution of networks whose neighbors were last resolved by older rules.

use sea_orm::{
    ConnectionTrait as _,
    sea_query::{Alias, Expr, ExprTrait as _, Query},
};
use toposcope_types::Id;

use crate::{app::App, error::Result, resolution::incremental::from_scratch};

/// The version of the rules; raise it with any change to what they find for the same facts.
pub const RULES: i32 = 8;

/// Re-resolves every network whose neighbors were last resolved by other rules, one at a time, each
/// in its own transaction. Returns how many there were.
pub async fn refresh(app: &App) -> Result<usize> {
    let column = |name| Expr::col(Alias::new(name));
    let outdated = Query::select()
        .column(Alias::new("id"))
        .from(Alias::new("network"))
        .and_where(column("resolver").ne(RULES))
        .to_owned();
    let rows = app.db.reader().query_all(&outdated).await?;
    for row in &rows {
        let id: Id = row.try_get_by_index(0)?;
        app.db.again(|| of_network(app, id)).await?;
    }
    Ok(rows.len())
}

/// Re-resolves a network. Takes its row first, so that nobody else writes meanwhile, and raises its
/// revision, since the reported connections may differ now.
async fn of_network(app: &App, id: Id) -> Result<()> {
    let db = app.db.begin().await?;
    let column = |name| Expr::col(Alias::new(name));
    let take = Query::update()
        .table(Alias::new("network"))
        .value(Alias::new("resolver"), RULES)
        .value(Alias::new("revision"), column("revision").add(1))
        .and_where(column("id").eq(id))
        .to_owned();
    db.execute(&take).await?;
    let sightings = from_scratch(&db, &app.db, id).await?;
    db.commit().await?;
    tracing::info!(network.id = %id, "worked out {sightings} neighbors of network {id} anew");
    Ok(())
}
