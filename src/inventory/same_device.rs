//! Finds the stored hosts of devices that have another name in the document.
//!
//! The rule: a name that differs in case only comes first, then the chassis id, then MAC addresses.
//! A value that several hosts on either side have identifies none of them: peers share the MAC
//! address of a system, and members of a stack a chassis id. So does a value of a stored host that
//! is another host of the document. What is found, and what is kept apart, is told.

use std::collections::{BTreeSet, HashMap, HashSet};

use toposcope_topology::resolution::identity::{ChassisValue, Identity};
use toposcope_types::{Id, Mac};

use super::{
    document,
    list::List,
    stored::{Index, Stored},
};
use crate::hosts::Host;

/// The number of stored hosts that a note names.
const NAMED: usize = 3;

/// What is known about a device, by which it can be found again.
#[derive(Debug)]
struct Device<'d> {
    name: &'d str,
    chassis: Option<ChassisValue>,
    serial: Option<&'d str>,
    macs: BTreeSet<Mac>,
}

impl<'d> Device<'d> {
    fn given(host: &'d document::Host) -> Self {
        let interfaces =
            host.interfaces.iter().flat_map(List::elements).filter_map(|row| row.mac_address);
        let entries =
            host.if_entries.iter().flat_map(List::elements).filter_map(|row| row.mac_address);
        Self {
            name: &host.name,
            chassis: host.chassis_id.value().and_then(|id| ChassisValue::of(id)),
            serial: host.serial_number.value().map(|text| text.trim()),
            macs: interfaces.chain(entries).filter(|mac| mac.is_identity()).collect(),
        }
    }

    fn stored(host: &'d Host, index: &Index<'_>) -> Self {
        fn of<'m, M>(rows: &'m HashMap<Id, Vec<&'m M>>, id: Id) -> impl Iterator<Item = &'m M> {
            rows.get(&id).into_iter().flatten().copied()
        }
        let interfaces = of(&index.interfaces, host.id).filter_map(|row| row.mac_address);
        let entries = of(&index.if_entries, host.id).filter_map(|row| row.mac_address);
        Self {
            name: &host.name,
            chassis: host.chassis_id.as_deref().and_then(ChassisValue::of),
            serial: host.serial_number.as_deref().map(str::trim),
            macs: interfaces.chain(entries).filter(|mac| mac.is_identity()).collect(),
        }
    }

    /// Returns its values of a kind.
    fn marks(&self, kind: Kind) -> Vec<String> {
        match kind {
            Kind::Name => vec![self.name.to_lowercase()],
            Kind::Chassis => {
                self.chassis.iter().map(|id| Identity::Chassis(id.clone()).to_string()).collect()
            }
            Kind::Mac => self.macs.iter().map(Mac::to_string).collect(),
        }
    }

    /// Returns why it is not the stored device, although it has a value of this kind in common.
    fn contradiction(&self, stored: &Self, kind: Kind) -> Option<&'static str> {
        let differ = |one: Option<&str>, other: Option<&str>| {
            one.zip(other).is_some_and(|(one, other)| {
                !one.is_empty() && !other.is_empty() && !one.eq_ignore_ascii_case(other)
            })
        };
        match kind {
            // A chassis id that could be any device's is what a device is called before it is
            // given a name, too.
            Kind::Name if ChassisValue::of(self.name).is_none() => {
                Some("devices are called so before they are given a name")
            }
            Kind::Chassis | Kind::Mac if differ(self.serial, stored.serial) => {
                Some("their serial numbers differ")
            }
            Kind::Mac
                if self.chassis.is_some()
                    && stored.chassis.is_some()
                    && self.chassis != stored.chassis =>
            {
                Some("their chassis ids differ")
            }
            Kind::Mac if !self.has_most_macs_of(stored) => {
                Some("most of their other MAC addresses differ")
            }
            Kind::Name | Kind::Chassis | Kind::Mac => None,
        }
    }

    /// Returns whether most MAC addresses of the one that has fewer are also the other's. Those
    /// that no vendor assigned count only if there are no others: bridges of virtual machines have
    /// the same on many hosts.
    fn has_most_macs_of(&self, stored: &Self) -> bool {
        let vendors = |macs: &BTreeSet<Mac>| -> BTreeSet<Mac> {
            macs.iter().copied().filter(|mac| !mac.is_locally_administered()).collect()
        };
        let (own, other) = (vendors(&self.macs), vendors(&stored.macs));
        let (own, other) = if own.is_empty() || other.is_empty() {
            (&self.macs, &stored.macs)
        } else {
            (&own, &other)
        };
        own.intersection(other).count() * 2 > own.len().min(other.len())
    }
}

/// A kind of value that tells devices apart, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Name,
    Chassis,
    Mac,
}

impl Kind {
    /// Says of stored hosts what they have in common with a given one.
    fn told(self, mark: &str, also: usize) -> String {
        match self {
            Self::Name => "whose name differs in case only".to_owned(),
            Self::Chassis => format!("which has the same chassis id {mark}"),
            Self::Mac if also == 0 => format!("which has the same MAC address {mark}"),
            Self::Mac => format!("which has the same MAC address {mark} and {also} more"),
        }
    }

    const fn several_given(self) -> &'static str {
        match self {
            Self::Name => "several hosts of the document are called so",
            Self::Chassis | Self::Mac => "several hosts of the document have it",
        }
    }

    const fn several_stored(self) -> &'static str {
        match self {
            Self::Name => "several stored hosts are called so",
            Self::Chassis | Self::Mac => "several stored hosts have it",
        }
    }
}

/// The hosts that have a value, by their places among the given and the stored ones.
type Owners = HashMap<String, Vec<usize>>;

/// Finds the stored hosts of those that have none yet, and returns the notes on them. A host that is
/// `spoken_for` belongs to one that the document names, although it cannot be read.
pub(super) fn find<'s>(
    stored: &'s Stored,
    index: &Index<'s>,
    hosts: &[(usize, document::Host)],
    found: &mut [Option<&'s Host>],
    spoken_for: &HashSet<Id>,
) -> Vec<String> {
    let lacking: Vec<usize> = (0..hosts.len()).filter(|nth| found[*nth].is_none()).collect();
    if lacking.is_empty() {
        return Vec::new();
    }
    let mut search = Search {
        given: hosts.iter().map(|(_, host)| Device::given(host)).collect(),
        stored: stored.hosts.iter().map(|host| Device::stored(host, index)).collect(),
        taken: HashSet::new(),
        matches: HashMap::new(),
        apart: HashMap::new(),
    };
    let known: HashSet<Id> = found.iter().flatten().map(|host| host.id).collect();
    let known = stored
        .hosts
        .iter()
        .enumerate()
        .filter(|(_, host)| known.contains(&host.id) || spoken_for.contains(&host.id));
    search.taken.extend(known.map(|(place, _)| place));
    for kind in [Kind::Name, Kind::Chassis, Kind::Mac] {
        search.by(kind, &lacking);
    }
    let mut notes = Vec::new();
    for nth in lacking {
        let place = hosts[nth].0;
        let note = |told: &String| format!("hosts[{place}] {told}");
        match search.matches.get(&nth) {
            Some((row, told)) => {
                found[nth] = Some(&stored.hosts[*row]);
                notes.push(note(told));
            }
            None => notes.extend(search.apart.get(&nth).into_iter().flatten().map(note)),
        }
    }
    notes
}

struct Search<'d> {
    given: Vec<Device<'d>>,
    stored: Vec<Device<'d>>,
    /// The stored hosts that are found.
    taken: HashSet<usize>,
    /// The stored host of each given one that is found, and the words for it.
    matches: HashMap<usize, (usize, String)>,
    /// The words for what others have in common with stored hosts.
    apart: HashMap<usize, Vec<String>>,
}

impl Search<'_> {
    /// Finds stored hosts by the values of one kind.
    fn by(&mut self, kind: Kind, lacking: &[usize]) {
        let (given, stored) = (owners(&self.given, kind), owners(&self.stored, kind));
        let mut claims: HashMap<usize, usize> = HashMap::new();
        let mut clues = Vec::new();
        for nth in lacking {
            let own = self.given[*nth].name;
            // Namesakes have been told apart already.
            let is_namesake = |row: &usize| self.stored[*row].name == own;
            let marks = self.given[*nth].marks(kind);
            let rows = marks.iter().filter_map(|mark| stored.get(mark)).flatten();
            if self.matches.contains_key(nth)
                || kind == Kind::Name && rows.into_iter().any(is_namesake)
            {
                continue;
            }
            if let Some(clue) = Clue::of(&marks, &given, &stored) {
                for row in &clue.alone {
                    *claims.entry(*row).or_default() += 1;
                }
                clues.push((*nth, clue));
            } else if kind == Kind::Chassis {
                self.tell_twins(*nth, &marks, &given);
            }
        }
        for (nth, clue) in clues {
            let told = kind.told(&clue.mark, clue.also);
            let own = &self.given[nth];
            let against = match clue.alone.as_slice() {
                [] if clue.several_given => Some(kind.several_given()),
                [] => Some(kind.several_stored()),
                [row] if self.taken.contains(row) => Some("that is another host of the document"),
                [row] if claims[row] > 1 => Some("other hosts of the document have others of its"),
                [row] => own.contradiction(&self.stored[*row], kind),
                _ => Some("another stored host has others of its"),
            };
            let Some(reason) = against else {
                let row = clue.alone[0];
                let told =
                    format!("`{}` is taken for `{}`, {told}", own.name, self.stored[row].name);
                self.taken.insert(row);
                self.matches.insert(nth, (row, told));
                continue;
            };
            let told = format!(
                "`{}` is kept apart from {}, {told}: {reason}",
                own.name,
                listed(clue.owners.iter().map(|row| self.stored[*row].name)),
            );
            self.apart.entry(nth).or_default().push(told);
        }
    }

    /// Notes that a new host has the chassis id of another host of the document.
    fn tell_twins(&mut self, nth: usize, marks: &[String], given: &Owners) {
        for mark in marks {
            let others = given[mark].iter().filter(|other| **other != nth);
            let names: Vec<&str> = others.map(|other| self.given[*other].name).collect();
            if names.is_empty() {
                continue;
            }
            let own = self.given[nth].name;
            let others = listed(names.into_iter());
            let told = format!("`{own}` has the chassis id {mark}, which {others} has, too");
            self.apart.entry(nth).or_default().push(told);
        }
    }
}

/// What a given host has in common with stored ones.
struct Clue {
    /// The first common value, and the number of others.
    mark: String,
    also: usize,
    /// The stored hosts that have the common values.
    owners: Vec<usize>,
    /// Those that alone have one of them, which no other given host has.
    alone: Vec<usize>,
    several_given: bool,
}

impl Clue {
    fn of(marks: &[String], given: &Owners, stored: &Owners) -> Option<Self> {
        let common = || marks.iter().filter(|mark| stored.contains_key(*mark));
        let is_only = |mark: &&String| stored[*mark].len() == 1 && given[*mark].len() == 1;
        let only: Vec<&String> = common().filter(is_only).collect();
        let mark = only.first().copied().or_else(|| common().next())?;
        let alone: BTreeSet<usize> = only.iter().map(|mark| stored[*mark][0]).collect();
        Some(Self {
            mark: mark.clone(),
            also: if alone.len() == 1 { only.len() - 1 } else { 0 },
            owners: if alone.is_empty() {
                stored[mark].clone()
            } else {
                alone.iter().copied().collect()
            },
            alone: alone.into_iter().collect(),
            several_given: given[mark].len() > 1,
        })
    }
}

fn owners(devices: &[Device<'_>], kind: Kind) -> Owners {
    let mut owners = Owners::new();
    for (place, device) in devices.iter().enumerate() {
        for mark in device.marks(kind) {
            owners.entry(mark).or_default().push(place);
        }
    }
    owners
}

/// Lists the first names, and the number of the rest.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let first: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
