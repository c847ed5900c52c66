//! The order of services, and that pages in any order hold every row once.

use std::{cmp::Ordering, collections::HashMap};

use serde_json::Value;
use toposcope::services::Service;
use toposcope_types::{Id, natural::natural_key};

use crate::support::{bulk, world::World};

const FIELDS: [&str; 6] = ["created_at", "name", "updated_at", "host", "network_id", "position"];

/// Services of both networks on all four hosts, so alike that every order has ties.
async fn populate(world: &World) -> (Vec<Service>, HashMap<Id, &'static str>) {
    let [one, two] = &world.ours.networks;
    let names = ["a 2", "B", "ä", "a 10", "Z", ""];
    let times = [
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.1Z",
        "2026-01-01T00:00:00.000001Z",
        "2025-12-31T23:59:59.999999Z",
    ];
    let mut rows = Vec::new();
    for network in [one, two] {
        let look = |nth: usize, row: &mut Service| {
            row.created_at = times[nth % 4].parse().unwrap();
            row.updated_at = times[nth / 4 % 4].parse().unwrap();
            names[nth / 3 % 6].clone_into(&mut row.name);
            row.position = i32::try_from(nth % 3).unwrap();
            row.host_id = network.hosts[nth / 2 % 2].id;
        };
        rows.extend(bulk::services(&world.test, network, world.ours.tags[0], 24, look).await);
    }
    let networks = [one, two];
    let hosts = networks.iter().flat_map(|network| network.hosts.iter().zip(["alpha", "beta"]));
    (rows, hosts.map(|(host, name)| (host.id, name)).collect())
}

fn compare(field: &str, hosts: &HashMap<Id, &str>, a: &Service, b: &Service) -> Ordering {
    match field {
        "created_at" => a.created_at.cmp(&b.created_at),
        "name" => natural_key(&a.name).cmp(&natural_key(&b.name)),
        "updated_at" => a.updated_at.cmp(&b.updated_at),
        "host" => hosts[&a.host_id].cmp(hosts[&b.host_id]),
        "network_id" => a.network_id.cmp(&b.network_id),
        "position" => a.position.cmp(&b.position),
        _ => Ordering::Equal,
    }
}

/// Every combination of parameters with the fields and the direction that it means.
fn orders() -> Vec<(String, &'static str, &'static str, bool)> {
    let mut orders = Vec::new();
    for group in std::iter::once("").chain(FIELDS) {
        for order in std::iter::once("").chain(FIELDS) {
            for direction in ["", "asc", "desc"] {
                let query =
                    format!("group_by={group}&order_by={order}&order_direction={direction}");
                orders.push((query, group, order, direction == "desc"));
            }
        }
    }
    orders
}

async fn ids(world: &World, query: &str) -> Vec<Id> {
    let get = world.test.get(&format!("/api/v1/services?tag_ids={}&{query}", world.ours.tags[0]));
    let answer = get.credential(&world.ours.admin.key).send().await;
    let id = |row: &Value| row["id"].as_str().unwrap().parse().unwrap();
    answer.data().as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn every_order_is_the_one_that_was_asked_for() {
    let world = World::new().await;
    let (mut rows, hosts) = populate(&world).await;
    let bulk: Vec<Id> = rows.iter().map(|row| row.id).collect();
    for (query, group, order, descending) in orders() {
        rows.sort_unstable_by(|a, b| {
            let by_order = compare(order, &hosts, a, b);
            compare(group, &hosts, a, b)
                .then(if descending { by_order.reverse() } else { by_order })
                .then(a.created_at.cmp(&b.created_at))
                .then(a.id.cmp(&b.id))
        });
        let expected: Vec<Id> = rows.iter().map(|row| row.id).collect();
        for limit in [0, 1000] {
            let mut found = ids(&world, &format!("{query}&limit={limit}")).await;
            assert_eq!(found.len(), 50, "with the two of the world that carry the tag");
            found.retain(|id| bulk.contains(id));
            assert_eq!(found, expected, "{query} limit {limit}");
        }
    }
}

#[tokio::test]
async fn pages_in_every_order_hold_every_row_once() {
    let world = World::new().await;
    populate(&world).await;
    for (nth, (query, ..)) in orders().into_iter().enumerate() {
        let whole = ids(&world, &format!("{query}&limit=1000")).await;
        assert_eq!(whole.len(), 50);
        let limit = [7, 17, 25][nth % 3];
        let mut walked = Vec::new();
        while walked.len() < whole.len() {
            let page = ids(&world, &format!("{query}&limit={limit}&offset={}", walked.len())).await;
            assert!(!page.is_empty(), "{query}");
            walked.extend(page);
        }
        assert_eq!(walked, whole, "{query} by {limit}");
        let tail = ids(&world, &format!("{query}&limit=0&offset={limit}")).await;
        assert_eq!(tail, whole[limit..], "{query} from {limit}");
    }
}
