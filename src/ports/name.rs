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
