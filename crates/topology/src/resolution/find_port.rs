//! Finds the port of a device that was heard: first by its names, then by weaker evidence.

use toposcope_types::{Id, LldpPortId, Mac, PortIdSubtype, PortTier};

use super::{
    identity_index::IdentityIndex,
    if_type, normalize,
    port_index::{Called, PortNames},
    sighting::{Heard, Sighting},
    trace::{Outcome, Tier, Trace},
};

/// The port that a neighbor resolves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortFound {
    /// The port.
    pub if_entry_id: Id,
    /// The evidence that decided.
    pub tier: PortTier,
}

/// A port search, with the candidates that remain.
struct Search<'a, 's> {
    steps: &'a mut Trace<'s>,
    /// The port that heard the neighbor, which is never a candidate.
    own: Id,
    among: Option<Vec<Id>>,
    /// Whether two announced values name different ports, so that no further evidence can decide.
    disputed: bool,
}

impl Search<'_, '_> {
    /// Returns the port if a kind of evidence leaves exactly one. If it leaves several, weaker
    /// kinds may only choose among them.
    fn only(&mut self, tier: PortTier, value: &str, candidates: Vec<Id>) -> Option<PortFound> {
        self.only_unless(tier, value, candidates, || None)
    }

    /// Does the same as `only`, unless another announced value names a different port: it does not
    /// guess between two ports that are merely likely.
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
        let possible = |port: &Id| self.among.as_ref().is_none_or(|among| among.contains(port));
        let mut dispute = None;
        if let [one] = left.as_slice()
            && let Some(other) = other().filter(|other| other != one && possible(other))
        {
            self.disputed = true;
            self.among = Some(vec![*one, other]);
            dispute = Some((*one, other));
        }
        self.steps.push(|| {
            let outcome = match (dispute, left.as_slice()) {
                (Some((one, other)), _) => Outcome::Disputed(one, other),
                (None, []) if !all.is_empty() => Outcome::RuledOut(all.iter().copied().collect()),
                (None, left) => Outcome::of(left.iter().copied()),
            };
            (Tier::Port(tier), value.to_owned(), outcome)
        });
        match left.as_slice() {
            _ if self.disputed => {}
            [one] => return Some(PortFound { if_entry_id: *one, tier }),
            [] => {}
            _ => self.among = Some(left),
        }
        None
    }
}

/// The maximum number of remaining ports to list. For more, the result records only that the other
/// side cannot decide.
const LEFT: usize = 64;

impl Search<'_, '_> {
    /// Returns the ports of a device that remain possible, or none if that carries no information.
    fn left(
        self,
        facts: &IdentityIndex,
        ports: &[Id],
        names: &PortNames,
        heard: &Heard,
    ) -> Vec<Id> {
        let mut left = self.among.unwrap_or_default();
        // A MAC address that all sockets share distinguishes none of them.
        let is_left = |id: &Id| *id == self.own || left.contains(id) || !is_socket(facts, id);
        if left.is_empty() || ports.iter().all(is_left) {
            return Vec::new();
        }
        if left.len() > LEFT {
            return vec![self.own];
        }
        // A link aggregation group stands for its members and has their address.
        let mac = heard.port.as_ref().filter(|_| !self.disputed);
        if let Some(mac) = mac.and_then(|port| normalize::mac(&port.value)) {
            let mut groups = names.with_mac(mac);
            groups.retain(|id| if_type::is_aggregate(facts.ports[id].if_type));
            left.extend(groups);
        }
        left
    }
}

/// Finds the port on a device. If no evidence leaves exactly one, the error holds the ports that
/// remain: only the own port if there are too many to list, or none if all ports remain.
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

/// Returns the tier and value of a port id that is empty or does not match its subtype.
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
    // A VLAN hears no neighbors, so a number never means a VLAN interface.
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
        // People write the far end on a port, and that text may match the name of another port.
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
    // Some agents use their own port numbers, and then announce the name as well.
    let ports = numbered();
    let described = described(facts, names, heard, &ports, own);
    search.only_unless(PortTier::IfIndex, &text, ports, || described)
}

/// Finds the socket whose name or description matches the announced port description, unless one of
/// `ports` carries that text as well.
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

/// Returns the only port besides the own one, if there is exactly one.
fn one_of(mut ports: Vec<Id>, own: Id) -> Option<Id> {
    ports.retain(|port| *port != own);
    match ports.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// Finds the port by the announced port description: its description, its alias text or, with some
/// agents, its name.
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
    // The port that also has the announced MAC address.
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

/// Returns the sockets among ports with one MAC address, or the other ports if there are none.
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

/// Finds the port behind a MAC address from a forwarding table, if only one interface has it; a
/// link aggregation group stands for its members. A bridging device sends from the address of a
/// VLAN or bridge interface, which its first member shares, so that address identifies no port.
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
