//! Fields of an entry that a replacement keeps unless it gives them.

use async_graphql::MaybeUndefined;
use toposcope_types::{Duplex, StpState, VlanSet};

use super::entity::Model as IfEntry;
use crate::error::{Error, Result};

/// The checked fields that keep their stored value wherever an input omits them, a replacement
/// included.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    pub(super) lag_if_index: MaybeUndefined<i32>,
    pub(super) parent_if_index: MaybeUndefined<i32>,
    pub(super) mtu: MaybeUndefined<i32>,
    pub(super) duplex: MaybeUndefined<Duplex>,
    pub(super) native_vlan: MaybeUndefined<i32>,
    pub(super) tagged_vlans: MaybeUndefined<VlanSet>,
    pub(super) stp_state: MaybeUndefined<StpState>,
}

impl Kept {
    /// Returns the entry with the given fields replaced. Rejects an entry that then refers to
    /// itself.
    pub fn applied_to(self, mut entry: IfEntry) -> Result<IfEntry> {
        self.lag_if_index.update_to(&mut entry.lag_if_index);
        self.parent_if_index.update_to(&mut entry.parent_if_index);
        self.mtu.update_to(&mut entry.mtu);
        self.duplex.update_to(&mut entry.duplex);
        self.native_vlan.update_to(&mut entry.native_vlan);
        self.tagged_vlans.update_to(&mut entry.tagged_vlans);
        self.stp_state.update_to(&mut entry.stp_state);
        for (field, number, of) in [
            ("lag_if_index", entry.lag_if_index, "the aggregate"),
            ("parent_if_index", entry.parent_if_index, "the interface that it runs over"),
        ] {
            if number == Some(entry.if_index) {
                let reason = format!(
                    "it is the entry's own `if_index`; give that of {of}, or null if there is none"
                );
                return Err(Error::invalid(field, reason));
            }
        }
        Ok(entry)
    }
}
