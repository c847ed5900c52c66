//! The statements that apply a plan: for each table as few as the limit on variables allows.

use std::collections::HashMap;

use indicatif::ProgressBar;
use sea_orm::{
    ConnectionTrait as _,
    sea_query::{Alias, Expr, Query},
};
use toposcope_types::{Id, Kind};

use super::{
    plan::{Changes, Links, Plan},
    stored::Stored,
};
use crate::{
    bindings,
    db::chunks,
    error::{Error, Result},
    hosts,
    if_entries::{self, IfEntry, observation},
    interfaces, ports,
    resource::Resource,
    services,
    tags::TagOwner,
    write::{Removable, Write},
};

/// Writes a plan: removals first, then rows after those that they reference.
pub(super) async fn write(
    write: &mut Write<'_>,
    plan: Plan,
    stored: &Stored,
    progress: &ProgressBar,
) -> Result<()> {
    prune(write, &plan, stored, progress).await?;
    remove::<bindings::Entity>(write, &plan.bindings, &stored.bindings, progress).await?;
    remove::<services::Entity>(write, &plan.services, &stored.services, progress).await?;
    remove::<ports::Entity>(write, &plan.ports, &stored.ports, progress).await?;
    remove::<if_entries::Entity>(write, &plan.if_entries, &stored.if_entries, progress).await?;
    remove::<interfaces::Entity>(write, &plan.interfaces, &stored.interfaces, progress).await?;
    let gone = rows::<observation::Entity>(&plan.observations.removed, &stored.observations);
    write.remove::<observation::Entity>(&gone).await?;

    let mut plan = plan;
    let gone_ids = write.app.db.ids(plan.gone(stored));
    for entry in plan.if_entries.changed.iter_mut().chain(&mut plan.if_entries.created) {
        entry.point_past(&gone_ids);
    }
    let heard = (plan.observations.changed.clone(), plan.observations.created.clone());
    save(write, plan.tags, &stored.tags, progress).await?;
    save(write, plan.subnets, &stored.subnets, progress).await?;
    save(write, plan.hosts, &stored.hosts, progress).await?;
    save(write, plan.interfaces, &stored.interfaces, progress).await?;
    save(write, plan.ports, &stored.ports, progress).await?;
    park(write, &plan.if_entries, &stored.if_entries).await?;
    save(write, plan.if_entries, &stored.if_entries, progress).await?;
    save(write, plan.observations, &stored.observations, progress).await?;
    save(write, plan.services, &stored.services, progress).await?;
    save(write, plan.bindings, &stored.bindings, progress).await?;
    save(write, plan.groups, &stored.groups, progress).await?;
    log_heard(write, stored, &gone, heard);
    for (owner, links, before) in [
        (TagOwner::Network, plan.network_tags, &stored.network_tags),
        (TagOwner::Subnet, plan.subnet_tags, &stored.subnet_tags),
        (TagOwner::Host, plan.host_tags, &stored.host_tags),
        (TagOwner::Service, plan.service_tags, &stored.service_tags),
        (TagOwner::Group, plan.group_tags, &stored.group_tags),
    ] {
        log_links(write, owner.kind(), "tags", before, &links);
        link(write, owner.table(), owner.column(), "tag_id", &links).await?;
    }
    log_links(write, Kind::Group, "binding_ids", &stored.members, &plan.members);
    link(write, "group_binding", "group_id", "binding_id", &plan.members).await
}

/// Removes hosts with everything on them.
pub(super) async fn prune(
    write: &mut Write<'_>,
    plan: &Plan,
    stored: &Stored,
    progress: &ProgressBar,
) -> Result<()> {
    let pruned = remove::<hosts::Entity>(write, &plan.hosts, &stored.hosts, progress).await;
    pruned.map_err(|error| match error {
        Error::InUse { .. } => Error::invalid("--prune", format!("{error}; nothing was changed")),
        error => error,
    })
}

/// Returns the stored rows with these ids.
fn rows<E: Resource>(ids: &[Id], stored: &[E::Model]) -> Vec<E::Model> {
    let by_id: HashMap<Id, &E::Model> = stored.iter().map(|row| (E::id(row), row)).collect();
    ids.iter().filter_map(|id| by_id.get(id).copied().cloned()).collect()
}

async fn remove<E: Removable>(
    write: &mut Write<'_>,
    changes: &Changes<E>,
    stored: &[E::Model],
    progress: &ProgressBar,
) -> Result<()> {
    if changes.removed.is_empty() {
        return Ok(());
    }
    E::remove(write, rows::<E>(&changes.removed, stored)).await?;
    progress.inc(changes.removed.len() as u64);
    Ok(())
}

/// Inserts new rows and replaces changed ones.
async fn save<E: Resource>(
    write: &mut Write<'_>,
    changes: Changes<E>,
    stored: &[E::Model],
    progress: &ProgressBar,
) -> Result<()> {
    let written = changes.created.len() + changes.changed.len();
    write.insert::<E>(changes.created).await?;
    if !changes.changed.is_empty() {
        let by_id: HashMap<Id, &E::Model> = stored.iter().map(|row| (E::id(row), row)).collect();
        let pairs = changes.changed.into_iter().filter_map(|after| {
            let before = by_id.get(&E::id(&after)).copied().cloned();
            before.map(|before| (before, after))
        });
        write.replace::<E>(pairs.collect()).await?;
    }
    progress.inc(written as u64);
    Ok(())
}

/// Frees the numbers of if-entries that get other numbers, since new or other if-entries get
/// theirs.
async fn park(
    write: &Write<'_>,
    changes: &Changes<if_entries::Entity>,
    stored: &[IfEntry],
) -> Result<()> {
    let by_id: HashMap<Id, &IfEntry> = stored.iter().map(|row| (row.id, row)).collect();
    let moved = changes.changed.iter().filter_map(|after| {
        let before = *by_id.get(&after.id)?;
        (before.if_index != after.if_index).then(|| (before.clone(), after.clone()))
    });
    let moved: Vec<(IfEntry, IfEntry)> = moved.collect();
    if moved.is_empty() { Ok(()) } else { if_entries::park(write, &moved).await }
}

/// Logs the observations of if-entries before and after, where they differ.
fn log_heard(
    write: &mut Write<'_>,
    stored: &Stored,
    gone: &[observation::Model],
    (changed, created): (Vec<observation::Model>, Vec<observation::Model>),
) {
    let touched: std::collections::HashSet<Id> =
        gone.iter().chain(&changed).chain(&created).map(|row| row.if_entry_id).collect();
    let replaced: std::collections::HashSet<Id> =
        gone.iter().chain(&changed).map(|row| row.id).collect();
    let before: Vec<observation::Model> = stored
        .observations
        .iter()
        .filter(|row| touched.contains(&row.if_entry_id))
        .cloned()
        .collect();
    let kept = before.iter().filter(|row| !replaced.contains(&row.id)).cloned();
    let after = kept.chain(changed).chain(created).collect();
    if_entries::log_heard(write, before, after);
}

fn log_links(
    write: &mut Write<'_>,
    kind: Kind,
    part: &str,
    before: &HashMap<Id, Vec<Id>>,
    links: &Links,
) {
    let nothing = Vec::new();
    for (owner, after) in links {
        write.log_part((kind, *owner), part, before.get(owner).unwrap_or(&nothing), after);
    }
}

/// Replaces the references of owners with exactly these, in order.
async fn link(
    write: &Write<'_>,
    table: &'static str,
    owner: &'static str,
    target: &'static str,
    links: &Links,
) -> Result<()> {
    if links.is_empty() {
        return Ok(());
    }
    let owners: Vec<_> = links.iter().map(|(owner, _)| *owner).collect();
    let delete = Query::delete()
        .from_table(Alias::new(table))
        .and_where(write.app.db.ids(owners).includes(Expr::col(Alias::new(owner))))
        .to_owned();
    write.db.execute(&delete).await?;
    let mut rows = Vec::new();
    for (owner, targets) in links {
        rows.extend((0_i32..).zip(targets).map(|(position, target)| (*owner, *target, position)));
    }
    for rows in chunks(rows, write.variables() / 3) {
        let mut insert = Query::insert();
        insert.into_table(Alias::new(table)).columns([owner, target, "position"].map(Alias::new));
        for (owner, target, position) in rows {
            insert.values_panic([Expr::val(owner), Expr::val(target), Expr::val(position)]);
        }
        write.db.execute(&insert).await?;
    }
    Ok(())
}
