//! Groups: bindings in an order that means something.

mod entity;
pub mod graphql;
mod list;
pub mod rest;

use std::collections::HashMap;

use async_graphql::InputObject;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, IntoActiveModel,
    QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Alias, Expr, ExprTrait, Func, Order, Query, SelectStatement, SimpleExpr},
};
use serde::{Deserialize, Serialize};

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Group},
    list::{GroupFilter, GroupOrder, GroupOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    bindings,
    db::{IdSet, Precondition, Resource},
    error::{Error, Kind, Result},
    networks,
    tags::{self, TagOwner},
    types::{Color, EdgeStyle, GroupType, Id, PermissionLevel, Timestamp, text},
};

const MAX_NAME: usize = 100;
const MAX_DESCRIPTION: usize = 500;

/// A group with its bindings and tags, as REST shows it.
#[derive(Clone, Debug, Serialize)]
pub struct FullGroup {
    #[serde(flatten)]
    pub group: Group,
    /// In order.
    pub binding_ids: Vec<Id>,
    /// The ids of its tags.
    pub tags: Vec<Id>,
}

/// A group as it shall be: what is left out becomes empty.
#[derive(Clone, Debug, Deserialize, InputObject)]
pub struct UpdateGroupInput {
    /// The name, 1 to 100 characters.
    pub name: String,
    /// The network that it belongs to.
    pub network_id: Id,
    /// What people noted about it, up to 500 characters; an empty text is none.
    pub description: Option<String>,
    /// What the order of the bindings means.
    pub group_type: GroupType,
    /// The color in which it is drawn.
    pub color: Color,
    /// How its edges are drawn.
    pub edge_style: EdgeStyle,
    /// The bindings in their order, each once, all of the same network.
    pub binding_ids: Vec<Id>,
    /// The tags; an empty list clears them.
    pub tags: Vec<Id>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

/// The texts of a group, checked.
pub fn check_texts(name: String, description: Option<String>) -> Result<(String, Option<String>)> {
    let name = text::required("name", name, 1, MAX_NAME)?;
    let description = text::optional("description", description, MAX_DESCRIPTION)?;
    Ok((name, description.filter(|text| !text.is_empty())))
}

/// Replaces a group by what the input says, all or nothing, in at most seven statements,
/// or eight where the group changes its network.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: UpdateGroupInput,
    precondition: &Precondition,
) -> Result<FullGroup> {
    viewer.require(PermissionLevel::Member)?;
    app.db.again(|| replace(app, viewer, id, input.clone(), precondition)).await
}

async fn replace(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: UpdateGroupInput,
    precondition: &Precondition,
) -> Result<FullGroup> {
    let precondition = precondition.or(input.expected_updated_at);
    // What is wrong with the input is told only to those who may see the group.
    let checked = check_texts(input.name, input.description).and_then(|texts| {
        tags::no_repeats("binding_ids", &input.binding_ids)?;
        tags::no_repeats("tags", &input.tags)?;
        Ok(texts)
    });

    let transaction = app.db.begin().await?;
    let held =
        networks::touch_holder::<Entity>(&transaction, viewer, id, Some(input.network_id)).await?;
    let bindings = app.db.ids(input.binding_ids);
    let tags = app.db.ids(input.tags);
    let (group, usable) =
        read(&transaction, viewer, id, input.network_id, &bindings, &tags).await?;
    networks::require_held(&held, group.network_id)?;
    let (name, description) = checked?;
    viewer.require_network(input.network_id)?;
    precondition.check(Kind::Group, id, group.updated_at)?;
    if usable.bindings != length(&bindings) {
        check_bindings(&transaction, viewer, input.network_id, &bindings).await?;
    }
    if usable.tags != length(&tags) {
        tags::check(&transaction, viewer, "tags", &tags).await?;
    }

    if group.network_id != input.network_id {
        let (from, to) = (group.network_id, input.network_id);
        networks::count_moved(&transaction, "group_count", from, to).await?;
    }
    let group = Group {
        updated_at: networks::later(group.updated_at),
        name,
        network_id: input.network_id,
        description,
        group_type: input.group_type,
        color: input.color,
        edge_style: input.edge_style,
        ..group
    };
    let mut row = group.clone().into_active_model().reset_all();
    row.id = sea_orm::ActiveValue::NotSet;
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(&transaction).await?;
    replace_bindings(&transaction, id, bindings.ids()).await?;
    tags::replace(&transaction, TagOwner::Group, id, &tags).await?;
    transaction.commit().await?;
    Ok(FullGroup { group, binding_ids: bindings.ids().to_vec(), tags: tags.ids().to_vec() })
}

/// How many of the bindings and tags of an input can be used.
#[derive(Debug, FromQueryResult)]
struct Usable {
    bindings: i64,
    tags: i64,
}

/// The group, and how much of the input can be used with it, in one statement.
async fn read(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    id: Id,
    network_id: Id,
    bindings: &IdSet,
    tags: &IdSet,
) -> Result<(Group, Usable)> {
    let usable_bindings = bindings::Entity::visible_to(viewer)
        .filter(bindings.includes(bindings::Column::Id))
        .filter(bindings::Column::NetworkId.eq(network_id));
    let usable_tags = tags::Entity::visible_to(viewer).filter(tags.includes(tags::Column::Id));
    let statement = Entity::visible_to(viewer)
        .filter(Column::Id.eq(id))
        .expr_as(count(usable_bindings.into_query()), "bindings")
        .expr_as(count(usable_tags.into_query()), "tags")
        .into_query();
    let row = db.query_one(&statement).await?.ok_or(Error::NotFound { kind: Kind::Group, id })?;
    Ok((Group::from_query_result(&row, "")?, Usable::from_query_result(&row, "")?))
}

fn length(ids: &IdSet) -> i64 {
    i64::try_from(ids.ids().len()).unwrap_or(i64::MAX)
}

fn count(mut rows: SelectStatement) -> SimpleExpr {
    rows.clear_selects().expr(Func::count(Expr::cust("*")));
    SimpleExpr::SubQuery(None, Box::new(rows.into()))
}

/// Says which binding cannot be used, and why.
async fn check_bindings(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    network_id: Id,
    ids: &IdSet,
) -> Result<()> {
    let rows: Vec<(Id, Id)> = bindings::Entity::visible_to(viewer)
        .filter(ids.includes(bindings::Column::Id))
        .select_only()
        .columns([bindings::Column::Id, bindings::Column::NetworkId])
        .into_tuple()
        .all(db)
        .await?;
    let networks: HashMap<Id, Id> = rows.into_iter().collect();
    for (place, id) in ids.ids().iter().enumerate() {
        match networks.get(id) {
            Some(network) if *network == network_id => {}
            Some(_) => return Err(Error::NetworkMismatch { kind: Kind::Binding }),
            None => {
                return Err(Error::ReferenceInvalid {
                    kind: Kind::Binding,
                    field: format!("binding_ids[{place}]"),
                    id: *id,
                });
            }
        }
    }
    Ok(())
}

const BINDINGS: &str = "group_binding";
/// SQLite takes 32,766 values in a statement, and each pair is three.
const MAX_INSERT: usize = 10_000;

async fn replace_bindings(db: &impl ConnectionTrait, id: Id, bindings: &[Id]) -> Result<()> {
    let delete = Query::delete()
        .from_table(Alias::new(BINDINGS))
        .and_where(Expr::col(Alias::new("group_id")).eq(id))
        .to_owned();
    db.execute(&delete).await?;
    let pairs: Vec<_> = bindings.iter().map(|binding| (id, *binding)).collect();
    insert_bindings(db, &pairs).await
}

/// Adds bindings to groups, each group's in the order given.
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

/// The bindings of many groups, each group's in order, in one statement.
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

/// The groups that the bindings of many services are in, each once, in one statement.
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

fn link(column: &'static str) -> Expr {
    Expr::col((Alias::new(BINDINGS), Alias::new(column)))
}

/// The rows of a statement by the id in its column `of_id`.
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
