//! Finds a port's neighbor in its forwarding table: the only usable MAC address.

use std::collections::HashSet;

use toposcope_types::Mac;

use super::if_type;

/// Returns whether resolution uses the forwarding table of an interface of this type (IANA ifType):
/// sockets and link aggregation groups count, never tunnels, VLANs or bridges.
pub fn counts(if_type: i32) -> bool {
    if_type::is_socket(if_type) || if_type::is_aggregate(if_type)
}

/// Returns the MAC addresses without those of the switch itself, of groups and of virtual routers.
/// An address in two VLANs appears twice.
pub fn usable(macs: &[Mac], own: Option<&HashSet<Mac>>) -> impl Iterator<Item = Mac> {
    let is_usable = move |mac: &Mac| mac.is_identity() && !own.is_some_and(|own| own.contains(mac));
    macs.iter().copied().filter(is_usable)
}

/// Returns the only usable MAC address. Several mean an uplink, which by itself says nothing.
pub fn only(macs: &[Mac], own: Option<&HashSet<Mac>>) -> Option<Mac> {
    let mut usable = usable(macs, own);
    let first = usable.next()?;
    usable.all(|mac| mac == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mac(text: &str) -> Mac {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_is_left_or_none() {
        let own = HashSet::from([mac("02:00:00:00:00:01")]);
        let own = Some(&own);
        let (a, b) = (mac("02:00:00:00:00:0A"), mac("02:00:00:00:00:0B"));
        for (macs, left) in [
            (vec![], None),
            (vec![a], Some(a)),
            (vec![a, a], Some(a)),
            (vec![a, b], None),
            (vec![mac("02:00:00:00:00:01"), b], Some(b)),
            (vec![mac("01:00:5E:00:00:FB"), mac("FF:FF:FF:FF:FF:FF"), b], Some(b)),
            (vec![mac("00:00:5E:00:01:0A"), mac("00:00:0C:07:AC:01"), b], Some(b)),
            (vec![mac("00:00:00:00:00:00")], None),
        ] {
            assert_eq!(only(&macs, own), left, "{macs:?}");
        }
    }

    #[test]
    fn tunnels_vlans_and_bridges_are_not_looked_into() {
        assert!([6, 117, 161].into_iter().all(counts));
        assert!(![1, 24, 53, 131, 135, 136, 209].into_iter().any(counts));
    }
}
