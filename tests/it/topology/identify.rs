//! Neighbors that people identify, and what follows for networks that were there before.

use serde_json::{Value, json};
use toposcope::topology;

use crate::support::{
    wiring::{Net, Wiring, cdp, device, lldp, port},
    world::World,
};

const TEACH: &str = "mutation($seen: ID!, $host: ID!, $port: ID) {
    identifyNeighbor(observationId: $seen, hostId: $host, ifEntryId: $port) {
        neighbor { ... on IfEntry { ifDescr host { name } } ... on Host { name } } } }";
const FORGET: &str = "mutation($seen: ID!) {
    forgetNeighbor(observationId: $seen) { neighbor { ... on Host { name } } } }";

/// Two switches that hear somebody who calls itself as nobody is called, and a box with two ports.
fn devices() -> Value {
    let heard = lldp(["LocallyAssigned", "box-77"], ["LocallyAssigned", "p1"]);
    let table = json!({ "fdb_macs": ["02:00:00:00:00:99"] });
    json!([
        device("sw1", &[port(1, "Gi0/1", &heard), port(3, "Gi0/3", &table)], &json!({})),
        device(
            "sw2",
            &[port(1, "Gi0/1", &heard), port(2, "Gi0/2", &cdp("box-77", "p2"))],
            &json!({})
        ),
        device("box", &[port(1, "lan1", &json!({})), port(2, "lan2", &json!({}))], &json!({})),
    ])
}

async fn seen(net: &Net<'_>, port: &str) -> Value {
    let query = "query($id: ID!) { ifEntry(id: $id) { observations { id } } }";
    let id = net.port(port).await.id;
    let answer = ask(net, query, json!({ "id": id })).await;
    answer["data"]["ifEntry"]["observations"][0]["id"].clone()
}

async fn ask(net: &Net<'_>, query: &str, variables: Value) -> Value {
    net.wiring.test.graphql(net.wiring.session().await, query, variables).await
}

#[tokio::test]
async fn who_was_identified_is_known_to_every_port_and_after_every_scan() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("lab", &devices()).await;
    assert_eq!(net.links().await, Vec::<String>::new());
    let said = json!({ "seen": seen(&net, "sw1:Gi0/1").await, "host": net.host("box").await });
    let answer = ask(&net, TEACH, said).await;
    assert_eq!(answer["data"]["identifyNeighbor"]["neighbor"]["name"], "box", "{answer}");
    let taught = ["box -- sw1:Gi0/1 LLDP", "box -- sw2:Gi0/1 LLDP", "box -- sw2:Gi0/2 CDP"];
    assert_eq!(net.links().await, taught);
    assert!(
        net.why("sw2:Gi0/1").await.contains("taught by hand"),
        "{}",
        net.why("sw2:Gi0/1").await
    );

    // A scan that finds nothing, and one that finds it again.
    let mut silent = devices();
    silent[0]["if_entries"][0] = port(1, "Gi0/1", &json!({ "neighbors_heard": [] }));
    wiring.fill("lab", &silent).await;
    wiring.fill("lab", &devices()).await;
    assert_eq!(net.links().await, taught);

    let answer = ask(&net, FORGET, json!({ "seen": seen(&net, "sw2:Gi0/1").await })).await;
    assert_eq!(answer["data"]["forgetNeighbor"]["neighbor"], Value::Null, "{answer}");
    assert_eq!(net.links().await, Vec::<String>::new());
    let again = ask(&net, FORGET, json!({ "seen": seen(&net, "sw2:Gi0/1").await })).await;
    assert_eq!(again["errors"][0]["extensions"]["params"]["field"], "observation_id", "{again}");
}

#[tokio::test]
async fn a_port_that_was_taught_is_meant_where_its_own_name_was_heard() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("lab", &devices()).await;
    let said = json!({ "seen": seen(&net, "sw1:Gi0/1").await, "host": net.host("box").await,
                       "port": net.port("box:lan2").await.id });
    let answer = ask(&net, TEACH, said).await;
    assert_eq!(answer["data"]["identifyNeighbor"]["neighbor"]["ifDescr"], "lan2", "{answer}");
    assert_eq!(net.links().await, ["box:lan2 -- sw1:Gi0/1 LLDP", "box:lan2 -- sw2:Gi0/1 LLDP"]);
}

#[tokio::test]
async fn the_mac_of_a_forwarding_table_is_taught_by_the_id_of_its_port() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("lab", &devices()).await;
    let said = json!({ "seen": net.port("sw1:Gi0/3").await.id, "host": net.host("box").await });
    let answer = ask(&net, TEACH, said).await;
    assert!(answer["errors"].is_null(), "{answer}");
    assert_eq!(net.links().await, ["box -- sw1:Gi0/3 FDB"]);
    let changes = wiring.done("GET", "/changes?entity=Alias", &Value::Null).await;
    assert_eq!(changes[0]["after"]["identity"], "mac 02:00:00:00:00:99", "{changes}");
}

#[tokio::test]
async fn what_cannot_be_taught_is_refused_with_the_reason() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("lab", &devices()).await;
    let other = wiring.fill("branch", &devices()).await;
    let heard = seen(&net, "sw1:Gi0/1").await;
    for (said, field, code) in [
        (
            json!({ "seen": heard, "host": net.host("sw1").await }),
            "host_id",
            "validation_invalid_format",
        ),
        (json!({ "seen": heard, "host": other.host("box").await }), "", "entity_network_mismatch"),
        (
            json!({ "seen": heard, "host": net.host("box").await,
                    "port": net.port("sw2:Gi0/2").await.id }),
            "if_entry_id",
            "validation_invalid_format",
        ),
        (
            json!({ "seen": net.host("box").await, "host": net.host("box").await }),
            "",
            "entity_not_found",
        ),
    ] {
        let answer = ask(&net, TEACH, said).await;
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(extensions["code"], code, "{answer}");
        if !field.is_empty() {
            assert_eq!(extensions["params"]["field"], field, "{answer}");
        }
    }
    assert_eq!(net.links().await, Vec::<String>::new());
}

#[tokio::test]
async fn what_several_devices_have_is_not_taught_to_be_one_of_them() {
    let wiring = Wiring::new().await;
    let mac = "02:00:00:00:09:01";
    let hears = lldp(["MacAddress", mac], ["InterfaceName", "lan1"]);
    let by_name = crate::support::bodies::with(&hears, &json!({ "lldp_sys_name": "two" }));
    let box_of =
        |name: &str| device(name, &[port(1, "lan1", &json!({ "mac_address": mac }))], &json!({}));
    let sw1 = device("sw1", &[port(1, "Gi0/1", &hears), port(2, "Gi0/2", &by_name)], &json!({}));
    let net = wiring.fill("lab", &json!([sw1, box_of("one"), box_of("two")])).await;
    let links = ["sw1:Gi0/2 -- two:lan1 LLDP"];
    assert_eq!(net.links().await, links);
    let why = net.why("sw1:Gi0/1").await;
    assert!(
        why.contains("2 devices have the MAC address") && why.ends_with("or pin the port."),
        "{why}"
    );
    assert!(!why.contains("identify the neighbor"), "{why}");
    let said = json!({ "seen": seen(&net, "sw1:Gi0/1").await, "host": net.host("one").await });
    let answer = ask(&net, TEACH, said).await;
    assert_eq!(answer["errors"][0]["extensions"]["params"]["field"], "observation_id", "{answer}");
    let message = answer["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("`02:00:00:00:09:01` belongs to 2 devices"), "{message}");
    assert_eq!(net.links().await, links);
}

#[tokio::test]
async fn what_is_taught_of_a_name_with_a_serial_number_is_not_said_of_another() {
    let wiring = Wiring::new().await;
    let ports = [
        port(1, "Gi0/1", &cdp("sw2(FOC1)", "Gi0/9")),
        port(2, "Gi0/2", &cdp("sw2(FOC2)", "Gi0/9")),
    ];
    let far = |name: &str| device(name, &[port(9, "Gi0/9", &json!({}))], &json!({}));
    let hosts = json!([device("sw1", &ports, &json!({})), far("rack7"), far("sw2(FOC2)")]);
    let net = wiring.fill("lab", &hosts).await;
    let (first, second) = ("sw1:Gi0/1 -- sw2(FOC2):Gi0/9 CDP", "sw1:Gi0/2 -- sw2(FOC2):Gi0/9 CDP");
    assert_eq!(net.links().await, [first, second]);
    let seen = seen(&net, "sw1:Gi0/1").await;
    let said = json!({ "seen": seen, "host": net.host("rack7").await });
    let answer = ask(&net, TEACH, said).await;
    assert!(answer["errors"].is_null(), "{answer}");
    assert_eq!(net.links().await, ["rack7:Gi0/9 -- sw1:Gi0/1 CDP", second]);
    ask(&net, FORGET, json!({ "seen": seen })).await;
    assert_eq!(net.links().await, [first, second]);
    // Nothing was taught of the other, and so nothing is forgotten.
    let other = self::seen(&net, "sw1:Gi0/2").await;
    let answer = ask(&net, FORGET, json!({ "seen": other })).await;
    assert!(
        answer["errors"][0]["message"].as_str().unwrap().contains("nothing was taught"),
        "{answer}"
    );
}

#[tokio::test]
async fn networks_of_older_rules_are_worked_out_anew_at_the_start() {
    let wiring = Wiring::new().await;
    let heard = lldp(["LocallyAssigned", "sw2"], ["InterfaceName", "Gi0/1"]);
    let devices = json!([
        device("sw1", &[port(1, "Gi0/1", &heard)], &json!({})),
        device("sw2", &[port(1, "Gi0/1", &json!({}))], &json!({})),
    ]);
    let net = wiring.fill("lab", &devices).await;
    let app = &wiring.test.app;
    assert_eq!(
        topology::reresolve::refresh(app).await.unwrap(),
        0,
        "new networks follow the rules already"
    );
    for sql in [
        "DELETE FROM resolution",
        "DELETE FROM host_key",
        "UPDATE if_entry SET neighbor_if_entry_id = NULL",
        "UPDATE network SET resolver = 0",
    ] {
        wiring.test.sql(sql, []).await;
    }
    assert_eq!(topology::reresolve::refresh(app).await.unwrap(), 1);
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- sw2:Gi0/1 LLDP"]);
    assert_eq!(net.neighbor("sw2:Gi0/1").await.as_deref(), Some("sw1:Gi0/1"));
    assert_eq!(topology::reresolve::refresh(app).await.unwrap(), 0);
}

#[tokio::test]
async fn nobody_sees_or_teaches_what_is_out_of_reach() {
    let world = World::new().await;
    let key = &world.ours.admin.key;
    let (theirs, ours) = (&world.theirs.networks[0], &world.ours.networks[0]);
    let query = "query($id: ID!) { topology(networkId: $id) { nodes { label } } }";
    let answer = world.test.graphql(key, query, json!({ "id": theirs.id })).await;
    assert_eq!(answer, json!({ "data": { "topology": null } }));
    let answer = world.test.graphql(key, query, json!({ "id": ours.id })).await;
    assert_eq!(answer["data"]["topology"]["nodes"].as_array().map(Vec::len), Some(2), "{answer}");
    let root = "query($id: ID!, $root: ID!) { topology(networkId: $id, root: $root) { revision } }";
    let variables = json!({ "id": ours.id, "root": theirs.hosts[0].id });
    let answer = world.test.graphql(key, root, variables).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "entity_not_found", "{answer}");
    for path in ["topology", "unresolved", "topology?format=svg"] {
        let path = format!("/api/v1/networks/{}/{path}", theirs.id);
        let answer = world.test.get(&path).credential(key).send().await;
        assert_eq!(answer.failure().0, 404, "{path}");
    }
    let entry = theirs.hosts[0].if_entries[0];
    let said = json!({ "seen": entry, "host": ours.hosts[0].id });
    for (key, code) in [
        (&world.ours.admin.key, "entity_not_found"),
        (&world.ours.viewer.key, "auth_permission_denied"),
    ] {
        let answer = world.test.graphql(key, TEACH, said.clone()).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], code, "{answer}");
    }
}

#[tokio::test]
async fn what_was_taught_of_a_name_does_not_outdo_a_chassis_id() {
    let wiring = Wiring::new().await;
    let devices = json!([
        device(
            "sw1",
            &[
                port(1, "Gi0/1", &json!({ "lldp_sys_name": "access" })),
                port(
                    2,
                    "Gi0/2",
                    &json!({ "lldp_sys_name": "access",
                "lldp_chassis_id": { "subtype": "MacAddress", "value": "02:00:00:00:00:77" } })
                ),
            ],
            &json!({})
        ),
        device("x", &[], &json!({ "chassis_id": "02:00:00:00:00:77" })),
        device("y", &[], &json!({})),
    ]);
    let net = wiring.fill("lab", &devices).await;
    let said = json!({ "seen": seen(&net, "sw1:Gi0/1").await, "host": net.host("y").await });
    ask(&net, TEACH, said).await;
    assert_eq!(net.links().await, ["sw1:Gi0/1 -- y LLDP", "sw1:Gi0/2 -- x LLDP"]);
}

#[tokio::test]
async fn what_was_taught_survives_a_merge_of_devices_and_the_loss_of_a_port() {
    let wiring = Wiring::new().await;
    let mut hosts = devices();
    hosts.as_array_mut().unwrap().push(device("shelf", &[], &json!({})));
    let net = wiring.fill("lab", &hosts).await;
    let said = json!({ "seen": seen(&net, "sw1:Gi0/1").await, "host": net.host("box").await,
                       "port": net.port("box:lan2").await.id });
    ask(&net, TEACH, said).await;
    let gone = net.port("box:lan2").await.id;
    wiring.done("DELETE", &format!("/if-entries/{gone}"), &Value::Null).await;
    assert_eq!(net.links().await, ["box -- sw1:Gi0/1 LLDP", "box -- sw2:Gi0/1 LLDP"]);
    let (shelf, other) = (net.host("shelf").await, net.host("box").await);
    wiring.done("PUT", &format!("/hosts/{shelf}/consolidate/{other}"), &Value::Null).await;
    assert_eq!(net.links().await, ["shelf -- sw1:Gi0/1 LLDP", "shelf -- sw2:Gi0/1 LLDP"]);
    wiring.done("DELETE", &format!("/hosts/{shelf}"), &Value::Null).await;
    assert_eq!(net.links().await, Vec::<String>::new());
    let changes = wiring.done("GET", "/changes?entity=Alias&action=Deleted", &Value::Null).await;
    assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
}

#[tokio::test]
async fn a_name_that_holds_a_mac_is_found_when_its_device_comes_later() {
    for (heard, host) in [
        (json!({ "lldp_sys_name": "SEP020000000001.corp.lan" }), "SEP020000000001"),
        (
            json!({ "lldp_chassis_id": { "subtype": "LocallyAssigned",
            "value": "02:00:00:00:00:01(FOC1234X0YZ)" } }),
            "02:00:00:00:00:01",
        ),
    ] {
        let wiring = Wiring::new().await;
        let switch = device("sw1", &[port(1, "Gi0/1", &heard)], &json!({}));
        let net = wiring.fill("lab", &json!([switch])).await;
        assert_eq!(net.links().await, Vec::<String>::new());
        wiring.fill("lab", &json!([device(host, &[], &json!({}))])).await;
        assert_eq!(net.links().await, [format!("{host} -- sw1:Gi0/1 LLDP")]);
        let mac = json!({ "mac_address": "02:00:00:00:00:01" });
        let phone = device("phone", &[port(1, "net", &mac)], &json!({}));
        let switch = json!([device("sw1", &[port(1, "Gi0/1", &heard)], &json!({}))]);
        let other = wiring.fill("later", &switch).await;
        wiring.fill("later", &json!([phone])).await;
        assert_eq!(other.links().await, ["phone -- sw1:Gi0/1 LLDP"]);
    }
}

#[tokio::test]
async fn a_port_that_leaves_its_network_lets_go_of_what_hung_on_it() {
    for to_the_older in [true, false] {
        let wiring = Wiring::new().await;
        let old = wiring.fill("old", &json!([device("old", &[], &json!({}))])).await;
        let new = wiring.fill("new", &json!([device("new", &[], &json!({}))])).await;
        let (from, to) = if to_the_older { (new, old) } else { (old, new) };
        let name = if to_the_older { "new" } else { "old" };
        let heard = lldp(["LocallyAssigned", "q"], ["InterfaceName", "eth1"]);
        let hosts = json!([
            device("p", &[port(1, "p1", &heard), port(2, "p2", &heard)], &json!({})),
            device("q", &[port(1, "eth1", &json!({}))], &json!({})),
        ]);
        let net = wiring.fill(name, &hosts).await;
        assert_eq!(from.id, net.id);
        assert_eq!(net.neighbor("q:eth1").await, None, "two ports say that they hear it");
        let host = to.host(if to_the_older { "old" } else { "new" }).await;
        net.put("p:p1", &json!({ "host_id": host, "network_id": to.id })).await;
        assert_eq!(net.neighbor("q:eth1").await.as_deref(), Some("p:p2"));
    }
}
