//! Ports of one link whose settings do not fit: VLANs, duplex mode, MTU and link aggregation.

use std::collections::HashSet;

use toposcope_types::{Duplex, MiscablingKind, VlanSet, vlans};

use super::miscabling::Miscabling;
use crate::{
    network::{
        Snapshot,
        links::{Link, NONE},
        settings::Vlans,
    },
    resolution::sockets::Basis,
    wording::listed,
};

/// The VLANs that Cisco switches keep for token ring and FDDI, and that no port uses.
const RESERVED: std::ops::RangeInclusive<u16> = 1002..=1005;

/// Differences of MTU that come from counting the Ethernet header, a VLAN tag or the checksum.
const HEADERS: [u32; 4] = [4, 14, 18, 22];

/// Returns whether a port carries tagged frames, and not those of every VLAN, which is how a trunk
/// without a list is reported.
fn is_trunk(vlans: &Vlans) -> bool {
    let unrestricted = usize::from(vlans::MAX) - RESERVED.count() - 1;
    !vlans.tagged.is_empty() && vlans.tagged.iter().all(|set| set.len() < unrestricted)
}

impl Snapshot {
    /// Finds the settings that differ between the ports of a proven link.
    pub(crate) fn of_settings(&self, place: u32) -> Vec<Miscabling> {
        let link = &self.links[place as usize];
        let [a, b] = link.ends.map(|end| end.port);
        if a == NONE || b == NONE || !link.is_proven || self.is_up(link) == Some(false) {
            return Vec::new();
        }
        let found = |kind, sentence: Option<String>| Some((kind, sentence?));
        [
            found(MiscablingKind::NativeVlan, self.told_native(a, b)),
            found(MiscablingKind::Vlans, self.told_vlans(a, b)),
            found(MiscablingKind::Duplex, self.told_duplex(a, b)),
            found(MiscablingKind::Mtu, self.told_mtu(a, b)),
        ]
        .into_iter()
        .flatten()
        .map(|(kind, sentence)| self.of_one_link(place, kind, sentence))
        .collect()
    }

    pub(crate) fn of_one_link(
        &self,
        place: u32,
        kind: MiscablingKind,
        sentence: String,
    ) -> Miscabling {
        let ends = self.links[place as usize].ends.into_iter();
        let ports = ends.map(|end| end.port).filter(|port| *port != NONE).collect();
        Miscabling { kind, ports, links: vec![place], seen: None, sentence }
    }

    fn told_native(&self, a: u32, b: u32) -> Option<String> {
        let [one, other] = [self.vlans_of(a)?.native?, self.vlans_of(b)?.native?];
        (one != other).then(|| {
            format!(
                "The native VLAN of {} is {one}, and that of {} is {other}: untagged frames change \
                 their VLAN on this link. Set the same on both.",
                self.called(a),
                self.called(b)
            )
        })
    }

    /// Tells which VLANs only one of two trunks carries. A port whose VLANs are on interfaces of
    /// their own, such as that of a router, needs no more than it has.
    fn told_vlans(&self, a: u32, b: u32) -> Option<String> {
        let [one, other] = [self.vlans_of(a)?, self.vlans_of(b)?];
        if ![one, other].iter().all(|vlans| is_trunk(vlans) && !vlans.is_divided) {
            return None;
        }
        if one.tagged == other.tagged && one.native == other.native {
            return None;
        }
        let only = |of: &Vlans, not: &Vlans| -> Vec<String> {
            let tagged = of.tagged.iter().flat_map(VlanSet::iter);
            let missing = tagged.filter(|vlan| !not.carries(*vlan) && !RESERVED.contains(vlan));
            missing.map(|vlan| vlan.to_string()).collect()
        };
        let told = |near: u32, far: u32, vlans: Vec<String>| {
            let many = if vlans.len() == 1 { "VLAN" } else { "VLANs" };
            (!vlans.is_empty()).then(|| {
                format!(
                    "{} carries the {many} {}, which {} does not",
                    self.called(near),
                    listed(vlans),
                    self.called(far)
                )
            })
        };
        let parts = [told(a, b, only(one, other)), told(b, a, only(other, one))];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| {
            format!(
                "{}: allow the same on both, or leave out what is not needed.",
                parts.join("; ")
            )
        })
    }

    fn told_duplex(&self, a: u32, b: u32) -> Option<String> {
        let duplex = |port| self.setting(port, |settings| settings.duplex);
        let (one, other) = (duplex(a)?, duplex(b)?);
        let (full, half) = if one == Duplex::Full { (a, b) } else { (b, a) };
        (one != other).then(|| {
            format!(
                "{} is full duplex and {} half duplex: frames collide and are lost. Let both \
                 negotiate, or set the same on both.",
                self.called(full),
                self.called(half)
            )
        })
    }

    /// Tells of MTUs that differ on a trunk. Elsewhere, a switch that takes larger frames than the
    /// server behind it sends is as it should be.
    fn told_mtu(&self, a: u32, b: u32) -> Option<String> {
        if ![a, b].iter().all(|port| self.vlans_of(*port).is_some_and(|of| !of.tagged.is_empty())) {
            return None;
        }
        let mtu = |port| self.setting(port, |settings| settings.mtu).filter(|mtu| *mtu > 0);
        let (one, other) = (mtu(a)?, mtu(b)?);
        let differ = one != other && !HEADERS.contains(&one.abs_diff(other));
        differ.then(|| {
            format!(
                "The MTU of {} is {one} octets, and that of {} is {other}: larger packets are lost on \
                 this link. Set the same on both.",
                self.called(a),
                self.called(b)
            )
        })
    }

    /// Finds bundles of which one side knows nothing, though its device records aggregates.
    pub(crate) fn one_sided_bundles(&self) -> Vec<Miscabling> {
        let mut places: Vec<u32> = (0_u32..)
            .zip(&self.links)
            .filter(|(_, link)| link.bundle != NONE && link.is_proven)
            .map(|(place, _)| place)
            .collect();
        places.sort_unstable_by_key(|place| (self.links[*place as usize].bundle, *place));
        let bundle = |place: &u32| self.links[*place as usize].bundle;
        // A device that records members of each of its aggregates would record these, too.
        let recorded = self.ports.iter().filter(|port| port.bundle_basis == Some(Basis::Recorded));
        let mut recording: HashSet<u32> = recorded.map(|port| port.host).collect();
        for port in self.ports.iter().filter(|port| port.is_aggregate() && !port.has_members) {
            recording.remove(&port.host);
        }
        places
            .chunk_by(|one, other| bundle(one) == bundle(other))
            .filter_map(|members| self.of_one_sided(members, &recording))
            .collect()
    }

    fn of_one_sided(&self, members: &[u32], recording: &HashSet<u32>) -> Option<Miscabling> {
        let links = || members.iter().map(|place| &self.links[*place as usize]);
        let first = links().next().filter(|_| members.len() > 1)?;
        let knows = |link: &Link, host: u32| {
            let end = link.ends.iter().find(|end| end.host == host)?;
            let port = self.ports.get(end.port as usize)?;
            Some((port.bundle, port.bundle_basis == Some(Basis::Recorded), port.has_one_cable()))
        };
        let [a, b] = first.ends.map(|end| end.host);
        let bundled = |host: u32| {
            let all = links().all(|link| knows(link, host).is_some_and(|(_, is, _)| is));
            all.then(|| knows(first, host).map(|(aggregate, ..)| aggregate)).flatten()
        };
        let single = |host: u32| {
            links().all(|link| knows(link, host).is_some_and(|(of, _, one)| of == NONE && one))
                && recording.contains(&host)
        };
        let (aggregate, other) = match (bundled(a), bundled(b)) {
            (Some(aggregate), None) if single(b) => (aggregate, b),
            (None, Some(aggregate)) if single(a) => (aggregate, a),
            _ => return None,
        };
        // The groups of VMware's virtual switches do not aggregate links.
        if self.ports[aggregate as usize].name.to_lowercase().contains("vswitch") {
            return None;
        }
        let far = links().flat_map(|link| link.ends).filter(|end| end.host == other);
        let ports: Vec<u32> = far.map(|end| end.port).collect();
        let names = ports.iter().map(|port| self.called(*port)).collect();
        let sentence = format!(
            "{} bundles these cables, but {} are no link aggregation group: frames may loop or be \
             lost. Bundle them on both sides.",
            self.called(aggregate),
            listed(names)
        );
        let ports = std::iter::once(aggregate).chain(ports).collect();
        let kind = MiscablingKind::OneSidedAggregate;
        Some(Miscabling { kind, ports, links: members.to_vec(), seen: None, sentence })
    }
}
