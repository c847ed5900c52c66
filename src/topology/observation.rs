//! What a port heard, and what that says of who it was: claims, from the strongest to the weakest.

use async_graphql::Enum;
use sea_orm::{DeriveActiveEnum, EnumIter};

use super::{
    identity::{ChassisValue, Identity},
    name,
    step::{HostTier, Outcome},
};
use crate::types::{
    ChassisIdSubtype, Id, IpAddress, LldpChassisId, LldpPortId, Mac, NeighborId, NeighborProtocol,
};

/// By which protocol a neighbor was heard, in the order of their authority.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enum, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "i32", db_type = "Integer")]
pub enum Method {
    /// A person said so.
    #[sea_orm(num_value = 0)]
    Pinned,
    /// Link Layer Discovery Protocol (IEEE 802.1AB).
    #[sea_orm(num_value = 1)]
    Lldp,
    /// Cisco Discovery Protocol.
    #[sea_orm(num_value = 2)]
    Cdp,
    /// The one usable MAC address of the forwarding table of the port (dot1dTpFdbTable, RFC 4188).
    #[sea_orm(num_value = 3)]
    Fdb,
}

impl Method {
    /// That of a protocol.
    pub(super) const fn of(protocol: NeighborProtocol) -> Self {
        match protocol {
            NeighborProtocol::Lldp => Self::Lldp,
            NeighborProtocol::Cdp => Self::Cdp,
        }
    }

    /// Whether it is a protocol by which neighbors tell of themselves.
    pub(super) const fn is_heard(self) -> bool {
        matches!(self, Self::Lldp | Self::Cdp)
    }

    /// How exports and sentences spell it.
    pub const fn spelled(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Lldp => "LLDP",
            Self::Cdp => "CDP",
            Self::Fdb => "FDB",
        }
    }

    /// By what or whom links are made so.
    pub(super) const fn by(self) -> &'static str {
        match self {
            Self::Pinned => "hand",
            other => other.spelled(),
        }
    }
}

/// Something by which a neighbor may be found, and how good that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) tier: HostTier,
    pub(super) identity: Identity,
}

/// What was heard: one neighbor, by one port, through one protocol.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    /// How it identifies itself.
    pub(super) chassis: Option<LldpChassisId>,
    /// How it identifies its port; CDP has no subtype.
    pub(super) port: Option<LldpPortId>,
    /// The name of its port, as CDP says it.
    pub(super) port_name: Option<String>,
    /// What it says of its port.
    pub(super) port_desc: Option<String>,
    /// How it calls itself.
    pub(super) sys_name: Option<String>,
    /// The address by which it is managed.
    pub(super) mgmt_addr: Option<String>,
    /// The MAC address, if it was seen in a forwarding table.
    pub(super) fdb_mac: Option<Mac>,
}

/// A neighbor that a port heard.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    /// The id of the observation; of a forwarding table, that of the port.
    pub(super) id: Id,
    /// The port.
    pub(super) if_entry_id: Id,
    /// The device of the port.
    pub(super) host_id: Id,
    /// How it was heard.
    pub(super) method: Method,
    /// Its place among those heard by the same protocol, from 0.
    pub(super) position: i32,
    /// What was heard.
    pub(super) heard: Heard,
    /// What it is pinned to, and the device of that.
    pub(super) pin: Option<(NeighborId, Id)>,
}

impl Heard {
    /// Who this may be, from the strongest claim to the weakest; what can name nobody is left out.
    pub(super) fn claims(&self) -> Vec<Claim> {
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
            names(HostTier::SystemName, name::folded(said), &mut claim);
        }
        claims
    }

    /// The address by which it is managed, if that can name one device.
    pub(super) fn address(&self) -> Option<IpAddress> {
        name::address(self.mgmt_addr.as_deref()?).filter(|address| address.is_identity())
    }

    /// What was said that cannot name one device: addresses of groups, shared by routers, or of no
    /// more than a link, and what is not what it should be.
    pub(super) fn unusable(&self) -> Vec<(HostTier, String, Outcome)> {
        let mut unusable = Vec::new();
        if let Some((tier, value)) = self.chassis.as_ref().and_then(malformed) {
            unusable.push((tier, value, Outcome::Malformed));
        }
        let address = self.mgmt_addr.as_deref().filter(|text| name::address(text).is_none());
        if let Some(odd) = address.map(name::trimmed).filter(|text| !text.is_empty()) {
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
            if let Some(mac) = name::mac(&chassis.value).filter(|mac| !mac.is_identity()) {
                unusable.push((HostTier::ChassisMac, mac.to_string()));
            }
            let address = (chassis.subtype == ChassisIdSubtype::NetworkAddress)
                .then(|| name::address(&chassis.value))
                .flatten();
            if let Some(address) = address.filter(|address| !address.is_identity()) {
                unusable.push((HostTier::ChassisAddress, address.to_string()));
            }
        }
        let chassis = self.chassis.as_ref().map(|chassis| name::device(&chassis.value));
        if let Some(name) = chassis.filter(|name| name::is_nobody(name)) {
            unusable.push((HostTier::ChassisName, name));
        }
        let address = self.mgmt_addr.as_deref().and_then(name::address);
        if let Some(address) = address.filter(|address| !address.is_identity()) {
            unusable.push((HostTier::ManagementAddress, address.to_string()));
        }
        let name = self.sys_name.as_deref().map(name::device);
        if let Some(name) = name.filter(|name| name::is_nobody(name)) {
            unusable.push((HostTier::SystemName, name));
        }
        unusable
    }

    /// What a person teaches when they say who this is: the strongest claim alone.
    pub(super) fn strongest(&self) -> Option<Identity> {
        self.claims().into_iter().next().map(|claim| claim.identity)
    }

    /// How it identifies its port, as one folded text.
    pub(super) fn port_text(&self) -> Option<String> {
        let text = self.port.as_ref().map(|port| port.value.as_str()).or(self.port_name.as_deref());
        text.map(name::folded).filter(|text| !text.is_empty())
    }
}

/// A chassis id that is not what its subtype says.
fn malformed(chassis: &LldpChassisId) -> Option<(HostTier, String)> {
    let value = name::trimmed(&chassis.value);
    let (tier, is_odd) = match chassis.subtype {
        ChassisIdSubtype::MacAddress => (HostTier::ChassisMac, name::mac(value).is_none()),
        ChassisIdSubtype::NetworkAddress => {
            (HostTier::ChassisAddress, name::address(&chassis.value).is_none())
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
        .then(|| name::address(&chassis.value))
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
            let mac = name::mac(&chassis.value).filter(|mac| mac.is_identity());
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
            names(HostTier::ChassisName, name::folded(&chassis.value), claim);
        }
        Subtype::InterfaceAlias | Subtype::PortComponent => {}
    }
}

/// A name as a whole, as the MAC or network address that it may be, and by its first label.
fn names(tier: HostTier, whole: String, claim: &mut impl FnMut(HostTier, Identity)) {
    let name = name::bare(&whole);
    if name.is_empty() || name::is_nobody(name) {
        return;
    }
    if let Some(address) = name::plain_address(name) {
        claim(tier, Identity::Name(whole));
        if address.is_identity() {
            claim(tier, Identity::Address(address));
        }
        return;
    }
    let label = name::label(name);
    let whole_mac = name::mac(name);
    let mac = whole_mac.or_else(|| name::mac(label)).filter(|mac| mac.is_identity());
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
        select(<ChassisIdSubtype as sea_orm::Iterable>::iter().collect::<Vec<_>>())
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
