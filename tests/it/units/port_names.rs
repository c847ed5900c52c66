//! Names for the usual listeners on ports.

use std::collections::HashSet;

use toposcope::ports::Port;
use toposcope_types::{Id, Timestamp, TransportProtocol};

const TABLE: &str = include_str!("../../../src/ports/names.csv");

fn usual(number: i32, protocol: TransportProtocol) -> &'static str {
    let (id, now) = (Id::new(), Timestamp::now());
    let port = Port {
        id,
        created_at: now,
        updated_at: now,
        host_id: id,
        network_id: id,
        number,
        protocol,
    };
    port.usual()
}

#[test]
fn every_line_of_the_table_is_read() {
    let mut known = HashSet::new();
    for line in TABLE.lines().skip(1) {
        let [number, protocols, name] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("`{line}` has other columns than `number,protocols,name`");
        };
        for protocol in protocols.chars() {
            assert!(known.insert((number, protocol)), "`{line}` is there twice");
            let protocol = match protocol {
                't' => TransportProtocol::Tcp,
                'u' => TransportProtocol::Udp,
                other => panic!("`{line}` has the protocol `{other}`"),
            };
            assert_eq!(usual(number.parse().unwrap(), protocol), name);
        }
    }
    assert!(!known.is_empty());
    assert_eq!(usual(443, TransportProtocol::Tcp), "Https");
    assert_eq!(usual(53, TransportProtocol::Udp), "Dns");
    assert_eq!(usual(80, TransportProtocol::Udp), "Custom");
}
