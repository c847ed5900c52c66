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

/// Hands every kind of object that can be found by its id, with its table, to a macro.
macro_rules! every_kind {
    ($then:ident) => {
        $then! {
            Network: networks::Entity,
            Host: hosts::Entity,
            IfEntry: if_entries::Entity,
            Observation: observation::Entity,
            Interface: interfaces::Entity,
            Port: ports::Entity,
            Subnet: subnets::Entity,
            Service: services::Entity,
            Binding: bindings::Entity,
            Group: groups::Entity,
            Tag: tags::Entity,
            UserApiKey: api_keys::Entity,
            User: users::Entity,
            Organization: organizations::Entity,
            Change: changes::Entity,
        }
    };
}
use every_kind;

macro_rules! searches {
    ($($kind:ident: $entity:ty),* $(,)?) => {
        const SEARCHES: &[(Kind, Search)] = &[$((Kind::$kind, search::<$entity>)),*];
    };
}
every_kind!(searches);

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
    let mut searches = SEARCHES.iter().map(|(kind, search)| search(viewer, &ids, *kind));
    let Some(mut statement) = searches.next() else { return Ok(HashMap::new()) };
    statement.unions(searches.map(|search| (UnionType::All, search)));
    let rows = app.db.reader().query_all(&statement).await?;
    let read = |row: &sea_orm::QueryResult| Ok((row.try_get("", "id")?, row.try_get("", "kind")?));
    rows.iter().map(read).collect()
}
