//! Links that cannot all be there, and what is told of them.

use serde_json::{Value, json};

use crate::{
    support::{
        bodies::with,
        wiring::{self, Net, cdp, document},
    },
    topology::answers::{ImportedNetwork, device, hears},
};

fn port(number: i32, more: &Value) -> Value {
    wiring::port(number, &format!("eth{number}"), more)
}

/// A port in whose forwarding table this is all there is.
fn learned(number: i32, mac: &str) -> Value {
    port(number, &json!({ "fdb_macs": [mac] }))
}

fn has(number: i32, mac: &str) -> Value {
    port(number, &json!({ "mac_address": mac }))
}

async fn imported(devices: &[Value]) -> ImportedNetwork {
    ImportedNetwork::new(&document("lab", &json!(devices))).await
}

/// Returns the kind and the sentence of each miscabling, and how many ports and links it names.
async fn told(network: &ImportedNetwork) -> Vec<(String, String, usize, usize)> {
    let fields = "miscablings { kind sentence ifEntries { id } link { id } links { id } }";
    let topology = network.topology(fields).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let length = |value: &Value| value.as_array().unwrap().len();
    let miscablings = topology["miscablings"].as_array().unwrap().iter();
    miscablings
        .map(|one| {
            assert_eq!(one["link"].is_null(), length(&one["links"]) != 1, "{one}");
            let (ports, links) = (length(&one["ifEntries"]), length(&one["links"]));
            (text(&one["kind"]), text(&one["sentence"]), ports, links)
        })
        .collect()
}

async fn pin(net: &Net<'_>, from: &str, to: &str) {
    let far = json!({ "type": "IfEntry", "id": net.port(to).await.id });
    net.put(from, &json!({ "neighbor": far })).await;
}

const PC: &str = "02:00:00:00:0A:01";

#[tokio::test]
async fn two_pins_to_one_port_are_named_and_both_links_stay() {
    let bare = |name: &str| device(name, &[port(1, &json!({})), port(7, &json!({}))]);
    let network = imported(&[bare("a"), bare("b"), bare("c")]).await;
    let net = Net { wiring: &network.wiring, id: network.id };
    pin(&net, "a:eth1", "b:eth7").await;
    assert_eq!(told(&network).await, []);
    pin(&net, "c:eth1", "b:eth7").await;
    let both = told(&network).await;
    assert_eq!(both.len(), 1, "{both:?}");
    let (kind, sentence, ports, links) = &both[0];
    assert_eq!((kind.as_str(), *ports, *links), ("SEVERAL_LINKS", 3, 2));
    for words in [
        "`eth1` of `a` is pinned to `eth7` of `b`",
        "`eth1` of `c` is pinned to `eth7` of `b`",
        "Remove the pin that is wrong",
    ] {
        assert!(sentence.contains(words), "{words}: {sentence}");
    }
    let links = ["a:eth1 -- b:eth7 pinned", "b:eth7 -- c:eth1 pinned"];
    assert_eq!(net.links().await, links);
    // The far end is pinned to a third, and to no one else.
    net.put("c:eth1", &json!({})).await;
    pin(&net, "b:eth7", "c:eth1").await;
    let chain = told(&network).await;
    assert_eq!(chain.len(), 1, "{chain:?}");
    assert_eq!(
        chain[0].1,
        "`eth1` of `a` is pinned to `eth7` of `b` and `eth7` of `b` is pinned to `eth1` of `c`: a \
         port has one cable. Remove the pin that is wrong."
    );
    assert_eq!(net.links().await, links);
    net.put("a:eth1", &json!({})).await;
    assert_eq!(told(&network).await, []);
}

#[tokio::test]
async fn two_ports_with_the_only_address_of_one_port_are_told_and_a_pin_ends_it() {
    let network = imported(&[
        device("sw1", &[learned(1, PC), learned(2, PC)]),
        device("sw2", &[learned(3, PC)]),
        device("pc", &[has(1, PC)]),
    ])
    .await;
    let net = Net { wiring: &network.wiring, id: network.id };
    let before = told(&network).await;
    assert_eq!(before.len(), 1, "{before:?}");
    let (kind, sentence, ports, links) = &before[0];
    assert_eq!((kind.as_str(), *ports, *links), ("SEVERAL_LINKS", 4, 3));
    assert!(sentence.starts_with("`eth1` of `pc` is the only address behind "), "{sentence}");
    for words in [
        "`eth1` of `sw1`",
        "`eth2` of `sw1`",
        "`eth3` of `sw2`",
        "a port has one cable. If an entry is old, scan again. If one of them is an uplink, switch \
         LLDP on at both of its ends, or pin `eth1` of `pc` to the right one. If a small switch or a \
         telephone is between them, nothing is wrong. If `eth1` of `pc` stands for several ports, \
         such as a bond, record it with ifType 161.",
    ] {
        assert!(sentence.contains(words), "{words}: {sentence}");
    }
    pin(&net, "pc:eth1", "sw1:eth2").await;
    assert_eq!(net.links().await, ["pc:eth1 -- sw1:eth2 pinned"]);
    let after = told(&network).await;
    assert!(after.iter().all(|one| one.0 == "CONTRADICTION"), "{after:?}");
    assert_eq!(after.len(), 2, "{after:?}");
}

#[tokio::test]
async fn an_address_behind_an_uplink_is_no_cable_to_a_port_that_a_protocol_knows() {
    let other = "02:00:00:00:0B:01";
    let network = imported(&[
        device("access", &[hears(1, "pc", "eth1")]),
        device("core", &[learned(1, PC)]),
        device("pc", &[has(1, PC)]),
        // Its own table knows another than those who have its address.
        device(
            "box",
            &[port(1, &json!({ "mac_address": other, "fdb_macs": ["02:00:00:00:0C:01"] }))],
        ),
        device("far", &[learned(1, other)]),
        device("near", &[has(1, "02:00:00:00:0C:01")]),
    ])
    .await;
    let mut sentences: Vec<String> = told(&network).await.into_iter().map(|one| one.1).collect();
    sentences.sort_unstable();
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    let start = "`eth1` of `box` has only `eth1` of `near` in its forwarding table, but is the only \
                 address behind `eth1` of `far`: a port has one cable. ";
    assert!(sentences[0].starts_with(start), "{start}: {sentences:?}");
    // LLDP knows where the computer is, so that the core learned its address says nothing of cables.
    let net = Net { wiring: &network.wiring, id: network.id };
    let links = net.links().await;
    assert!(links.contains(&"access:eth1 -- pc:eth1 LLDP".to_owned()), "{links:?}");
    assert!(links.iter().all(|link| !link.contains("core")), "{links:?}");
    assert_eq!(net.neighbor("core:eth1").await, None);
    let why = net.why("core:eth1").await;
    assert!(why.ends_with("proves no other."), "{why}");
}

#[tokio::test]
async fn a_port_that_two_hear_and_that_hears_neither_is_told_once() {
    let heard = [device("a", &[hears(1, "x", "eth1")]), device("b", &[hears(1, "x", "eth1")])];
    let with_x = |x: Value| [heard.as_slice(), &[device("x", &[x])]].concat();
    let silent = imported(&with_x(port(1, &json!({})))).await;
    let of_silent = told(&silent).await;
    assert_eq!(of_silent.len(), 1, "{of_silent:?}");
    let sentence = &of_silent[0].1;
    for words in ["`eth1` of `a`", "`eth1` of `b`", "hear `eth1` of `x`, which hears none of them"]
    {
        assert!(sentence.contains(words), "{words}: {sentence}");
    }
    let stranger = imported(&with_x(hears(1, "stranger", "eth1"))).await;
    assert_eq!(told(&stranger).await.len(), 1, "whom nobody knows is neither of them");
    // Who hears one of them contradicts the other, which is told already.
    let one = imported(&with_x(hears(1, "a", "eth1"))).await;
    let of_one = told(&one).await;
    assert_eq!(of_one.len(), 1, "{of_one:?}");
    assert_eq!(of_one[0].0, "FAR_END");
}

#[tokio::test]
async fn an_address_in_a_table_takes_nothing_away_that_is_heard_or_pinned() {
    let network = imported(&[
        // One names the port by its pin, one hears it, and one has its address.
        device("d", &[has(1, PC)]),
        device("x", &[hears(1, "d", "eth1")]),
        device("y", &[hears(1, "d", "eth1")]),
        device("z", &[learned(1, PC)]),
    ])
    .await;
    let net = Net { wiring: &network.wiring, id: network.id };
    let all = told(&network).await;
    assert_eq!((all.len(), all[0].3), (1, 2), "two that hear it: {all:?}");
    let device = json!({ "type": "Host", "id": network.host("d").await });
    net.put("x:eth1", &json!({ "neighbor": device })).await;
    assert!(net.links().await.contains(&"d:eth1 -- x:eth1 pinned".to_owned()));
    let heard = ["d:eth1 -- x:eth1 pinned", "d:eth1 -- y:eth1 LLDP"];
    assert_eq!(net.links().await, heard, "the address in the table of z is no cable");
    net.put("z:eth1", &json!({ "fdb_macs": [] })).await;
    assert_eq!(net.links().await, heard);
    let without = told(&network).await;
    assert_eq!((without.len(), without[0].3), (1, 2), "{without:?}");
    // Where nobody hears it any more, the table counts again.
    net.put("x:eth1", &json!({ "neighbor": null, "lldp_chassis_id": null, "lldp_port_id": null, "lldp_sys_name": null })).await;
    net.put(
        "y:eth1",
        &json!({ "lldp_chassis_id": null, "lldp_port_id": null, "lldp_sys_name": null }),
    )
    .await;
    net.put("z:eth1", &json!({ "fdb_macs": [PC] })).await;
    assert_eq!(net.links().await, ["d:eth1 -- z:eth1 FDB"]);
}

#[tokio::test]
async fn who_is_joined_to_a_third_by_another_protocol_is_told_with_those_who_hear_it() {
    let network = imported(&[
        device("a", &[hears(1, "x", "eth1")]),
        device("b", &[hears(1, "x", "eth1")]),
        device("c", &[port(1, &json!({}))]),
        device("x", &[port(1, &cdp("c", "eth1"))]),
    ])
    .await;
    let all = told(&network).await;
    assert_eq!(all.len(), 1, "{all:?}");
    let (kind, sentence, ports, links) = &all[0];
    assert_eq!((kind.as_str(), *ports, *links), ("SEVERAL_LINKS", 4, 3));
    let words =
        "hear `eth1` of `x`, which hears none of them, but is joined to `eth1` of `c` by CDP:";
    assert!(sentence.contains(words), "{sentence}");
}

#[tokio::test]
async fn a_bond_that_is_recorded_as_a_plain_port_is_told_how_to_record_it() {
    for heard in [true, false] {
        let switch = |name: &str| {
            let port = if heard { hears(1, "server", "eth1") } else { learned(1, PC) };
            device(name, &[port])
        };
        let server = |if_type: i32| {
            device("server", &[port(1, &json!({ "if_type": if_type, "mac_address": PC }))])
        };
        let plain = imported(&[switch("sw1"), switch("sw2"), server(6)]).await;
        let all = told(&plain).await;
        assert_eq!((all.len(), all[0].3), (1, 2), "{all:?}");
        for words in [
            "scan again",
            "pin `eth1` of `server` to the right one",
            "If a small switch or a telephone is between them, nothing is wrong.",
            "such as a bond, record it with ifType 161.",
        ] {
            assert!(all[0].1.contains(words), "{words}: {}", all[0].1);
        }
        let group = imported(&[switch("sw1"), switch("sw2"), server(161)]).await;
        let net = Net { wiring: &group.wiring, id: group.id };
        assert_eq!(net.links().await.len(), 2, "{:?}", net.links().await);
        assert_eq!(told(&group).await, [], "what is said to be done helps");
    }
}

#[tokio::test]
async fn what_cdp_says_against_both_a_link_and_its_port_is_told_once() {
    let network = imported(&[
        device("a", &[hears(1, "b", "eth1"), port(2, &json!({}))]),
        device("b", &[with(&hears(1, "d", "eth1"), &cdp("a", "eth2"))]),
        device("d", &[port(1, &json!({}))]),
    ])
    .await;
    let net = Net { wiring: &network.wiring, id: network.id };
    let links = ["a:eth1 -- b:eth1 LLDP by LLDP but CDP", "b:eth1 -- d:eth1 LLDP by LLDP but CDP"];
    assert_eq!(net.evidence().await, links);
    let all = told(&network).await;
    let contradictions: Vec<&str> =
        all.iter().filter(|one| one.0 == "CONTRADICTION").map(|one| one.1.as_str()).collect();
    assert_eq!(contradictions.len(), 2, "{all:?}");
    assert_ne!(contradictions[0], contradictions[1]);
    let advice = "but CDP says that `eth1` of `b` hears `eth2` of `a`. One of both is of the past, or \
                  CDP passed through a device that does not speak it: scan again, or pin that port to \
                  the right one.";
    assert!(contradictions.iter().all(|one| one.ends_with(advice)), "{contradictions:?}");
}

#[tokio::test]
async fn links_and_ports_of_contradictions_are_rows_of_the_answer_where_they_are_asked_for() {
    let network = imported(&[
        device("sw1", &[learned(1, PC), learned(2, PC)]),
        device("sw2", &[learned(3, PC)]),
        device("pc", &[has(1, PC)]),
    ])
    .await;
    let session = network.wiring.session().await;
    let rows = async |fields: &str| {
        let query = format!(
            "{{ topology(networkId: \"{}\") {{ miscablings {{ {fields} }} }} }}",
            network.id
        );
        let body = json!({ "query": query, "extensions": { "cost": true } });
        let answer = network.wiring.test.post("/graphql", &body).credential(session).send().await;
        assert!(answer.body["errors"].is_null(), "{}", answer.body);
        answer.body["extensions"]["cost"]["rows"].as_u64().unwrap()
    };
    assert_eq!(rows("kind").await, 1);
    assert_eq!(rows("links { id }").await, 1 + 3);
    assert_eq!(rows("ifEntries { id }").await, 1 + 4);
    assert_eq!(rows("links { id } ifEntries { id }").await, 1 + 3 + 4);
}

#[tokio::test]
async fn what_may_have_several_neighbors_is_no_contradiction() {
    let group =
        |number: i32, mac: &str| port(number, &json!({ "if_type": 161, "fdb_macs": [mac] }));
    let lag = "02:00:00:00:0D:01";
    let radio = "02:00:00:00:0E:01";
    let mut hub = hears(5, "x", "eth1");
    hub["neighbors_heard"] = json!([{ "protocol": "LLDP", "port_id": { "subtype": "InterfaceName",
        "value": "eth1" }, "chassis_id": { "subtype": "LocallyAssigned", "value": "y" } }]);
    let network = imported(&[
        // The groups of two switches that are one to the server.
        device("sw1", &[group(1, PC), learned(2, lag), learned(3, radio), hub]),
        device("sw2", &[group(1, PC), learned(2, lag), learned(3, radio)]),
        device("pc", &[has(1, PC)]),
        device("server", &[port(1, &json!({ "if_type": 161, "mac_address": lag }))]),
        device("ap", &[port(1, &json!({ "if_type": 71, "mac_address": radio }))]),
        // Several that share a segment hear each other.
        device("x", &[hears(1, "sw1", "eth5")]),
        device("y", &[hears(1, "sw1", "eth5")]),
    ])
    .await;
    let net = Net { wiring: &network.wiring, id: network.id };
    assert_eq!(net.links().await.len(), 8, "{:?}", net.links().await);
    assert_eq!(told(&network).await, []);
}

#[tokio::test]
async fn what_cdp_says_otherwise_is_with_the_link_and_over_rest() {
    let both = with(&hears(1, "a", "eth1"), &cdp("b", "eth1"));
    let bare = |name: &str| device(name, &[port(1, &json!({}))]);
    let network = imported(&[device("sw", &[both]), bare("a"), bare("b")]).await;
    let fields = "links { id method contradictions { method ifEntry { id ifDescr } } }
        miscablings { kind sentence link { id } evidence { method } ifEntries { id } }";
    let topology = network.topology(fields).await;
    let links = topology["links"].as_array().unwrap();
    let by = |method: &str| links.iter().find(|link| link["method"] == method).unwrap();
    assert_eq!((links.len(), &by("CDP")["contradictions"]), (2, &json!([])));
    let against = by("LLDP")["contradictions"].as_array().unwrap();
    assert_eq!(against.len(), 1, "{topology}");
    assert_eq!(
        (&against[0]["method"], &against[0]["ifEntry"]["ifDescr"]),
        (&json!("CDP"), &json!("eth1"))
    );
    let miscablings = topology["miscablings"].as_array().unwrap();
    assert_eq!(miscablings.len(), 1, "{topology}");
    let told = &miscablings[0];
    assert_eq!(
        (&told["link"]["id"], &told["evidence"]["method"]),
        (&by("LLDP")["id"], &json!("CDP"))
    );
    let path = format!("/networks/{}/topology?format=json", network.id);
    let drawn = network.wiring.done("GET", &path, &Value::Null).await;
    let ids: Vec<&Value> =
        told["ifEntries"].as_array().unwrap().iter().map(|port| &port["id"]).collect();
    assert_eq!(
        drawn["miscablings"],
        json!([{ "kind": "Contradiction", "sentence": told["sentence"], "if_entry_ids": ids,
            "link_ids": [told["link"]["id"]] }])
    );
    let root = network.host("b").await;
    for elsewhere in [format!("{path}&root={root}&hops=0"), format!("{path}&layer=l3")] {
        let drawn = network.wiring.done("GET", &elsewhere, &Value::Null).await;
        assert_eq!(drawn["miscablings"], json!([]), "{elsewhere}");
    }
}

#[tokio::test]
async fn a_speed_that_only_says_more_contradicts_none() {
    for (speed, told_of) in [(4_294_967_295_i64, 0), (4_294_967_294, 1)] {
        let at = |speed: i64| json!({ "speed_bps": speed });
        let hearing = with(&cdp("b", "eth1"), &at(10_000_000_000));
        let network =
            imported(&[device("a", &[port(1, &hearing)]), device("b", &[port(1, &at(speed))])])
                .await;
        assert_eq!(told(&network).await.len(), told_of, "{speed}");
        let links = network.topology("links { speedBps }").await;
        let known = [10_000_000_000_i64, speed][told_of];
        assert_eq!(links["links"][0]["speedBps"], known, "{speed}");
    }
}
