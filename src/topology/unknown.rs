//! Who was heard and is not in the inventory, grouped by who it claims to be.

use std::collections::BTreeMap;

use super::snapshot::{Snapshot, Unresolved};

/// A neighbor that was heard and is not known.
#[derive(Debug)]
pub struct UnknownNeighbor<'s> {
    /// Who it claims to be, by its strongest claim: a kind and a value, such as `mac 00:00:…`; empty
    /// if it claims nothing by which it could be known.
    pub claim: Option<&'s str>,
    /// Everything that was heard of it.
    pub heard: Vec<&'s Unresolved>,
}

impl<'s> UnknownNeighbor<'s> {
    /// How it calls itself.
    pub fn sys_name(&self) -> Option<&'s str> {
        self.first(|one| one.sys_name.as_deref())
    }

    /// How it identifies itself.
    pub fn chassis_id(&self) -> Option<&'s str> {
        self.first(|one| one.chassis_id.as_deref())
    }

    /// The address by which it is managed.
    pub fn mgmt_addr(&self) -> Option<&'s str> {
        self.first(|one| one.mgmt_addr.as_deref())
    }

    /// What was said of something, the smallest where that differs.
    fn first(&self, said: impl Fn(&'s Unresolved) -> Option<&'s str>) -> Option<&'s str> {
        self.heard.iter().filter_map(|one| said(one)).min()
    }

    /// What it can be called: its name, or else how it identifies itself.
    pub fn label(&self) -> &'s str {
        let called = self.sys_name().or(self.chassis_id()).or(self.mgmt_addr());
        called.unwrap_or("unknown")
    }
}

impl Snapshot {
    /// Who was heard by these devices and is not known, most heard first.
    pub fn unknown_neighbors(&self, shown: impl Fn(u32) -> bool) -> Vec<UnknownNeighbor<'_>> {
        let mut grouped: BTreeMap<(Option<&str>, u32), UnknownNeighbor<'_>> = BTreeMap::new();
        for one in &self.unresolved {
            if !shown(self.seen[one.seen as usize].host) {
                continue;
            }
            // Those who claim nothing are not known to be one.
            let claim = one.claim.as_deref();
            let key = claim.map_or((None, one.seen), |claim| (Some(claim), 0));
            let neighbor =
                grouped.entry(key).or_insert_with(|| UnknownNeighbor { claim, heard: Vec::new() });
            neighbor.heard.push(one);
        }
        let mut neighbors: Vec<UnknownNeighbor<'_>> = grouped.into_values().collect();
        neighbors.sort_by_key(|neighbor| std::cmp::Reverse(neighbor.heard.len()));
        neighbors
    }
}
