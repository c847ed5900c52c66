//! Names for the usual listeners on ports.

use std::{collections::HashMap, sync::LazyLock};

use toposcope_types::TransportProtocol;

/// Number, protocols and name of ports, from IANA service names and common usage.
const TABLE: &str = include_str!("names.csv");

static NAMES: LazyLock<HashMap<(i32, TransportProtocol), &'static str>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for line in TABLE.lines().skip(1) {
        let mut cells = line.split(',');
        let (Some(number), Some(protocols), Some(name)) =
            (cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        let Ok(number) = number.parse() else { continue };
        for (letter, protocol) in [('t', TransportProtocol::Tcp), ('u', TransportProtocol::Udp)] {
            if protocols.contains(letter) {
                names.insert((number, protocol), name);
            }
        }
    }
    names
});

/// Returns the name of a port, or `Custom` if it is unknown.
pub(super) fn of(number: i32, protocol: TransportProtocol) -> &'static str {
    NAMES.get(&(number, protocol)).copied().unwrap_or("Custom")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let protocols: usize =
            TABLE.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().len()).sum();
        assert_eq!(NAMES.len(), protocols);
        assert_eq!(of(443, TransportProtocol::Tcp), "Https");
        assert_eq!(of(53, TransportProtocol::Udp), "Dns");
        assert_eq!(of(80, TransportProtocol::Udp), "Custom");
    }
}
