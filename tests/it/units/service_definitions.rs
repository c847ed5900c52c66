//! The table of well-known services, and an operator's lines in it.

use std::collections::HashSet;

use async_graphql::resolver_utils::EnumType as _;
use toposcope::service_definitions::Definitions;
use toposcope_types::{ServiceCategory, TransportProtocol};

fn every_category() -> impl Iterator<Item = ServiceCategory> {
    ServiceCategory::items().iter().map(|item| item.value)
}

#[test]
fn the_table_has_services_of_every_category() {
    let table = Definitions::builtin();
    assert!(table.iter().count() > 170);
    let found: HashSet<ServiceCategory> = table.iter().map(|known| known.category).collect();
    for category in every_category() {
        let expected = !matches!(category, ServiceCategory::Unknown | ServiceCategory::Custom);
        assert_eq!(found.contains(&category), expected, "{category:?}");
    }
}

#[test]
fn names_are_found_in_any_case() {
    let table = Definitions::builtin();
    for (name, category) in [
        ("PostgreSQL", ServiceCategory::Database),
        ("postgresql", ServiceCategory::Database),
        ("SSH", ServiceCategory::NetworkAccess),
        ("Nginx Proxy Manager", ServiceCategory::ReverseProxy),
        ("Pi-hole", ServiceCategory::AdBlock),
        ("our own thing", ServiceCategory::Unknown),
        ("", ServiceCategory::Unknown),
    ] {
        assert_eq!(table.category_of(name), category, "{name}");
    }
    let ports = &table.get("SNMP").unwrap().ports;
    assert_eq!(ports, &[(161, TransportProtocol::Udp)]);
}

#[test]
fn names_by_category_are_those_of_that_category() {
    let table = Definitions::builtin();
    let names =
        table.names(|category| [ServiceCategory::Dns, ServiceCategory::Vpn].contains(&category));
    assert!(names.contains(&"wireguard") && names.contains(&"unbound"));
    assert!(!names.contains(&"ssh"));
    assert!(names.is_sorted());
    assert!(table.names(|category| [].contains(&category)).is_empty());
}

#[test]
fn an_operator_adds_and_replaces() {
    let table = Definitions::with_file(
        "name,category,ports\r\n\r\nPayroll,Custom,8443/tcp 53/udp\r\nssh,Development,\r\n",
    )
    .unwrap();
    assert_eq!(table.category_of("payroll"), ServiceCategory::Custom);
    assert_eq!(table.category_of("SSH"), ServiceCategory::Development);
    assert_eq!(table.category_of("PostgreSQL"), ServiceCategory::Database);
    assert_eq!(Definitions::builtin().category_of("payroll"), ServiceCategory::Unknown);
}

#[test]
fn an_error_names_the_line() {
    for (lines, message) in [
        ("a,Custom", "line 2 of the service definitions: expected 3 fields, found 2"),
        ("\na,Odd,", "line 3 of the service definitions: `Odd` is not a service category"),
        (
            "a,Custom,0/tcp",
            "line 2 of the service definitions: `0/tcp` is not a port: write it as `443/tcp` or \
             `53/udp`",
        ),
        (
            "a,Custom,\nA,Custom,",
            "line 3 of the service definitions: `A` is on line 2 already: remove one",
        ),
        (
            "\"a\",Custom,",
            "line 2 of the service definitions: `\"a\"` is not a name: write it without quotes",
        ),
    ] {
        let text = format!("name,category,ports\n{lines}");
        assert_eq!(Definitions::with_file(&text).unwrap_err().to_string(), message);
    }
    assert_eq!(Definitions::with_file("a,Custom,").unwrap_err().line, 1);
}
