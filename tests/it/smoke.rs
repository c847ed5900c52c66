//! The main job, end to end.

use serde_json::json;

use crate::support::world::World;

#[tokio::test]
async fn the_same_service_is_seen_over_both_faces() {
    let world = World::new().await;
    let key = &world.ours.viewer.key;
    let answer = world.test.get("/api/v1/services?order_by=name").credential(key).send().await;
    let services = answer.data().as_array().unwrap();
    assert_eq!(services.len(), 4);
    assert_eq!(services[0]["name"], "Nginx on alpha");
    assert_eq!(services[0]["bindings"].as_array().unwrap().len(), 2);
    assert_eq!(services[0]["tags"], json!(world.ours.tags));
    assert_eq!(answer.body["meta"]["pagination"]["total_count"], 4);

    let query = "{ services(orderBy: [{field: NAME}]) { totalCount nodes {
        id name category host { name network { name } }
        bindings { id ... on PortBinding { port { number } interface { ipAddress } } }
        groups { name edges { source { id } target { id } } } tags { name } } } }";
    let answer = world.test.graphql(key, query, json!({})).await;
    assert_eq!(answer["errors"], json!(null), "{answer}");
    let found = &answer["data"]["services"];
    assert_eq!(found["totalCount"], 4);
    assert_eq!(found["nodes"][0]["id"], services[0]["id"]);
    assert_eq!(found["nodes"][0]["groups"][0]["edges"].as_array().unwrap().len(), 5);
}
