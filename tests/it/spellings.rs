//! One value has one identity in every filter, however it is spelled.

use serde_json::{Value, json};
use toposcope::hosts;

use crate::support::{introspection::text, plenty, world::World};

/// Counts the rows that a filter selects, by GraphQL and by REST.
async fn count(world: &World, list: &str, filter: &Value, parameter: &str) -> (usize, u64) {
    let query = format!(
        "query Q($filter: {list}Filter) {{ {}(filter: $filter) {{ totalCount }} }}",
        match list {
            "IfEntry" => "ifEntries",
            "Interface" => "interfaces",
            "Subnet" => "subnets",
            _ => "hosts",
        }
    );
    let key = &world.ours.owner.key;
    let answer = world.test.graphql(key, &query, json!({ "filter": filter })).await;
    let data = answer["data"].as_object().unwrap_or_else(|| panic!("{answer}"));
    let of_graphql = data.values().next().unwrap()["totalCount"].as_u64().unwrap();
    if parameter.is_empty() {
        return (0, of_graphql);
    }
    let answer = world.test.get(&format!("/api/v1/{parameter}")).credential(key).send().await;
    (answer.data().as_array().unwrap().len(), of_graphql)
}

#[tokio::test]
async fn an_address_is_one_value_in_every_spelling() {
    let world = World::new().await;
    let (network, key) = (&world.ours.networks[0], &world.ours.owner.key);
    let mut host = plenty::host(network.id, "spelled");
    host.chassis_id = Some("0cd0.f8f5.d688".to_owned());
    host.management_address = Some("2001:db8::7".to_owned());
    plenty::insert::<hosts::Entity, _>(&world.test, vec![host.clone()]).await;
    let port = json!({
        "host_id": host.id, "network_id": network.id, "if_index": 7, "if_descr": "p7", "if_type": 6,
        "admin_status": "Up", "oper_status": "Up", "mac_address": "0c-d0-f8-f5-d6-88",
    });
    world.test.post("/api/v1/if-entries", &port).credential(key).send().await.data();
    let range = json!({
        "name": "long", "cidr": "2001:0db8:0000:0000:0000:0000:0000:0000/48", "network_id": network.id,
        "subnet_type": "Lan", "tags": [],
    });
    world.test.post("/api/v1/subnets", &range).credential(key).send().await.data();
    let macs = [
        "0C:D0:F8:F5:D6:88",
        "0c:d0:f8:f5:d6:88",
        "0cd0.f8f5.d688",
        "0c-d0-f8-f5-d6-88",
        "0CD0F8F5D688",
    ];
    for mac in macs {
        let filter = json!({ "macAddress": { "eq": mac, "in": [mac] } });
        let rest = format!("if-entries?mac_address={mac}");
        assert_eq!(count(&world, "IfEntry", &filter, &rest).await, (1, 1), "{mac}");
        let filter = json!({ "chassisId": { "eq": mac, "in": ["x", mac] } });
        assert_eq!(count(&world, "Host", &filter, "").await, (0, 1), "{mac}");
    }
    // As many as a filter may hold are one variable of the statement, in all their spellings.
    let mut many: Vec<String> = (0..9999).map(|nth| format!("0200.0000.{nth:04}")).collect();
    many.push("0CD0F8F5D688".to_owned());
    let filter = json!({ "chassisId": { "in": many } });
    assert_eq!(count(&world, "Host", &filter, "").await, (0, 1));
    for beginning in ["0C:D0:F8", "0cd0.f8", "0c-d0-f8", "0CD0F"] {
        let filter = json!({ "macAddress": { "startsWith": beginning } });
        assert_eq!(count(&world, "IfEntry", &filter, "").await, (0, 1), "{beginning}");
    }
    for address in ["2001:db8::7", "2001:DB8:0:0::7", "2001:0db8:0000:0000:0000:0000:0000:0007"] {
        let filter = json!({ "managementAddress": { "eq": address } });
        assert_eq!(count(&world, "Host", &filter, "").await, (0, 1), "{address}");
    }
    for cidr in ["2001:db8::/48", "2001:0DB8::/48"] {
        let filter = json!({ "cidr": { "eq": cidr } });
        let rest = format!("subnets?cidr={cidr}");
        assert_eq!(count(&world, "Subnet", &filter, &rest).await, (1, 1), "{cidr}");
    }
    for (path, field) in [
        ("if-entries?mac_address=0c:d0:f8", "mac_address"),
        ("interfaces?ip_address=10.0.0", "ip_address"),
        ("subnets?cidr=10.0.0.7/24", "cidr"),
    ] {
        let answer = world.test.get(&format!("/api/v1/{path}")).credential(key).send().await;
        let (status, _, params) = answer.failure();
        assert_eq!((status, &params["field"]), (400, &json!(field)), "{path}: {}", answer.body);
    }
    let query = r#"{ ifEntries(filter: { macAddress: { eq: "0c:d0:f8" } }) { totalCount } }"#;
    let answer = world.test.graphql(key, query, json!({})).await;
    let message = text(&answer["errors"][0]["message"]);
    assert!(message.contains("MacAddress"), "{answer}");
}
