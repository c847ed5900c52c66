//! Services: what hosts run, with their bindings.

mod category;
mod entity;
pub mod graphql;
mod list;
pub mod rest;

use std::collections::HashMap;

use sea_orm::{
    Condition, ConnectionTrait, IntoSimpleExpr,
    sea_query::{ExprTrait, Func, SimpleExpr},
};
use serde::Serialize;

pub use self::{
    category::{Definition, Definitions, ServiceCategory},
    entity::{ActiveModel, Column, Entity, Model as Service},
    list::{ServiceFilter, ServiceOrder, ServiceOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    bindings::{self, Binding},
    db::{filter::EnumFilter, list::children},
    error::Result,
    tags::{self, TagOwner},
    types::Id,
};

/// The condition that a service is of a category, which follows from its definition.
fn of_category(app: &App, filter: &EnumFilter<ServiceCategory>) -> Condition {
    let in_any = |categories: &[ServiceCategory]| {
        let unknown = categories.contains(&ServiceCategory::Unknown);
        // Unknown is whatever is not in the table.
        let names = app.definitions.names(|category| categories.contains(&category) != unknown);
        let definition = Func::lower(Column::ServiceDefinition.into_simple_expr());
        let condition = SimpleExpr::from(definition).is_in(names);
        if unknown { condition.not() } else { condition }
    };
    Condition::all()
        .add_option(filter.eq.map(|category| in_any(&[category])))
        .add_option(filter.any_of.as_deref().map(in_any))
}

/// A service with its bindings and tags, as REST shows it.
#[derive(Clone, Debug, Serialize)]
pub struct FullService {
    #[serde(flatten)]
    pub service: Service,
    /// In the order of creation.
    pub bindings: Vec<Binding>,
    /// The ids of its tags.
    pub tags: Vec<Id>,
}

/// Adds the bindings and tags of each service, in two statements.
pub async fn with_children(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    services: Vec<Service>,
) -> Result<Vec<FullService>> {
    if services.is_empty() {
        return Ok(Vec::new());
    }
    let ids = app.db.ids(services.iter().map(|service| service.id).collect::<Vec<_>>());
    let rows = children::<bindings::Entity>(db, viewer, bindings::Column::ServiceId, &ids).await?;
    let mut bindings: HashMap<Id, Vec<Binding>> = HashMap::new();
    for row in rows {
        bindings.entry(row.service_id).or_default().push(row.into());
    }
    let mut tags = tags::ids_of(db, TagOwner::Service, &ids).await?;
    let full = services.into_iter().map(|service| FullService {
        bindings: bindings.remove(&service.id).unwrap_or_default(),
        tags: tags.remove(&service.id).unwrap_or_default(),
        service,
    });
    Ok(full.collect())
}
