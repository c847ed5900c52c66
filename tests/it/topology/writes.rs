//! Writes to wiring that is known: moves, pins, contradictions, and other people's networks.

use serde_json::{Value, json};

use crate::{
    support::{
        bodies::with,
        wiring::{Wiring, cdp, device, lldp, port},
    },
    topology::hosts::{far, sw1},
};

fn named(host: &str, port: &str) -> Value {
    lldp(["LocallyAssigned", host], ["InterfaceName", port])
}

#[tokio::test]
async fn a_moved_cable_is_one_link_at_its_new_place() {
    let wiring = Wiring::new().await;
    let ports = [port(2, "Gi0/2", &json!({})), port(3, "Gi0/3", &json!({}))];
    let hosts = json!([sw1(&named("sw2", "Gi0/2")), device("sw2", &ports, &json!({}))]);
    let net = wiring.fill("moved", &hosts).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP"]);
    assert_eq!(net.neighbor("sw2:Gi0/2").await.as_deref(), Some("sw1:Gi0/1"));
    let answer = net.put("sw1:Gi0/1", &named("sw2", "Gi0/3")).await;
    assert_eq!(
        answer["neighbor"],
        json!({ "type": "IfEntry", "id": net.port("sw2:Gi0/3").await.id })
    );
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/3 LLDP"]);
    assert_eq!(net.neighbor("sw2:Gi0/2").await, None);
    assert_eq!(net.neighbor("sw2:Gi0/3").await.as_deref(), Some("sw1:Gi0/1"));
    // The port goes, then the device, then it is back: the neighbor is found again each time.
    let path = format!("/if-entries/{}", net.port("sw2:Gi0/3").await.id);
    wiring.done("DELETE", &path, &Value::Null).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2 LLDP"]);
    wiring.done("DELETE", &format!("/hosts/{}", net.host("sw2").await), &Value::Null).await;
    assert_eq!(net.links().await, [""; 0]);
    assert!(net.why("sw1:Gi0/1").await.contains("no device has the name `sw2`"));
    let net = wiring.fill("moved", &json!([device("sw2", &ports, &json!({}))])).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/3 LLDP"]);
}

#[tokio::test]
async fn both_ends_are_one_link_and_parallel_cables_are_as_many() {
    let wiring = Wiring::new().await;
    for cables in [1, 2, 4] {
        let side = |own: &str, far: &str| {
            let ports: Vec<Value> = (1..=cables)
                .map(|nth| port(nth, &format!("Gi0/{nth}"), &named(far, &format!("Gi0/{nth}"))))
                .collect();
            device(own, &ports, &json!({}))
        };
        let hosts = json!([side("sw1", "sw2"), side("sw2", "sw1")]);
        let net = wiring.fill(&format!("{cables} cables"), &hosts).await;
        let links: Vec<String> = (1..=cables)
            .map(|nth| format!("sw1:Gi0/{nth} -- sw2:Gi0/{nth} LLDP by LLDP+LLDP"))
            .collect();
        assert_eq!(net.evidence().await, links);
    }
}

#[tokio::test]
async fn a_ring_is_its_cables_and_a_loop_is_its_own_link() {
    let wiring = Wiring::new().await;
    let node = |own: &str, left: &str, right: &str| {
        let ports =
            [port(1, "Gi0/1", &named(left, "Gi0/2")), port(2, "Gi0/2", &named(right, "Gi0/1"))];
        device(own, &ports, &json!({}))
    };
    let ring = json!([node("a", "c", "b"), node("b", "a", "c"), node("c", "b", "a")]);
    let net = wiring.fill("ring", &ring).await;
    assert_eq!(
        net.links().await,
        ["a:Gi0/1 -- c:Gi0/2 LLDP", "a:Gi0/2 -- b:Gi0/1 LLDP", "b:Gi0/2 -- c:Gi0/1 LLDP"]
    );
    // A port that hears itself is no cable; a cable between two ports of a device is.
    let own = wiring.fill("itself", &json!([sw1(&named("sw1", "Gi0/1"))])).await;
    assert_eq!(own.links().await, [""; 0]);
    let why = own.why("sw1:Gi0/1").await;
    assert!(why.contains("only the device itself has the name `sw1`"), "{why}");
    assert!(why.contains("a port that hears its own device is looped"), "{why}");
    let ports =
        [port(1, "Gi0/1", &named("sw1", "Gi0/2")), port(2, "Gi0/2", &named("sw1", "Gi0/1"))];
    let looped = wiring.fill("loop", &json!([device("sw1", &ports, &json!({}))])).await;
    assert_eq!(looped.evidence().await, ["sw1:Gi0/1 -- sw1:Gi0/2 LLDP by LLDP+LLDP"]);
}

#[tokio::test]
async fn nobody_is_found_in_a_network_that_is_not_ones_own() {
    let wiring = Wiring::new().await;
    let heard = with(
        &lldp(["MacAddress", "02:00:00:00:00:22"], ["InterfaceName", "Gi0/2"]),
        &json!({ "lldp_sys_name": "sw2", "lldp_mgmt_addr": "10.0.0.2" }),
    );
    let wanted = far(
        "sw2",
        &json!({ "chassis_id": "02:00:00:00:00:22", "interfaces": [
            { "ip_address": "10.0.0.2", "prefix_length": 24, "mac_address": "02:00:00:00:00:22" },
        ] }),
    );
    let net = wiring.fill("ours", &json!([sw1(&heard)])).await;
    let alone = net.why("sw1:Gi0/1").await;
    wiring
        .fill("another of ours", &json!([wanted, far("sw3", &json!({ "sys_name": "sw2" }))]))
        .await;
    let theirs = wiring.of_another_organization().await;
    let there = wiring.fill_for(theirs, "ours", &json!([wanted])).await;
    // Neither is it found, nor does the explanation tell that somebody has it somewhere.
    assert_eq!(net.links().await, [""; 0]);
    assert_eq!(net.why("sw1:Gi0/1").await, alone);
    for part in [
        "no device has the recorded chassis id",
        "no device has the MAC address",
        "no device has the management address",
        "no device has the name `sw2`",
    ] {
        assert!(alone.contains(part), "{part}: {alone}");
    }
    assert!(!alone.contains("devices"), "{alone}");
    assert_eq!(there.links().await, [""; 0]);
    let net = wiring.fill("ours", &json!([wanted])).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP"]);
}

#[tokio::test]
async fn subtypes_that_do_not_exist_are_refused_with_the_field_and_nothing_is_written() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("subtypes", &json!([sw1(&named("sw2", "Gi0/2"))])).await;
    let before = net.body("sw1:Gi0/1").await;
    let path = format!("/if-entries/{}", before["id"].as_str().unwrap());
    for subtype in [json!(0), json!(9), json!("0"), json!("Reserved")] {
        for field in ["lldp_chassis_id", "lldp_port_id"] {
            let wrong = json!({ "subtype": subtype, "value": "x" });
            let body =
                with(&before, &json!({ field: wrong, "neighbor": null, "if_alias": "half" }));
            let made = with(&body, &json!({ "if_index": 77 }));
            for (method, path, body) in
                [("PUT", path.as_str(), &body), ("POST", "/if-entries", &made)]
            {
                let answer = wiring.ask(method, path, body).await;
                let (status, _, params) = answer.failure();
                assert_eq!(status, 400, "{}", answer.body);
                assert_eq!(params["field"], format!("{field}.subtype"), "{}", answer.body);
            }
            let hosts = json!([sw1(&json!({ "if_alias": "half", field: wrong }))]);
            let error = wiring.refusal("subtypes", &hosts).await;
            assert!(error.contains(&format!("hosts[0].if_entries[0].{field}.subtype")), "{error}");
        }
        let heard =
            json!([{ "protocol": "LLDP", "chassis_id": { "subtype": subtype, "value": "x" } }]);
        let hosts = json!([sw1(&json!({ "if_alias": "half", "neighbors_heard": heard }))]);
        let error = wiring.refusal("subtypes", &hosts).await;
        assert!(error.contains("neighbors_heard[0].chassis_id.subtype"), "{error}");
    }
    assert_eq!(net.body("sw1:Gi0/1").await, before);
    let all = wiring.done("GET", "/if-entries", &Value::Null).await;
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
}

#[tokio::test]
async fn a_record_that_loses_its_chassis_id_is_lost_and_found_again() {
    let wiring = Wiring::new().await;
    let heard = sw1(&lldp(["MacAddress", "02:00:00:00:00:22"], ["InterfaceName", "Gi0/2"]));
    let recorded = |chassis: Value| far("sw2", &json!({ "chassis_id": chassis }));
    let net = wiring.fill("lost", &json!([heard, recorded(json!("02:00:00:00:00:22"))])).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP"]);
    let net = wiring.fill("lost", &json!([recorded(Value::Null)])).await;
    assert_eq!(net.links().await, [""; 0]);
    assert_eq!(net.neighbor("sw1:Gi0/1").await, None);
    let why = net.why("sw1:Gi0/1").await;
    assert!(why.contains("no device has the recorded chassis id `02:00:00:00:00:22`"), "{why}");
    let net = wiring.fill("lost", &json!([recorded(json!("0200.0000.0022"))])).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP"]);
}

#[tokio::test]
async fn lldp_wins_against_cdp_and_the_contradiction_is_shown() {
    let wiring = Wiring::new().await;
    let ports = [port(2, "Gi0/2", &json!({})), port(3, "Gi0/3", &json!({}))];
    let sw2 = device("sw2", &ports, &json!({}));
    let other_port = sw1(&with(&named("sw2", "Gi0/2"), &cdp("sw2", "Gi0/3")));
    let net = wiring.fill("another port", &json!([other_port, sw2])).await;
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP by LLDP but CDP"]);
    assert_eq!(net.neighbor("sw1:Gi0/1").await.as_deref(), Some("sw2:Gi0/2"));
    let other_device = sw1(&with(&named("sw2", "Gi0/2"), &cdp("sw3", "Gi0/3")));
    let sw3 = device("sw3", &ports, &json!({}));
    let net = wiring.fill("another device", &json!([other_device, sw2, sw3])).await;
    let both = ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP by LLDP but CDP", "sw1:Gi0/1 -- sw3:Gi0/3 CDP by CDP"];
    assert_eq!(net.evidence().await, both, "a port may have two neighbors");
    assert_eq!(net.neighbor("sw1:Gi0/1").await.as_deref(), Some("sw2:Gi0/2"));
    // CDP knows the port that LLDP does not: they agree on the device, and the port is known.
    let unnamed = lldp(["LocallyAssigned", "sw2"], ["LocallyAssigned", "slot-b"]);
    let refined = sw1(&with(&unnamed, &cdp("sw2", "Gi0/3")));
    let net = wiring.fill("refined", &json!([refined, sw2])).await;
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw2:Gi0/3 LLDP by LLDP+CDP"]);
    assert_eq!(net.neighbor("sw1:Gi0/1").await.as_deref(), Some("sw2:Gi0/3"));
    assert_eq!(net.neighbor("sw2:Gi0/3").await.as_deref(), Some("sw1:Gi0/1"));
    // What the far port says by LLDP outweighs what CDP said of it.
    let back = sw1(&with(&json!({ "lldp_sys_name": "sw2" }), &json!({})));
    let ports = [port(2, "Gi0/2", &with(&named("sw1", "Gi0/9"), &cdp("sw1", "Gi0/1")))];
    let hosts = json!([
        with(
            &back,
            &json!({ "if_entries": [
        port(1, "Gi0/1", &json!({ "lldp_sys_name": "sw2" })), port(9, "Gi0/9", &json!({})),
    ] })
        ),
        device("sw2", &ports, &json!({}))
    ]);
    let net = wiring.fill("weaker reciprocal", &hosts).await;
    let links = ["sw1:Gi0/1 -- sw2 LLDP by LLDP", "sw1:Gi0/9 -- sw2:Gi0/2 LLDP by LLDP but CDP"];
    assert_eq!(net.evidence().await, links);
}

#[tokio::test]
async fn a_pin_outlives_imports_and_what_is_heard() {
    let wiring = Wiring::new().await;
    let hosts = json!([
        sw1(&named("sw2", "Gi0/2")),
        far("sw2", &json!({})),
        device("sw3", &[port(2, "Gi0/2", &json!({}))], &json!({})),
    ]);
    let net = wiring.fill("pinned", &hosts).await;
    let pin = json!({ "neighbor": { "type": "IfEntry", "id": net.port("sw3:Gi0/2").await.id } });
    let answer = net.put("sw1:Gi0/1", &pin).await;
    assert_eq!(answer["neighbor"], pin["neighbor"]);
    let links = ["sw1:Gi0/1 -- sw3:Gi0/2 pinned by pinned but LLDP"];
    assert_eq!(net.evidence().await, links);
    // The same again, and then LLDP that agrees, and then LLDP that is somebody unknown.
    for heard in [named("sw2", "Gi0/2"), named("sw3", "Gi0/2"), named("sw4", "Gi0/2")] {
        let mut hosts = hosts.clone();
        hosts[0] = sw1(&heard);
        let net = wiring.fill("pinned", &hosts).await;
        assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw3:Gi0/2 pinned"], "{heard}");
        assert_eq!(net.neighbor("sw1:Gi0/1").await.as_deref(), Some("sw3:Gi0/2"));
        assert!(
            net.why("sw1:Gi0/1").await.contains("A person pinned this port to `Gi0/2` of `sw3`.")
        );
    }
    // The far port follows the pin, whatever it hears itself.
    net.put("sw3:Gi0/2", &named("sw2", "Gi0/2")).await;
    assert_eq!(net.neighbor("sw3:Gi0/2").await.as_deref(), Some("sw1:Gi0/1"));
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw3:Gi0/2 pinned by pinned but LLDP"]);
    // Nothing said, it is as it was heard.
    net.put("sw1:Gi0/1", &named("sw2", "Gi0/2")).await;
    let heard = ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP", "sw2:Gi0/2 -- sw3:Gi0/2 LLDP"];
    assert_eq!(net.links().await, heard);
}

#[tokio::test]
async fn a_pin_to_a_device_is_to_the_port_of_it_that_is_heard_unless_that_is_pinned_elsewhere() {
    let wiring = Wiring::new().await;
    let own = [port(1, "Gi0/1", &named("sw2", "Gi0/2")), port(9, "Gi0/9", &json!({}))];
    let far = [2, 3].map(|nth| port(nth, &format!("Gi0/{nth}"), &json!({})));
    let hosts = json!([device("sw1", &own, &json!({})), device("sw2", &far, &json!({}))]);
    let net = wiring.fill("pinned", &hosts).await;
    let pinned = |kind: &str, id| json!({ "neighbor": { "type": kind, "id": id } });
    net.put("sw1:Gi0/1", &pinned("Host", net.host("sw2").await)).await;
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw2:Gi0/2 pinned by pinned+LLDP"]);
    assert_eq!(net.neighbor("sw2:Gi0/2").await.as_deref(), Some("sw1:Gi0/1"));
    // What was heard does not count at a port that a person said is connected to something else.
    net.put("sw2:Gi0/2", &pinned("IfEntry", net.port("sw1:Gi0/9").await.id)).await;
    let links = ["sw1:Gi0/1 -- sw2 pinned", "sw1:Gi0/9 -- sw2:Gi0/2 pinned"];
    assert_eq!(net.links().await, links);
    assert_eq!(net.neighbor("sw2:Gi0/2").await.as_deref(), Some("sw1:Gi0/9"));
    net.put("sw2:Gi0/2", &json!({})).await;
    // Another port of the device says more exactly where the cable ends.
    net.put("sw2:Gi0/3", &pinned("IfEntry", net.port("sw1:Gi0/1").await.id)).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/3 pinned"]);
    assert_eq!(net.neighbor("sw2:Gi0/2").await, None);
    // What a person said stays as they said it.
    assert_eq!(net.neighbor("sw1:Gi0/1").await.as_deref(), Some("sw2"));
}

#[tokio::test]
async fn a_cable_that_both_of_its_devices_are_pinned_to_is_one_link() {
    let wiring = Wiring::new().await;
    let side =
        |name: &str, far: &str| device(name, &[port(1, "Gi0/1", &named(far, "Gi0/1"))], &json!({}));
    let table = json!({ "fdb_macs": ["02:00:00:00:00:05"] });
    let mut hosts = json!([side("sw1", "sw2"), side("sw2", "sw1")]);
    hosts[0]["if_entries"].as_array_mut().unwrap().push(port(7, "Gi0/7", &table));
    let mac = json!({ "mac_address": "02:00:00:00:00:05" });
    hosts[1]["if_entries"].as_array_mut().unwrap().push(port(5, "Gi0/5", &mac));
    let net = wiring.fill("pinned", &hosts).await;
    for (name, far) in [("sw1", "sw2"), ("sw2", "sw1")] {
        let pin = json!({ "neighbor": { "type": "Host", "id": net.host(far).await } });
        net.put(&format!("{name}:Gi0/1"), &pin).await;
    }
    // The table of another port speaks for it too, but names no port of it.
    let link = "sw1:Gi0/1 -- sw2:Gi0/1 pinned by pinned+pinned+LLDP+LLDP+FDB";
    assert_eq!(net.evidence().await, [link]);
}
