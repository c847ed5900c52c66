//! Networks: the unit of access grants, imports and drawings, each with one revision.

pub(crate) mod entity;
pub(crate) mod graphql;
mod input;
mod list;
pub(crate) mod rest;

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder as _, QuerySelect, Select,
    sea_query::{Alias, Expr, ExprTrait, Query},
};
use toposcope_types::{BigInt, Id, Kind, Timestamp, named};

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Network},
    input::{FullNetwork, NetworkInput, create, full, update},
    list::{NetworkFilter, NetworkOrder, NetworkOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
    resource::{Resource, rows},
    subnets, topology,
    write::Write,
};

/// The tables whose rows each network counts, with the kinds that errors report.
pub(crate) const COUNTED: [(&str, Kind); 8] = [
    ("host", Kind::Host),
    ("subnet", Kind::Subnet),
    ("interface", Kind::Interface),
    ("if_entry", Kind::IfEntry),
    ("port", Kind::Port),
    ("service", Kind::Service),
    ("binding", Kind::Binding),
    ("group", Kind::Group),
];

/// Increments the revision of a network and recounts its rows, after a bulk write.
pub async fn recount(db: &impl ConnectionTrait, id: Id) -> Result<()> {
    let mut statement = Query::update();
    statement
        .table(Entity)
        .value(Column::Revision, Expr::col(Column::Revision).add(1))
        .and_where(Expr::col(Column::Id).eq(id));
    for (table, _) in COUNTED {
        let count = Query::select()
            .expr(Expr::cust("COUNT(*)"))
            .from(Alias::new(table))
            .and_where(Expr::col((Alias::new(table), Alias::new("network_id"))).eq(id))
            .to_owned();
        statement.value(
            Alias::new(format!("{table}_count")),
            Expr::SubQuery(None, Box::new(count.into())),
        );
    }
    db.execute(&statement).await?;
    Ok(())
}

/// Adds an empty network, with the subnets outside of it. The caller has already checked the level.
pub async fn add(
    write: &mut Write<'_>,
    id: Id,
    organization_id: Id,
    name: String,
) -> Result<Network> {
    let network = insert(&write.db, id, organization_id, name).await?;
    write.made_network(&network);
    write.insert::<subnets::Entity>(subnets::outside_of(id, network.created_at)).await?;
    Ok(network)
}

/// Inserts only the row of a network.
pub async fn insert(
    db: &impl ConnectionTrait,
    id: Id,
    organization_id: Id,
    name: String,
) -> Result<Network> {
    let now = Timestamp::now();
    let network = Network {
        id,
        created_at: now,
        updated_at: now,
        name,
        organization_id,
        revision: BigInt(0),
        // An empty network has nothing that older rules could have resolved.
        resolver: topology::reresolve::RULES,
    };
    db.execute(&rows::inserted::<Entity>([network.clone()])).await?;
    Ok(network)
}

/// Returns every network within the viewer's reach, ordered by name.
pub async fn in_reach(app: &App, viewer: &Viewer) -> Result<Vec<Network>> {
    use sea_orm::QueryOrder;
    let by_name = rows::sort_key(Column::Name);
    let networks = Entity::visible_to(viewer).order_by_asc(by_name).order_by_asc(Column::Id);
    Ok(networks.all(app.db.reader()).await?)
}

/// Selects every network of an organization; for the operator only.
pub fn of_organization(organization_id: Id) -> Select<Entity> {
    Entity::find().filter(Column::OrganizationId.eq(organization_id))
}

/// Finds the network with this id or name, in one organization or in any; for the operator only.
pub async fn find(
    db: &impl ConnectionTrait,
    organization_id: Option<Id>,
    wanted: &str,
) -> Result<Network> {
    let all = organization_id.map_or_else(Entity::find, of_organization);
    let meant = match wanted.parse::<Id>() {
        Ok(id) => Column::Id.eq(id),
        Err(_) => Column::Name.eq(wanted),
    };
    let mut found = all.clone().filter(meant).limit(2).all(db).await?;
    match (found.pop(), found.pop()) {
        (Some(network), None) => return Ok(network),
        (Some(_), Some(_)) => {
            return Err(Error::invalid(
                "network",
                format!("several are called `{wanted}`; use the id"),
            ));
        }
        (None, _) => {}
    }
    let some = all.order_by_asc(Column::CreatedAt).limit(named::LISTED + 1).all(db).await?;
    let reason = if some.is_empty() {
        format!("there is no network `{wanted}`, nor any other; `toposcope import` makes one")
    } else {
        let names = named::list(some.iter().map(|row| row.name.as_str()));
        format!("there is no network `{wanted}`, only {names}")
    };
    Err(Error::invalid("network", reason))
}
