//! Matches the given if-entries of a host to the stored ones.
//!
//! The rule: an `if_index` counts if the name agrees with it, since many devices renumber their
//! ports at startup; hardware is replaced, and members of a bond exchange their MAC addresses. MAC
//! addresses come next, then names, and finally an `if_index` alone, for a renamed port: if its MAC
//! address differs too, it is another port. A value that several if-entries on either side share
//! identifies none of them.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use toposcope_topology::resolution::{if_type::is_socket, normalize::interface};
use toposcope_types::Mac;

use crate::if_entries::{Columns, IfEntry};

/// The properties that distinguish an if-entry from the others of its host.
#[derive(Clone, Copy, Debug)]
struct Port<'p> {
    if_index: i32,
    if_descr: &'p str,
    if_name: Option<&'p str>,
    if_type: i32,
    mac_address: Option<Mac>,
}

impl<'p> Port<'p> {
    fn stored(row: &'p IfEntry) -> Self {
        let IfEntry { if_index, if_type, mac_address, .. } = *row;
        let if_name = row.if_name.as_deref();
        Self { if_index, if_descr: &row.if_descr, if_name, if_type, mac_address }
    }

    fn given(columns: &'p Columns) -> Self {
        let Columns { if_index, if_type, mac_address, .. } = *columns;
        let if_name = columns.if_name.as_deref();
        Self { if_index, if_descr: &columns.if_descr, if_name, if_type, mac_address }
    }

    fn name(&self) -> Option<&'p str> {
        self.if_name.filter(|name| !name.is_empty())
    }

    /// Returns the name, or else the description, in its short form; and whether it is the name.
    fn called(&self) -> (bool, String) {
        let name = self.name();
        (name.is_some(), interface(name.unwrap_or(self.if_descr)))
    }

    /// Returns the MAC address of a socket; if-entries that are no hardware report that of some
    /// socket.
    fn hardware(&self) -> Option<Mac> {
        self.mac_address.filter(|mac| is_socket(self.if_type) && mac.is_identity())
    }

    fn contradicts(&self, other: &Self) -> bool {
        self.mac_address.zip(other.mac_address).is_some_and(|(own, other)| own != other)
    }
}

/// The stored if-entry that matches a given one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match<'s> {
    pub(super) row: &'s IfEntry,
    /// The only evidence for the match, if there could be more.
    pub(super) alone: Option<Alone>,
}

/// The only evidence that an if-entry matches a stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alone {
    /// The `if_index`.
    Number,
    /// The MAC address, although one of the two has the name of another if-entry.
    Mac,
}

/// Returns the stored match of each given if-entry, if there is one; no two are the same.
pub(super) fn matched<'s>(stored: &[&'s IfEntry], given: &[Columns]) -> Vec<Option<Match<'s>>> {
    let mut matching = Matching {
        stored: stored.iter().map(|row| Port::stored(row)).collect(),
        given: given.iter().map(Port::given).collect(),
        found: vec![None; given.len()],
        taken: HashSet::with_capacity(stored.len()),
    };
    let called = HashSet::<(usize, usize)>::from_iter(matching.alike(|port| Some(port.called())));
    let mut numbered = matching.alike(|port| Some((port.if_index, port.called())));
    // A name that several share is too weak against a different MAC address. So is any name if that
    // is the MAC address of a port whose own name is gone.
    let owners: HashMap<usize, usize> = matching.alike(Port::hardware).into_iter().collect();
    let by_given: HashMap<usize, usize> = called.iter().copied().collect();
    let by_stored: HashMap<usize, usize> = called.iter().map(|(given, at)| (*at, *given)).collect();
    let is_gone = |stored: &usize| !by_stored.contains_key(stored);
    numbered.retain(|pair| {
        let by_name = called.contains(pair) && !owners.get(&pair.0).is_some_and(is_gone);
        by_name || !matching.contradicts(*pair)
    });
    matching.take(numbered);
    let agreeing = matching.taken.clone();
    matching.agree(Port::hardware);
    let by_mac: HashSet<usize> = matching.taken.difference(&agreeing).copied().collect();
    let named = matching.alike(Port::name);
    matching.take(named);
    matching.take(called.into_iter().collect());
    matching.agree(|port| Some(port.if_descr));
    let known = matching.taken.clone();
    matching.agree(|port| Some(port.if_index));
    let alone = |given: usize, place: usize| {
        let is_called_otherwise = by_given.get(&given).is_some_and(|other| *other != place)
            || by_stored.get(&place).is_some_and(|other| *other != given);
        match place {
            _ if !known.contains(&place) => Some(Alone::Number),
            _ if by_mac.contains(&place) && is_called_otherwise => Some(Alone::Mac),
            _ => None,
        }
    };
    let found = matching.found.iter().enumerate().map(|(given, place)| {
        place.map(|place| Match { row: stored[place], alone: alone(given, place) })
    });
    found.collect()
}

/// Stored and given if-entries, and the matches found so far.
#[derive(Debug)]
struct Matching<'p> {
    stored: Vec<Port<'p>>,
    given: Vec<Port<'p>>,
    /// The index of the stored match of each given if-entry.
    found: Vec<Option<usize>>,
    taken: HashSet<usize>,
}

impl<'p> Matching<'p> {
    /// Matches if-entries by a key that is unique on both sides, unless their MAC addresses differ.
    fn agree<K: Eq + Hash>(&mut self, key: impl Fn(&Port<'p>) -> Option<K>) {
        let mut pairs = self.alike(key);
        pairs.retain(|pair| !self.contradicts(*pair));
        self.take(pairs);
    }

    /// Returns whether the MAC addresses of a pair differ.
    fn contradicts(&self, (given, stored): (usize, usize)) -> bool {
        self.given[given].contradicts(&self.stored[stored])
    }

    /// Returns the indexes, given and stored, of if-entries whose common key is unique on both
    /// sides.
    fn alike<K: Eq + Hash>(&self, key: impl Fn(&Port<'p>) -> Option<K>) -> Vec<(usize, usize)> {
        let stored = alone(&self.stored, &key);
        let places = alone(&self.given, &key).into_iter().filter_map(|(key, given)| {
            let stored = stored.get(&key).copied().flatten();
            given.zip(stored)
        });
        places.collect()
    }

    fn take(&mut self, pairs: Vec<(usize, usize)>) {
        for (given, stored) in pairs {
            if self.found[given].is_none() && self.taken.insert(stored) {
                self.found[given] = Some(stored);
            }
        }
    }
}

/// Returns the index of each key; none if several ports have it.
fn alone<'p, K: Eq + Hash>(
    ports: &[Port<'p>],
    key: impl Fn(&Port<'p>) -> Option<K>,
) -> HashMap<K, Option<usize>> {
    let mut places = HashMap::with_capacity(ports.len());
    for (place, port) in ports.iter().enumerate() {
        if let Some(key) = key(port) {
            places.entry(key).and_modify(|place| *place = None).or_insert(Some(place));
        }
    }
    places
}
