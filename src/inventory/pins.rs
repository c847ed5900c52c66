//! Plans the notes on pinned neighbors: pins that an import removes or puts in doubt.

use std::collections::{HashMap, HashSet};

use toposcope_types::{Id, NeighborType};

use super::{host_parts::Doubt, matching::Alone, planner::Planner};
use crate::if_entries::IfEntry;

/// The ports and devices of a network before an import, and its effects on the ports.
struct Ports<'a> {
    hosts: HashMap<Id, &'a str>,
    entries: HashMap<Id, &'a IfEntry>,
    removed: HashSet<Id>,
    pruned: HashSet<Id>,
    doubtful: &'a HashMap<Id, Doubt>,
}

impl Planner<'_> {
    /// Notes each pin that is removed with one of its ports or devices, and each pin whose port may
    /// be another one now.
    pub(super) fn pins(&mut self) {
        let (stored, plan) = (self.stored, &self.plan.if_entries);
        let pruned = &self.plan.hosts.removed;
        if plan.removed.is_empty() && pruned.is_empty() && self.doubtful.is_empty() {
            return;
        }
        let ports = Ports {
            hosts: stored.hosts.iter().map(|row| (row.id, row.name.as_str())).collect(),
            entries: stored.if_entries.iter().map(|row| (row.id, row)).collect(),
            removed: plan.removed.iter().copied().collect(),
            pruned: pruned.iter().copied().collect(),
            doubtful: &self.doubtful,
        };
        let pins = stored.if_entries.iter().filter(|row| row.neighbor_pinned);
        let notes: Vec<String> = pins.filter_map(|pin| ports.note(pin)).collect();
        // These go first, since not all of the other notes may be printed.
        self.plan.notes.splice(0..0, notes);
    }
}

impl Ports<'_> {
    fn note(&self, pin: &IfEntry) -> Option<String> {
        let neighbor = pin.neighbor_id()?;
        let far = match neighbor.neighbor_type {
            NeighborType::IfEntry => Some(*self.entries.get(&neighbor.id)?),
            NeighborType::Host => None,
        };
        let near = self.called(pin);
        let to = far.map_or_else(|| self.host(neighbor.id), |far| self.called(far));
        let far_host = far.map_or(neighbor.id, |far| far.host_id);
        if [pin.host_id, far_host].iter().any(|host| self.pruned.contains(host)) {
            return Some(format!("the pin of {near} to {to} goes with what is removed"));
        }
        let ends = || std::iter::once(pin).chain(far);
        let removed: Vec<String> = ends()
            .filter(|end| self.removed.contains(&end.id))
            .map(|end| format!("{} (if_index {})", self.called(end), end.if_index))
            .collect();
        if !removed.is_empty() {
            return Some(format!(
                "the pin of {near} to {to} goes, because the document does not list {}. Add to \
                 `if_entries` what is still there; of a port that has both another name and another \
                 if_index now, set `neighbor` again after the import",
                removed.join(" and "),
            ));
        }
        let doubts: Vec<String> = ends().filter_map(|end| self.doubt(end)).collect();
        (!doubts.is_empty()).then(|| {
            format!(
                "the pin of {near} to {to} stays, though {}. If it is another port now, set \
                 `neighbor` of {near} again after the import",
                doubts.join(", and "),
            )
        })
    }

    fn doubt(&self, end: &IfEntry) -> Option<String> {
        let called = self.called(end);
        Some(match self.doubtful.get(&end.id)? {
            Doubt::Name(now, alone) => {
                let alone = match alone {
                    Alone::Number => format!("if_index {}", end.if_index),
                    Alone::Mac => "its MAC address".to_owned(),
                };
                format!(
                    "{called} is called `{now}` now and only {alone} says that it is the same port"
                )
            }
            Doubt::Mac { old, new } => {
                format!("{called} had the MAC address `{old}` and has `{new}` now")
            }
        })
    }

    fn called(&self, port: &IfEntry) -> String {
        format!("`{}` of {}", port.label(), self.host(port.host_id))
    }

    fn host(&self, id: Id) -> String {
        format!("`{}`", self.hosts.get(&id).copied().unwrap_or_default())
    }
}
