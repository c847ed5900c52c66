//! Why a port has no link, where it heard nothing that could be asked for a neighbor.

use std::collections::HashSet;

use async_graphql::Enum;

use super::{forwarding, if_type, owners::Owners, snapshot::Snapshot};
use crate::{
    if_entries::IfEntry,
    types::{AdminStatus, Mac, OperStatus},
};

/// Why a port has no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum UnlinkedReason {
    /// It heard a neighbor that is not known.
    UnknownNeighbor,
    /// What its forwarding table says, or that of a port which names it, speaks for a link between
    /// other ports of the same two devices.
    Outranked,
    /// What it heard, or who heard it, stands against a link that is known with more authority.
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

/// The addresses in the forwarding table of a port that may be those of its neighbor; `own` are those
/// of its device. Nothing where no table is looked into.
pub(super) fn usable(entry: &IfEntry, own: &HashSet<Mac>) -> Option<HashSet<Mac>> {
    let table = entry.fdb_macs.as_ref().filter(|table| !table.macs().is_empty())?;
    // What a port that is off has learned, it has learned before.
    let is_used = forwarding::counts(entry.if_type) && entry.admin_status != AdminStatus::Down;
    is_used.then(|| forwarding::usable(table.macs(), Some(own)).collect())
}

/// Why a port has no link that heard no neighbor, in a word and in a sentence with its remedy.
pub(super) fn why(
    snapshot: &Snapshot,
    entry: &IfEntry,
    usable: Option<&HashSet<Mac>>,
    owners: &Owners,
) -> (UnlinkedReason, String) {
    if !forwarding::counts(entry.if_type) {
        return (UnlinkedReason::NotAPort, no_port(entry));
    }
    let Some(usable) = usable else { return without_table(entry) };
    if usable.is_empty() {
        let sentence = format!(
            "No neighbor was heard on it, and the MAC addresses in its forwarding table are those of \
             this device itself, of groups or of virtual routers. {REMEDY}"
        );
        return (UnlinkedReason::NoUsableAddress, sentence);
    }
    let sentence = format!(
        "No neighbor was heard on it, and its forwarding table has {} MAC addresses: {} {REMEDY}",
        usable.len(),
        owners.told(snapshot, usable.len())
    );
    (UnlinkedReason::SeveralAddresses, sentence)
}

fn no_port(entry: &IfEntry) -> String {
    let what = if if_type::is_virtual(entry.if_type) {
        "a VLAN, a bridge, a tunnel or the like"
    } else {
        "neither a socket nor a link aggregation group"
    };
    let table = if entry.fdb_macs.as_ref().is_some_and(|table| !table.macs().is_empty()) {
        " Its forwarding table is not used, since the addresses in it may be behind any port: record \
         each of them at the port or link aggregation group behind which it was learned."
    } else {
        ""
    };
    format!(
        "This is {what} (ifType {}) and heard no neighbor: links end at ports. Look at the ports of \
         this device.{table}",
        entry.if_type
    )
}

fn without_table(entry: &IfEntry) -> (UnlinkedReason, String) {
    let state = match (entry.admin_status, entry.oper_status) {
        (AdminStatus::Down, _) => "It is switched off (ifAdminStatus Down)",
        (_, OperStatus::Down) => "Nothing is plugged in or the far end is off (ifOperStatus Down)",
        (_, OperStatus::LowerLayerDown) => {
            "What it runs over is down (ifOperStatus LowerLayerDown)"
        }
        (_, OperStatus::NotPresent) => "A part of it is missing (ifOperStatus NotPresent)",
        _ if if_type::is_aggregate(entry.if_type) => {
            let sentence =
                "This is a link aggregation group, and what is connected is heard by its \
                            members: look at their links, or say by hand what the group is \
                            connected to."
                    .to_owned();
            return (UnlinkedReason::NothingHeard, sentence);
        }
        _ => {
            let sentence = format!(
                "Neither LLDP nor CDP heard a neighbor on it, and no forwarding table is recorded for \
                 it. {REMEDY}"
            );
            return (UnlinkedReason::NothingHeard, sentence);
        }
    };
    (UnlinkedReason::Down, format!("{state}, and no neighbor was heard on it."))
}
