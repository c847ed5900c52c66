//! Matches the hosts of a document to stored hosts.
//!
//! A name that exactly one host has on each side identifies it. Several hosts with one name are
//! told apart by what devices report about themselves, the strongest first: chassis id, serial
//! number, MAC addresses, management address, addresses. If that leaves no more stored hosts than
//! the document has, the rest match in order. A host that is not found by name is found by what
//! `same_device` compares.

use std::collections::{BTreeMap, HashMap, HashSet};

use toposcope_topology::resolution::identity::{ChassisValue, Identity};
use toposcope_types::Mac;

use super::{
    document,
    left_out::Faults,
    list::List,
    same_device,
    stored::{Index, Stored, by},
};
use crate::{
    error::{Error, Result},
    hosts::Host,
};

/// The identifying marks of a host among its namesakes, as texts to compare.
type Marks = Vec<String>;

/// The number of kinds of marks, the strongest first.
const KINDS: usize = 5;

/// The hosts of a document by their places, each with its stored host if there is one, and notes on
/// those that are not found by their exact names. No two stored hosts are the same.
pub(super) struct Matched<'s> {
    pub(super) hosts: Vec<(usize, document::Host, Option<&'s Host>)>,
    pub(super) notes: Vec<String>,
}

/// Matches hosts, of which no two have the same name and `ref`, to stored ones.
pub(super) fn matched<'s>(
    stored: &'s Stored,
    index: &Index<'s>,
    hosts: Vec<(usize, document::Host)>,
    faults: &mut Faults,
) -> Result<Matched<'s>> {
    let named = by(&stored.hosts, |host| host.name.as_str());
    let mut wanted: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (nth, (_, host)) in hosts.iter().enumerate() {
        wanted.entry(host.name.as_str()).or_default().push(nth);
    }
    let mut found = vec![None; hosts.len()];
    let mut unclear = HashSet::new();
    for (name, given) in wanted {
        let rows = named.get(name).map_or(&[][..], Vec::as_slice);
        let (pairs, rest) = namesakes(&hosts, &given, rows, index);
        for (nth, row) in pairs {
            found[nth] = Some(row);
        }
        for nth in rest {
            let reason = format!(
                "several stored hosts are called `{name}`, and nothing tells which of them this \
                 is; say its `chassis_id` or `serial_number`"
            );
            let fault = Err::<(), _>(Error::invalid("name", reason));
            faults.sift(|| format!("hosts[{}]", hosts[nth].0), Some(name.to_owned()), fault)?;
            unclear.insert(nth);
        }
    }
    let clear = hosts.into_iter().zip(found).enumerate().filter(|(nth, _)| !unclear.contains(nth));
    let (hosts, mut found): (Vec<_>, Vec<_>) = clear.map(|(_, pair)| pair).unzip();
    let left_out = |host: &&Host| faults.place_of("hosts", &host.name).is_some();
    let spoken_for = stored.hosts.iter().filter(left_out).map(|host| host.id).collect();
    let notes = same_device::find(stored, index, &hosts, &mut found, &spoken_for);
    let hosts = hosts.into_iter().zip(found).map(|((place, host), row)| (place, host, row));
    Ok(Matched { hosts: hosts.collect(), notes })
}

/// Tells hosts with one name apart: those at the `given` indexes of the document, and stored ones.
/// Also returns those that may be any of several.
fn namesakes<'s>(
    hosts: &[(usize, document::Host)],
    given: &[usize],
    stored: &[&'s Host],
    index: &Index<'s>,
) -> (Vec<(usize, &'s Host)>, Vec<usize>) {
    if let ([only], [row]) = (given, stored) {
        return (vec![(*only, *row)], Vec::new());
    }
    let given_marks: Vec<_> = given.iter().map(|nth| said(&hosts[*nth].1)).collect();
    let stored_marks: Vec<_> = stored.iter().map(|row| known(row, index)).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for kind in 0..KINDS {
        let left = |marks: &[[Marks; KINDS]], taken: HashSet<usize>| {
            let left = marks.iter().enumerate().filter(|(place, _)| !taken.contains(place));
            left.map(|(place, marks)| (place, marks[kind].clone())).collect::<Vec<_>>()
        };
        let given_left = left(&given_marks, pairs.iter().map(|(given, _)| *given).collect());
        let stored_left = left(&stored_marks, pairs.iter().map(|(_, row)| *row).collect());
        pairs.extend(alike(&given_left, &stored_left));
    }
    let rest = |count: usize, taken: HashSet<usize>| {
        (0..count).filter(|place| !taken.contains(place)).collect::<Vec<_>>()
    };
    let given_rest = rest(given.len(), pairs.iter().map(|(given, _)| *given).collect());
    let stored_rest = rest(stored.len(), pairs.iter().map(|(_, row)| *row).collect());
    let mut unclear = Vec::new();
    if given_rest.len() < stored_rest.len() {
        unclear = given_rest.into_iter().map(|place| given[place]).collect();
    } else {
        pairs.extend(given_rest.into_iter().zip(stored_rest));
    }
    let pairs = pairs.into_iter().map(|(place, row)| (given[place], stored[row]));
    (pairs.collect(), unclear)
}

/// Returns the pairs that share a mark that no other host has, and share marks with no other host.
fn alike(given: &[(usize, Marks)], stored: &[(usize, Marks)]) -> Vec<(usize, usize)> {
    let (given, stored) = (owners(given), owners(stored));
    let both = given.iter().filter_map(|(mark, given)| Some(((*given)?, (*stored.get(mark)?)?)));
    let pairs: HashSet<(usize, usize)> = both.collect();
    let count = |side: fn(&(usize, usize)) -> usize| {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for pair in &pairs {
            *counts.entry(side(pair)).or_default() += 1;
        }
        counts
    };
    let (of_given, of_stored) = (count(|pair| pair.0), count(|pair| pair.1));
    let alone = |pair: &&(usize, usize)| of_given[&pair.0] == 1 && of_stored[&pair.1] == 1;
    pairs.iter().filter(alone).copied().collect()
}

/// Returns the owner of each mark; none if several hosts have it.
fn owners(marks: &[(usize, Marks)]) -> HashMap<&str, Option<usize>> {
    let mut owners: HashMap<&str, Option<usize>> = HashMap::new();
    for (place, marks) in marks {
        for mark in marks {
            let owner = owners.entry(mark).or_insert(Some(*place));
            if *owner != Some(*place) {
                *owner = None;
            }
        }
    }
    owners
}

/// Returns the marks of a host in a document.
fn said(host: &document::Host) -> [Marks; KINDS] {
    let interfaces = || host.interfaces.iter().flat_map(List::elements);
    let entries = host.if_entries.iter().flat_map(List::elements);
    let macs = entries
        .filter_map(|entry| entry.mac_address)
        .chain(interfaces().filter_map(|interface| interface.mac_address));
    [
        chassis_of(host.chassis_id.value().map(String::as_str)).into_iter().collect(),
        text(host.serial_number.value()),
        identities(macs),
        text(host.management_address.value()),
        interfaces().map(|interface| interface.ip_address.to_string()).collect(),
    ]
}

/// Returns the marks of a stored host.
fn known(host: &Host, index: &Index<'_>) -> [Marks; KINDS] {
    let interfaces = || index.interfaces.get(&host.id).into_iter().flatten();
    let entries = index.if_entries.get(&host.id).into_iter().flatten();
    let macs = entries
        .filter_map(|entry| entry.mac_address)
        .chain(interfaces().filter_map(|interface| interface.mac_address));
    [
        chassis_of(host.chassis_id.as_deref()).into_iter().collect(),
        text(host.serial_number.as_ref()),
        identities(macs),
        text(host.management_address.as_ref()),
        interfaces().map(|interface| interface.ip_address.to_string()).collect(),
    ]
}

fn identities(macs: impl Iterator<Item = Mac>) -> Marks {
    macs.filter(|mac| mac.is_identity()).map(|mac| mac.to_string()).collect()
}

fn text(text: Option<&String>) -> Marks {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).into_iter().collect()
}

/// Returns a chassis id for comparison: an address in any spelling is one address.
fn chassis_of(id: Option<&str>) -> Option<String> {
    ChassisValue::of(id?).map(|id| Identity::Chassis(id).to_string())
}
