//! `limit=0`: the whole list, however long.

use std::collections::HashSet;

use axum::{body::Body, http::Request};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use toposcope::services::Service;
use toposcope_types::Id;
use tower::ServiceExt as _;

use crate::support::{bulk, world::World};

/// Names with many ties, none in the order of creation.
fn look(nth: usize, row: &mut Service) {
    row.name = format!("n{}", nth * 7919 % 100);
    row.position = i32::try_from(nth * 31 % 10).unwrap();
}

#[tokio::test]
async fn two_and_a_half_thousand_services_come_whole_and_in_order() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let rows = bulk::services(&world.test, network, world.ours.tags[0], 2_496, look).await;
    let all: HashSet<Id> = rows
        .iter()
        .map(|row| row.id)
        .chain(network.hosts.iter().flat_map(|host| host.services))
        .collect();
    assert_eq!(all.len(), 2_500);
    for query in [
        "",
        "&order_by=name&order_direction=desc",
        "&group_by=host&order_by=position",
        "&group_by=position&order_by=name",
    ] {
        let get = |limit: usize, offset: usize| {
            let path = format!("/api/v1/services?limit={limit}&offset={offset}{query}");
            world.test.get(&path).credential(&world.ours.viewer.key).send()
        };
        let stream = get(0, 0).await;
        let found = stream.data().as_array().unwrap();
        let ids: HashSet<Id> =
            found.iter().map(|row| row["id"].as_str().unwrap().parse().unwrap()).collect();
        assert_eq!((found.len(), ids), (2_500, all.clone()), "none lost, none twice");
        let pagination =
            json!({ "total_count": 2_500, "limit": 0, "offset": 0, "has_more": false });
        assert_eq!(stream.body["meta"]["pagination"], pagination);
        assert_eq!(stream.header("content-type"), Some("application/json"));
        let mut paged: Vec<Value> = Vec::new();
        for offset in [0, 1000, 2000] {
            let page = get(1000, offset).await;
            assert_eq!(page.body["meta"]["pagination"]["has_more"], offset < 2000);
            paged.extend(page.data().as_array().unwrap().iter().cloned());
        }
        assert!(*found == paged, "the same rows with the same bindings and tags in the same order");
        let tail = get(0, 1_300).await;
        assert!(tail.data().as_array().unwrap()[..] == paged[1_300..], "{query}");
    }
}

/// A whole list that is yet to be read.
async fn begin(world: &World) -> Body {
    let request = Request::get("/api/v1/services?limit=0")
        .header("authorization", format!("Bearer {}", world.ours.viewer.key))
        .body(Body::empty())
        .unwrap();
    world.test.router.clone().oneshot(request).await.unwrap().into_body()
}

#[tokio::test]
async fn who_reads_long_lists_slowly_holds_up_nobody_with_a_short_one() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    bulk::services(&world.test, network, world.ours.tags[0], 4_996, look).await;
    let slow = [begin(&world).await, begin(&world).await];
    let waiting = begin(&world);
    for path in ["/api/v1/services?limit=0", "/api/v1/hosts/export/csv"] {
        let answer = world.test.get(path).credential(&world.theirs.viewer.key).send().await;
        assert_eq!(answer.status, 200, "{path}");
    }
    drop(slow);
    let whole = waiting.await.collect().await.unwrap().to_bytes();
    let answer: Value = serde_json::from_slice(&whole).unwrap();
    assert_eq!(answer["meta"]["pagination"]["total_count"], 5_000);
}

#[tokio::test]
async fn a_stream_shows_one_state_whatever_is_written_meanwhile() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    bulk::services(&world.test, network, world.ours.tags[0], 2_496, look).await;
    let mut body = begin(&world).await;
    let mut bytes = Vec::new();
    let mut frames = 0;
    while let Some(frame) = body.frame().await {
        bytes.extend_from_slice(&frame.unwrap().into_data().unwrap());
        frames += 1;
        if frames == 2 {
            let early = |_: usize, row: &mut Service| {
                row.created_at = "2020-01-01T00:00:00Z".parse().unwrap();
            };
            let late = |_: usize, row: &mut Service| {
                row.created_at = "2100-01-01T00:00:00Z".parse().unwrap();
            };
            bulk::services(&world.test, network, world.ours.tags[0], 10, early).await;
            bulk::services(&world.test, network, world.ours.tags[0], 10, late).await;
        }
    }
    assert!(frames >= 5, "head, three chunks of rows, tail");
    let answer: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(answer["data"].as_array().unwrap().len(), 2_500);
    assert_eq!(answer["meta"]["pagination"]["total_count"], 2_500);
}
