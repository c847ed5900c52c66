//! Names that may not decide: first labels against the evidence, names that factories give, and
//! names that are addresses.

use serde_json::{Value, json};

use super::hosts::{Case, case, check, far, sw1};
use crate::support::{
    bodies::with,
    wiring::{cdp, lldp},
};

const GI2: [&str; 2] = ["InterfaceName", "Gi0/2"];
const LINK: &str = "core:Gi0/2 -- sw1:Gi0/1 LLDP";
const M: &str = "02:00:00:00:00:22";

/// Returns `sw1` with a port that hears a neighbor of this name by LLDP, and more.
fn named(name: &str, more: &Value) -> Value {
    let chassis = ["MacAddress", "02:00:00:00:00:99"];
    let mut heard = with(&lldp(chassis, GI2), &json!({ "lldp_sys_name": name }));
    if more.get("lldp_chassis_id").is_none() {
        heard.as_object_mut().unwrap().remove("lldp_chassis_id");
    }
    sw1(&with(&heard, more))
}

fn nothing() -> Value {
    json!({})
}

#[tokio::test]
async fn a_first_label_decides_where_one_side_has_no_more_or_the_domains_agree() {
    let mut cases: Vec<Case> = Vec::new();
    let plain = "`core`, the first label of";
    for (name, said, recorded) in [
        ("no domain is recorded", "core.site1.example.com", json!({ "name": "core" })),
        (
            "one domain begins with the other",
            "core.site1",
            json!({ "name": "core", "sys_name": "core.site1.example.com" }),
        ),
        (
            "one of the names agrees",
            "core.site1.example.com",
            json!({ "name": "core", "hostname": "core.mgmt.lan", "sys_name": "core.site1" }),
        ),
    ] {
        let hosts = json!([named(said, &nothing()), far("core", &recorded)]);
        cases.push(case(name, hosts, &[LINK], &[plain]));
    }
    let full = json!({ "hostname": "core.site1.example.com" });
    let hosts = json!([named("core", &nothing()), far("core", &full)]);
    cases.push(case("no domain is sent", hosts, &[LINK], &["`core` is the name of `core`"]));
    check(cases).await;
}

#[tokio::test]
async fn a_first_label_never_stands_against_what_else_is_known() {
    let mut cases: Vec<Case> = Vec::new();
    let other = "but it has another domain, chassis id or management address";
    for (name, said, heard, recorded) in [
        (
            "the domain",
            "core.site2.example.com",
            nothing(),
            json!({ "sys_name": "core.site1.example.com" }),
        ),
        (
            "the domain of the DNS name",
            "core.ams-dc1.example.net",
            nothing(),
            json!({ "hostname": "core.bru-hdc.example.net" }),
        ),
        (
            "the chassis id",
            "core.site2.example.com",
            json!({ "lldp_chassis_id": { "subtype": "MacAddress", "value": "02:00:00:00:00:99" } }),
            json!({ "chassis_id": M }),
        ),
        (
            "a chassis id that is a serial number",
            "core.site2.example.com",
            json!({ "lldp_chassis_id": { "subtype": "ChassisComponent", "value": "FOC0002" } }),
            json!({ "chassis_id": "FOC0001" }),
        ),
        (
            "the management address",
            "core.site2.example.com",
            json!({ "lldp_mgmt_addr": "10.2.0.1" }),
            json!({ "management_address": "10.1.0.1" }),
        ),
    ] {
        let recorded = with(&json!({}), &recorded);
        let hosts = json!([named(said, &heard), far("core", &recorded)]);
        cases.push(case(name, hosts, &[], &["`core`", other]));
    }
    check(cases).await;
}

#[tokio::test]
async fn what_agrees_is_no_contradiction() {
    let mut cases: Vec<Case> = Vec::new();
    let of_port = json!({ "interfaces": [
        { "ip_address": "10.2.0.1", "prefix_length": 24, "if_name": "Gi0/2" }
    ], "management_address": "10.1.0.1" });
    let heard = json!({ "lldp_mgmt_addr": "10.2.0.1" });
    let hosts = json!([named("core.site2.example.com", &heard), far("core", &of_port)]);
    cases.push(case("another address of the device", hosts, &[LINK], &[]));
    let same = json!({ "lldp_mgmt_addr": "10.1.0.1" });
    let recorded = json!({ "management_address": "10.1.0.1" });
    let hosts = json!([named("core.site2.example.com", &same), far("core", &recorded)]);
    cases.push(case("the management address", hosts, &[LINK], &[]));
    // Of two devices with the label only one may be the neighbor.
    let hosts = json!([
        named("core.site2.example.com", &nothing()),
        far("core", &json!({ "sys_name": "core.site1.example.com" })),
        far("core2", &json!({ "sys_name": "core" })),
    ]);
    cases.push(case("the other one", hosts, &["core2:Gi0/2 -- sw1:Gi0/1 LLDP"], &[]));
    // The whole name is no mere label: whoever recorded it so is believed.
    let chassis = json!({ "chassis_id": M });
    let heard =
        json!({ "lldp_chassis_id": { "subtype": "MacAddress", "value": "02:00:00:00:00:99" } });
    let hosts = json!([named("core", &heard), far("core", &chassis)]);
    cases.push(case("the whole name", hosts, &[LINK], &["`core` is the name of `core`"]));
    check(cases).await;
}

#[tokio::test]
async fn a_name_that_is_a_mac_address_is_the_recorded_chassis_id_too() {
    let mut cases: Vec<Case> = Vec::new();
    let recorded = json!({ "chassis_id": M });
    for (name, said) in [
        ("digits", "020000000022"),
        ("quads", "0200.0000.0022"),
        ("hyphens", "02-00-00-00-00-22"),
        ("a telephone", "SEP020000000022"),
    ] {
        let hosts = json!([named(said, &nothing()), far("core", &recorded)]);
        cases.push(case(name, hosts, &[LINK], &[]));
        let hosts = json!([sw1(&cdp(said, "Gi0/2")), far("core", &recorded)]);
        let name: &'static str = Box::leak(format!("{name} by CDP").into_boxed_str());
        cases.push(case(name, hosts, &["core:Gi0/2 -- sw1:Gi0/1 CDP"], &[]));
    }
    check(cases).await;
}

#[tokio::test]
async fn names_that_factories_give_are_nobodys() {
    let mut cases: Vec<Case> = Vec::new();
    for name in ["Switch", "MikroTik", "OpenWrt", "ubnt", "OpenWrt.lan", "localhost.localdomain"] {
        let hosts = json!([named(name, &nothing()), far(name, &json!({}))]);
        let why = ["systems are called so that have no name of their own"];
        cases.push(case(name, hosts, &[], &why));
    }
    let known = json!({ "chassis_id": M });
    let heard = json!({ "lldp_chassis_id": { "subtype": "MacAddress", "value": M } });
    let hosts = json!([named("Switch", &heard), far("Switch", &known)]);
    cases.push(case("other evidence", hosts, &["Switch:Gi0/2 -- sw1:Gi0/1 LLDP"], &[]));
    for (name, link) in [
        ("switch.example.com", "sw1:Gi0/1 -- switch.example.com:Gi0/2 LLDP"),
        ("MikroTik-attic", "MikroTik-attic:Gi0/2 -- sw1:Gi0/1 LLDP"),
        ("switch1", "sw1:Gi0/1 -- switch1:Gi0/2 LLDP"),
    ] {
        let hosts = json!([named(name, &nothing()), far(name, &json!({}))]);
        cases.push(case(name, hosts, &[link], &[]));
    }
    check(cases).await;
}
