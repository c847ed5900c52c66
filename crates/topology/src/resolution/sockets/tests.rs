//! Interfaces and the sockets that they belong to.

use super::*;

const MAC: &str = "02:00:00:00:00:01";
const OTHER: &str = "02:00:00:00:00:02";

fn of(if_index: i32, name: &str, if_type: i32) -> Interface<'_> {
    Interface {
        if_index,
        name,
        if_type,
        mac_address: None,
        lag_if_index: None,
        parent_if_index: None,
    }
}

fn with_mac<'p>(one: Interface<'p>, mac: &str) -> Interface<'p> {
    Interface { mac_address: Some(mac.parse().unwrap()), ..one }
}

/// Places interfaces, and names what each belongs to.
fn told(interfaces: &[Interface<'_>]) -> Vec<String> {
    let name = |at: usize| interfaces[at].name;
    let told = |(at, placed): (usize, Placement)| {
        let basis = placed.basis.map(|basis| format!(" ({basis:?})"));
        let borrows = placed.borrows.map(|lender| format!(" borrows {}", name(lender)));
        let bundle = placed.bundle.zip(placed.bundle_basis);
        let bundle = bundle.map(|(of, basis)| format!(" in {} ({basis:?})", name(of)));
        let more: String = [basis, borrows, bundle].into_iter().flatten().collect();
        format!("{} at {}{more}", name(at), name(placed.socket))
    };
    placements(interfaces).into_iter().enumerate().map(told).collect()
}

#[test]
fn a_name_with_a_number_behind_is_on_the_socket_of_the_name() {
    let interfaces = [
        of(1, "ge-0/0/10", 6),
        of(2, "ge-0/0/10.0", 53),
        of(3, "sfp-sfpplus2", 6),
        of(4, "sfp-sfpplus2.665", 135),
        of(5, "Port-channel1.30", 135),
        of(6, "GigabitEthernet0/1", 6),
        of(7, "Gi0/1.100", 135),
        of(8, "Gi0/1.100.7", 135),
    ];
    assert_eq!(
        told(&interfaces),
        [
            "ge-0/0/10 at ge-0/0/10",
            "ge-0/0/10.0 at ge-0/0/10 (Name)",
            "sfp-sfpplus2 at sfp-sfpplus2",
            "sfp-sfpplus2.665 at sfp-sfpplus2 (Name)",
            "Port-channel1.30 at Port-channel1.30",
            "GigabitEthernet0/1 at GigabitEthernet0/1",
            "Gi0/1.100 at GigabitEthernet0/1 (Name)",
            "Gi0/1.100.7 at GigabitEthernet0/1 (Name)",
        ]
    );
}

#[test]
fn channels_slots_and_ports_with_their_own_address_are_sockets() {
    let interfaces = [
        of(1, "et-0/0/0:0", 6),
        of(2, "et-0/0/0:1", 6),
        of(3, "et-0/0/0", 6),
        of(4, "1:24", 6),
        of(5, "1", 6),
        of(6, "1.1", 6),
        with_mac(of(7, "eth0", 6), MAC),
        with_mac(of(8, "eth0.1", 6), OTHER),
    ];
    for (at, placed) in placements(&interfaces).into_iter().enumerate() {
        assert_eq!(placed, Placement::alone(at), "{}", interfaces[at].name);
    }
}

#[test]
fn members_are_found_through_units_and_by_either_record() {
    let interfaces = [
        of(1, "xe-0/0/1", 6),
        Interface { lag_if_index: Some(10), ..of(2, "xe-0/0/1.0", 53) },
        Interface { parent_if_index: Some(10), ..of(3, "xe-0/0/2", 6) },
        of(10, "ae0", 161),
        of(11, "ae0.0", 53),
        Interface { parent_if_index: Some(10), ..of(12, "irb", 53) },
    ];
    assert_eq!(
        told(&interfaces),
        [
            "xe-0/0/1 at xe-0/0/1 in ae0 (Recorded)",
            "xe-0/0/1.0 at xe-0/0/1 (Name) in ae0 (Recorded)",
            "xe-0/0/2 at xe-0/0/2 in ae0 (Recorded)",
            "ae0 at ae0",
            "ae0.0 at ae0 (Name)",
            "irb at ae0 (Recorded)",
        ]
    );
}

#[test]
fn mac_addresses_tell_members_and_lenders() {
    let bond = [
        with_mac(of(1, "eth0", 6), MAC),
        with_mac(of(2, "eth1", 6), MAC),
        with_mac(of(3, "bond0", 161), MAC),
        with_mac(of(4, "br0", 209), MAC),
        with_mac(of(5, "eth2", 6), OTHER),
        with_mac(of(6, "vlan7", 135), OTHER),
    ];
    assert_eq!(
        told(&bond),
        [
            "eth0 at eth0 in bond0 (Mac)",
            "eth1 at eth1 in bond0 (Mac)",
            "bond0 at bond0",
            "br0 at br0 borrows bond0",
            "eth2 at eth2",
            "vlan7 at vlan7 borrows eth2",
        ]
    );
    // One address for all ports of a switch tells nothing, and neither do two aggregates.
    let names: Vec<String> = (0..24).map(|number| format!("swp{number}")).collect();
    let mut switch: Vec<Interface<'_>> =
        (1..).zip(&names).map(|(index, name)| with_mac(of(index, name, 6), MAC)).collect();
    switch.push(with_mac(of(100, "Po1", 161), MAC));
    assert!(placements(&switch).iter().all(|placed| placed.bundle.is_none()));
    let two = [bond[0], bond[2], with_mac(of(7, "bond1", 161), MAC)];
    assert!(placements(&two).iter().all(|placed| placed.bundle.is_none()));
}

#[test]
fn a_chain_without_an_end_and_unknown_numbers_say_nothing() {
    let interfaces = [
        Interface { parent_if_index: Some(2), ..of(1, "a", 53) },
        Interface { parent_if_index: Some(1), ..of(2, "b", 53) },
        Interface { parent_if_index: Some(3), ..of(3, "c", 53) },
        Interface { parent_if_index: Some(99), lag_if_index: Some(98), ..of(4, "d", 6) },
    ];
    for (at, placed) in placements(&interfaces).into_iter().enumerate() {
        assert_eq!(placed, Placement::alone(at), "{}", interfaces[at].name);
    }
}
