//! Finding the port of a device that was heard: by what it is called, then by weaker evidence.

use toposcope_types::{Id, LldpPortId, Mac, PortIdSubtype, PortTier};

use super::{
    identity_index::IdentityIndex,
    if_type, normalize,
    port_index::{Called, PortNames},
    sighting::{Heard, Sighting},
    trace::{Outcome, Tier, Trace},
};

/// The port that was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortFound {
    pub if_entry_id: Id,
    pub tier: PortTier,
}

/// The candidates that are left.
struct Search<'a, 's> {
    steps: &'a mut Trace<'s>,
    /// The port that heard it, which cannot be meant.
    own: Id,
    among: Option<Vec<Id>>,
    /// Whether two things that were said name two ports, so that nothing can decide any more.
    disputed: bool,
}

impl Search<'_, '_> {
    /// Whether a kind of evidence leaves exactly one port; where it leaves several, the weaker kinds
    /// may only choose among them.
    fn only(&mut self, tier: PortTier, value: &str, candidates: Vec<Id>) -> Option<PortFound> {
        self.only_unless(tier, value, candidates, || None)
    }

    /// The same, unless something else that was said names another port: between two that are no more
    /// than likely nothing is guessed.
    fn only_unless(
        &mut self,
        tier: PortTier,
        value: &str,
        candidates: Vec<Id>,
        other: impl FnOnce() -> Option<Id>,
    ) -> Option<PortFound> {
        if self.disputed {
            return None;
        }
        let mut left = candidates;
        left.retain(|port| *port != self.own);
        let all = left.clone();
        if let Some(among) = &self.among {
            left.retain(|port| among.contains(port));
        }
        let mut outcome = match left.as_slice() {
            [] if !all.is_empty() => Outcome::RuledOut(all.into_iter().collect()),
            left => Outcome::of(left.iter().copied()),
        };
        let possible = |port: &Id| self.among.as_ref().is_none_or(|among| among.contains(port));
        if let [one] = left.as_slice()
            && let Some(other) = other().filter(|other| other != one && possible(other))
        {
            self.disputed = true;
            self.among = Some(vec![*one, other]);
            outcome = Outcome::Disputed(*one, other);
        }
        self.steps.push(|| (Tier::Port(tier), value.to_owned(), outcome));
        match left.as_slice() {
            _ if self.disputed => {}
            [one] => return Some(PortFound { if_entry_id: *one, tier }),
            [] => {}
            _ => self.among = Some(left),
        }
        None
    }
}

/// How many ports that are left are told; of more, only that it is not for the other side to say.
const LEFT: usize = 64;

impl Search<'_, '_> {
    /// The ports that are left, of those of a device; none where that tells nothing.
    fn left(
        self,
        facts: &IdentityIndex,
        ports: &[Id],
        names: &PortNames,
        heard: &Heard,
    ) -> Vec<Id> {
        let mut left = self.among.unwrap_or_default();
        // A MAC address that all sockets share tells none of them from the others.
        let is_left = |id: &Id| *id == self.own || left.contains(id) || !is_socket(facts, id);
        if left.is_empty() || ports.iter().all(is_left) {
            return Vec::new();
        }
        if left.len() > LEFT {
            return vec![self.own];
        }
        // A group stands for its members, whose address it has.
        let mac = heard.port.as_ref().filter(|_| !self.disputed);
        if let Some(mac) = mac.and_then(|port| normalize::mac(&port.value)) {
            let mut groups = names.with_mac(mac);
            groups.retain(|id| if_type::is_aggregate(facts.ports[id].if_type));
            left.extend(groups);
        }
        left
    }
}

/// Finds the port on a device; where no evidence leaves exactly one, those that it leaves, the own one
/// for too many to be told, or nothing where it leaves all.
pub fn find(
    facts: &IdentityIndex,
    host_id: Id,
    sighting: &Sighting,
    steps: &mut Trace<'_>,
) -> Result<PortFound, Vec<Id>> {
    let own = sighting.if_entry_id;
    if let Some(mac) = sighting.heard.fdb_mac {
        return behind_mac(facts, host_id, mac, own, steps).ok_or_else(Vec::new);
    }
    let Some(names) = facts.names_of(host_id) else { return Err(Vec::new()) };
    let mut search = Search { steps, own, among: None, disputed: false };
    let heard = &sighting.heard;
    by_name(&mut search, facts, names, heard)
        .or_else(|| by_description(&mut search, facts, names, heard))
        .or_else(|| by_address(&mut search, facts, names, host_id, heard))
        .or_else(|| by_last_number(&mut search, names, heard))
        .ok_or_else(|| search.left(facts, facts.ports_of(host_id), names, heard))
}

fn is_socket(facts: &IdentityIndex, port: &Id) -> bool {
    if_type::is_socket(facts.ports[port].if_type)
}

/// A port id that is not what its subtype says, or is empty.
fn malformed(port: &LldpPortId) -> Option<(PortTier, String)> {
    let value = normalize::trimmed(&port.value);
    let (tier, is_odd) = match port.subtype {
        PortIdSubtype::MacAddress => (PortTier::Mac, normalize::mac(value).is_none()),
        PortIdSubtype::NetworkAddress => {
            (PortTier::Address, normalize::address(&port.value).is_none())
        }
        _ => (PortTier::Name, value.is_empty()),
    };
    is_odd.then(|| (tier, value.to_owned()))
}

fn by_name(
    search: &mut Search<'_, '_>,
    facts: &IdentityIndex,
    names: &PortNames,
    heard: &Heard,
) -> Option<PortFound> {
    let subtype = heard.port.as_ref().map(|port| port.subtype);
    if let Some((tier, odd)) = heard.port.as_ref().and_then(malformed) {
        search.steps.push(|| (Tier::Port(tier), odd, Outcome::Malformed));
        return None;
    }
    let text = heard.port_text()?;
    if matches!(subtype, Some(PortIdSubtype::MacAddress | PortIdSubtype::NetworkAddress)) {
        return None;
    }
    let mut places = [
        (PortTier::Name, Called::Name),
        (PortTier::Description, Called::Description),
        (PortTier::AliasText, Called::Alias),
    ];
    if subtype == Some(PortIdSubtype::InterfaceAlias) {
        places.rotate_right(1);
    }
    let is_number = text.bytes().all(|one| one.is_ascii_digit());
    let own = search.own;
    // A VLAN hears nobody, so no number is meant to be that of one.
    let numbered = || {
        let mut ports = names.with_index(text.trim_start_matches('0'));
        ports.retain(|port| !if_type::is_virtual(facts.ports[port].if_type));
        ports
    };
    let another = || {
        if is_number {
            numbered()
        } else {
            names.called(Called::Normalised, &normalize::interface(&text))
        }
    };
    for (tier, called) in places {
        // People write on a port what is at its other end, which may be called like another port.
        let is_said = called == Called::Alias && subtype != Some(PortIdSubtype::InterfaceAlias);
        let other = || is_said.then(|| one_of(another(), own)).flatten();
        if let Some(found) = search.only_unless(tier, &text, names.called(called, &text), other) {
            return Some(found);
        }
    }
    let normalised = normalize::interface(&text);
    let last = normalize::last_element(&normalised);
    for text in std::iter::once(normalised.as_str()).chain(last) {
        let ports = names.called(Called::Normalised, text);
        if let Some(found) = search.only(PortTier::NormalisedName, text, ports) {
            return Some(found);
        }
    }
    if !is_number {
        return None;
    }
    // Agents number their ports in their own ways too, and then say the name as well.
    let ports = numbered();
    let described = described(facts, names, heard, &ports, own);
    search.only_unless(PortTier::IfIndex, &text, ports, || described)
}

/// The socket whose name or description the neighbor gives as the description of its port, unless
/// that is written on one of these as well.
fn described(
    facts: &IdentityIndex,
    names: &PortNames,
    heard: &Heard,
    ports: &[Id],
    own: Id,
) -> Option<Id> {
    let text = normalize::folded(heard.port_desc.as_deref()?);
    let mut others = names.called(Called::Description, &text);
    others.extend(names.called(Called::Name, &text));
    if others.is_empty() {
        others = names.called(Called::Normalised, &normalize::interface(&text));
    }
    let mut fitting = names.called(Called::Alias, &text);
    fitting.extend(&others);
    if fitting.iter().any(|port| ports.contains(port)) {
        return None;
    }
    others.sort_unstable();
    others.dedup();
    one_of(others, own).filter(|port| is_socket(facts, port))
}

/// The only one of these ports that is not the own one.
fn one_of(mut ports: Vec<Id>, own: Id) -> Option<Id> {
    ports.retain(|port| *port != own);
    match ports.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// What the neighbor says of its port: its description or what people wrote on it, and with some
/// agents its name.
fn by_description(
    search: &mut Search<'_, '_>,
    facts: &IdentityIndex,
    names: &PortNames,
    heard: &Heard,
) -> Option<PortFound> {
    let text = normalize::folded(heard.port_desc.as_deref()?);
    if text.is_empty() {
        return None;
    }
    // The port that has the MAC address that was said, too.
    let mac = heard.port.as_ref().and_then(|port| normalize::mac(&port.value));
    let with_mac = mac.map(|mac| preferred(facts, &names.with_mac(mac), search.own));
    let with_mac =
        with_mac.and_then(|ports| one_of(ports, search.own)).filter(|port| is_socket(facts, port));
    let places = [Called::Description, Called::Alias, Called::Name];
    if let Some(port) = with_mac
        && places.iter().any(|called| names.called(*called, &text).contains(&port))
    {
        return search.only(PortTier::PortDescription, &text, vec![port]);
    }
    for called in places {
        let ports = names.called(called, &text);
        let found = search.only_unless(PortTier::PortDescription, &text, ports, || with_mac);
        if found.is_some() {
            return found;
        }
    }
    let text = normalize::interface(&text);
    search.only(PortTier::PortDescription, &text, names.called(Called::Normalised, &text))
}

fn by_address(
    search: &mut Search<'_, '_>,
    facts: &IdentityIndex,
    names: &PortNames,
    host_id: Id,
    heard: &Heard,
) -> Option<PortFound> {
    let text = heard.port.as_ref().map(|port| &port.value).or(heard.port_name.as_ref())?;
    if let Some(mac) = normalize::mac(text) {
        let ports = preferred(facts, &names.with_mac(mac), search.own);
        if let Some(found) = search.only(PortTier::Mac, &mac.to_string(), ports) {
            return Some(found);
        }
    }
    let address = normalize::address(text)?;
    let ports = facts.ports_with_address(host_id, address);
    search.only(PortTier::Address, &address.to_string(), ports)
}

/// Of ports with one MAC address the sockets; only where there are none, the others.
fn preferred(facts: &IdentityIndex, ports: &[Id], own: Id) -> Vec<Id> {
    let others: Vec<Id> = ports.iter().copied().filter(|port| *port != own).collect();
    let physical: Vec<Id> = others.iter().copied().filter(|port| is_socket(facts, port)).collect();
    if physical.is_empty() { others } else { physical }
}

fn by_last_number(
    search: &mut Search<'_, '_>,
    names: &PortNames,
    heard: &Heard,
) -> Option<PortFound> {
    let text = heard.port_text()?;
    if !text.bytes().all(|one| one.is_ascii_digit()) {
        return None;
    }
    search.only(PortTier::Number, &text, names.called(Called::Number, &text))
}

/// The port behind a MAC address of a forwarding table, if only one interface has it; a link
/// aggregation group stands for its members. A bridging device sends from the address of a VLAN or
/// bridge interface, which its first member shares, so that one names no port.
fn behind_mac(
    facts: &IdentityIndex,
    host_id: Id,
    mac: Mac,
    own: Id,
    steps: &mut Trace<'_>,
) -> Option<PortFound> {
    let names = facts.names_of(host_id)?;
    let ports = names.with_mac(mac);
    let mut search = Search { steps, own, among: None, disputed: false };
    let if_type = |id: &Id| facts.ports[id].if_type;
    if ports.iter().any(|id| if_type::is_virtual(if_type(id))) {
        let outcome = Outcome::Bridging(ports.into_iter().collect());
        search.steps.push(|| (Tier::Port(PortTier::Mac), mac.to_string(), outcome));
        return None;
    }
    let aggregates: Vec<Id> =
        ports.iter().copied().filter(|id| if_type::is_aggregate(if_type(id))).collect();
    let candidates = if aggregates.is_empty() { ports } else { aggregates };
    search.only(PortTier::Mac, &mac.to_string(), candidates)
}
