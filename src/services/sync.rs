//! The services of a host, given one by one or as one list, with their bindings.

use std::collections::HashMap;

use sea_orm::{ColumnTrait as _, QueryFilter as _};
use toposcope_types::{BindingType, Id, Kind, ServiceVirtualization, Timestamp};

use super::{AlsoDeleted, Column, Entity, FullService, Service, ServiceInput, remove};
use crate::{
    bindings::{self, Targets, require_apart},
    error::{Error, Result},
    hosts::entity::Model as Host,
    input::{OfHost, Part, listed},
    resource::Resource as _,
    tags::{self, TagOwner},
    write::{Removable as _, Write, later},
};

/// Adds a service to a host.
pub(super) async fn add(
    write: &mut Write<'_>,
    host: &Host,
    given: Part<ServiceInput, OfHost>,
) -> Result<FullService> {
    let stored = of_host(write, host.id).await?;
    let last = stored.iter().map(|service| service.position.saturating_add(1)).max();
    let new = ServiceInput::blank(Id::new(), host.id, host.network_id, last.unwrap_or(0));
    let service = given.input.apply(new)?;
    let mut planned = vec![(None, service, given.input)];
    save(write, host.id, &mut planned, |_| String::new()).await?.pop().ok_or_else(nothing)
}

/// Updates one service.
pub(super) async fn change(
    write: &mut Write<'_>,
    before: Service,
    input: ServiceInput,
) -> Result<FullService> {
    let after = input.apply(before.clone())?;
    let host_id = before.host_id;
    let mut planned = vec![(Some(before), after, input)];
    save(write, host_id, &mut planned, |_| String::new()).await?.pop().ok_or_else(nothing)
}

fn nothing() -> Error {
    Error::Internal(anyhow::anyhow!("a service that was written is not there"))
}

/// Replaces the services of a host with a list. Matches services by id, then by name; deletes
/// services that are not in the list.
pub async fn sync(
    write: &mut Write<'_>,
    host: &Host,
    given: Vec<Part<ServiceInput, OfHost>>,
) -> Result<Vec<FullService>> {
    let stored = of_host(write, host.id).await?;
    let before = listed::matched(
        &stored,
        &given,
        |row| row.id,
        |row, input| input.name.as_ref() == Some(&row.name),
    )
    .map_err(|error| error.within("services"))?;
    let gone = listed::unmatched(&stored, &before, |row| row.id);
    let before: Vec<Option<Service>> = before.into_iter().map(Option::<&Service>::cloned).collect();
    let mut planned = Vec::with_capacity(given.len());
    for ((position, given), before) in (0_i32..).zip(given).zip(before) {
        let id = given.id.unwrap_or_else(Id::new);
        let new = || ServiceInput::blank(id, host.id, host.network_id, position);
        let mut row = before.clone().unwrap_or_else(new);
        row.position = position;
        let service = given.input.apply(row);
        let service = service.map_err(|error| error.within(&format!("services[{position}]")))?;
        planned.push((before, service, given.input));
    }
    // The input decides whether the other services still run on the deleted ones.
    let said: Vec<Id> = planned.iter().map(|(_, service, _)| service.id).collect();
    let leaving = AlsoDeleted { hosts: write.app.db.ids([]), services: write.app.db.ids(said) };
    remove(write, gone, &leaving).await?;
    save(write, host.id, &mut planned, |nth| format!("services[{nth}]")).await
}

async fn of_host(write: &Write<'_>, host_id: Id) -> Result<Vec<Service>> {
    let services = Entity::visible_to(&write.viewer).filter(Column::HostId.eq(host_id));
    Ok(services.all(&write.db).await?)
}

/// A service before and after, with its input.
type Planned = (Option<Service>, Service, ServiceInput);

/// Writes services with their bindings and tags, in a number of statements that does not grow with
/// the number of services. `path_of` returns the JSON path of a service for errors.
async fn save(
    write: &mut Write<'_>,
    host_id: Id,
    planned: &mut [Planned],
    path_of: impl Fn(usize) -> String,
) -> Result<Vec<FullService>> {
    let (bindings, bound) = plan_bindings(write, host_id, planned, &path_of).await?;
    check_tags(write, planned, &path_of).await?;
    check_virtualization(write, planned, &path_of).await?;
    let ids: Vec<Id> = planned.iter().map(|(_, service, _)| service.id).collect();
    let mut tags_before =
        tags::ids_of(&write.db, TagOwner::Service, &write.app.db.ids(ids)).await?;
    let (mut created, mut changed) = (Vec::new(), Vec::new());
    for (before, after, input) in planned.iter_mut() {
        let stored = tags_before.get(&after.id).map_or(&[][..], Vec::as_slice);
        let retagged = input.tags.as_ref().is_some_and(|tags| tags != stored);
        match before {
            None => created.push(after.clone()),
            Some(before) if *before == *after && !retagged && !bindings.touch(after.id) => {}
            Some(before) => {
                after.updated_at = later(before.updated_at);
                changed.push((before.clone(), after.clone()));
            }
        }
    }
    bindings::Entity::remove(write, bindings.removed).await?;
    write.replace::<Entity>(changed).await?;
    write.insert::<Entity>(created).await?;
    write.replace::<bindings::Entity>(bindings.changed).await?;
    write.insert::<bindings::Entity>(bindings.created).await?;
    let (mut retagged, mut full) = (Vec::new(), Vec::with_capacity(planned.len()));
    for (_, service, input) in planned.iter() {
        let before = tags_before.remove(&service.id).unwrap_or_default();
        let tags = input.tags.clone().unwrap_or_else(|| before.clone());
        let bindings = bound.get(&service.id).into_iter().flatten().cloned();
        full.push(FullService {
            service: service.clone(),
            bindings: bindings.map(Into::into).collect(),
            tags: tags.clone(),
        });
        if before != tags {
            retagged.push((service.id, before, tags));
        }
    }
    tags::replace_many(write, TagOwner::Service, retagged).await?;
    Ok(full)
}

/// The changes to bindings.
#[derive(Default)]
struct Bindings {
    created: Vec<bindings::Model>,
    changed: Vec<(bindings::Model, bindings::Model)>,
    removed: Vec<bindings::Model>,
}

impl Bindings {
    /// Returns whether any binding of a service changes.
    fn touch(&self, service_id: Id) -> bool {
        let rows = self.created.iter().chain(self.changed.iter().map(|(_, after)| after));
        rows.chain(&self.removed).any(|binding| binding.service_id == service_id)
    }
}

/// Compares the given bindings with the stored ones. Returns the changes to write and the resulting
/// bindings of each service.
async fn plan_bindings(
    write: &Write<'_>,
    host_id: Id,
    planned: &[Planned],
    path_of: impl Fn(usize) -> String,
) -> Result<(Bindings, HashMap<Id, Vec<bindings::Model>>)> {
    let targets = Targets::of_host(write, host_id).await?;
    let mut stored: HashMap<Id, Vec<bindings::Model>> = HashMap::new();
    for binding in &targets.bindings {
        stored.entry(binding.service_id).or_default().push(binding.clone());
    }
    let mut plan = Bindings::default();
    // Bindings of services outside the input stay, and so do omitted lists.
    let spoken = |id: Id| {
        planned.iter().any(|(_, service, input)| service.id == id && input.bindings.is_some())
    };
    let mut taken: Vec<bindings::Model> =
        targets.bindings.iter().filter(|binding| !spoken(binding.service_id)).cloned().collect();
    // Check new and changed bindings against all that stay, whatever their place in the list.
    let mut new = Vec::new();
    let mut bound = HashMap::new();
    let now = Timestamp::now();
    for (nth, (_, service, input)) in planned.iter().enumerate() {
        let stored = stored.remove(&service.id).unwrap_or_default();
        let Some(given) = &input.bindings else {
            bound.insert(service.id, stored);
            continue;
        };
        let before = listed::matched(
            &stored,
            given,
            |row| row.id,
            |row, input| {
                Some(row.binding_type) == input.binding_type
                    && row.port_id == input.port_id.take()
                    && row.interface_id == input.interface_id.take()
            },
        )
        .map_err(|error| error.within("bindings").within(&path_of(nth)))?;
        let mut all = Vec::with_capacity(given.len());
        for ((number, given), before) in given.iter().enumerate().zip(&before) {
            let made = || bindings::Model {
                id: given.id.unwrap_or_else(Id::new),
                created_at: now,
                updated_at: now,
                service_id: service.id,
                network_id: service.network_id,
                binding_type: given.input.binding_type.unwrap_or(BindingType::Port),
                port_id: None,
                interface_id: None,
            };
            let within =
                |error: Error| error.within(&format!("bindings[{number}]")).within(&path_of(nth));
            let row = before.map_or_else(made, Clone::clone);
            let binding = match given.input.apply(row, &targets) {
                Ok(binding) => binding,
                Err(error) => {
                    let error = bindings::explained(write, service.network_id, error).await;
                    return Err(within(error));
                }
            };
            if before.is_some_and(|before| *before == binding) {
                taken.push(binding.clone());
            } else {
                new.push(binding.clone());
            }
            let (created, changed) = (&mut plan.created, &mut plan.changed);
            listed::sort_in(*before, binding, created, changed, &mut all, |row| {
                row.updated_at = later(row.updated_at);
            });
        }
        plan.removed.extend(listed::unmatched(&stored, &before, |row| row.id));
        bound.insert(service.id, all);
    }
    for binding in new {
        require_apart(&taken, &binding)?;
        taken.push(binding);
    }
    Ok((plan, bound))
}

/// Rejects tags that the viewer cannot see, in one statement for all services.
async fn check_tags(
    write: &Write<'_>,
    planned: &[Planned],
    path_of: impl Fn(usize) -> String,
) -> Result<()> {
    let given = planned.iter().filter_map(|(.., input)| input.tags.clone());
    let mut all: Vec<Id> = given.flatten().collect();
    all.sort_unstable();
    all.dedup();
    let Err(error) = tags::check(&write.db, &write.viewer, "tags", &write.app.db.ids(all)).await
    else {
        return Ok(());
    };
    let Error::ReferenceInvalid { kind, id, .. } = error else { return Err(error) };
    for (nth, (.., input)) in planned.iter().enumerate() {
        if let Some(at) = input.tags.iter().flatten().position(|tag| *tag == id) {
            let error = Error::ReferenceInvalid { kind, field: format!("tags[{at}]"), id };
            return Err(error.within(&path_of(nth)));
        }
    }
    Ok(())
}

/// Rejects engines that the viewer cannot see or that are in another network, in one statement.
async fn check_virtualization(
    write: &Write<'_>,
    planned: &[Planned],
    path_of: impl Fn(usize) -> String,
) -> Result<()> {
    let engine = |planned: &Planned| {
        planned.1.virtualization.as_ref().map(ServiceVirtualization::service_id)
    };
    let ids: Vec<Id> = planned.iter().filter_map(engine).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let known = Entity::visible_to(&write.viewer)
        .filter(write.app.db.ids(ids).includes(Column::Id))
        .all(&write.db)
        .await?;
    for (nth, one) in planned.iter().enumerate() {
        let Some(id) = engine(one) else { continue };
        let made_with_it = planned.iter().find(|other| other.1.id == id).map(|other| &other.1);
        let field = "virtualization.details.service_id";
        match known.iter().find(|row| row.id == id).or(made_with_it) {
            None => {
                let field = field.to_owned();
                let error = Error::ReferenceInvalid { kind: Kind::Service, field, id };
                return Err(error.within(&path_of(nth)));
            }
            Some(_) if id == one.1.id => {
                let error = Error::invalid(field, "a service does not run in itself");
                return Err(error.within(&path_of(nth)));
            }
            Some(row) if row.network_id != one.1.network_id => {
                return Err(Error::NetworkMismatch { kind: Kind::Service });
            }
            Some(_) => {}
        }
    }
    Ok(())
}
