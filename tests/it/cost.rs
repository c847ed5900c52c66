//! The cost of a GraphQL answer, told to those who ask for it.

use serde_json::{Value, json};

use crate::support::{
    app::{Answer, Ask},
    world::World,
};

const HOSTS: &str = "{ hosts { nodes { services { nodes { groups { id } } } } } }";

fn ask<'a>(world: &'a World, query: &str, extensions: &Value) -> Ask<'a> {
    let body = json!({ "query": query, "extensions": extensions });
    world.test.post("/graphql", &body).credential(&world.ours.owner.key)
}

#[track_caller]
fn told(answer: &Answer) -> (u64, u64) {
    let cost = &answer.body["extensions"]["cost"];
    assert!(cost["milliseconds"].as_f64().unwrap() > 0.0, "{cost}");
    assert_eq!(cost.as_object().unwrap().len(), 3, "{cost}");
    (cost["statements"].as_u64().unwrap(), cost["rows"].as_u64().unwrap())
}

#[tokio::test]
async fn the_cost_is_what_the_database_was_sent_and_the_lists_hold() {
    let world = World::new().await;
    let asked = json!({ "cost": true });
    // The credential is looked up and noted.
    ask(&world, "{ __typename }", &asked).send().await;
    let (answer, statements) = world.test.statements(ask(&world, HOSTS, &asked).send()).await;
    let hosts = answer.body["data"]["hosts"]["nodes"].as_array().unwrap();
    let services = hosts.iter().flat_map(|host| host["services"]["nodes"].as_array().unwrap());
    let groups = services.clone().flat_map(|service| service["groups"].as_array().unwrap());
    let rows = hosts.len() + services.count() + groups.count();
    assert!(statements >= 3 && rows >= 6, "{statements} statements, {rows} rows");
    assert_eq!(told(&answer), (statements, rows as u64));
    let none = ask(&world, "{ __typename }", &asked).send().await;
    assert_eq!(told(&none), (0, 0));
}

#[tokio::test]
async fn each_of_two_requests_at_once_is_told_its_own_cost() {
    let world = World::new().await;
    let asked = json!({ "cost": true });
    ask(&world, "{ __typename }", &asked).send().await;
    let alone = told(&ask(&world, HOSTS, &asked).send().await);
    let (one, other) =
        tokio::join!(ask(&world, HOSTS, &asked).send(), ask(&world, HOSTS, &asked).send());
    assert_eq!((told(&one), told(&other)), (alone, alone));
}

#[tokio::test]
async fn the_cost_is_told_with_errors_too_and_to_nobody_who_does_not_ask() {
    let world = World::new().await;
    let missing =
        r#"mutation { deleteHost(id: "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69") { __typename } }"#;
    let answer = ask(&world, missing, &json!({ "cost": true })).send().await;
    assert_eq!(answer.body["errors"][0]["extensions"]["code"], "entity_not_found");
    told(&answer);
    for extensions in [Value::Null, json!({}), json!({ "cost": false }), json!({ "cost": "yes" })] {
        let answer = ask(&world, HOSTS, &extensions).send().await;
        assert_eq!(answer.body.get("extensions"), None, "{extensions}");
    }
    let by_get = "/graphql?query={__typename}&extensions={\"cost\":true}".replace('"', "%22");
    let by_get = by_get.replace('{', "%7B").replace('}', "%7D");
    told(&world.test.get(&by_get).credential(&world.ours.owner.key).send().await);
}
