//! Explains why a port has no link if it heard nothing that could resolve to a neighbor.

use std::collections::HashSet;

use toposcope_types::{AdminStatus, Mac, OperStatus, UnlinkedReason};

use super::mac_owners::Owners;
use crate::{
    network::Snapshot,
    resolution::{forwarding_table, if_type},
};

/// The remedy for a port without a discovery protocol.
const REMEDY: &str = "Switch LLDP on at both ends, or say by hand what it is connected to.";

/// The fields of a port that may explain why it has no link.
#[derive(Clone, Copy, Debug)]
pub struct UnlinkedPort<'p> {
    /// Its type (ifType of IF-MIB, RFC 2863).
    pub if_type: i32,
    /// The status that the operator wants (ifAdminStatus).
    pub admin_status: AdminStatus,
    /// The actual status (ifOperStatus).
    pub oper_status: OperStatus,
    /// The MAC addresses in its forwarding table; empty if it has no table.
    pub table: &'p [Mac],
}

/// Returns the addresses in a port's forwarding table that may be those of its neighbor; `own`
/// holds those of its device. Returns `None` if resolution does not use the table.
pub fn usable(port: UnlinkedPort<'_>, own: &HashSet<Mac>) -> Option<HashSet<Mac>> {
    // A port that is switched off learned its addresses earlier.
    let is_used = !port.table.is_empty()
        && forwarding_table::counts(port.if_type)
        && port.admin_status != AdminStatus::Down;
    is_used.then(|| forwarding_table::usable(port.table, Some(own)).collect())
}

/// Returns why a port that heard no neighbor has no link: a reason, and a sentence with the remedy.
pub fn why(
    snapshot: &Snapshot,
    port: UnlinkedPort<'_>,
    usable: Option<&HashSet<Mac>>,
    owners: &Owners,
) -> (UnlinkedReason, String) {
    if !forwarding_table::counts(port.if_type) {
        return (UnlinkedReason::NotAPort, no_port(port));
    }
    let Some(usable) = usable else { return without_table(port) };
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

fn no_port(port: UnlinkedPort<'_>) -> String {
    let what = if if_type::is_virtual(port.if_type) {
        "a VLAN, a bridge, a tunnel or the like"
    } else {
        "neither a socket nor a link aggregation group"
    };
    let table = if port.table.is_empty() {
        ""
    } else {
        " Its forwarding table is not used, since the addresses in it may be behind any port: record \
         each of them at the port or link aggregation group behind which it was learned."
    };
    format!(
        "This is {what} (ifType {}) and heard no neighbor: links end at ports. Look at the ports of \
         this device.{table}",
        port.if_type
    )
}

fn without_table(port: UnlinkedPort<'_>) -> (UnlinkedReason, String) {
    let state = match (port.admin_status, port.oper_status) {
        (AdminStatus::Down, _) => "It is switched off (ifAdminStatus Down)",
        (_, OperStatus::Down) => "Nothing is plugged in or the far end is off (ifOperStatus Down)",
        (_, OperStatus::LowerLayerDown) => {
            "What it runs over is down (ifOperStatus LowerLayerDown)"
        }
        (_, OperStatus::NotPresent) => "A part of it is missing (ifOperStatus NotPresent)",
        _ if if_type::is_aggregate(port.if_type) => {
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
