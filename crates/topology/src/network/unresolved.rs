//! Who was heard and is not in the inventory, grouped by who it claims to be.

use std::cmp::Reverse;

use super::{Snapshot, Unresolved};

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
        let is_shown = |one: &&Unresolved| shown(self.seen[one.seen as usize].host);
        let heard_here = |group| {
            let mut neighbor = self.unknown_neighbor(group);
            neighbor.heard.retain(is_shown);
            (!neighbor.heard.is_empty()).then_some(neighbor)
        };
        let mut neighbors: Vec<_> =
            self.unknown().iter().filter_map(|group| heard_here(group)).collect();
        neighbors.sort_by_key(|neighbor| Reverse(neighbor.heard.len()));
        neighbors
    }

    /// The neighbor of one group of [`Self::unknown`].
    pub fn unknown_neighbor(&self, group: &[u32]) -> UnknownNeighbor<'_> {
        let heard = group.iter().map(|place| &self.unresolved[*place as usize]);
        let heard: Vec<&Unresolved> = heard.collect();
        let claim = heard.first().and_then(|one| one.claim.as_deref());
        UnknownNeighbor { claim, heard }
    }

    /// Everybody who was heard and is not known, most heard first, each as the places of what was
    /// heard; in a large network the first call takes its time.
    pub fn unknown(&self) -> &[Vec<u32>] {
        self.caches.unknown.get_or_init(|| {
            // Those who claim nothing are not known to be one.
            let key = |place: u32| {
                let one = &self.unresolved[place as usize];
                let claim = one.claim.as_deref();
                (claim, if claim.is_some() { 0 } else { one.seen })
            };
            let mut order: Vec<u32> =
                (0_u32..).zip(&self.unresolved).map(|(place, _)| place).collect();
            order.sort_by(|a, b| key(*a).cmp(&key(*b)));
            let groups = order.chunk_by(|a, b| key(*a) == key(*b));
            let mut groups: Vec<Vec<u32>> = groups.map(<[u32]>::to_vec).collect();
            groups.sort_by_key(|group| Reverse(group.len()));
            groups
        })
    }
}
