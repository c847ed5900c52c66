//! The length of a text.

use serde_json::json;

use crate::support::{app::Answer, bodies::with, world::World};

async fn name(world: &World, name: &str) -> Answer {
    let network = &world.ours.networks[0];
    let body = with(&network.group_body(), &json!({ "name": name }));
    world.test.put(&network.group_path(), &body).credential(&world.ours.admin.key).send().await
}

#[tokio::test]
async fn length_counts_characters() {
    let world = World::new().await;
    let longest = "Büro".repeat(25);
    assert_eq!(name(&world, &longest).await.data()["name"], longest);
    assert_eq!(
        name(&world, &format!("{longest}B")).await.failure(),
        (400, "validation_max_length", &json!({ "field": "name", "max": 100 }))
    );
}
