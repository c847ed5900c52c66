//! The bindings of groups, in order.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Alias, Expr, ExprTrait, Order, Query, SelectStatement},
};
use toposcope_types::{Id, Kind};

use super::entity::{Column, Entity, Model as Group};
use crate::{
    auth::Viewer,
    bindings::entity as bindings,
    db::IdSet,
    error::{Error, Result},
    resource::{
        Resource,
        children::{CHILD, PARENT, POSITION, Relation},
    },
    write::{Write, later},
};

const BINDINGS: &str = "group_binding";

/// The relation from a group to its bindings.
pub const MEMBERS: Relation<bindings::Entity> =
    Relation::Table { table: BINDINGS, parent: "group_id", child: "binding_id" };

/// The relation from a service to the groups that contain its bindings.
pub const OF_SERVICES: Relation<Entity> =
    Relation::Pairs { name: "of_services", of: pairs_of_services };

/// SQLite accepts 32,766 values per statement, and each pair takes three.
const MAX_INSERT: usize = 10_000;

/// Rejects bindings that are out of reach or in another network, in one statement.
pub(super) async fn check(write: &Write<'_>, network_id: Id, ids: &IdSet) -> Result<()> {
    if ids.ids().is_empty() {
        return Ok(());
    }
    let rows: Vec<(Id, Id)> = bindings::Entity::visible_to(&write.viewer)
        .filter(ids.includes(bindings::Column::Id))
        .select_only()
        .columns([bindings::Column::Id, bindings::Column::NetworkId])
        .into_tuple()
        .all(&write.db)
        .await?;
    let networks: HashMap<Id, Id> = rows.into_iter().collect();
    for (place, id) in ids.ids().iter().enumerate() {
        match networks.get(id) {
            Some(network) if *network == network_id => {}
            Some(_) => return Err(Error::NetworkMismatch { kind: Kind::Binding }),
            None => {
                let field = format!("binding_ids[{place}]");
                return Err(Error::ReferenceInvalid { kind: Kind::Binding, field, id: *id });
            }
        }
    }
    Ok(())
}

/// Sets the bindings of a group to exactly these, in this order, in at most two statements.
pub(super) async fn replace(
    write: &mut Write<'_>,
    id: Id,
    before: &[Id],
    after: &[Id],
) -> Result<()> {
    write.log_part((Kind::Group, id), "binding_ids", before, after);
    if before == after {
        return Ok(());
    }
    if !before.is_empty() {
        let delete = Query::delete()
            .from_table(Alias::new(BINDINGS))
            .and_where(Expr::col(Alias::new("group_id")).eq(id))
            .to_owned();
        write.db.execute(&delete).await?;
    }
    let pairs: Vec<_> = after.iter().map(|binding| (id, *binding)).collect();
    insert_bindings(&write.db, &pairs).await
}

/// Removes bindings that are being deleted from their groups, and logs those groups as changed.
pub async fn forget(write: &mut Write<'_>, gone: &IdSet) -> Result<()> {
    let holding = Query::select()
        .column(Alias::new("group_id"))
        .from(Alias::new(BINDINGS))
        .and_where(gone.includes(Expr::col(Alias::new("binding_id"))))
        .to_owned();
    let groups = Entity::visible_to(&write.viewer).filter(Column::Id.in_subquery(holding));
    let groups = groups.all(&write.db).await?;
    if groups.is_empty() {
        return Ok(());
    }
    let ids = write.app.db.ids(groups.iter().map(|group| group.id).collect::<Vec<_>>());
    let members = ids_of(&write.db, &ids).await?;
    let delete = Query::delete()
        .from_table(Alias::new(BINDINGS))
        .and_where(gone.includes(Expr::col(Alias::new("binding_id"))))
        .to_owned();
    write.db.execute(&delete).await?;
    let changed = groups.into_iter().map(|before| {
        let after = Group { updated_at: later(before.updated_at), ..before.clone() };
        (before, after)
    });
    write.replace::<Entity>(changed.collect()).await?;
    let gone: std::collections::HashSet<Id> = gone.ids().iter().copied().collect();
    for (group, before) in members {
        let after: Vec<Id> = before.iter().copied().filter(|id| !gone.contains(id)).collect();
        write.log_part((Kind::Group, group), "binding_ids", &before, &after);
    }
    Ok(())
}

/// Returns the binding ids of many groups, in order within each group, in one statement.
pub(super) async fn ids_of(
    db: &impl ConnectionTrait,
    groups: &IdSet,
) -> Result<HashMap<Id, Vec<Id>>> {
    let statement = Query::select()
        .columns(["group_id", "binding_id"].map(Alias::new))
        .from(Alias::new(BINDINGS))
        .and_where(groups.includes(link("group_id")))
        .order_by_expr(link("position"), Order::Asc)
        .to_owned();
    let mut members: HashMap<Id, Vec<Id>> = HashMap::new();
    for row in db.query_all(&statement).await? {
        members.entry(row.try_get_by_index(0)?).or_default().push(row.try_get_by_index(1)?);
    }
    Ok(members)
}

/// Adds bindings to groups, in the given order within each group.
pub async fn insert_bindings(db: &impl ConnectionTrait, pairs: &[(Id, Id)]) -> Result<()> {
    let mut places: HashMap<Id, i32> = HashMap::new();
    for pairs in pairs.chunks(MAX_INSERT) {
        let mut insert = Query::insert();
        insert
            .into_table(Alias::new(BINDINGS))
            .columns(["group_id", "binding_id", "position"].map(Alias::new));
        for (group, binding) in pairs {
            let place = places.entry(*group).or_default();
            insert.values_panic([Expr::val(*group), Expr::val(*binding), Expr::val(*place)]);
            *place += 1;
        }
        db.execute(&insert).await?;
    }
    Ok(())
}

/// Returns the bindings of many groups, in order within each group, in one statement.
pub async fn bindings_of(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    groups: &IdSet,
) -> Result<HashMap<Id, Vec<bindings::Model>>> {
    let mut statement = bindings::Entity::visible_to(viewer)
        .filter(groups.includes(link("group_id")))
        .expr_as(link("group_id"), "of_id")
        .into_query();
    statement
        .inner_join(
            Alias::new(BINDINGS),
            link("binding_id").equals((bindings::Entity, bindings::Column::Id)),
        )
        .order_by_expr(link("position"), Order::Asc);
    collect(db, &statement).await
}

/// Returns the groups that contain bindings of many services, each group once per service, in one
/// statement.
pub async fn of_services(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    services: &IdSet,
) -> Result<HashMap<Id, Vec<Group>>> {
    let service_id = || Expr::col((bindings::Entity, bindings::Column::ServiceId));
    let mut statement = Entity::visible_to(viewer)
        .filter(services.includes(service_id()))
        .expr_as(service_id(), "of_id")
        .into_query();
    statement
        .inner_join(Alias::new(BINDINGS), link("group_id").equals((Entity, Column::Id)))
        .inner_join(
            bindings::Entity,
            Expr::col((bindings::Entity, bindings::Column::Id))
                .equals((Alias::new(BINDINGS), Alias::new("binding_id"))),
        )
        .order_by((Entity, Column::CreatedAt), Order::Asc)
        .order_by((Entity, Column::Id), Order::Asc);
    let mut groups: HashMap<Id, Vec<Group>> = collect(db, &statement).await?;
    for groups in groups.values_mut() {
        groups.dedup_by_key(|group| group.id);
    }
    Ok(groups)
}

fn pairs_of_services(services: &IdSet) -> SelectStatement {
    let service_id = || Expr::col((bindings::Entity, bindings::Column::ServiceId));
    Query::select()
        .distinct()
        .expr_as(service_id(), Alias::new(PARENT))
        .expr_as(link("group_id"), Alias::new(CHILD))
        // The groups have no order of their own: the oldest comes first.
        .expr_as(Expr::cust("0"), Alias::new(POSITION))
        .from(bindings::Entity)
        .inner_join(
            Alias::new(BINDINGS),
            link("binding_id").equals((bindings::Entity, bindings::Column::Id)),
        )
        .and_where(services.includes(service_id()))
        .to_owned()
}

fn link(column: &'static str) -> Expr {
    Expr::col((Alias::new(BINDINGS), Alias::new(column)))
}

/// Collects the rows of a statement by the id in its `of_id` column.
async fn collect<M: FromQueryResult>(
    db: &impl ConnectionTrait,
    statement: &SelectStatement,
) -> Result<HashMap<Id, Vec<M>>> {
    let mut rows: HashMap<Id, Vec<M>> = HashMap::new();
    for row in db.query_all(statement).await? {
        rows.entry(row.try_get("", "of_id")?).or_default().push(M::from_query_result(&row, "")?);
    }
    Ok(rows)
}
