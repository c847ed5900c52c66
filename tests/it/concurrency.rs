//! Many at once on one database: nothing fails, nothing is lost.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{
    app::{Ask, TestApp},
    bodies::{counter, with},
    world::{World, if_entry, insert},
};
use toposcope::{db::Db, if_entries};

/// A request that owns its way to the application.
fn send(ask: Ask<'_>) -> impl Future<Output = (StatusCode, Value)> + Send + 'static {
    let owned = ask.owned();
    async move {
        let answer = owned.await;
        (answer.status, answer.body)
    }
}

async fn all(tasks: JoinSet<(StatusCode, Value)>) -> Vec<(StatusCode, Value)> {
    tasks.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixty_four_who_write_and_read_at_once_all_succeed() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    let mut entries = Vec::new();
    for if_index in 100..164 {
        let entry = if_entry(network.id, network.hosts[0].id, if_index);
        entries.push((entry.id, if_index));
        insert::<if_entries::Entity, _>(&world.test, entry).await;
    }
    let mut tasks = JoinSet::new();
    for (id, if_index) in &entries {
        let change = json!({ "if_index": if_index, "if_alias": format!("written {if_index}"), "lldp_sys_name": "sw" });
        let path = format!("/api/v1/if-entries/{id}");
        let put =
            send(world.test.put(&path, &with(&network.entry_body(0), &change)).credential(key));
        let get = send(world.test.get("/api/v1/services?limit=0").credential(key));
        let group = with(&network.group_body(), &json!({ "name": format!("group {if_index}") }));
        let group = send(world.test.put(&network.group_path(), &group).credential(key));
        tasks.spawn(async move {
            let answers = [put.await, get.await, group.await];
            answers
                .into_iter()
                .find(|answer| answer.0 != StatusCode::OK)
                .unwrap_or((StatusCode::OK, Value::Null))
        });
    }
    for (status, body) in all(tasks).await {
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let query = "{ ifEntries(first: 1000, filter: {ifAlias: {startsWith: \"written\"}}) { totalCount nodes { id ifAlias lldpSysName } } }";
    let found = world.test.graphql(key, query, json!({})).await;
    assert_eq!(found["data"]["ifEntries"]["totalCount"], 64, "{found}");
    for node in found["data"]["ifEntries"]["nodes"].as_array().unwrap() {
        let (_, if_index) = entries.iter().find(|(id, _)| json!(id) == node["id"]).unwrap();
        assert_eq!(node["ifAlias"], format!("written {if_index}"));
        assert_eq!(node["lldpSysName"], "sw");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_saw_the_same_version_one_wins() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    for (path, body) in [
        (network.entry_path(0), network.entry_body(0)),
        (network.group_path(), network.group_body()),
    ] {
        let first = world.test.put(&path, &body).credential(key).send().await;
        let tag = first.header("etag").unwrap();
        let mut tasks = JoinSet::new();
        for _ in 0..16 {
            tasks.spawn(send(world.test.put(&path, &body).credential(key).header("if-match", tag)));
        }
        let answers = all(tasks).await;
        let won = answers.iter().filter(|answer| answer.0 == StatusCode::OK).count();
        let lost = answers.iter().filter(|answer| answer.1["code"] == "entity_changed").count();
        assert_eq!((won, lost), (1, 15), "{answers:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_index_that_many_want_goes_to_one() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let mut tasks = JoinSet::new();
    for if_index in 100..116 {
        let entry = if_entry(network.id, network.hosts[0].id, if_index);
        let path = format!("/api/v1/if-entries/{}", entry.id);
        insert::<if_entries::Entity, _>(&world.test, entry).await;
        let body = with(&network.entry_body(0), &json!({ "if_index": 77 }));
        tasks.spawn(send(world.test.put(&path, &body).credential(&world.ours.member.key)));
    }
    let answers = all(tasks).await;
    let won = answers.iter().filter(|answer| answer.0 == StatusCode::OK).count();
    let lost = answers.iter().filter(|answer| answer.1["code"] == "entity_already_exists").count();
    assert_eq!((won, lost), (1, 15), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn counters_survive_moves_in_both_directions_at_once() {
    let world = World::new().await;
    let networks = &world.ours.networks;
    let mut ids = Vec::new();
    for if_index in 100..108 {
        let entry = if_entry(networks[0].id, networks[0].hosts[0].id, if_index);
        ids.push((entry.id, if_index));
        insert::<if_entries::Entity, _>(&world.test, entry).await;
    }
    toposcope::networks::recount(world.test.app.db.writer(), networks[0].id).await.unwrap();
    let mut tasks = JoinSet::new();
    for turn in 0..12 {
        for (id, if_index) in &ids {
            let network = &networks[turn % 2];
            let body = with(&network.entry_body(0), &json!({ "if_index": if_index }));
            let path = format!("/api/v1/if-entries/{id}");
            tasks.spawn(send(world.test.put(&path, &body).credential(&world.ours.admin.key)));
        }
    }
    for (status, body) in all(tasks).await {
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    assert_counters(&world.test, networks[0].id).await;
    assert_counters(&world.test, networks[1].id).await;
}

async fn assert_counters(test: &TestApp, network: toposcope_types::Id) {
    use sea_orm::{ColumnTrait as _, EntityTrait as _, PaginatorTrait as _, QueryFilter as _};
    let rows = if_entries::Entity::find().filter(if_entries::Column::NetworkId.eq(network));
    let rows = rows.count(test.app.db.reader()).await.unwrap();
    assert_eq!(u64::try_from(counter(test, network, "if_entry_count").await).unwrap(), rows);
}

/// Several processes that find a new file switch it to WAL at once, which waits for nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_open_a_new_file_at_once_all_open_it() {
    for round in 0..100 {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/new.db?mode=rwc", folder.path().display());
        let opening: Vec<_> = (0..4)
            .map(|_| {
                let url = url.clone();
                tokio::spawn(async move { Db::open(&url).await.map(drop) })
            })
            .collect();
        for opened in opening {
            let opened = opened.await.unwrap();
            assert!(opened.is_ok(), "round {round}: {opened:?}");
        }
    }
}
