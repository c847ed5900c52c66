//! Neighbors as ports heard them, and their identity claims from the strongest to the weakest.

use toposcope_types::{
    ChassisIdSubtype, HostTier, Id, IpAddress, LldpChassisId, LldpPortId, Mac, Method, NeighborId,
};

use super::{
    identity::{ChassisValue, Identity},
    normalize,
    trace::Outcome,
};

/// An identity by which a neighbor may be found, and the strength of that evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The kind of evidence that the claim is.
    pub tier: HostTier,
    /// The identity that is claimed.
    pub identity: Identity,
}

/// The values that one port heard from one neighbor through one protocol.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The announced chassis id.
    pub chassis: Option<LldpChassisId>,
    /// The announced port id with its subtype, which CDP does not have.
    pub port: Option<LldpPortId>,
    /// The port name that CDP announced.
    pub port_name: Option<String>,
    /// The announced port description.
    pub port_desc: Option<String>,
    /// The announced system name.
    pub sys_name: Option<String>,
    /// The announced management address.
    pub mgmt_addr: Option<String>,
    /// The MAC address, if the neighbor was seen in a forwarding table.
    pub fdb_mac: Option<Mac>,
}

/// A neighbor that a port heard.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// The id of the observation; for a forwarding table, the id of the port.
    pub id: Id,
    /// The port.
    pub if_entry_id: Id,
    /// The port's device.
    pub host_id: Id,
    /// The method by which the port heard the neighbor.
    pub method: Method,
    /// Its position among the neighbors heard by the same protocol, from 0.
    pub position: i32,
    /// The values that the port heard.
    pub heard: Heard,
    /// The far end that the port is pinned to, and its device.
    pub pin: Option<(NeighborId, Id)>,
}

impl Heard {
    /// Returns the identity claims, strongest first, without values that cannot identify a device.
    pub fn claims(&self) -> Vec<Claim> {
        let mut claims = Vec::with_capacity(4);
        let mut claim = |tier, identity| claims.push(Claim { tier, identity });
        if let Some(mac) = self.fdb_mac {
            claim(HostTier::ForwardingTable, Identity::Mac(mac));
            claim(HostTier::ChassisId, Identity::Chassis(ChassisValue::Mac(mac)));
        }
        if let Some(chassis) = &self.chassis {
            chassis_claims(chassis, &mut claim);
        }
        if let Some(address) = self.address() {
            claim(HostTier::ManagementAddress, Identity::Address(address));
        }
        if let Some(said) = &self.sys_name {
            names(HostTier::SystemName, normalize::folded(said), &mut claim);
        }
        claims
    }

    /// Returns the management address, if it can identify a single device.
    pub fn address(&self) -> Option<IpAddress> {
        normalize::address(self.mgmt_addr.as_deref()?).filter(|address| address.is_identity())
    }

    /// Returns the announced values that cannot identify a single device: group addresses,
    /// addresses that routers share, addresses valid on one link only, and malformed values.
    pub(crate) fn unusable(&self) -> Vec<(HostTier, String, Outcome)> {
        let mut unusable = Vec::new();
        if let Some((tier, value)) = self.chassis.as_ref().and_then(malformed) {
            unusable.push((tier, value, Outcome::Malformed));
        }
        let address = self.mgmt_addr.as_deref().filter(|text| normalize::address(text).is_none());
        if let Some(odd) = address.map(normalize::trimmed).filter(|text| !text.is_empty()) {
            unusable.push((HostTier::ManagementAddress, odd.to_owned(), Outcome::Malformed));
        }
        unusable.extend(
            self.ambiguous().into_iter().map(|(tier, value)| (tier, value, Outcome::CannotName)),
        );
        unusable
    }

    fn ambiguous(&self) -> Vec<(HostTier, String)> {
        let mut unusable = Vec::new();
        if let Some(chassis) = &self.chassis {
            if let Some(mac) = normalize::mac(&chassis.value).filter(|mac| !mac.is_identity()) {
                unusable.push((HostTier::ChassisMac, mac.to_string()));
            }
            let address = (chassis.subtype == ChassisIdSubtype::NetworkAddress)
                .then(|| normalize::address(&chassis.value))
                .flatten();
            if let Some(address) = address.filter(|address| !address.is_identity()) {
                unusable.push((HostTier::ChassisAddress, address.to_string()));
            }
        }
        let chassis = self.chassis.as_ref().map(|chassis| normalize::device(&chassis.value));
        if let Some(name) = chassis.filter(|name| normalize::is_nobody(name)) {
            unusable.push((HostTier::ChassisName, name));
        }
        let address = self.mgmt_addr.as_deref().and_then(normalize::address);
        if let Some(address) = address.filter(|address| !address.is_identity()) {
            unusable.push((HostTier::ManagementAddress, address.to_string()));
        }
        let name = self.sys_name.as_deref().map(normalize::device);
        if let Some(name) = name.filter(|name| normalize::is_nobody(name)) {
            unusable.push((HostTier::SystemName, name));
        }
        unusable
    }

    /// Returns the strongest claim, which is all that an alias records when a person identifies a
    /// neighbor.
    pub fn strongest(&self) -> Option<Identity> {
        self.claims().into_iter().next().map(|claim| claim.identity)
    }

    /// Returns the announced port id or port name as folded text.
    pub fn port_text(&self) -> Option<String> {
        let text = self.port.as_ref().map(|port| port.value.as_str()).or(self.port_name.as_deref());
        text.map(normalize::folded).filter(|text| !text.is_empty())
    }
}

/// Returns the tier and value of a chassis id that does not match its subtype.
fn malformed(chassis: &LldpChassisId) -> Option<(HostTier, String)> {
    let value = normalize::trimmed(&chassis.value);
    let (tier, is_odd) = match chassis.subtype {
        ChassisIdSubtype::MacAddress => (HostTier::ChassisMac, normalize::mac(value).is_none()),
        ChassisIdSubtype::NetworkAddress => {
            (HostTier::ChassisAddress, normalize::address(&chassis.value).is_none())
        }
        _ => (HostTier::ChassisId, value.is_empty()),
    };
    is_odd.then(|| (tier, value.to_owned()))
}

/// Adds the claims of a chassis id according to its subtype; a malformed one makes no claims.
fn chassis_claims(chassis: &LldpChassisId, claim: &mut impl FnMut(HostTier, Identity)) {
    use ChassisIdSubtype as Subtype;
    if malformed(chassis).is_some() {
        return;
    }
    let network = (chassis.subtype == Subtype::NetworkAddress)
        .then(|| normalize::address(&chassis.value))
        .flatten();
    let value = match network {
        Some(address) => ChassisValue::of_address(address),
        None => ChassisValue::of(&chassis.value),
    };
    if let Some(value) = value {
        claim(HostTier::ChassisId, Identity::Chassis(value));
    }
    match chassis.subtype {
        Subtype::MacAddress => {
            let mac = normalize::mac(&chassis.value).filter(|mac| mac.is_identity());
            if let Some(mac) = mac {
                claim(HostTier::ChassisMac, Identity::Mac(mac));
            }
        }
        Subtype::NetworkAddress => {
            if let Some(address) = network.filter(|address| address.is_identity()) {
                claim(HostTier::ChassisAddress, Identity::Address(address));
            }
        }
        Subtype::LocallyAssigned | Subtype::ChassisComponent | Subtype::InterfaceName => {
            names(HostTier::ChassisName, normalize::folded(&chassis.value), claim);
        }
        Subtype::InterfaceAlias | Subtype::PortComponent => {}
    }
}

/// Adds the claims of a name: the whole name, the MAC or network address that it may spell, and its
/// first label.
fn names(tier: HostTier, whole: String, claim: &mut impl FnMut(HostTier, Identity)) {
    let name = normalize::bare(&whole);
    if name.is_empty() || normalize::is_nobody(name) {
        return;
    }
    if let Some(address) = normalize::plain_address(name) {
        claim(tier, Identity::Name(whole));
        if address.is_identity() {
            claim(tier, Identity::Address(address));
        }
        return;
    }
    let label = normalize::label(name);
    let whole_mac = normalize::mac(name);
    let mac = whole_mac.or_else(|| normalize::mac(label)).filter(|mac| mac.is_identity());
    let label = whole_mac.is_none().then(|| Identity::Label(label.to_owned()));
    claim(tier, Identity::Name(whole));
    // Where nobody named a device, its name is its address, by which it may be recorded.
    let recorded = mac.map(|mac| Identity::Chassis(ChassisValue::Mac(mac)));
    for identity in mac.map(Identity::Mac).into_iter().chain(recorded).chain(label) {
        claim(tier, identity);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::{prelude::*, sample::select};

    use super::*;

    /// Names as agents send them: plain ones, ones with MAC and network addresses, and odd ones.
    fn said() -> impl Strategy<Value = String> {
        let spelled = vec![
            "sw1",
            "SW1.example.com",
            "sw1(FOC1234X0YZ)",
            "SEP020000000001",
            "sep020000000001.corp.lan",
            "02:00:00:00:00:01",
            "0200.0000.0001",
            "020000000001.lan(X)",
            "02-00-00-00-00-01(FOC1234X0YZ)",
            "01:00:5e:00:00:01",
            "10.0.0.1",
            "01:0a:00:00:01",
            "fe80::1",
            ".x",
            "(x)",
        ];
        prop_oneof![select(spelled).prop_map(str::to_owned), "[a-c0-9.:() -]{0,20}"]
    }

    fn subtype() -> impl Strategy<Value = ChassisIdSubtype> {
        use ChassisIdSubtype as Of;
        select(vec![
            Of::ChassisComponent,
            Of::InterfaceAlias,
            Of::PortComponent,
            Of::MacAddress,
            Of::NetworkAddress,
            Of::InterfaceName,
            Of::LocallyAssigned,
        ])
    }

    proptest! {
        /// An observation is looked up by three keys; a claim with another key would be overlooked
        /// when its device is added.
        #[test]
        fn claims_of_one_kind_have_one_key(subtype in subtype(), value in said(), name in said()) {
            let chassis = Some(LldpChassisId { subtype, value });
            let heard = Heard { chassis, sys_name: Some(name), ..Heard::default() };
            let mut keys: BTreeMap<bool, BTreeSet<String>> = BTreeMap::new();
            for claim in heard.claims() {
                let of_name = claim.tier == HostTier::SystemName;
                keys.entry(of_name).or_default().insert(claim.identity.key());
            }
            for keys in keys.into_values() {
                prop_assert_eq!(keys.len(), 1, "{:?}", keys);
            }
        }
    }
}
