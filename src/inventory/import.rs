//! Imports a document into a network, all or nothing.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};
use toposcope_types::{Id, Kind};

use super::{
    Options, document, parse, planner,
    report::Report,
    stored::{Stored, operator},
    write,
};
use crate::{
    app::App,
    error::{Error, Result},
    input::text,
    networks::{self, Network},
    write::{Write, later},
};

/// The target of an import.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The organization that contains the network or gets a new one.
    pub organization_id: Id,
    /// The network; by default the one that the document names, created if there is none.
    pub network_id: Option<Id>,
}

/// Creates a progress bar on standard error, or a hidden one if that is not a terminal.
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

/// Imports a document into a network, in one transaction. An error names its path in the document,
/// and then nothing is written.
///
/// Existing rows keep their ids. Hosts match by name, several with one name by other distinguishing
/// data, then by name without case, chassis id and MAC addresses, which the report mentions;
/// subnets by CIDR; interfaces by address; ports by number and protocol; services, groups and tags
/// by name; bindings by what they listen on. If-entries match within their host by `if_index` and
/// name, since many devices renumber their ports at startup. If these disagree, if-entries match by
/// the MAC address of a socket, by name, and by `if_descr`, then by `if_index` alone, for a renamed
/// port. Each match must be unique on both sides, and the last two require that no MAC address
/// contradicts them. A port that matches by name takes a different MAC address, which the report
/// mentions.
///
/// Hosts, subnets and groups that the document does not mention stay unchanged; with
/// [`Options::prune`] such hosts are removed, with everything on them. For a host in the document,
/// a given list (`if_entries`, `interfaces`, `ports`, `services`) is complete: missing rows are
/// removed. An omitted list changes nothing. A neighbor that a person pinned stays, unless one of
/// the two ports is removed, which the report mentions. So a second import of the same text writes
/// nothing at all.
///
/// With [`Options::skip_invalid`], elements that are invalid are left out, and so is what refers to
/// them; the rest is imported. Their stored rows stay: a list from which something is left out
/// removes nothing, and neither does [`Options::prune`] if a host is left out.
///
/// A dry run does everything except writing.
pub async fn import(
    app: &App,
    target: &Target,
    text: &str,
    options: Options,
    progress: &ProgressBar,
) -> Result<Report> {
    progress.set_message("reading");
    let (document, unknown_keys, faults) = parse::parse(text, options.skip_invalid)?;
    let operator = operator(app, target.organization_id, target.network_id);
    let mut write = Write::begin_unseen(app, &operator).await?;
    // Wait in line with all other writers of the organization.
    write.hold_organization().await.map_err(|error| match error {
        Error::NotAuthenticated => {
            Error::NotFound { kind: Kind::Organization, id: target.organization_id }
        }
        error => error,
    })?;
    let (network, network_created) = network(&mut write, target, &document).await?;
    let stored = Stored::read(app, &write.db, &write.viewer).await?;
    let plan = planner::plan(
        document,
        &stored,
        planner::Into { organization_id: target.organization_id, network_id: network.id },
        faults,
        options.prune,
    )?;
    let report = Report {
        network: network.name.clone(),
        // A new network that is rolled back gets another id the next time.
        network_id: (!network_created || !options.dry_run).then_some(network.id),
        network_created,
        options,
        unknown_keys,
        ..Report::new(&plan)
    };
    if options.dry_run || report.is_unchanged() {
        // A dry run also reports what keeps a host from being removed.
        write::prune(&mut write, &plan, &stored, progress).await?;
        write.db.rollback().await?;
        return Ok(report);
    }
    progress.set_message("writing");
    progress.set_length(plan.writes() as u64);
    if !plan.network_tags.is_empty() && !network_created {
        let updated_at = later(network.updated_at);
        let after = Network { updated_at, ..network.clone() };
        write.replace::<networks::Entity>(vec![(network, after)]).await?;
    }
    write::write(&mut write, plan, &stored, progress).await?;
    if network_created {
        write.change_rights();
    }
    write.commit().await?;
    Ok(report)
}

/// Finds or creates the network for a document, holds it, and returns whether it is new.
async fn network(
    write: &mut Write<'_>,
    target: &Target,
    document: &document::Document,
) -> Result<(Network, bool)> {
    // The operator may write into any network of the organization, so no viewer's reach applies.
    let networks = networks::of_organization(target.organization_id);
    if let Some(id) = target.network_id {
        let found = networks.filter(networks::Column::Id.eq(id)).one(&write.db).await?;
        let network = found.ok_or(Error::NotFound { kind: Kind::Network, id })?;
        return Ok((held(write, network.id).await?, false));
    }
    let field = || "network.name".to_owned();
    let named = document.network.as_ref().ok_or_else(|| Error::Required { field: field() })?;
    let name = text::required(&field(), named.name.clone(), 1, text::MAX_TITLE)?;
    let named = networks.filter(networks::Column::Name.eq(&name)).limit(2);
    let mut found = named.all(&write.db).await?;
    match (found.pop(), found.pop()) {
        (Some(network), None) => Ok((held(write, network.id).await?, false)),
        (Some(_), Some(_)) => Err(Error::invalid(
            field(),
            format!("several networks are called `{name}`; say which by id with `--network`"),
        )),
        (None, _) => {
            let made = networks::add(write, Id::new(), target.organization_id, name).await?;
            write.viewer = operator(write.app, target.organization_id, Some(made.id));
            Ok((made, true))
        }
    }
}

/// Keeps others from changing the network between reading and writing it, which raises its
/// revision.
async fn held(write: &mut Write<'_>, id: Id) -> Result<Network> {
    write.viewer = operator(write.app, write.viewer.organization_id, Some(id));
    write.hold_network(id).await?;
    let networks = networks::of_organization(write.viewer.organization_id);
    let network = networks.filter(networks::Column::Id.eq(id)).one(&write.db).await?;
    network.ok_or(Error::NotFound { kind: Kind::Network, id })
}
