//! Services: what hosts run, with their bindings.

mod category;
mod entity;
pub mod graphql;
mod input;
mod list;
pub mod rest;
mod sync;

use std::collections::HashMap;

use async_graphql::MaybeUndefined;
use sea_orm::{
    Condition, ConnectionTrait, DbBackend, IntoSimpleExpr, QueryFilter as _,
    sea_query::{Expr, ExprTrait, Func, SimpleExpr},
};
use serde::Serialize;
use utoipa::ToSchema;

pub use self::{
    category::{Definition, Definitions, ServiceCategory},
    entity::{ActiveModel, Column, Entity, Model as Service},
    input::{HostServiceInput, ServiceInput},
    list::{ServiceFilter, ServiceOrder, ServiceOrderField},
    sync::sync,
};
use crate::{
    app::App,
    auth::Viewer,
    bindings::{self, Binding},
    changes::{Removable, Write},
    db::{
        IdSet, Precondition, Resource as _,
        filter::EnumFilter,
        list::children,
        resource::{referred, require_same},
    },
    error::{Error, Kind, Result},
    hosts::{self, Host},
    tags::{self, TagOwner},
    types::{Id, Part, PermissionLevel, given},
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
        .add_option(match filter.eq {
            MaybeUndefined::Undefined => None,
            // Every service has a category.
            MaybeUndefined::Null => Some(Expr::val(false)),
            MaybeUndefined::Value(category) => Some(in_any(&[category])),
        })
        .add_option(filter.any_of.as_deref().map(in_any))
}

/// A service that a host runs, with its bindings and tags.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Service)]
pub struct FullService {
    #[serde(flatten)]
    pub service: Service,
    /// What it listens on, in the order of creation.
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

/// Makes a service.
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

/// Changes a service; what is left out stays.
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

/// What need not be asked whether it runs on services that go.
#[derive(Clone, Debug)]
pub struct Leaving {
    /// Hosts that go, too.
    pub hosts: IdSet,
    /// Services of which something else is said at the same time.
    pub services: IdSet,
}

/// The hosts and services that run on services, in two statements.
pub async fn running_on(write: &Write<'_>, ids: &IdSet) -> Result<(Vec<Host>, Vec<Service>)> {
    let runs = |table: &'static str| match write.app.db.backend() {
        DbBackend::Postgres => {
            Expr::cust(format!(r#"("{table}".virtualization->'details'->>'service_id')"#))
        }
        _ => {
            Expr::cust(format!(r#"json_extract("{table}".virtualization, '$.details.service_id')"#))
        }
    };
    let texts: Vec<String> = ids.ids().iter().map(ToString::to_string).collect();
    let hosts = hosts::Entity::visible_to(&write.viewer)
        .filter(write.app.db.texts(&texts, runs("host")))
        .all(&write.db)
        .await?;
    let services = Entity::visible_to(&write.viewer)
        .filter(write.app.db.texts(&texts, runs("service")))
        .all(&write.db)
        .await?;
    Ok((hosts, services))
}

/// Refuses to let services go that something runs on which stays.
async fn require_unused(write: &Write<'_>, ids: &IdSet, leaving: &Leaving) -> Result<()> {
    let (hosts, services) = running_on(write, ids).await?;
    let host_stays = hosts.iter().any(|host| !leaving.hosts.contains(host.id));
    let service_stays = services.iter().any(|service| {
        !(ids.contains(service.id)
            || leaving.services.contains(service.id)
            || leaving.hosts.contains(service.host_id))
    });
    for (stays, used_by) in [(host_stays, Kind::Host), (service_stays, Kind::Service)] {
        if stays {
            return Err(Error::InUse { kind: Kind::Service, used_by });
        }
    }
    Ok(())
}

/// Removes services with their bindings.
pub async fn remove(write: &mut Write<'_>, rows: Vec<Service>, leaving: &Leaving) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let ids = write.app.db.ids(rows.iter().map(|row| row.id).collect::<Vec<_>>());
    require_unused(write, &ids, leaving).await?;
    let bound = bindings::of_services(write, &ids).await?;
    let tags = tags::ids_of(&write.db, TagOwner::Service, &ids).await?;
    bindings::Entity::remove(write, bound).await?;
    write.remove::<Entity>(&rows).await?;
    for (id, tags) in tags {
        write.log_part((Kind::Service, id), "tags", tags, ());
    }
    Ok(())
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    async fn remove(write: &mut Write<'_>, rows: Vec<Service>) -> Result<()> {
        let nothing = || write.app.db.ids([]);
        let leaving = Leaving { hosts: nothing(), services: nothing() };
        remove(write, rows, &leaving).await
    }
}
