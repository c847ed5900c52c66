//! Why a port has no link, where it heard nothing that could be asked for a neighbor.

use std::collections::HashSet;

use async_graphql::Enum;

use super::{forwarding, if_type, links::NONE, observation::Method, snapshot::Snapshot};
use crate::{
    if_entries::IfEntry,
    types::{AdminStatus, Mac, OperStatus},
};

/// Why a port has no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum UnlinkedReason {
    /// It heard a neighbor that is not known.
    UnknownNeighbor,
    /// What its forwarding table says speaks for a link between other ports of the same two devices.
    Outranked,
    /// What it heard stands against a link that is known with more authority.
    Contradicted,
    /// It is no port, but a VLAN, a bridge, a tunnel or the like.
    NotAPort,
    /// It does not work, and nothing was heard on it.
    Down,
    /// Neither LLDP nor CDP heard a neighbor, and it has no forwarding table.
    NothingHeard,
    /// Its forwarding table has no address that belongs to a single other device.
    NoUsableAddress,
    /// Its forwarding table has addresses of several devices, so that none of them is its neighbor.
    SeveralAddresses,
}

/// What to do where no protocol speaks.
const REMEDY: &str = "Switch LLDP on at both ends, or say by hand what it is connected to.";

/// Why a port has no link that heard no neighbor, in a word and in a sentence with its remedy; `own`
/// are the MAC addresses of its device.
pub(super) fn why(entry: &IfEntry, own: &HashSet<Mac>) -> (UnlinkedReason, String) {
    let table = entry.fdb_macs.as_ref().filter(|table| !table.0.is_empty());
    // What a port that is off has learned, it has learned before.
    let table = table.filter(|_| entry.admin_status != AdminStatus::Down);
    if !forwarding::counts(entry.if_type) {
        let what = if if_type::is_virtual(entry.if_type) {
            "a VLAN, a bridge, a tunnel or the like"
        } else {
            "neither a socket nor a link aggregation group"
        };
        let sentence = format!(
            "This is {what} (ifType {}) and heard no neighbor: links end at ports. Look at the \
             ports of this device.",
            entry.if_type
        );
        return (UnlinkedReason::NotAPort, sentence);
    }
    let Some(table) = table else {
        let state = match (entry.admin_status, entry.oper_status) {
            (AdminStatus::Down, _) => "It is switched off (ifAdminStatus Down)",
            (_, OperStatus::Down) => {
                "Nothing is plugged in or the far end is off (ifOperStatus Down)"
            }
            (_, OperStatus::LowerLayerDown) => {
                "What it runs over is down (ifOperStatus LowerLayerDown)"
            }
            (_, OperStatus::NotPresent) => "A part of it is missing (ifOperStatus NotPresent)",
            _ if if_type::is_aggregate(entry.if_type) => {
                let sentence = "This is a link aggregation group, and what is connected is heard \
                                by its members: look at their links, or say by hand what the group \
                                is connected to."
                    .to_owned();
                return (UnlinkedReason::NothingHeard, sentence);
            }
            _ => {
                let sentence = format!(
                    "Neither LLDP nor CDP heard a neighbor on it, and no forwarding table is \
                     recorded for it. {REMEDY}"
                );
                return (UnlinkedReason::NothingHeard, sentence);
            }
        };
        let sentence = format!("{state}, and no neighbor was heard on it.");
        return (UnlinkedReason::Down, sentence);
    };
    let usable: HashSet<Mac> = forwarding::usable(&table.0, Some(own)).collect();
    if usable.is_empty() {
        let sentence = format!(
            "No neighbor was heard on it, and the MAC addresses in its forwarding table are those of \
             this device itself, of groups or of virtual routers. {REMEDY}"
        );
        return (UnlinkedReason::NoUsableAddress, sentence);
    }
    let sentence = format!(
        "No neighbor was heard on it, and its forwarding table has {} MAC addresses: several \
         devices are behind it, and which of them is the next one cannot be told. {REMEDY}",
        usable.len()
    );
    (UnlinkedReason::SeveralAddresses, sentence)
}

impl Snapshot {
    /// What is known with more authority than something seen, and what there is to do.
    pub(super) fn against(&self, place: u32) -> Option<String> {
        let seen = &self.seen[place as usize];
        let hosts = [seen.host, seen.far_host].into_iter().filter(|host| *host != NONE);
        let mut links = hosts.flat_map(|host| self.links_of(host));
        let link = links.find_map(|link| {
            let link = &self.links[link as usize];
            link.contradictions.contains(&place).then_some(link)
        })?;
        let ends = self.ends_called(link.ends.map(|end| (end.host, end.port)));
        let (by, remedy) = match link.method {
            Method::Pinned => ("hand", "Remove that pin if it is wrong, or move the cable."),
            method => (method.spelled(), "One of both is of the past, or the cables are mixed up."),
        };
        Some(format!(" But {ends} are joined by {by}, which counts more. {remedy}"))
    }
}
