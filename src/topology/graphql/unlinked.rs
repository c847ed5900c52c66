//! Why a port has no link, over GraphQL.

use async_graphql::{Context, Result, SimpleObject};

use super::{link::explained, load};
use crate::{
    if_entries::IfEntry,
    topology::{UnlinkedReason, links::NONE, unlinked::why},
};

/// Why a port has no link.
#[derive(Clone, Debug, SimpleObject)]
pub struct Unlinked {
    /// In a word.
    reason: UnlinkedReason,
    /// In plain words, with what there is to do.
    sentence: String,
}

/// Why a port has no link, unless it has one.
pub async fn unlinked(context: &Context<'_>, entry: &IfEntry) -> Result<Option<Unlinked>> {
    let Some(snapshot) = load::snapshot(context, entry.network_id).await? else { return Ok(None) };
    let Some(port) = snapshot.port(entry.id) else { return Ok(None) };
    if !snapshot.links_at(port).is_empty() {
        return Ok(None);
    }
    let seen = snapshot.seen_at(port);
    let unknown = seen.clone().find(|seen| snapshot.seen[*seen as usize].far_host == NONE);
    let heard = unknown.map(|seen| (UnlinkedReason::UnknownNeighbor, seen));
    let heard = heard.or_else(|| seen.clone().next().map(|seen| (UnlinkedReason::Outranked, seen)));
    if let Some((reason, seen)) = heard {
        let sentence = explained(context, &snapshot, seen).await?.0.sentence.clone();
        return Ok(Some(Unlinked { reason, sentence }));
    }
    let own = load::macs_of(context, entry.network_id, entry.host_id).await?;
    let (reason, sentence) = why(entry, &own);
    Ok(Some(Unlinked { reason, sentence }))
}
