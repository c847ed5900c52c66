//! What a port heard, and what that says of who it was: claims, from the strongest to the weakest.

use toposcope_types::{
    ChassisIdSubtype, HostTier, Id, IpAddress, LldpChassisId, LldpPortId, Mac, Method, NeighborId,
};

use super::{
    identity::{ChassisValue, Identity},
    normalize,
    trace::Outcome,
};

/// Something by which a neighbor may be found, and how good that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub tier: HostTier,
    pub identity: Identity,
}

/// What was heard: one neighbor, by one port, through one protocol.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// How it identifies itself.
    pub chassis: Option<LldpChassisId>,
    /// How it identifies its port; CDP has no subtype.
    pub port: Option<LldpPortId>,
    /// The name of its port, as CDP says it.
    pub port_name: Option<String>,
    /// What it says of its port.
    pub port_desc: Option<String>,
    /// How it calls itself.
    pub sys_name: Option<String>,
    /// The address by which it is managed.
    pub mgmt_addr: Option<String>,
    /// The MAC address, if it was seen in a forwarding table.
    pub fdb_mac: Option<Mac>,
}

/// A neighbor that a port heard.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// The id of the observation; of a forwarding table, that of the port.
    pub id: Id,
    /// The port.
    pub if_entry_id: Id,
    /// The device of the port.
    pub host_id: Id,
    /// How it was heard.
    pub method: Method,
    /// Its place among those heard by the same protocol, from 0.
    pub position: i32,
    /// What was heard.
    pub heard: Heard,
    /// What it is pinned to, and the device of that.
    pub pin: Option<(NeighborId, Id)>,
}

impl Heard {
    /// Who this may be, from the strongest claim to the weakest; what can name nobody is left out.
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

    /// The address by which it is managed, if that can name one device.
    pub fn address(&self) -> Option<IpAddress> {
        normalize::address(self.mgmt_addr.as_deref()?).filter(|address| address.is_identity())
    }

    /// What was said that cannot name one device: addresses of groups, shared by routers, or of no
    /// more than a link, and what is not what it should be.
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

    /// What a person teaches when they say who this is: the strongest claim alone.
    pub fn strongest(&self) -> Option<Identity> {
        self.claims().into_iter().next().map(|claim| claim.identity)
    }

    /// How it identifies its port, as one folded text.
    pub fn port_text(&self) -> Option<String> {
        let text = self.port.as_ref().map(|port| port.value.as_str()).or(self.port_name.as_deref());
        text.map(normalize::folded).filter(|text| !text.is_empty())
    }
}

/// A chassis id that is not what its subtype says.
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

/// What a chassis id says, by its subtype; one that is not what that says is nobody's.
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

/// A name as a whole, as the MAC or network address that it may be, and by its first label.
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
    for identity in mac.map(Identity::Mac).into_iter().chain(label) {
        claim(tier, identity);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::{prelude::*, sample::select};

    use super::*;

    /// What agents send: plain names, names that hold MAC and network addresses, and odd ones.
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
        /// What a port heard is looked up by three keys; a claim with another key would be overlooked
        /// when its device comes.
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
