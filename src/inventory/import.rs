//! Reading a document into a network, all or nothing.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect, sea_query::LockType};

use super::{
    document,
    plan::Plan,
    planner,
    report::Report,
    stored::{Stored, operator},
    write,
};
use crate::{
    app::App,
    db::Resource as _,
    error::{Error, Kind, Result},
    networks::{self, Network},
    organizations,
    types::{Id, text},
};

const MAX_NAME: usize = 100;

/// Where a document goes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The organization that has or gets the network.
    pub organization_id: Id,
    /// The network; by default the one that the document names, made if there is none.
    pub network_id: Option<Id>,
}

/// A bar on standard error, or nothing where that is no terminal.
pub fn progress_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} rows") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Makes a network hold what a document says, in one transaction; a fault names its place and
/// nothing is written.
///
/// What is there is kept with its id: hosts are found by name, then by chassis id; subnets by
/// CIDR; interface-table entries by `if_index`; interfaces by address; ports by number and
/// protocol; services, groups and tags by name; bindings by what they listen on. Hosts, subnets
/// and groups that the document does not mention are left alone. Of a host that it mentions, a
/// list that it gives (`if_entries`, `interfaces`, `ports`, `services`) is the whole truth: what
/// is not in it is removed; a list that it leaves out is left alone. A neighbor that a person
/// pinned stays. So a second import of the same text writes nothing at all.
///
/// A dry run does everything but write.
pub async fn import(
    app: &App,
    target: &Target,
    text: &str,
    dry_run: bool,
    progress: &ProgressBar,
) -> Result<Report> {
    progress.set_message("reading");
    let (document, unknown_keys) = document::parse(text)?;
    let transaction = app.db.begin().await?;
    let (network, network_created) = network(app, &transaction, target, &document).await?;
    let viewer = operator(app, target.organization_id, Some(network.id));
    let stored = Stored::read(app, &transaction, &viewer).await?;
    let plan = planner::plan(document, &stored, target.organization_id, network.id)?;
    let report = Report {
        network: network.name,
        network_created,
        dry_run,
        unknown_keys,
        ..Report::new(&plan)
    };
    if dry_run || report.is_unchanged() {
        transaction.rollback().await?;
        return Ok(report);
    }
    save(app, &transaction, network.id, plan, progress).await?;
    transaction.commit().await?;
    if network_created {
        app.credentials.forget();
    }
    Ok(report)
}

async fn save(
    app: &App,
    db: &impl ConnectionTrait,
    network_id: Id,
    plan: Plan,
    progress: &ProgressBar,
) -> Result<()> {
    progress.set_message("writing");
    progress.set_length(plan.writes() as u64);
    write::write(app, db, plan, progress).await?;
    networks::recount(db, network_id).await
}

/// The network that a document goes into, and whether it was made for it.
///
/// The locks put imports into one organization in line, and keep everybody else from changing the
/// network between reading and writing it.
async fn network(
    app: &App,
    db: &impl ConnectionTrait,
    target: &Target,
    document: &document::Document,
) -> Result<(Network, bool)> {
    let viewer = operator(app, target.organization_id, target.network_id);
    organizations::Entity::visible_to(&viewer)
        .lock(LockType::NoKeyUpdate)
        .one(db)
        .await?
        .ok_or(Error::NotFound { kind: Kind::Organization, id: target.organization_id })?;
    // The operator may write into any network of the organization, so no viewer's reach applies.
    let networks = networks::of_organization(target.organization_id).lock(LockType::NoKeyUpdate);
    if let Some(id) = target.network_id {
        let found = networks.filter(networks::Column::Id.eq(id)).one(db).await?;
        return found
            .map(|network| (network, false))
            .ok_or(Error::NotFound { kind: Kind::Network, id });
    }
    let field = || "network.name".to_owned();
    let named = document.network.as_ref().ok_or_else(|| Error::Required { field: field() })?;
    let name = text::required(&field(), named.name.clone(), 1, MAX_NAME)?;
    let mut found = networks.filter(networks::Column::Name.eq(&name)).limit(2).all(db).await?;
    match (found.pop(), found.pop()) {
        (Some(network), None) => Ok((network, false)),
        (Some(_), Some(_)) => Err(Error::invalid(
            field(),
            format!("several networks are called `{name}`; say which by id with `--network`"),
        )),
        (None, _) => {
            let made = networks::create(db, Id::new(), target.organization_id, name).await?;
            Ok((made, true))
        }
    }
}
