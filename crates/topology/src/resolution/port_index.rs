//! An index of the ports of a device by name.
//!
//! The rule: all names of a device share one text and one sorted list over it. A map of texts for
//! each of tens of thousands of devices takes longer to build than all lookups in it.

use toposcope_types::{Id, Mac};

use super::{
    if_type,
    normalize::{self, fold_into, interface_into},
    records::PortFacts,
};

/// The kinds of name that a port has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Called {
    /// The short name (ifName, RFC 2863).
    Name,
    /// The description (ifDescr, RFC 2863).
    Description,
    /// The text that people wrote on the port (ifAlias, RFC 2863).
    Alias,
    /// The normalised name or description, or the last element of either.
    Normalised,
    /// The number at the end of a physical port's name.
    Number,
}

/// An index of the ports of a device by name.
#[derive(Debug)]
pub(crate) struct PortNames {
    text: String,
    /// Sorted by kind, then by name, then in the order in which the ports were given.
    names: Vec<Name>,
    macs: Vec<(Mac, Id)>,
    indexes: Vec<(i32, Id)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Name {
    called: Called,
    start: u32,
    end: u32,
    port: Id,
}

impl PortNames {
    pub(crate) fn of<'p>(ports: impl ExactSizeIterator<Item = &'p PortFacts>) -> Self {
        // Most ports have five names of a dozen letters.
        let mut names = Self {
            text: String::with_capacity(ports.len() * 64),
            names: Vec::with_capacity(ports.len() * 6),
            macs: Vec::with_capacity(ports.len()),
            indexes: Vec::with_capacity(ports.len()),
        };
        for port in ports {
            names.add(port);
        }
        let Self { text, names: sorted, macs, indexes } = &mut names;
        sorted.sort_by(|a, b| key(text, a).cmp(&key(text, b)));
        // The name and the description of a port may normalise to the same text.
        sorted.dedup_by(|a, b| key(text, a) == key(text, b) && a.port == b.port);
        macs.sort_by_key(|(mac, _)| *mac);
        indexes.sort_by_key(|(index, _)| *index);
        names
    }

    fn add(&mut self, port: &PortFacts) {
        let called = [port.if_name.as_deref(), Some(port.if_descr.as_str())];
        for (called, text) in [
            (Called::Name, called[0]),
            (Called::Description, called[1]),
            (Called::Alias, port.if_alias.as_deref()),
        ] {
            if let Some(text) = text {
                self.push(called, port.id, |buffer| fold_into(buffer, text));
            }
        }
        for text in called.into_iter().flatten() {
            let name =
                self.push(Called::Normalised, port.id, |buffer| interface_into(buffer, text));
            let last = normalize::last_element(&self.text[name.clone()]).map(str::len);
            if let Some(length) = last {
                self.name(Called::Normalised, port.id, name.end - length, name.end);
            }
        }
        let number = normalize::last_number(normalize::trimmed(port.label()));
        if let Some(number) = number.filter(|_| if_type::is_socket(port.if_type)) {
            self.push(Called::Number, port.id, |buffer| buffer.push_str(number));
        }
        self.macs.extend(port.mac_address.map(|mac| (mac, port.id)));
        self.indexes.push((port.if_index, port.id));
    }

    fn push(
        &mut self,
        called: Called,
        port: Id,
        write: impl FnOnce(&mut String),
    ) -> std::ops::Range<usize> {
        let start = self.text.len();
        write(&mut self.text);
        self.name(called, port, start, self.text.len());
        start..self.text.len()
    }

    /// Adds a name unless it is empty. Offsets take four octets, since all names of a device are
    /// far shorter than 4 GiB.
    fn name(&mut self, called: Called, port: Id, start: usize, end: usize) {
        if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end))
            && start < end
        {
            self.names.push(Name { called, start, end, port });
        }
    }

    /// Returns the ports with this name.
    pub(crate) fn called(&self, called: Called, text: &str) -> Vec<Id> {
        let first = self.names.partition_point(|name| key(&self.text, name) < (called, text));
        let rest = self.names[first..].iter();
        rest.take_while(|name| key(&self.text, name) == (called, text))
            .map(|name| name.port)
            .collect()
    }

    /// Returns the ports with this MAC address.
    pub(crate) fn with_mac(&self, mac: Mac) -> Vec<Id> {
        equal(&self.macs, mac)
    }

    /// Returns the ports with this number (ifIndex, RFC 2863), as agents write it.
    pub(crate) fn with_index(&self, digits: &str) -> Vec<Id> {
        let number = digits.parse().ok().filter(|number| *number > 0);
        number.map_or_else(Vec::new, |number: i32| equal(&self.indexes, number))
    }
}

fn key<'t>(text: &'t str, name: &Name) -> (Called, &'t str) {
    (name.called, &text[name.start as usize..name.end as usize])
}

fn equal<K: Ord + Copy>(sorted: &[(K, Id)], key: K) -> Vec<Id> {
    let first = sorted.partition_point(|(other, _)| *other < key);
    sorted[first..].iter().take_while(|(other, _)| *other == key).map(|(_, id)| *id).collect()
}
