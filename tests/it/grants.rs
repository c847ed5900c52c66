//! Which networks a Member or Viewer reaches.

use toposcope::users;

use crate::support::world::World;

#[tokio::test]
async fn a_grant_opens_a_network_at_once_and_only_one_of_the_same_organization() {
    let world = World::new().await;
    let app = &world.test.app;
    let services = async || {
        let answer =
            world.test.get("/api/v1/services").credential(&world.ours.viewer.key).send().await;
        answer.body["meta"]["pagination"]["total_count"].as_u64().unwrap()
    };
    assert_eq!(services().await, 4);
    let ours = world.ours.networks[1].id.to_string();
    let theirs = world.theirs.networks[1].id.to_string();
    let viewer = "viewer@ours.example.com";
    assert!(users::grant(app, viewer, &theirs).await.is_err());
    assert_eq!(services().await, 4);
    for _ in 0..2 {
        users::grant(app, viewer, &ours).await.unwrap();
        assert_eq!(services().await, 8);
    }
}
