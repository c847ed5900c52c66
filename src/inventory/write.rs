//! The statements that settle a plan: each table in as few as its number of variables allows.

use indicatif::ProgressBar;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, IdenStatic as _,
    IntoActiveModel, Iterable, QueryFilter,
    sea_query::{Alias, Expr, OnConflict, Query},
};

use super::plan::{Changes, Links, Plan};
use crate::{app::App, db::Resource, error::Result, if_entries, tags::TagOwner};

/// Writes to one database, in chunks that it can take.
struct Writer<'a, C> {
    app: &'a App,
    db: &'a C,
    progress: &'a ProgressBar,
    /// How many variables one statement may have.
    variables: usize,
}

/// Writes a plan: what goes first, then rows after those that they refer to.
pub(super) async fn write(
    app: &App,
    db: &impl ConnectionTrait,
    plan: Plan,
    progress: &ProgressBar,
) -> Result<()> {
    let variables = match app.db.backend() {
        DbBackend::Sqlite => 32_766,
        _ => 65_535,
    };
    let writer = Writer { app, db, progress, variables };
    writer.remove(&plan.bindings).await?;
    writer.remove(&plan.services).await?;
    writer.remove(&plan.ports).await?;
    writer.remove(&plan.observations).await?;
    writer.unpin(&plan.if_entries).await?;
    writer.remove(&plan.if_entries).await?;
    writer.remove(&plan.interfaces).await?;

    writer.save(plan.tags).await?;
    writer.save(plan.subnets).await?;
    writer.save(plan.hosts).await?;
    writer.save(plan.interfaces).await?;
    writer.save(plan.ports).await?;
    writer.save(plan.if_entries).await?;
    writer.save(plan.observations).await?;
    writer.save(plan.services).await?;
    writer.save(plan.bindings).await?;
    writer.save(plan.groups).await?;
    for (owner, links) in [
        (TagOwner::Network, plan.network_tags),
        (TagOwner::Subnet, plan.subnet_tags),
        (TagOwner::Host, plan.host_tags),
        (TagOwner::Service, plan.service_tags),
        (TagOwner::Group, plan.group_tags),
    ] {
        writer.link(owner.table(), owner.column(), "tag_id", &links).await?;
    }
    writer.link("group_binding", "group_id", "binding_id", &plan.members).await
}

impl<C: ConnectionTrait> Writer<'_, C> {
    async fn remove<E: Resource>(&self, changes: &Changes<E>) -> Result<()> {
        if changes.removed.is_empty() {
            return Ok(());
        }
        let ids = self.app.db.ids(changes.removed.as_slice());
        E::delete_many().filter(ids.includes(E::ID)).exec(self.db).await?;
        self.progress.inc(changes.removed.len() as u64);
        Ok(())
    }

    /// A pin goes with the entry that it points to.
    async fn unpin(&self, changes: &Changes<if_entries::Entity>) -> Result<()> {
        use if_entries::Column;
        if changes.removed.is_empty() {
            return Ok(());
        }
        let ids = self.app.db.ids(changes.removed.as_slice());
        if_entries::Entity::update_many()
            .col_expr(Column::NeighborPinned, Expr::val(false))
            .filter(ids.includes(Column::NeighborIfEntryId))
            .filter(Column::NeighborPinned.eq(true))
            .exec(self.db)
            .await?;
        Ok(())
    }

    /// Inserts what is new and replaces what has changed.
    async fn save<E>(&self, changes: Changes<E>) -> Result<()>
    where
        E: Resource<Model: IntoActiveModel<E::ActiveModel>>,
        E::ActiveModel: Send,
    {
        let columns = E::Column::iter().count();
        for rows in chunks(changes.created, self.variables / columns) {
            let written = rows.len() as u64;
            let rows = rows.into_iter().map(|row| row.into_active_model().reset_all());
            E::insert_many(rows).exec_without_returning(self.db).await?;
            self.progress.inc(written);
        }
        for rows in chunks(changes.changed, self.variables / columns) {
            let written = rows.len() as u64;
            let rows = rows.into_iter().map(|row| row.into_active_model().reset_all());
            let columns = E::Column::iter().filter(|column| {
                [E::ID, E::CREATED_AT].iter().all(|key| key.as_str() != column.as_str())
            });
            let replace = OnConflict::column(E::ID).update_columns(columns).to_owned();
            E::insert_many(rows).on_conflict(replace).exec_without_returning(self.db).await?;
            self.progress.inc(written);
        }
        Ok(())
    }

    /// Gives owners exactly these references, in order.
    async fn link(
        &self,
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
            .and_where(self.app.db.ids(owners).includes(Expr::col(Alias::new(owner))))
            .to_owned();
        self.db.execute(&delete).await?;
        let mut rows = Vec::new();
        for (owner, targets) in links {
            rows.extend(
                (0_i32..).zip(targets).map(|(position, target)| (*owner, *target, position)),
            );
        }
        for rows in chunks(rows, self.variables / 3) {
            let mut insert = Query::insert();
            insert
                .into_table(Alias::new(table))
                .columns([owner, target, "position"].map(Alias::new));
            for (owner, target, position) in rows {
                insert.values_panic([Expr::val(owner), Expr::val(target), Expr::val(position)]);
            }
            self.db.execute(&insert).await?;
        }
        Ok(())
    }
}

/// The rows in chunks of at most `size`.
fn chunks<T>(rows: Vec<T>, size: usize) -> impl Iterator<Item = Vec<T>> {
    let mut rows = rows.into_iter();
    std::iter::from_fn(move || {
        let chunk: Vec<T> = rows.by_ref().take(size).collect();
        (!chunk.is_empty()).then_some(chunk)
    })
}
