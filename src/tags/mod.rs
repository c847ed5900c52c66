//! Tags and the entities that carry them.

mod assign;
pub(crate) mod entity;
pub(crate) mod graphql;
mod input;
mod list;
pub(crate) mod rest;

use std::collections::HashMap;

use async_graphql::MaybeUndefined;
use sea_orm::{
    ConnectionTrait, IntoSimpleExpr, QueryFilter, QuerySelect, QueryTrait, Value,
    sea_query::{Alias, Condition, Expr, ExprTrait, OnConflict, Order, Query},
};
use toposcope_types::{Id, Kind, json_path};

pub use self::{
    assign::{
        Affected, BulkTagInput, TagAssignment, TaggedEntity, add_to_many, assign_to_one,
        remove_from_many,
    },
    entity::{Column, Entity, Model as Tag},
    input::{TagInput, create, update},
    list::{TagFilter, TagOrder, TagOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    db::{Db, IdSet},
    error::{Error, Result},
    resource::{Resource, children::Relation, filter::IdFilter},
    write::Write,
};

/// The kinds of entity that can carry tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagOwner {
    Network,
    Host,
    Service,
    Group,
    Subnet,
    ApiKey,
}

impl TagOwner {
    pub const fn table(self) -> &'static str {
        match self {
            Self::Network => "network_tag",
            Self::Host => "host_tag",
            Self::Service => "service_tag",
            Self::Group => "group_tag",
            Self::Subnet => "subnet_tag",
            Self::ApiKey => "api_key_tag",
        }
    }

    /// Returns the kind that errors and the change log report.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Network => Kind::Network,
            Self::Host => Kind::Host,
            Self::Service => Kind::Service,
            Self::Group => Kind::Group,
            Self::Subnet => Kind::Subnet,
            Self::ApiKey => Kind::UserApiKey,
        }
    }

    /// Returns the relation from an owner to its tags.
    pub const fn tags(self) -> Relation<Entity> {
        Relation::Table { table: self.table(), parent: self.column(), child: "tag_id" }
    }

    pub const fn column(self) -> &'static str {
        match self {
            Self::Network => "network_id",
            Self::Host => "host_id",
            Self::Service => "service_id",
            Self::Group => "group_id",
            Self::Subnet => "subnet_id",
            Self::ApiKey => "api_key_id",
        }
    }
}

/// Returns the condition that the owner with the id in `column` carries a tag that matches the
/// filter.
pub fn carried(
    db: &Db,
    owner: TagOwner,
    column: impl IntoSimpleExpr,
    filter: &IdFilter,
) -> Condition {
    let mut carriers = Query::select();
    carriers.column(Alias::new(owner.column())).from(Alias::new(owner.table()));
    let column = column.into_simple_expr();
    if filter.eq.is_null() {
        let none = column.clone().not_in_subquery(carriers.clone());
        let rest = IdFilter { eq: MaybeUndefined::Undefined, ..filter.clone() };
        let also = rest.any_of.is_some().then(|| carried(db, owner, column, &rest));
        return Condition::all().add(none).add_option(also);
    }
    carriers.cond_where(filter.condition(db, Expr::col(Alias::new("tag_id"))));
    Condition::all().add(column.in_subquery(carriers))
}

/// Returns the tag ids of many owners, in order within each owner.
pub async fn ids_of(
    db: &impl ConnectionTrait,
    owner: TagOwner,
    owners: &IdSet,
) -> Result<HashMap<Id, Vec<Id>>> {
    let statement = Query::select()
        .column(Alias::new(owner.column()))
        .column(Alias::new("tag_id"))
        .from(Alias::new(owner.table()))
        .and_where(owners.includes(Expr::col(Alias::new(owner.column()))))
        .order_by(Alias::new("position"), Order::Asc)
        .order_by(Alias::new("tag_id"), Order::Asc)
        .to_owned();
    let mut tags: HashMap<Id, Vec<Id>> = HashMap::new();
    for row in db.query_all(&statement).await? {
        tags.entry(row.try_get_by_index(0)?).or_default().push(row.try_get_by_index(1)?);
    }
    Ok(tags)
}

/// Returns the tags of many owners, in order within each owner, in one statement.
pub async fn of(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    owner: TagOwner,
    owners: &IdSet,
) -> Result<HashMap<Id, Vec<Tag>>> {
    use sea_orm::FromQueryResult as _;
    let carrier = |name: &'static str| Expr::col((Alias::new(owner.table()), Alias::new(name)));
    let mut statement = Entity::visible_to(viewer)
        .filter(owners.includes(carrier(owner.column())))
        .expr_as(carrier(owner.column()), "owner_id")
        .into_query();
    statement
        .inner_join(Alias::new(owner.table()), carrier("tag_id").equals((Entity, Column::Id)))
        .order_by_expr(carrier("position"), Order::Asc)
        .order_by_expr(carrier("tag_id"), Order::Asc);
    let mut tags: HashMap<Id, Vec<Tag>> = HashMap::new();
    for row in db.query_all(&statement).await? {
        tags.entry(row.try_get("", "owner_id")?)
            .or_default()
            .push(Tag::from_query_result(&row, "")?);
    }
    Ok(tags)
}

/// Returns the tags to store: the given ones, which must be within reach, or else the stored ones.
pub async fn given_or_stored(
    write: &Write<'_>,
    given: Option<&[Id]>,
    stored: &[Id],
) -> Result<IdSet> {
    let tags = write.app.db.ids(given.unwrap_or(stored));
    if given.is_some() {
        check(&write.db, &write.viewer, "tags", &tags).await?;
    }
    Ok(tags)
}

/// Rejects tags that do not exist or belong to another organization.
pub async fn check(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    field: &str,
    tags: &IdSet,
) -> Result<()> {
    if tags.ids().is_empty() {
        return Ok(());
    }
    let known: Vec<Id> = Entity::visible_to(viewer)
        .filter(tags.includes(Column::Id))
        .select_only()
        .column(Column::Id)
        .into_tuple()
        .all(db)
        .await?;
    match tags.ids().iter().position(|id| !known.contains(id)) {
        None => Ok(()),
        Some(nth) => Err(Error::ReferenceInvalid {
            kind: Kind::Tag,
            field: json_path::of_element(field, nth),
            id: tags.ids()[nth],
        }),
    }
}

/// Sets the tags of one owner to exactly these, in this order, in at most two statements.
pub async fn replace(
    write: &mut Write<'_>,
    owner: TagOwner,
    owner_id: Id,
    before: &[Id],
    after: &IdSet,
) -> Result<()> {
    write.log_part((owner.kind(), owner_id), "tags", before, after.ids());
    if before == after.ids() {
        return Ok(());
    }
    if before.iter().any(|tag| !after.contains(*tag)) {
        let statement = Query::delete()
            .from_table(Alias::new(owner.table()))
            .and_where(Expr::col(Alias::new(owner.column())).eq(owner_id))
            .and_where(after.includes(Expr::col(Alias::new("tag_id"))).not())
            .to_owned();
        write.db.execute(&statement).await?;
    }
    let rows: Vec<_> = after.ids().iter().map(|tag| (owner_id, *tag)).collect();
    assign(&write.db, owner, &rows).await
}

/// Replaces the tags of many owners, in order within each owner, in two statements for as many tags
/// as one statement can hold.
pub async fn replace_many(
    write: &mut Write<'_>,
    owner: TagOwner,
    owners: Vec<(Id, Vec<Id>, Vec<Id>)>,
) -> Result<()> {
    let mut pairs = Vec::new();
    let mut tagged = Vec::new();
    for (id, before, after) in owners {
        write.log_part((owner.kind(), id), "tags", &before, &after);
        if !before.is_empty() {
            tagged.push(id);
        }
        pairs.extend(after.into_iter().map(|tag| (id, tag)));
    }
    if !tagged.is_empty() {
        let owners = write.app.db.ids(tagged);
        let delete = Query::delete()
            .from_table(Alias::new(owner.table()))
            .and_where(owners.includes(Expr::col(Alias::new(owner.column()))))
            .to_owned();
        write.db.execute(&delete).await?;
    }
    assign(&write.db, owner, &pairs).await
}

/// Returns the tag ids of one owner.
pub async fn ids_of_one(
    app: &App,
    db: &impl ConnectionTrait,
    owner: TagOwner,
    id: Id,
) -> Result<Vec<Id>> {
    Ok(ids_of(db, owner, &app.db.ids([id])).await?.remove(&id).unwrap_or_default())
}

/// SQLite accepts 32,766 values per statement, and each pair takes three.
const MAX_INSERT: usize = 10_000;

/// Adds tags to owners; an existing pair gets the new position. The position of a tag is its index
/// among the tags of the same owner in `pairs`.
pub async fn assign(db: &impl ConnectionTrait, owner: TagOwner, pairs: &[(Id, Id)]) -> Result<()> {
    let columns = [owner.column(), "tag_id", "position"].map(Alias::new);
    let mut places: HashMap<Id, i32> = HashMap::new();
    for pairs in pairs.chunks(MAX_INSERT) {
        let mut insert = Query::insert();
        insert.into_table(Alias::new(owner.table())).columns(columns.clone());
        for (owner_id, tag) in pairs {
            let place = places.entry(*owner_id).or_default();
            insert.values_panic([
                Value::from(*owner_id).into(),
                Value::from(*tag).into(),
                Value::from(*place).into(),
            ]);
            *place += 1;
        }
        insert.on_conflict(
            OnConflict::columns([columns[0].clone(), columns[1].clone()])
                .update_column(columns[2].clone())
                .to_owned(),
        );
        db.execute(&insert).await?;
    }
    Ok(())
}

/// Rejects a list that contains the same id twice.
pub fn no_repeats(field: &str, ids: &[Id]) -> Result<()> {
    let mut seen = std::collections::HashSet::with_capacity(ids.len());
    match ids.iter().position(|id| !seen.insert(*id)) {
        None => Ok(()),
        Some(nth) => Err(Error::Duplicate { field: json_path::of_element(field, nth) }),
    }
}
