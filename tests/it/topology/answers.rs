//! Questions about the graph of a network, over GraphQL and REST.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope_types::Id;

use crate::support::{
    app::Answer,
    wiring::{self, Net, Wiring, cdp, document, lldp},
};

/// A port `ethN`, and what it hears.
pub(crate) fn hears(number: i32, far: &str, far_port: &str) -> Value {
    let heard = lldp(["LocallyAssigned", far], ["InterfaceName", far_port]);
    wiring::port(number, &format!("eth{number}"), &heard)
}

pub(crate) fn device(name: &str, ports: &[Value]) -> Value {
    wiring::device(name, ports, &json!({}))
}

/// A network that was imported from a document.
pub(crate) struct ImportedNetwork {
    pub(crate) wiring: Wiring,
    pub(crate) id: Id,
}

impl ImportedNetwork {
    pub(crate) async fn new(document: &Value) -> Self {
        let wiring = Wiring::new().await;
        wiring.import(document).await;
        let id = wiring.network().await;
        Self { wiring, id }
    }

    pub(crate) async fn host(&self, name: &str) -> Id {
        Net { wiring: &self.wiring, id: self.id }.host(name).await
    }

    pub(crate) async fn ask(&self, query: &str, variables: Value) -> Value {
        let session = self.wiring.session().await;
        self.wiring.test.graphql(session, query, variables).await
    }

    /// These fields of the topology.
    pub(crate) async fn topology(&self, fields: &str) -> Value {
        self.topology_of("layer: L2", fields).await
    }

    pub(crate) async fn topology_of(&self, arguments: &str, fields: &str) -> Value {
        let query =
            format!("query($id: ID!) {{ topology(networkId: $id, {arguments}) {{ {fields} }} }}");
        let answer = self.ask(&query, json!({ "id": self.id })).await;
        assert!(answer["errors"].is_null(), "{}", answer["errors"]);
        answer["data"]["topology"].clone()
    }

    async fn get(&self, path: &str) -> Answer {
        let session = self.wiring.session().await;
        self.wiring.test.ask(Method::GET, path).credential(session).send().await
    }
}

/// A ring of four switches `a` to `d`, `leaf` behind `a`, and an unknown neighbor of `leaf`; a web
/// service on `leaf` that a group leads through.
fn ring() -> Value {
    let cable = |number, far: &str, far_port: i32| hears(number, far, &format!("eth{far_port}"));
    let service = json!({ "name": "web", "service_definition": "Nginx", "bindings": [
        { "type": "Port", "number": 443, "protocol": "Tcp" }] });
    let mut leaf = device("leaf", &[cable(1, "a", 3), cable(2, "stranger", 7)]);
    leaf["ports"] = json!([{ "number": 443, "protocol": "Tcp" }]);
    leaf["services"] = json!([service]);
    leaf["interfaces"] = json!([{ "ip_address": "10.0.0.9", "prefix_length": 24 }]);
    let mut a = device("a", &[cable(1, "b", 2), cable(2, "d", 1), cable(3, "leaf", 1)]);
    a["interfaces"] = json!([{ "ip_address": "10.0.0.1", "prefix_length": 24 }]);
    let mut document = document(
        "lab",
        &json!([
            a,
            device("b", &[cable(1, "c", 2), cable(2, "a", 1)]),
            device("c", &[cable(1, "d", 2), cable(2, "b", 1)]),
            device("d", &[cable(1, "a", 2), cable(2, "c", 1)]),
            leaf,
        ]),
    );
    document["groups"] = json!([{ "name": "shop", "group_type": "RequestPath", "color": "Teal",
        "edge_style": "Step", "bindings": [
            { "host": "leaf", "service": "web", "number": 443, "protocol": "Tcp" }] }]);
    document
}

async fn imported() -> ImportedNetwork {
    ImportedNetwork::new(&ring()).await
}

fn labels(nodes: &Value) -> Vec<&str> {
    let mut labels: Vec<&str> =
        nodes.as_array().unwrap().iter().map(|node| node["label"].as_str().unwrap()).collect();
    labels.sort_unstable();
    labels
}

#[tokio::test]
async fn one_query_tells_parts_cuts_loops_paths_and_who_is_not_known() {
    let network = imported().await;
    let (a, leaf, c) =
        (network.host("a").await, network.host("leaf").await, network.host("c").await);
    let topology = network
        .topology(&format!(
            "layer revision network {{ name }} nodes {{ label kind degree host {{ name }} }}
             links {{ id method state a {{ host {{ name }} ifEntry {{ ifDescr }} }}
                     observations {{ protocol }} evidence {{ method }} bundle {{ count }}
                     explanation {{ sentence hostTier portTier hostValue portValue
                                    host {{ name }} ifEntry {{ ifDescr }} steps {{ sentence }} }} }}
             unresolved {{ claim sysName count evidence {{ observationId ifEntry {{ ifDescr }}
                           explanation {{ sentence }} }} }}
             components {{ size nodes {{ label }} }} articulationPoints {{ label }}
             bridges {{ a {{ node {{ label }} }} b {{ node {{ label }} }} }}
             loops {{ id }} miscablings {{ sentence }}
             paths(from: \"{leaf}\", to: \"{c}\", atMost: 5) {{ length nodes {{ label }}
                 hops {{ from {{ label }} links {{ id }} }} }}
             impact(hosts: [\"{a}\"]) {{ cutOff {{ label }} parts {{ size }}
                 servicesLost {{ name }} groupsBroken {{ name }} }}"
        ))
        .await;
    assert_eq!(labels(&topology["nodes"]), ["a", "b", "c", "d", "leaf"]);
    let links = topology["links"].as_array().unwrap();
    assert_eq!(links.len(), 5);
    for link in links {
        assert_eq!((&link["method"], &link["state"]), (&json!("LLDP"), &json!("UP")));
        assert_eq!(link["observations"].as_array().unwrap().len(), 2, "{link}");
        assert_eq!(link["explanation"]["hostTier"], "CHASSIS_NAME");
        assert_eq!(link["explanation"]["portTier"], "NAME");
        assert_eq!(link["bundle"]["count"], 1);
    }
    let unknown = &topology["unresolved"][0];
    assert_eq!((&unknown["claim"], &unknown["count"]), (&json!("name stranger"), &json!(1)));
    let why = unknown["evidence"][0]["explanation"]["sentence"].as_str().unwrap();
    assert!(why.contains("no device has the recorded chassis id `stranger`"), "{why}");
    assert_eq!(topology["components"][0]["size"], 5);
    assert_eq!(labels(&topology["articulationPoints"]), ["a"]);
    assert_eq!(topology["bridges"].as_array().unwrap().len(), 1);
    assert_eq!(topology["loops"].as_array().unwrap().len(), 1);
    assert_eq!(topology["loops"][0].as_array().unwrap().len(), 4);
    assert_eq!(topology["miscablings"], json!([]));
    let lengths: Vec<&Value> =
        topology["paths"].as_array().unwrap().iter().map(|path| &path["length"]).collect();
    assert_eq!(lengths, [3, 3], "both ways around the ring, and no third");
    let impact = &topology["impact"];
    assert_eq!(labels(&impact["cutOff"]), ["leaf"]);
    assert_eq!(impact["servicesLost"], json!([{ "name": "web" }]));
    assert_eq!(impact["groupsBroken"], json!([{ "name": "shop" }]));
}

#[tokio::test]
async fn a_picture_has_everything_in_its_place_and_rolls_up_what_is_too_much() {
    let network = imported().await;
    let fields = "picture { width height isRolledUp
        nodes { id kind label count x y width height isArticulationPoint observationIds members { id } }
        links { id a b aPort bPort linkId state method count isBridge } } links { id }
        unresolved { evidence { observation { id } } }";
    let topology = network.topology(fields).await;
    let picture = &topology["picture"];
    assert_eq!(picture["isRolledUp"], false);
    let nodes = picture["nodes"].as_array().unwrap();
    let named = |label: &str| nodes.iter().find(|node| node["label"] == label).unwrap();
    assert_eq!(nodes.len(), 6, "{picture}");
    assert_eq!(named("a")["isArticulationPoint"], true);
    assert_eq!(named("b")["isArticulationPoint"], false);
    let stranger = named("stranger");
    assert_eq!(stranger["kind"], "UNKNOWN");
    let heard = &topology["unresolved"][0]["evidence"][0]["observation"]["id"];
    assert_eq!(stranger["observationIds"], json!([heard]));
    for (number, node) in nodes.iter().enumerate() {
        let side = |node: &Value, at: &str, long: &str| {
            let at = node[at].as_i64().unwrap();
            (at, at + node[long].as_i64().unwrap())
        };
        let (x, y) = (side(node, "x", "width"), side(node, "y", "height"));
        assert!(x.0 >= 0 && x.1 <= picture["width"].as_i64().unwrap(), "{node}");
        assert!(y.0 >= 0 && y.1 <= picture["height"].as_i64().unwrap(), "{node}");
        for other in &nodes[number + 1..] {
            let (ox, oy) = (side(other, "x", "width"), side(other, "y", "height"));
            assert!(x.1 <= ox.0 || ox.1 <= x.0 || y.1 <= oy.0 || oy.1 <= y.0, "{node} {other}");
        }
    }
    let links = picture["links"].as_array().unwrap();
    let known: Vec<&Value> = links.iter().map(|link| &link["linkId"]).collect();
    for link in topology["links"].as_array().unwrap() {
        assert!(known.contains(&&link["id"]), "{link}");
    }
    let of = |label: &str| -> Vec<&Value> {
        let id = &named(label)["id"];
        links.iter().filter(|link| link["a"] == *id || link["b"] == *id).collect()
    };
    assert_eq!(of("stranger").len(), 1);
    assert_eq!(of("stranger")[0]["linkId"], Value::Null);
    assert_eq!(of("leaf").iter().filter(|link| link["isBridge"] == true).count(), 1);
    assert!(of("c").iter().all(|link| link["isBridge"] == false && link["method"] == "LLDP"));

    let rolled = network.topology(&fields.replace("picture {", "picture(atMost: 2) {")).await;
    let picture = &rolled["picture"];
    assert_eq!(picture["isRolledUp"], true);
    let nodes = picture["nodes"].as_array().unwrap();
    assert!(nodes.len() <= 2, "{picture}");
    let counts: i64 = nodes.iter().map(|node| node["count"].as_i64().unwrap()).sum();
    assert_eq!(counts, 6);
    for node in nodes.iter().filter(|node| node["count"] != 1) {
        assert_eq!(node["members"].as_array().unwrap().len(), node["count"]);
    }
    let query = "query($id: ID!) { topology(networkId: $id) { picture(atMost: 0) { width } } }";
    let answer = network.ask(query, json!({ "id": network.id })).await;
    assert!(answer["errors"][0]["message"].as_str().unwrap().contains("at_most"), "{answer}");
}

#[tokio::test]
async fn the_revision_alone_is_answered_without_the_network() {
    let network = imported().await;
    let revision = |answer: &Value| answer["data"]["topology"]["revision"].clone();
    let query = "query($id: ID!) { topology(networkId: $id) { revision layer network { name } } }";
    // The first request of a session is dearer.
    network.ask("{ viewer { level } }", json!({})).await;
    let before = network.wiring.test.app.db.statements();
    let light = network.ask(query, json!({ "id": network.id })).await;
    let statements = network.wiring.test.app.db.statements() - before;
    assert!(statements <= 3, "{statements}");
    let heavy =
        network.ask(&query.replace("layer", "nodes { id }"), json!({ "id": network.id })).await;
    assert_eq!(revision(&light), revision(&heavy));
    let gone = network.ask(query, json!({ "id": Id::new() })).await;
    assert_eq!(gone["data"]["topology"], Value::Null);
}

#[tokio::test]
async fn a_root_shows_only_what_is_around_it() {
    let network = imported().await;
    let c = network.host("c").await;
    let around = format!("root: \"{c}\", hops: 1");
    let shown = network.topology_of(&around, "nodes { label } links { id }").await;
    assert_eq!(labels(&shown["nodes"]), ["b", "c", "d"]);
    assert_eq!(shown["links"].as_array().unwrap().len(), 2);
    let l3 =
        network.topology_of("layer: L3", "nodes { label kind } links { interface { ipAddress } }");
    let l3 = l3.await;
    assert_eq!(l3["links"].as_array().unwrap().len(), 2);
    assert!(labels(&l3["nodes"]).len() == 6, "{l3}");
}

#[tokio::test]
async fn devices_and_ports_tell_of_what_they_are_joined_to() {
    let network = imported().await;
    let a = network.host("a").await;
    let query = "query($id: ID!) { host(id: $id) {
        neighbors { host { name } localPort { ifDescr } farPort { ifDescr } link { method } }
        within(hops: 2) { distance host { name } }
        far: within(hops: 1, layer: L3) { distance host { name } }
        ifEntries { edges { node { ifDescr links { b { host { name } } }
            neighbor { ... on IfEntry { ifDescr host { name services { edges { node { name
                bindings { id } } } } } } } } } } } }";
    let answer = network.ask(query, json!({ "id": a })).await;
    let host = &answer["data"]["host"];
    let neighbors = host["neighbors"].as_array().unwrap();
    assert_eq!(neighbors.len(), 3, "{answer}");
    let to_leaf = neighbors.iter().find(|one| one["host"]["name"] == "leaf").unwrap();
    assert_eq!(to_leaf["localPort"]["ifDescr"], "eth3");
    assert_eq!(to_leaf["farPort"]["ifDescr"], "eth1");
    let distances: Vec<_> = host["within"].as_array().unwrap().iter().collect();
    assert_eq!(distances.len(), 4);
    assert_eq!(distances.last().unwrap()["host"]["name"], "c");
    assert_eq!(host["far"], json!([{ "distance": 1, "host": { "name": "leaf" } }]));
    let entries = host["ifEntries"]["edges"].as_array().unwrap();
    assert!(entries.iter().all(|entry| entry["node"]["links"].as_array().unwrap().len() == 1));
    assert!(entries.iter().any(|entry| entry["node"]["neighbor"]["host"]["name"] == "leaf"));
}

#[tokio::test]
async fn the_neighbors_of_neighbors_are_walked_eight_deep_and_in_circles() {
    let network = imported().await;
    let mut fields = "name".to_owned();
    for _ in 0..8 {
        fields = format!(
            "name ifEntries(first: 3) {{ edges {{ node {{ neighbor {{ ... on IfEntry {{ host {{ {fields} }} }} }} }} }} }}"
        );
    }
    let query = format!("query($id: ID!) {{ host(id: $id) {{ {fields} }} }}");
    let id = network.host("a").await;
    network.ask(&query, json!({ "id": id })).await;
    let before = network.wiring.test.app.db.statements();
    let answer = network.ask(&query, json!({ "id": id })).await;
    assert!(answer["errors"].is_null(), "{}", answer["errors"]);
    let statements = network.wiring.test.app.db.statements() - before;
    assert!(statements <= 2 + 8 * 3, "three statements a step are enough: {statements}");
}

#[tokio::test]
async fn an_answer_costs_no_more_statements_in_a_larger_network() {
    let mut costs = Vec::new();
    for spokes in [3, 60] {
        let hub: Vec<Value> =
            (1..=spokes).map(|nth| hears(nth, &format!("s{nth}"), "eth1")).collect();
        let spoke = |nth: i32| {
            let unknown = wiring::port(2, "eth2", &cdp(&format!("unknown{nth}"), "1"));
            device(&format!("s{nth}"), &[hears(1, "hub", &format!("eth{nth}")), unknown])
        };
        let mut devices = vec![device("hub", &hub)];
        devices.extend((1..=spokes).map(spoke));
        let network = ImportedNetwork::new(&document("lab", &json!(devices))).await;
        let fields = "nodes { label host { name } } links { a { host { name } ifEntry { ifDescr } }
            explanation { sentence } observations { id } } unresolved { evidence { ifEntry { ifDescr }
            explanation { sentence } } } articulationPoints { label } bridges { id }";
        network.topology(fields).await;
        let before = network.wiring.test.app.db.statements();
        let topology = network.topology(fields).await;
        costs.push(network.wiring.test.app.db.statements() - before);
        for list in ["links", "unresolved"] {
            assert_eq!(topology[list].as_array().map(Vec::len), usize::try_from(spokes).ok());
        }
    }
    assert_eq!(costs[0], costs[1]);
}

#[tokio::test]
async fn a_change_is_seen_by_the_next_answer() {
    let network = imported().await;
    let link_count =
        async || network.topology("links { id }").await["links"].as_array().unwrap().len();
    assert_eq!(link_count().await, 5);
    let mut changed = ring();
    changed["hosts"][4]["if_entries"].as_array_mut().unwrap().remove(0);
    changed["hosts"][0]["if_entries"].as_array_mut().unwrap().pop();
    network.wiring.import(&changed).await;
    assert_eq!(link_count().await, 4);
}

#[tokio::test]
async fn rest_draws_the_network_in_every_form() {
    let network = imported().await;
    let network_id = network.id;
    let path = format!("/api/v1/networks/{network_id}/topology");
    let drawing = network.get(&path).await;
    let data = drawing.data();
    assert_eq!(data["nodes"].as_array().unwrap().len(), 6, "with the neighbor that is not known");
    assert_eq!(data["links"].as_array().unwrap().len(), 6);
    for (form, media_type, file, begins) in [
        ("dot", "text/vnd.graphviz", "lab-l2.dot", "graph"),
        ("graphml", "application/xml", "lab-l2.graphml", "<?xml"),
        ("mermaid", "text/plain", "lab-l2.mmd", "flowchart"),
        ("cytoscape", "application/json", "lab-l2.cyjs", "{"),
        ("rfc8345", "application/yang-data+json", "lab-l2.rfc8345.json", "{"),
        ("drawio", "application/xml", "lab-l2.drawio", "<"),
        ("svg", "image/svg+xml", "lab-l2.svg", "<svg"),
        ("csv", "text/csv", "lab-l2.csv", "link_id"),
    ] {
        let answer = network.get(&format!("{path}?format={form}")).await;
        let header = |name: &str| answer.header(name).unwrap().to_owned();
        let text = answer.text();
        assert!(header("content-type").starts_with(media_type), "{form}");
        assert!(header("content-disposition").ends_with(&format!("filename=\"{file}\"")), "{form}");
        assert!(text.starts_with(begins), "{form}: {text}");
    }
    let mermaid = network.get(&format!("/api/v1/topology/{network_id}/export/mermaid")).await;
    assert!(mermaid.text().starts_with("flowchart"));
    for wrong in ["format=pdf", "layer=L4", "hops=-1", "root=x", "depth=1"] {
        let answer = network.get(&format!("{path}?{wrong}")).await;
        assert_eq!(answer.status, 400, "{wrong}: {}", answer.body);
    }
    let unknown = network.get(&format!("/api/v1/networks/{network_id}/unresolved")).await;
    let unknown = unknown.data();
    assert_eq!(unknown[0]["claim"], "name stranger");
    assert_eq!(unknown[0]["heard_by"][0]["host"], "leaf");
    assert_eq!(unknown[0]["heard_by"][0]["if_entry"], "eth2");
    let why = unknown[0]["heard_by"][0]["explanation"].as_str().unwrap();
    assert!(why.contains("Add the device to this network"), "{why}");
}

#[tokio::test]
async fn a_file_is_called_after_its_network_in_any_script() {
    let network = ImportedNetwork::new(&document("Büro 東京", &json!([device("a", &[])]))).await;
    let answer = network.get(&format!("/api/v1/networks/{}/topology?format=dot", network.id)).await;
    assert_eq!(
        answer.header("content-disposition").unwrap(),
        "attachment; filename=\"Buro __-l2.dot\"; \
         filename*=UTF-8''B%C3%BCro%20%E6%9D%B1%E4%BA%AC-l2.dot"
    );
}
