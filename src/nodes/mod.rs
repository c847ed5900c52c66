//! Lookup of objects by id, without knowing their kind: ids are unique across all kinds.

pub(crate) mod graphql;

use std::collections::HashMap;

use sea_orm::{
    ConnectionTrait as _, QueryFilter as _, QuerySelect as _, QueryTrait as _,
    sea_query::{Expr, SelectStatement, UnionType},
};
use toposcope_types::{Id, Kind};

use crate::{
    api_keys,
    app::App,
    auth::Viewer,
    bindings, changes,
    db::IdSet,
    error::Result,
    groups, hosts,
    if_entries::{self, observation},
    interfaces, networks, organizations, ports,
    resource::Resource,
    services, subnets, tags, users,
};

type Search = fn(&Viewer, &IdSet, Kind) -> SelectStatement;

/// Every kind of object that can be found by its id.
const KINDS: &[(Kind, Search)] = &[
    (Kind::Network, search::<networks::Entity>),
    (Kind::Host, search::<hosts::Entity>),
    (Kind::IfEntry, search::<if_entries::Entity>),
    (Kind::Observation, search::<observation::Entity>),
    (Kind::Interface, search::<interfaces::Entity>),
    (Kind::Port, search::<ports::Entity>),
    (Kind::Subnet, search::<subnets::Entity>),
    (Kind::Service, search::<services::Entity>),
    (Kind::Binding, search::<bindings::Entity>),
    (Kind::Group, search::<groups::Entity>),
    (Kind::Tag, search::<tags::Entity>),
    (Kind::UserApiKey, search::<api_keys::Entity>),
    (Kind::User, search::<users::Entity>),
    (Kind::Organization, search::<organizations::Entity>),
    (Kind::Change, search::<changes::Entity>),
];

fn search<E: Resource>(viewer: &Viewer, ids: &IdSet, kind: Kind) -> SelectStatement {
    E::visible_to(viewer)
        .filter(ids.includes(E::ID))
        .select_only()
        .expr_as(Expr::col((E::default(), E::ID)), "id")
        // PostgreSQL cannot infer the type of the column from a bound value.
        .expr_as(Expr::cust(format!("'{kind}'")), "kind")
        .into_query()
}

/// Returns the kind of object that each id identifies, in one statement; omits ids out of reach.
pub async fn kinds(app: &App, viewer: &Viewer, ids: Vec<Id>) -> Result<HashMap<Id, Kind>> {
    let ids = app.db.ids(ids);
    let mut searches = KINDS.iter().map(|(kind, search)| search(viewer, &ids, *kind));
    let Some(mut statement) = searches.next() else { return Ok(HashMap::new()) };
    statement.unions(searches.map(|search| (UnionType::All, search)));
    let rows = app.db.reader().query_all(&statement).await?;
    let read = |row: &sea_orm::QueryResult| Ok((row.try_get("", "id")?, row.try_get("", "kind")?));
    rows.iter().map(read).collect()
}
