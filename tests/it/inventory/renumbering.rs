//! Ports that devices number or name anew, and what hangs on them: pins above all.

use serde_json::{Value, json};
use toposcope_types::Id;

use crate::support::{
    bodies::with,
    wiring::{Net, Wiring, device, lldp, port},
};

const PINNED: &str = "sw1:Gi1/0/1 -- sw2:Gi1/0/7: A person pinned this port to `Gi1/0/7` of `sw2`.";

/// `sw1` with one port, and `sw2` with these: number, name, and what else is said.
fn switches(far: &[(i32, &str, Value)]) -> Value {
    let far: Vec<Value> =
        far.iter().map(|(number, name, more)| port(*number, name, more)).collect();
    let none = json!({});
    json!([device("sw1", &[port(1, "Gi1/0/1", &none)], &none), device("sw2", &far, &none)])
}

/// The same where nothing else is said.
fn plain(far: &[(i32, &str)]) -> Value {
    let far: Vec<_> = far.iter().map(|(number, name)| (*number, *name, json!({}))).collect();
    switches(&far)
}

fn mac(address: &str) -> Value {
    json!({ "mac_address": address })
}

impl Net<'_> {
    /// Pins a port to another one, as a person does.
    async fn pin(&self, port: &str, far: &str) {
        let neighbor = json!({ "type": "IfEntry", "id": self.port(far).await.id });
        self.put(port, &json!({ "neighbor": neighbor })).await;
    }

    async fn ask(&self, query: &str, variables: Value) -> Value {
        let answer = self.wiring.test.graphql(self.wiring.session().await, query, variables).await;
        assert_eq!(answer["errors"], Value::Null, "{answer}");
        answer["data"].clone()
    }

    /// The links and why they are believed, as GraphQL tells.
    async fn told(&self) -> Vec<String> {
        let query = "query($id: ID!) { topology(networkId: $id) { links {
            a { host { name } ifEntry { ifName } } b { host { name } ifEntry { ifName } }
            explanation { sentence } } } }";
        let data = self.ask(query, json!({ "id": self.id })).await;
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let told = data["topology"]["links"].as_array().unwrap().iter().map(|link| {
            let mut ends = ["a", "b"].map(|end| {
                let end = &link[end];
                format!("{}:{}", text(&end["host"]["name"]), text(&end["ifEntry"]["ifName"]))
            });
            ends.sort_unstable();
            format!("{}: {}", ends.join(" -- "), text(&link["explanation"]["sentence"]))
        });
        told.collect()
    }

    /// Reads the port with this id over REST.
    async fn entry(&self, id: Id) -> Value {
        self.wiring.done("GET", &format!("/if-entries/{id}"), &Value::Null).await
    }

    /// Returns the numbers and names that the ports with these ids have now.
    async fn now(&self, ids: &[Id]) -> Vec<(i64, String)> {
        let mut now = Vec::new();
        for id in ids {
            let entry = self.entry(*id).await;
            let name = entry["if_name"].as_str().unwrap().to_owned();
            now.push((entry["if_index"].as_i64().unwrap(), name));
        }
        now
    }

    async fn ids(&self, ports: &[&str]) -> Vec<Id> {
        let mut ids = Vec::new();
        for port in ports {
            ids.push(self.port(port).await.id);
        }
        ids
    }
}

fn named(ports: &[(i64, &str)]) -> Vec<(i64, String)> {
    ports.iter().map(|(number, name)| (*number, (*name).to_owned())).collect()
}

#[tokio::test]
async fn a_pin_stays_with_its_port_when_a_device_numbers_its_ports_anew() {
    let wiring = Wiring::new().await;
    for with_macs in [false, true] {
        let document = |seven: i32, eight: i32| {
            let of = |address| if with_macs { mac(address) } else { json!({}) };
            switches(&[
                (seven, "Gi1/0/7", of("02:00:00:00:00:07")),
                (eight, "Gi1/0/8", of("02:00:00:00:00:08")),
            ])
        };
        for (seven, eight) in [(6, 7), (8, 9), (8, 7), (107, 108), (7, 6), (9, 8)] {
            let case = format!("{seven} {eight} {with_macs}");
            let net = wiring.fill(&case, &document(7, 8)).await;
            net.pin("sw1:Gi1/0/1", "sw2:Gi1/0/7").await;
            let ids = net.ids(&["sw2:Gi1/0/7", "sw2:Gi1/0/8"]).await;
            assert_eq!(net.told().await, [PINNED], "{case}");

            let report = wiring.report(&case, &document(seven, eight), false).await;
            let moved = [seven != 7, eight != 8].into_iter().filter(|moved| *moved).count();
            assert_eq!(report.of("if-entries"), [0, moved, 3 - moved, 0], "{case}");
            assert_eq!(report.notes, Vec::<String>::new(), "{case}");
            assert_eq!(net.told().await, [PINNED], "{case}");
            let numbers = named(&[(seven.into(), "Gi1/0/7"), (eight.into(), "Gi1/0/8")]);
            assert_eq!(net.now(&ids).await, numbers, "{case}");
            let pin = net.body("sw1:Gi1/0/1").await["neighbor"].clone();
            assert_eq!(pin, json!({ "type": "IfEntry", "id": ids[0] }), "{case}");

            let again = wiring.report(&case, &document(seven, eight), false).await;
            assert!(again.is_unchanged(), "{case}: {again}");
        }
    }
}

#[tokio::test]
async fn all_that_hangs_on_a_port_follows_it_to_its_new_number() {
    let wiring = Wiring::new().await;
    let heard = lldp(["LocallyAssigned", "box-77"], ["LocallyAssigned", "p1"]);
    let document = |shift: i32, addresses: bool| {
        let none = json!({});
        let interfaces =
            json!({ "interfaces": [{ "ip_address": "10.0.0.1", "prefix_length": 24 }] });
        let one = [
            port(1 + shift, "Gi1/0/1", &none),
            port(2 + shift, "Gi1/0/2", &heard),
            port(3 + shift, "Gi1/0/3", &none),
        ];
        let two = [port(2 - shift, "lan2", &none), port(1 + shift, "lan1", &none)];
        let more = if addresses { interfaces } else { none };
        json!([device("sw1", &one, &more), device("box", &two, &json!({}))])
    };
    let net = wiring.fill("lab", &document(0, true)).await;
    net.pin("sw1:Gi1/0/1", "box:lan1").await;
    let seen = "query($id: ID!) { ifEntry(id: $id) { observations { id sysName } } }";
    let two = net.port("sw1:Gi1/0/2").await.id;
    let observations = net.ask(seen, json!({ "id": two })).await;
    let teach = "mutation($seen: ID!, $host: ID!, $port: ID) {
        identifyNeighbor(observationId: $seen, hostId: $host, ifEntryId: $port) { id } }";
    let observation = &observations["ifEntry"]["observations"][0]["id"];
    let lan2 = net.port("box:lan2").await.id;
    let host = net.host("box").await;
    net.ask(teach, json!({ "seen": observation, "host": host, "port": lan2 })).await;
    let full = wiring.done("GET", &format!("/hosts/{}", net.host("sw1").await), &Value::Null).await;
    let address = full["interfaces"][0]["id"].clone();
    net.put("sw1:Gi1/0/3", &json!({ "interface_id": address })).await;

    let links = ["box:lan1 -- sw1:Gi1/0/1 pinned", "box:lan2 -- sw1:Gi1/0/2 LLDP"];
    assert_eq!(net.links().await, links);
    let told = net.told().await;
    for (shift, addresses) in [(1, false), (0, false), (1, false), (0, false)] {
        let report = wiring.report("lab", &document(shift, addresses), false).await;
        assert_eq!(report.of("if-entries"), [0, 5, 0, 0]);
        assert_eq!(report.of("neighbors heard"), [0, 0, 1, 0]);
        assert_eq!(net.links().await, links);
        assert_eq!(net.told().await, told);
        assert_eq!(net.body("sw1:Gi1/0/3").await["interface_id"], address);
        assert_eq!(net.ask(seen, json!({ "id": two })).await, observations);
    }
}

#[tokio::test]
async fn a_port_renamed_in_place_keeps_its_pin_which_is_told_where_only_the_number_speaks_for_it() {
    let wiring = Wiring::new().await;
    let known = mac("02:00:00:00:00:07");
    let described = |text: &str| json!({ "if_descr": text });
    for (nth, more) in
        [known, described("Slot 7"), described("Ethernet"), json!({})].into_iter().enumerate()
    {
        let network = nth.to_string();
        let other = json!({ "if_descr": "Ethernet" });
        let document =
            |name: &str| switches(&[(7, name, more.clone()), (8, "Gi1/0/8", other.clone())]);
        let net = wiring.fill(&network, &document("Gi1/0/7")).await;
        let of = net.ask(
            "query($id: ID!) { ifEntries(filter: { networkId: { eq: $id }, ifIndex: { eq: 7 } }) {
                nodes { id } } }",
            json!({ "id": net.id }),
        );
        let id: Id =
            serde_json::from_value(of.await["ifEntries"]["nodes"][0]["id"].clone()).unwrap();
        net.put("sw1:Gi1/0/1", &json!({ "neighbor": { "type": "IfEntry", "id": id } })).await;
        assert_eq!(net.told().await, [PINNED]);

        let dry = wiring.report(&network, &document("lan7"), true).await;
        let report = wiring.report(&network, &document("lan7"), false).await;
        assert_eq!(report.of("if-entries"), [0, 1, 2, 0]);
        assert_eq!(net.now(&[id]).await, named(&[(7, "lan7")]));
        let told = "sw1:Gi1/0/1 -- sw2:lan7: A person pinned this port to `lan7` of `sw2`.";
        assert_eq!(net.told().await, [told]);
        assert_eq!(report.notes, dry.notes);
        let expected: &[&str] = if nth < 2 {
            &[]
        } else {
            &[
                "the pin of `Gi1/0/1` of `sw1` to `Gi1/0/7` of `sw2` stays, though `Gi1/0/7` of `sw2` is \
               called `lan7` now and only if_index 7 says that it is the same port. If it is another \
               port now, set `neighbor` of `Gi1/0/1` of `sw1` again after the import",
            ]
        };
        assert_eq!(report.notes, expected);
        assert!(wiring.report(&network, &document("lan7"), false).await.is_unchanged());
    }
}

#[tokio::test]
async fn a_port_renamed_and_renumbered_at_once_is_known_by_its_mac_address_or_description() {
    let wiring = Wiring::new().await;
    let cases = [
        (mac("02:00:00:00:00:07"), true),
        (json!({ "if_descr": "Slot 7" }), true),
        // An address that is no socket's own: whatever stands on the same hardware may have it.
        (json!({ "mac_address": "02:00:00:00:00:07", "if_type": 136 }), false),
        (json!({ "mac_address": "00:00:5e:00:01:07" }), false),
        (json!({}), false),
    ];
    for (nth, (more, stays)) in cases.into_iter().enumerate() {
        let network = nth.to_string();
        let net = wiring.fill(&network, &switches(&[(7, "Gi1/0/7", more.clone())])).await;
        let id = wiring
            .done("GET", &format!("/if-entries?host_id={}", net.host("sw2").await), &Value::Null)
            .await[0]["id"]
            .clone();
        let pin = json!({ "type": "IfEntry", "id": id });
        net.put("sw1:Gi1/0/1", &json!({ "neighbor": pin })).await;
        let report = wiring.report(&network, &switches(&[(12, "lan7", more)]), false).await;
        let now = net.body("sw1:Gi1/0/1").await["neighbor"].clone();
        assert_eq!(now, if stays { pin } else { Value::Null }, "{nth}");
        assert_eq!(report.notes.len(), usize::from(!stays), "{report}");
    }
}

#[tokio::test]
async fn a_new_port_may_take_the_number_that_another_one_leaves() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("lab", &plain(&[(7, "Gi1/0/7"), (8, "Gi1/0/8"), (9, "Gi1/0/9")])).await;
    net.pin("sw1:Gi1/0/1", "sw2:Gi1/0/7").await;
    let ids = net.ids(&["sw2:Gi1/0/7", "sw2:Gi1/0/8"]).await;
    // One comes before the others, and one of them goes.
    let renumbered = plain(&[(7, "Te1/1/1"), (8, "Gi1/0/7"), (9, "Gi1/0/8")]);
    let report = wiring.report("lab", &renumbered, false).await;
    assert_eq!(report.of("if-entries"), [1, 2, 1, 1]);
    assert_eq!(net.now(&ids).await, named(&[(8, "Gi1/0/7"), (9, "Gi1/0/8")]));
    assert!(!ids.contains(&net.port("sw2:Te1/1/1").await.id));
    assert_eq!(net.told().await, [PINNED]);
    assert!(wiring.report("lab", &renumbered, false).await.is_unchanged());
}

#[tokio::test]
async fn what_several_ports_have_tells_none_of_them_apart() {
    let wiring = Wiring::new().await;
    // Members of a bond and the bond itself, with one address: names decide.
    let same = mac("02:00:00:00:00:07");
    let bond = with(&same, &json!({ "if_type": 161 }));
    let members = |numbers: [i32; 3]| {
        switches(&[
            (numbers[0], "eno1", same.clone()),
            (numbers[1], "eno2", same.clone()),
            (numbers[2], "bond0", bond.clone()),
        ])
    };
    let net = wiring.fill("bond", &members([2, 3, 4])).await;
    let ids = net.ids(&["sw2:eno1", "sw2:eno2", "sw2:bond0"]).await;
    for numbers in [[3, 2, 4], [4, 3, 2], [2, 4, 5], [12, 13, 14]] {
        let report = wiring.report("bond", &members(numbers), false).await;
        assert_eq!(report.of("if-entries")[0], 0, "{report}");
        let now = [0, 1, 2].map(|nth| (numbers[nth].into(), ["eno1", "eno2", "bond0"][nth]));
        assert_eq!(net.now(&ids).await, named(&now));
    }

    // Two of one name: only numbers tell them apart, and nothing is guessed.
    let net = wiring.fill("names", &plain(&[(7, "lan"), (8, "lan"), (9, "wan")])).await;
    let all = "query($id: ID!) { ifEntries(filter: { networkId: { eq: $id } },
        orderBy: [{ field: IF_INDEX }]) { nodes { id ifIndex ifName } } }";
    let before = net.ask(all, json!({ "id": net.id })).await;
    let report =
        wiring.report("names", &plain(&[(8, "lan"), (9, "lan"), (10, "wan")]), false).await;
    assert_eq!(report.of("if-entries"), [1, 1, 2, 1]);
    let after = net.ask(all, json!({ "id": net.id })).await;
    let of = |data: &Value, number: i64| {
        let nodes = data["ifEntries"]["nodes"].as_array().unwrap();
        nodes.iter().find(|node| node["ifIndex"] == number).unwrap()["id"].clone()
    };
    assert_eq!(of(&after, 8), of(&before, 8));
    assert_eq!(of(&after, 10), of(&before, 9));
    for number in [7, 8, 9] {
        assert_ne!(of(&after, 9), of(&before, number));
    }
}

#[tokio::test]
async fn ports_that_exchange_their_mac_addresses_keep_their_names_and_that_is_told() {
    let wiring = Wiring::new().await;
    let document = |one: &str, two: &str| switches(&[(7, "eno1", mac(one)), (8, "eno2", mac(two))]);
    let (a, b) = ("02:00:00:00:00:0A", "02:00:00:00:00:0B");
    let net = wiring.fill("lab", &document(a, b)).await;
    net.pin("sw1:Gi1/0/1", "sw2:eno1").await;
    let ids = net.ids(&["sw2:eno1", "sw2:eno2"]).await;
    // The members of a bond do so where another one becomes the active one.
    let report = wiring.report("lab", &document(b, a), false).await;
    assert_eq!(report.of("if-entries"), [0, 2, 1, 0]);
    assert_eq!(net.now(&ids).await, named(&[(7, "eno1"), (8, "eno2")]));
    assert_eq!(net.body("sw2:eno1").await["mac_address"], b);
    let told = "sw1:Gi1/0/1 -- sw2:eno1: A person pinned this port to `eno1` of `sw2`.";
    assert_eq!(net.told().await, [told]);
    let pin = format!(
        "the pin of `Gi1/0/1` of `sw1` to `eno1` of `sw2` stays, though `eno1` of `sw2` had the MAC \
         address `{a}` and has `{b}` now. If it is another port now, set `neighbor` of `Gi1/0/1` of \
         `sw1` again after the import"
    );
    let ports = format!(
        "hosts[1] `sw2`: another MAC address than before at 2 of its ports, such as `eno1`, which had \
         `{a}` and has `{b}`; by their names they are the same"
    );
    assert_eq!(report.notes, [pin, ports]);
    assert!(wiring.report("lab", &document(b, a), false).await.is_unchanged());
}

#[tokio::test]
async fn a_mac_address_outdoes_a_name_where_number_or_owner_moved_and_that_is_told() {
    let (a, b) = ("02:00:00:00:00:0A", "02:00:00:00:00:0B");
    let before = switches(&[(7, "eno1", mac(a)), (8, "eno2", mac(b))]);
    let stays = "the pin of `Gi1/0/1` of `sw1` to `eno2` of `sw2` stays, though `eno2` of `sw2` is called \
                 `eno1` now and only its MAC address says that it is the same port.";
    for after in [
        switches(&[(17, "eno1", mac(b)), (18, "eno2", mac(a))]),
        switches(&[(8, "eno1", mac(b)), (7, "eno2", mac(a))]),
        // The card of one was taken out.
        switches(&[(7, "eno1", mac(b))]),
    ] {
        let wiring = Wiring::new().await;
        let net = wiring.fill("lab", &before).await;
        net.pin("sw1:Gi1/0/1", "sw2:eno2").await;
        let id = net.port("sw2:eno2").await.id;
        let report = wiring.report("lab", &after, false).await;
        assert!(report.notes[0].starts_with(stays), "{:?}", report.notes);
        assert_eq!(net.port("sw2:eno1").await.id, id);
        assert!(wiring.report("lab", &after, false).await.is_unchanged());
    }
}

#[tokio::test]
async fn hardware_is_replaced_and_what_has_another_name_and_address_is_another_port() {
    let wiring = Wiring::new().await;
    let document = |ports: &[(i32, &str, &str)]| {
        let ports: Vec<_> =
            ports.iter().map(|(number, name, address)| (*number, *name, mac(address))).collect();
        switches(&ports)
    };
    let (old, new) = ("02:00:00:00:00:0A", "02:00:00:00:00:0B");
    let net = wiring.fill("lab", &document(&[(7, "Gi1/0/7", old)])).await;
    net.pin("sw1:Gi1/0/1", "sw2:Gi1/0/7").await;
    let id = net.port("sw2:Gi1/0/7").await.id;
    for (number, name, address) in [(7, "Gi1/0/7", new), (9, "Gi1/0/7", old)] {
        let report = wiring.report("lab", &document(&[(number, name, address)]), false).await;
        assert_eq!(report.of("if-entries"), [0, 1, 1, 0]);
        let port = net.port("sw2:Gi1/0/7").await;
        assert_eq!((port.id, port.if_index), (id, number));
        assert_eq!(net.told().await, [PINNED]);
    }
    // A container host makes its ports anew when it starts.
    let restarted = document(&[(9, "veth9f8e", new)]);
    let report = wiring.report("lab", &restarted, false).await;
    assert_eq!(report.of("if-entries"), [1, 0, 1, 1]);
    assert!(report.notes[0].contains("goes, because the document does not list `Gi1/0/7`"));
    assert_ne!(net.port("sw2:veth9f8e").await.id, id);
    assert!(wiring.report("lab", &restarted, false).await.is_unchanged());
}

#[tokio::test]
async fn an_address_whose_mac_address_differs_now_is_untied() {
    let wiring = Wiring::new().await;
    let (old, new) = ("02:00:00:00:00:0A", "02:00:00:00:00:0B");
    let address = json!({ "interfaces": [{ "ip_address": "10.0.0.2", "prefix_length": 24,
                          "mac_address": old, "if_name": "eth0" }] });
    let of = |address: &str| port(7, "eth0", &mac(address));
    let net = wiring.fill("lab", &json!([device("sw2", &[of(old)], &address)])).await;
    assert!(net.body("sw2:eth0").await["interface_id"].is_string());
    let report = wiring.report("lab", &json!([device("sw2", &[of(new)], &json!({}))]), false).await;
    assert!(report.notes.iter().any(|note| note.contains("not tied to its address 10.0.0.2")));
    let body = net.body("sw2:eth0").await;
    assert_eq!((&body["mac_address"], &body["interface_id"]), (&json!(new), &Value::Null));
}

#[tokio::test]
async fn a_name_in_its_long_form_is_the_same_port() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("lab", &plain(&[(7, "Gi1/0/7"), (8, "Gi1/0/8")])).await;
    net.pin("sw1:Gi1/0/1", "sw2:Gi1/0/7").await;
    let long = plain(&[(6, "GigabitEthernet1/0/7"), (7, "GigabitEthernet1/0/8")]);
    let report = wiring.report("lab", &long, false).await;
    assert_eq!((report.of("if-entries"), report.notes), ([0, 2, 1, 0], Vec::new()));
    let told = "A person pinned this port to `GigabitEthernet1/0/7` of `sw2`.";
    assert!(net.told().await[0].ends_with(told));
}

#[tokio::test]
async fn a_pin_that_goes_with_a_port_is_told_also_by_a_dry_run() {
    let wiring = Wiring::new().await;
    let all = plain(&[(7, "Gi1/0/7"), (8, "Gi1/0/8")]);
    let net = wiring.fill("lab", &all).await;
    let todo = "Add to `if_entries` what is still there; of a port that has both another name and \
                another if_index now, set `neighbor` again after the import";
    let note = |near: &str, far: &str, missing: &str| {
        let missing = missing.to_owned();
        format!(
            "the pin of {near} to {far} goes, because the document does not list {missing}. {todo}"
        )
    };
    let (one, seven) = ("`Gi1/0/1` of `sw1`", "`Gi1/0/7` of `sw2`");
    let (no_one, no_seven) = (format!("{one} (if_index 1)"), format!("{seven} (if_index 7)"));
    let without_seven = plain(&[(8, "Gi1/0/8")]);
    let nothing = json!({ "if_entries": [] });
    let mut without_one = all.clone();
    without_one[0] = with(&without_one[0], &nothing);
    let neither = json!([with(&all[0], &nothing), with(&all[1], &nothing)]);
    let both = format!("{no_one} and {no_seven}");
    for (document, missing) in
        [(&without_seven, &no_seven), (&without_one, &no_one), (&neither, &both)]
    {
        wiring.fill("lab", &all).await;
        net.pin("sw1:Gi1/0/1", "sw2:Gi1/0/7").await;
        let dry = wiring.report("lab", document, true).await;
        assert_eq!(dry.notes, [note(one, seven, missing)]);
        assert!(dry.to_string().contains(&format!("note: the pin of {one} to {seven} goes, ")));
        assert_eq!(net.told().await, [PINNED], "it was only tried");
        let report = wiring.report("lab", document, false).await;
        assert_eq!(report.notes, dry.notes);
        assert_eq!(net.told().await, Vec::<String>::new());
        assert!(wiring.report("lab", document, false).await.is_unchanged());
    }

    // A pin to a device goes with its port only, and one of two pins is not the other.
    wiring.fill("lab", &all).await;
    let device = json!({ "type": "Host", "id": net.host("sw2").await });
    net.put("sw1:Gi1/0/1", &json!({ "neighbor": device })).await;
    net.pin("sw2:Gi1/0/8", "sw1:Gi1/0/1").await;
    let report = wiring.report("lab", &without_seven, false).await;
    assert_eq!(report.notes, Vec::<String>::new());
    let report = wiring.report("lab", &without_one, false).await;
    let eight = "`Gi1/0/8` of `sw2`";
    assert_eq!(report.notes, [note(one, "`sw2`", &no_one), note(eight, one, &no_one)]);
}

#[tokio::test]
async fn of_many_pins_that_go_the_first_fifty_are_printed() {
    let wiring = Wiring::new().await;
    let document = |ports: i32| {
        let of = |name: &str| -> Vec<Value> {
            (1..=ports).map(|nth| port(nth, &format!("{name}{nth}"), &json!({}))).collect()
        };
        json!([device("sw1", &of("a"), &json!({})), device("sw2", &of("b"), &json!({}))])
    };
    let net = wiring.fill("lab", &document(60)).await;
    for nth in 1..=60 {
        net.pin(&format!("sw1:a{nth}"), &format!("sw2:b{nth}")).await;
    }
    let report = wiring.report("lab", &document(1), true).await;
    assert_eq!(report.notes.len(), 59);
    let printed = report.to_string();
    assert_eq!(printed.matches("note: the pin of `a").count(), 50, "{printed}");
    assert!(printed.contains("note: … and 9 more\n"), "{printed}");
}

#[tokio::test]
async fn numbering_many_ports_anew_costs_no_more_statements_than_few() {
    let wiring = Wiring::new().await;
    let document = |ports: i32, shift: i32| {
        let ports = (1..=ports).map(|nth| (nth + shift, format!("eth{nth}")));
        let ports: Vec<Value> = ports.map(|(nth, name)| port(nth, &name, &json!({}))).collect();
        json!([device("sw1", &ports, &json!({}))])
    };
    let mut costs = Vec::new();
    for ports in [10, 1000] {
        let network = ports.to_string();
        wiring.fill(&network, &document(ports, 0)).await;
        for shift in [1, 0, 500] {
            let next = document(ports, shift);
            let (report, cost) =
                wiring.test.statements(wiring.report(&network, &next, false)).await;
            assert_eq!(report.of("if-entries")[..2], [0, usize::try_from(ports).unwrap()]);
            costs.push(cost);
        }
    }
    assert_eq!(costs[..3], costs[3..]);
}
