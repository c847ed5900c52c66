//! Neighbors that ports heard and the inventory does not know, grouped by identity claim.

use std::cmp::Reverse;

use super::{Snapshot, Unresolved};

/// A neighbor that ports heard and the inventory does not know.
#[derive(Debug)]
pub struct UnknownNeighbor<'s> {
    /// Its strongest identity claim, as a kind and a value, such as `mac 00:00:…`; empty if it
    /// claims no identity by which it could be known.
    pub claim: Option<&'s str>,
    /// All observations of it.
    pub heard: Vec<&'s Unresolved>,
}

impl<'s> UnknownNeighbor<'s> {
    /// Returns the announced system name.
    pub fn sys_name(&self) -> Option<&'s str> {
        self.first(|one| one.sys_name.as_deref())
    }

    /// Returns the announced chassis id.
    pub fn chassis_id(&self) -> Option<&'s str> {
        self.first(|one| one.chassis_id.as_deref())
    }

    /// Returns the announced management address.
    pub fn mgmt_addr(&self) -> Option<&'s str> {
        self.first(|one| one.mgmt_addr.as_deref())
    }

    /// Returns the announced value of a field, the smallest if the observations differ.
    fn first(&self, said: impl Fn(&'s Unresolved) -> Option<&'s str>) -> Option<&'s str> {
        self.heard.iter().filter_map(|one| said(one)).min()
    }

    /// Returns a name to show: the system name, or else another announced identifier.
    pub fn label(&self) -> &'s str {
        let called = self.sys_name().or(self.chassis_id()).or(self.mgmt_addr());
        called.unwrap_or("unknown")
    }
}

impl Snapshot {
    /// Returns the unknown neighbors that these devices heard, most heard first.
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

    /// Returns the neighbor of one group of [`Self::unknown`].
    pub fn unknown_neighbor(&self, group: &[u32]) -> UnknownNeighbor<'_> {
        let heard = group.iter().map(|place| &self.unresolved[*place as usize]);
        let heard: Vec<&Unresolved> = heard.collect();
        let claim = heard.first().and_then(|one| one.claim.as_deref());
        UnknownNeighbor { claim, heard }
    }

    /// Returns all unknown neighbors, most heard first, each as the indexes of its observations. In
    /// a large network the first call is slow.
    pub fn unknown(&self) -> &[Vec<u32>] {
        self.caches.unknown.get_or_init(|| {
            // Observations without a claim are not known to be of one neighbor.
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
