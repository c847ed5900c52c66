//! Reasons why a port has no link, over GraphQL.

use async_graphql::{Context, Result, SimpleObject};
use toposcope_topology::{
    findings::{
        mac_owners::{Owners, asked},
        unlinked::{UnlinkedPort, usable, why},
    },
    network::links::NONE,
};
use toposcope_types::UnlinkedReason;

use super::{link::explained, load};
use crate::if_entries::IfEntry;

/// The reason why a port has no link.
#[derive(Clone, Debug, SimpleObject)]
pub struct Unlinked {
    /// The kind of reason.
    reason: UnlinkedReason,
    /// The reason in plain words, with the remedy.
    sentence: String,
}

/// Returns why a port has no link, or `None` if it has one.
pub async fn unlinked(context: &Context<'_>, entry: &IfEntry) -> Result<Option<Unlinked>> {
    let Some(snapshot) = load::snapshot(context, entry.network_id).await? else { return Ok(None) };
    let Some(port) = snapshot.port(entry.id) else { return Ok(None) };
    if !snapshot.links_at(port).is_empty() || snapshot.is_evidence_of_link(port) {
        return Ok(None);
    }
    let heard = snapshot.seen_at(port).map(|(place, seen)| match seen.far_host {
        NONE => (UnlinkedReason::UnknownNeighbor, place),
        _ if !seen.counts() => (UnlinkedReason::Outranked, place),
        _ => (UnlinkedReason::Contradicted, place),
    });
    let is_unknown = |(reason, _): &(_, _)| *reason == UnlinkedReason::UnknownNeighbor;
    if let Some((reason, seen)) = heard.clone().find(is_unknown).or_else(|| heard.clone().next()) {
        let mut sentence = explained(context, &snapshot, seen).await?.0.sentence.clone();
        sentence.extend(snapshot.against(seen));
        return Ok(Some(Unlinked { reason, sentence }));
    }
    if let Some((reason, sentence)) = snapshot.overruled_at(port) {
        return Ok(Some(Unlinked { reason, sentence }));
    }
    let entry = &*load::with_table(context, entry).await?;
    let own = load::macs_of(context, entry.network_id, entry.host_id).await?;
    let table = entry.fdb_macs.as_ref().map_or(&[][..], |table| table.macs());
    let port_facts = UnlinkedPort {
        if_type: entry.if_type,
        admin_status: entry.admin_status,
        oper_status: entry.oper_status,
        table,
    };
    let usable = usable(port_facts, &own);
    let owners = match &usable {
        Some(macs) => load::owners_of(context, entry.network_id, &asked(macs), macs.len()).await?,
        None => Owners::default(),
    };
    let (reason, mut sentence) = why(&snapshot, port_facts, usable.as_ref(), &owners);
    if !matches!(reason, UnlinkedReason::NotAPort | UnlinkedReason::Down) {
        let joined = snapshot.joined_to_device(snapshot.ports[port as usize].host);
        sentence.extend(joined.map(|joined| format!(" {joined}")));
    }
    Ok(Some(Unlinked { reason, sentence }))
}
