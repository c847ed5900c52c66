//! VLANs, spanning tree and other settings of ports, as answers about a network use them.

use serde_json::{Value, json};

use super::answers::{ImportedNetwork, hears};
use crate::support::{
    bodies::with,
    wiring::{device, document, port},
};

async fn imported(hosts: &[Value]) -> ImportedNetwork {
    ImportedNetwork::new(&document("settings", &json!(hosts))).await
}

/// A port that hears the port of another device, with settings.
fn cable(number: i32, far: &str, far_port: i32, settings: &Value) -> Value {
    with(&hears(number, far, &format!("eth{far_port}")), settings)
}

fn silent(number: i32, settings: &Value) -> Value {
    port(number, &format!("eth{number}"), settings)
}

/// The names at both ends of links, in order.
fn ends(links: &Value) -> Vec<String> {
    let name = |link: &Value, end: &str| link[end]["node"]["label"].as_str().unwrap().to_owned();
    let mut told: Vec<String> = links
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            let mut ends = [name(link, "a"), name(link, "b")];
            ends.sort_unstable();
            ends.join(" ")
        })
        .collect();
    told.sort_unstable();
    told
}

const LINKS: &str = "a { node { label } } b { node { label } }";

#[tokio::test]
async fn a_vlan_is_shown_as_far_as_ports_carry_it() {
    let trunk = |vlans: &[i32]| json!({ "native_vlan": 1, "tagged_vlans": vlans });
    let network = imported(&[
        device(
            "core",
            &[
                cable(1, "left", 1, &trunk(&[10, 30])),
                cable(2, "right", 1, &trunk(&[10])),
                cable(3, "quiet", 1, &json!({})),
            ],
            &json!({}),
        ),
        device(
            "left",
            &[silent(1, &trunk(&[10, 30])), silent(2, &json!({ "native_vlan": 30 }))],
            &json!({}),
        ),
        device("right", &[silent(1, &trunk(&[10, 30]))], &json!({})),
        device("quiet", &[silent(1, &json!({}))], &json!({})),
        device("apart", &[silent(1, &json!({ "native_vlan": 99 }))], &json!({})),
    ])
    .await;
    let fields = format!("nodes {{ label }} links {{ {LINKS} }} bridges {{ {LINKS} }}");
    let of = async |vlan: u16| {
        let answer = network.topology_of(&format!("layer: L2, vlan: {vlan}"), &fields).await;
        let mut nodes: Vec<String> = (answer["nodes"].as_array().unwrap().iter())
            .map(|node| node["label"].as_str().unwrap().to_owned())
            .collect();
        nodes.sort_unstable();
        assert_eq!(ends(&answer["links"]), ends(&answer["bridges"]));
        (nodes.join(" "), ends(&answer["links"]))
    };
    assert_eq!(
        of(30).await,
        ("core left quiet right".to_owned(), vec!["core left".to_owned(), "core quiet".to_owned()])
    );
    assert_eq!(
        of(10).await,
        (
            "core left quiet right".to_owned(),
            vec!["core left".to_owned(), "core quiet".to_owned(), "core right".to_owned()]
        )
    );
    assert_eq!(of(99).await, ("apart core quiet".to_owned(), vec!["core quiet".to_owned()]));
    for wrong in ["layer: L2, vlan: 4095", "layer: L3, vlan: 30"] {
        let query =
            format!("query($id: ID!) {{ topology(networkId: $id, {wrong}) {{ revision }} }}");
        let answer = network.ask(&query, json!({ "id": network.id })).await;
        assert!(answer["errors"][0]["message"].as_str().unwrap().contains("VLAN"), "{answer}");
    }
}

#[tokio::test]
async fn a_blocked_port_is_on_no_path_and_is_redundancy_all_the_same() {
    let blocked = json!({ "stp_state": "Blocking" });
    let open = json!({ "stp_state": "Forwarding" });
    let network = imported(&[
        device("a", &[cable(1, "b", 1, &open), cable(2, "c", 1, &open)], &json!({})),
        device("b", &[silent(1, &open), cable(2, "c", 2, &open)], &json!({})),
        device("c", &[silent(1, &open), silent(2, &blocked)], &json!({})),
    ])
    .await;
    let [b, c] = [network.host("b").await, network.host("c").await];
    let fields = format!(
        "links {{ id {LINKS} }} bridges {{ id }} loops {{ id }}
         paths(from: \"{b}\", to: \"{c}\", atMost: 5) {{ length }}"
    );
    let answer = network.topology(&fields).await;
    assert_eq!(ends(&answer["links"]), ["a b", "a c", "b c"]);
    assert_eq!(answer["paths"], json!([{ "length": 2 }]), "the direct link is blocked");
    assert_eq!(answer["bridges"], json!([]));
    assert_eq!(answer["loops"].as_array().unwrap().len(), 1);
    let ab =
        answer["links"].as_array().unwrap().iter().find(|link| ends(&json!([link])) == ["a b"]);
    let lost = network
        .topology(&format!("impact(links: [{}]) {{ cutOff {{ id }} }}", ab.unwrap()["id"]))
        .await;
    assert_eq!(lost["impact"]["cutOff"], json!([]), "the blocked link takes over");
}

#[tokio::test]
async fn settings_that_do_not_fit_are_told_with_both_ports() {
    let pair = async |near: Value, far: Value| -> Vec<(String, String)> {
        let network = imported(&[
            device("a", &[cable(1, "b", 1, &near)], &json!({})),
            device("b", &[silent(1, &far)], &json!({})),
        ])
        .await;
        let answer = network.topology("miscablings { kind sentence }").await;
        let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
        let found = answer["miscablings"].as_array().unwrap().iter();
        found.map(|one| (text(one, "kind"), text(one, "sentence"))).collect()
    };
    let vlans =
        |native: i32, tagged: &[i32]| json!({ "native_vlan": native, "tagged_vlans": tagged });
    for (near, far, kind, words) in [
        (
            vlans(1, &[10]),
            vlans(20, &[10]),
            "NATIVE_VLAN",
            "The native VLAN of `eth1` of `a` is 1, and that of `eth1` of `b` is 20",
        ),
        (
            vlans(1, &[10, 30]),
            vlans(1, &[10]),
            "VLANS",
            "`eth1` of `a` carries the VLAN 30, which `eth1` of `b` does not",
        ),
        (
            json!({ "duplex": "Half" }),
            json!({ "duplex": "Full" }),
            "DUPLEX",
            "`eth1` of `b` is full duplex and `eth1` of `a` half duplex",
        ),
        (
            with(&vlans(1, &[10]), &json!({ "mtu": 9216 })),
            with(&vlans(1, &[10]), &json!({ "mtu": 1500 })),
            "MTU",
            "The MTU of `eth1` of `a` is 9216 octets, and that of `eth1` of `b` is 1500",
        ),
    ] {
        let found = pair(near.clone(), far).await;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, kind);
        assert!(found[0].1.contains(words), "{words}: {found:?}");
        assert_eq!(pair(near.clone(), near).await, []);
    }
    for (near, far) in [
        // Unknown on one side.
        (vlans(1, &[10]), json!({})),
        (with(&vlans(1, &[10]), &json!({ "mtu": 9216 })), vlans(1, &[10])),
        // One agent counts the Ethernet header, and a switch takes more than its server sends.
        (
            with(&vlans(1, &[10]), &json!({ "mtu": 1514 })),
            with(&vlans(1, &[10]), &json!({ "mtu": 1500 })),
        ),
        (with(&vlans(10, &[]), &json!({ "mtu": 9216 })), json!({ "mtu": 1500 })),
        // A trunk of all VLANs is one without a list.
        (vlans(1, &(1..=4094).collect::<Vec<_>>()), vlans(1, &[10])),
        // The native VLAN alone says nothing of tagged ones, and a dead port negotiates nothing.
        (json!({ "duplex": "Half", "oper_status": "Down" }), json!({ "duplex": "Full" })),
        // Cisco's own VLANs.
        (vlans(1, &[10, 1002, 1003, 1004, 1005]), vlans(1, &[10])),
        // An access port and the trunk of a telephone.
        (json!({ "native_vlan": 10 }), vlans(10, &[20])),
    ] {
        assert_eq!(pair(near, far).await, []);
    }
}

#[tokio::test]
async fn an_aggregate_on_one_side_is_told_and_a_virtual_switch_is_none() {
    let sides = async |name: &str| -> Vec<Value> {
        let member = |number: i32| cable(number, "tor", number, &json!({ "lag_if_index": 9 }));
        let aggregate = |name: &str| port(9, name, &json!({ "if_type": 161 }));
        let network = imported(&[
            device("server", &[member(1), member(2), aggregate(name)], &json!({})),
            device(
                "tor",
                &[
                    silent(1, &json!({})),
                    silent(2, &json!({})),
                    silent(3, &json!({ "lag_if_index": 9 })),
                    aggregate("ae0"),
                ],
                &json!({}),
            ),
        ])
        .await;
        let fields = "miscablings { kind sentence links { id aggregates { ifDescr } } ifEntries { ifDescr } }";
        network.topology(fields).await["miscablings"].as_array().unwrap().clone()
    };
    let found = sides("bond0").await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["kind"], "ONE_SIDED_AGGREGATE");
    assert_eq!(found[0]["links"].as_array().unwrap().len(), 2);
    assert_eq!(found[0]["links"][0]["aggregates"], json!([{ "ifDescr": "bond0" }]));
    assert_eq!(found[0]["ifEntries"].as_array().unwrap().len(), 3);
    let words = "`bond0` of `server` bundles these cables, but `eth1` of `tor` and `eth2` of `tor` \
                 are no link aggregation group";
    assert!(found[0]["sentence"].as_str().unwrap().starts_with(words), "{found:?}");
    assert_eq!(sides("Virtual interface: vSwitch0").await, [Value::Null; 0]);
}
