//! One spelling for the names of devices and ports, so that they can be compared.

use std::net::IpAddr;

use toposcope_types::{IpAddress, Mac, lldp};

/// Returns a text in comparable form: lowercase, without surrounding blanks and control characters.
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(&mut folded, text);
    folded
}

/// Writes a text in comparable form.
pub(crate) fn fold_into(buffer: &mut String, text: &str) {
    let (start, text) = (buffer.len(), trimmed(text));
    if text.is_ascii() {
        buffer.push_str(text);
        buffer[start..].make_ascii_lowercase();
    } else {
        buffer.push_str(&text.to_lowercase());
    }
}

/// Removes the blanks, NULs and other control characters that agents leave around a text.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(|one: char| one.is_whitespace() || one.is_control())
}

/// Returns a device name in comparable form, without the trailing serial number in parentheses that
/// CDP sends.
pub fn device(text: &str) -> String {
    bare(&folded(text)).to_owned()
}

/// Removes the trailing serial number from a name in comparable form.
pub fn bare(name: &str) -> &str {
    match name.strip_suffix(')').and_then(|open| open.rsplit_once('(')) {
        Some((before, _)) if !before.trim_end().is_empty() => before.trim_end(),
        _ => name,
    }
}

/// Returns the first label of a device name: `sw1` of `sw1.example.com`. An address is one label.
pub fn label(device: &str) -> &str {
    if device.parse::<IpAddr>().is_ok() {
        return device;
    }
    match device.split_once('.') {
        Some((label, _)) if !label.is_empty() => label,
        _ => device,
    }
}

/// The names that systems have until somebody names them, in lowercase.
const DEFAULT_NAMES: &[&str] = &[
    "(none)",
    "amnesiac",
    "arista",
    "cumulus",
    "dd-wrt",
    "debian",
    "default",
    "edgeos",
    "fedora",
    "freenas",
    "host",
    "hostname",
    "lede",
    "linux",
    "localhost",
    "mikrotik",
    "netgear",
    "none",
    "null",
    "openwrt",
    "opnsense",
    "pfsense",
    "procurve",
    "raspberrypi",
    "routeros",
    "router",
    "sonic",
    "switch",
    "truenas",
    "ubnt",
    "ubuntu",
    "unknown",
    "vyos",
];

/// The domains of networks that nobody gave a domain.
const DEFAULT_DOMAINS: &[&str] =
    &["home", "home.arpa", "internal", "lan", "local", "localdomain", "private"];

/// Returns whether a device name is a default of systems that were never named: that of every host
/// (RFC 6761, 6.3), the placeholder that Linux shows, or the name of a product.
pub(crate) fn is_nobody(device: &str) -> bool {
    let label = label(device);
    if label == "localhost" {
        return true;
    }
    DEFAULT_NAMES.contains(&label) && domain(device).is_none()
}

/// Returns the name without its first label, unless it is a domain that nobody chose: `example.com` of
/// `sw1.example.com`.
pub(crate) fn domain(device: &str) -> Option<&str> {
    let rest = device[label(device).len()..].strip_prefix('.')?.trim_end_matches('.');
    (!rest.is_empty() && !DEFAULT_DOMAINS.contains(&rest)).then_some(rest)
}

/// Returns whether two domains may be one: they are equal, or one is the beginning of the other.
pub(crate) fn domains_agree(one: &str, other: &str) -> bool {
    let mut labels =
        one.trim_end_matches('.').split('.').zip(other.trim_end_matches('.').split('.'));
    labels.all(|(one, other)| one == other)
}

/// Parses a MAC address, also a telephone's `SEP0CD0F8F5D688`.
pub fn mac(text: &str) -> Option<Mac> {
    let text = trimmed(text);
    let of_telephone = text.get(..3).filter(|start| start.eq_ignore_ascii_case("SEP"));
    let text = of_telephone.map_or(text, |_| &text[3..]);
    text.parse().ok()
}

/// Parses a network address that an agent sent as text, or as the octets of its family and value
/// (IEEE 802.1AB, 8.5.2.2: 1 and four octets, 2 and sixteen), raw or in hexadecimal.
pub fn address(text: &str) -> Option<IpAddress> {
    if let Some(address) = plain_address(text) {
        return Some(address);
    }
    lldp::network_address(text).or_else(|| lldp::of_family(&hexadecimal(trimmed(text))?))
}

/// Parses an address in the spelling that people use.
pub fn plain_address(text: &str) -> Option<IpAddress> {
    trimmed(text).parse::<IpAddr>().ok().map(|address| address.to_canonical().into())
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let text = text.strip_prefix("0x").unwrap_or(text);
    let digits: Vec<u8> = text
        .chars()
        .filter(|one| !matches!(one, ':' | '-' | ' '))
        .map(|one| one.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// The abbreviations of interface names, each with its long forms, in lowercase.
const INTERFACES: &[(&str, &[&str])] = &[
    ("fa", &["fastethernet"]),
    ("gi", &["gigabitethernet", "gigabit-ethernet-", "gige", "gig", "ge"]),
    ("te", &["tengigabitethernet", "ten-gigabitethernet", "tengige", "tengig", "ten", "xge"]),
    ("twe", &["twentyfivegigabitethernet", "twentyfivegige", "tf"]),
    ("fo", &["fortygigabitethernet", "fortygige"]),
    ("fi", &["fiftygigabitethernet", "fiftygige"]),
    ("hu", &["hundredgigabitethernet", "hundredgige"]),
    ("fh", &["fourhundredgigabitethernet", "fourhundredgige"]),
    ("eth", &["ethernet", "eth-", "et"]),
    ("po", &["port-channel", "portchannel"]),
    ("be", &["bundle-ether"]),
    ("bagg", &["bridge-aggregation"]),
    ("vl", &["vlan", "vlanif"]),
    ("lo", &["loopback"]),
    ("mgmt", &["management", "ma", "mg"]),
    ("tu", &["tunnel"]),
    ("se", &["serial"]),
];

/// Abbreviates the long form in an interface name: `gi1/0/1` of `GigabitEthernet 1/0/1`.
pub fn interface(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    interface_into(&mut name, text);
    name
}

/// Writes the name of an interface with its long form abbreviated.
pub(crate) fn interface_into(buffer: &mut String, text: &str) {
    let start = buffer.len();
    // Some agents send what people wrote on the port behind its name: `Gi1/0/25 : fiber`.
    fold_into(buffer, text.split_once(" : ").map_or(text, |(name, _)| name));
    if buffer[start..].contains(char::is_whitespace) {
        let name: String = buffer.drain(start..).filter(|one| !one.is_whitespace()).collect();
        buffer.push_str(&name);
    }
    let name = &buffer[start..];
    let Some(number) = name.find(|one: char| one.is_ascii_digit()) else { return };
    let kind = &name[..number];
    if let Some((short, _)) = INTERFACES.iter().find(|(_, long)| long.contains(&kind)) {
        buffer.replace_range(start..start + number, short);
    }
}

/// Returns the part after the last slash, if it is a name of its own: `ether2` of `bridge1/ether2`.
pub(crate) fn last_element(interface: &str) -> Option<&str> {
    let (_, last) = interface.rsplit_once('/')?;
    last.starts_with(|one: char| one.is_alphabetic()).then_some(last)
}

/// Returns the number at the end of an interface name, if it has one: `2` of `Gi0/2`.
pub(crate) fn last_number(interface: &str) -> Option<&str> {
    let digits =
        interface.len() - interface.trim_end_matches(|one: char| one.is_ascii_digit()).len();
    (digits > 0).then(|| &interface[interface.len() - digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_called_without_serial_number_and_in_small_letters() {
        for (said, name) in [
            ("sw1.example.com\0", "sw1.example.com"),
            (" SW1 ", "sw1"),
            ("sw1(FOC1234X0YZ)", "sw1"),
            ("(FOC1234X0YZ)", "(foc1234x0yz)"),
        ] {
            assert_eq!(device(said), name);
        }
        assert_eq!(label("sw1.example.com"), "sw1");
        assert_eq!(label("sw1"), "sw1");
        assert_eq!(label("10.0.0.1"), "10.0.0.1");
        assert_eq!(label(".example"), ".example");
        assert_eq!(domain("sw1.example.com"), Some("example.com"));
        for whole in ["sw1", "10.0.0.1", ".example", "sw1.", "sw1.lan", "sw1.localdomain."] {
            assert_eq!(domain(whole), None, "{whole}");
        }
        assert!(domains_agree("site1", "site1.example.com") && domains_agree("a.b", "a.b"));
        assert!(!domains_agree("site1.example.com", "site2.example.com"));
        for nobody in ["switch", "localhost.localdomain", "localhost.example.com", "openwrt.lan"] {
            assert!(is_nobody(nobody), "{nobody}");
        }
        for somebody in ["switch.example.com", "switch1", "openwrt-attic", "router.site1.lan"] {
            assert!(!is_nobody(somebody), "{somebody}");
        }
    }

    #[test]
    fn a_telephone_is_called_by_its_mac() {
        assert_eq!(mac("SEP0CD0F8F5D688"), "0C:D0:F8:F5:D6:88".parse().ok());
        assert_eq!(mac("0cd0.f8f5.d688\0"), "0C:D0:F8:F5:D6:88".parse().ok());
        assert_eq!(mac("SEPARATE"), None);
        assert_eq!(mac("é"), None);
    }

    #[test]
    fn an_address_is_read_from_text_and_from_octets() {
        let v4: IpAddr = "192.0.2.7".parse().unwrap();
        let v6: IpAddr = "2001:db8::7".parse().unwrap();
        let raw = |octets: &[u8]| octets.iter().map(|one| char::from(*one)).collect::<String>();
        let six: Vec<u8> = std::iter::once(2)
            .chain(std::net::Ipv6Addr::octets(&"2001:db8::7".parse().unwrap()))
            .collect();
        for (said, read) in [
            ("192.0.2.7\0", Some(v4)),
            ("01:C0:00:02:07", Some(v4)),
            ("01c0000207", Some(v4)),
            (&raw(&[1, 192, 0, 2, 7]), Some(v4)),
            ("2001:DB8::7", Some(v6)),
            (&raw(&six), Some(v6)),
            ("::ffff:192.0.2.7", Some(v4)),
            ("03c0000207", None),
            ("sw1", None),
            ("", None),
        ] {
            assert_eq!(address(said).map(IpAddress::addr), read, "{said:?}");
        }
    }

    #[test]
    fn long_and_short_interface_names_are_alike() {
        for (long, short) in [
            ("GigabitEthernet1/0/1", "Gi1/0/1"),
            ("TenGigabitEthernet 1/1", "Te1/1"),
            ("FortyGigE0/0", "Fo0/0"),
            ("HundredGigE1/0/49", "Hu1/0/49"),
            ("Ethernet1/1", "Eth1/1"),
            ("Ethernet1", "Et1"),
            ("port-channel3", "Po3"),
            ("Vlan10", "vl10"),
            ("Management1", "Ma1"),
            ("gigabitEthernet 1/0/25 : fiber", "Gi1/0/25"),
            ("gigabit-ethernet-1/1/1", "GigabitEthernet1/1/1"),
            ("Ten-GigabitEthernet1/1/1", "XGE1/1/1"),
            ("Bridge-Aggregation1", "BAGG1"),
            ("eth-1/49", "Ethernet 1/49"),
        ] {
            assert_eq!(interface(long), interface(short));
        }
        assert_ne!(interface("xe-0/0/1"), interface("et-0/0/1"));
        assert_ne!(interface("Te1/1"), interface("Gi1/1"));
        assert_eq!(interface("swp1"), "swp1");
        assert_eq!(interface("lo"), "lo");
        assert_eq!(last_element("bridge1/ether2"), Some("ether2"));
        assert_eq!(last_element("gi1/0/1"), None);
        assert_eq!(last_number("Gi0/12"), Some("12"));
        assert_eq!(last_number("lo"), None);
    }
}
