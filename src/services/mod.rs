//! Services that hosts run, with their bindings.

pub(crate) mod entity;
mod full;
pub(crate) mod graphql;
mod input;
mod list;
mod remove;
pub(crate) mod rest;
mod sync;

use async_graphql::MaybeUndefined;
use sea_orm::{
    Condition, IntoSimpleExpr,
    sea_query::{Expr, ExprTrait, Func, SimpleExpr},
};
use toposcope_types::{Id, PermissionLevel, ServiceCategory};

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Service},
    full::{FullService, with_children},
    input::{HostServiceInput, ServiceInput},
    list::{ServiceFilter, ServiceOrder, ServiceOrderField},
    remove::{AlsoDeleted, remove, running_on},
    sync::sync,
};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    hosts::entity as hosts,
    input::{Part, given},
    resource::{Precondition, filter::EnumFilter, referred, require_same},
    write::Write,
};

/// Returns the condition that a service is in a category, which follows from its definition.
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
        .add_option(match filter.eq {
            MaybeUndefined::Undefined => None,
            // Every service has a category.
            MaybeUndefined::Null => Some(Expr::val(false)),
            MaybeUndefined::Value(category) => Some(in_any(&[category])),
        })
        .add_option(filter.any_of.as_deref().map(in_any))
}

/// Creates a service.
pub async fn create(app: &App, viewer: &Viewer, input: ServiceInput) -> Result<FullService> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let host_id = given::required("host_id", input.host_id)?;
        let network_id = given::required("network_id", input.network_id)?;
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(network_id).await?;
        let viewer = &write.viewer.clone();
        let host =
            referred::<hosts::Entity>(&write.db, viewer, "host_id", host_id, network_id).await?;
        let given = Part::new(None, input.clone());
        let services = sync::add(&mut write, &host, given).await?;
        write.commit().await?;
        Ok(services)
    };
    app.db.again(make).await
}

/// Updates a service; omitted fields keep their value.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: ServiceInput,
    precondition: &Precondition,
) -> Result<FullService> {
    viewer.require(PermissionLevel::Member)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let before = write.current::<Entity>(id, None, &precondition).await?;
        require_same("host_id", before.host_id, input.host_id)?;
        require_same("network_id", before.network_id, input.network_id)?;
        let service = sync::change(&mut write, before, input.clone()).await?;
        write.commit().await?;
        Ok(service)
    };
    app.db.again(replace).await
}
