//! Whatever changes what is shown of a thing changes its strong tag, and its version, too.

use std::collections::BTreeMap;

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::{topology, users};

use crate::{
    authorization::{Route, filled, routes},
    support::{
        bodies::with,
        introspection::text,
        requests::{Home, call},
        wiring::lldp,
        world::World,
    },
};

/// The lists of all that is shown one by one.
const LISTS: [&str; 13] = [
    "/hosts",
    "/interfaces",
    "/ports",
    "/if-entries",
    "/services",
    "/bindings",
    "/groups",
    "/subnets",
    "/networks",
    "/tags",
    "/users",
    "/auth/keys",
    "/organizations",
];
/// Keys that are shown with things and do not change them: another tag, and no other version.
const NO_CHANGE: [&str; 1] = ["last_used"];

/// A reader, and the tag and the body that they were last answered at each path.
struct Reader<'w> {
    world: &'w World,
    session: &'w str,
    seen: BTreeMap<String, (String, Value)>,
    /// The number of bodies that have changed.
    changed: usize,
    wrong: Vec<String>,
}

impl<'w> Reader<'w> {
    fn new(world: &'w World, session: &'w str) -> Self {
        Self { world, session, seen: BTreeMap::new(), changed: 0, wrong: Vec::new() }
    }

    async fn bodies(&self) -> BTreeMap<String, Value> {
        let mut bodies = BTreeMap::new();
        for list in LISTS {
            let path = format!("/api/v1{list}");
            let all =
                if list == "/organizations" { path.clone() } else { format!("{path}?limit=0") };
            let answer = self.world.test.get(&all).credential(self.session).send().await;
            let data = answer.data();
            let one = std::slice::from_ref(data);
            for body in data.as_array().map_or(one, Vec::as_slice) {
                bodies.insert(format!("{path}/{}", text(&body["id"])), body.clone());
            }
        }
        bodies
    }

    /// Reads all of it again, and notes what has changed without being another version.
    async fn read(&mut self, write: &str) {
        self.world.test.settle().await;
        let bodies = self.bodies().await;
        self.seen.retain(|path, _| bodies.contains_key(path));
        for (path, body) in bodies {
            if self.seen.get(&path).is_some_and(|(_, seen)| *seen == body) {
                continue;
            }
            let one = self.world.test.get(&path).credential(self.session).send().await;
            assert_eq!(one.data(), &body, "{path} and its list");
            let tag = one.header("etag").unwrap_or_else(|| panic!("{path} has no tag")).to_owned();
            if let Some((old, before)) = self.seen.get(&path) {
                self.changed += 1;
                let keys = body.as_object().unwrap().iter();
                let differ: Vec<&str> = keys
                    .filter(|(key, value)| before[key.as_str()] != **value)
                    .map(|(key, _)| key.as_str())
                    .collect();
                let versioned = differ.contains(&"updated_at")
                    || differ.iter().all(|key| NO_CHANGE.contains(key));
                let back = text(&body["updated_at"]) < text(&before["updated_at"]);
                if *old == tag || !versioned || back {
                    self.wrong.push(format!("{write}: {path} {differ:?} {old} {tag}"));
                }
            }
            self.seen.insert(path, (tag, body));
        }
    }
}

/// The operations that delete, those last whose things others depend on.
const DELETES: [&str; 13] = [
    "bulk_delete_",
    "delete_binding",
    "delete_port",
    "delete_if_entry",
    "delete_interface",
    "delete_service",
    "delete_group",
    "delete_subnet",
    "delete_tag",
    "delete_user_api_key",
    "delete_host",
    "delete_network",
    "delete_user",
];

/// Everything that REST can change, in an order in which it can be done.
fn writes() -> Vec<Route> {
    let mut writes = routes();
    writes.retain(|route| route.method != Method::GET && route.level.is_some());
    writes.sort_by_key(|route| {
        let last = DELETES.iter().position(|name| {
            route.id == *name || (name.ends_with('_') && route.id.starts_with(name))
        });
        (last.map_or(0, |nth| nth + 1), route.id.clone(), route.path.clone())
    });
    writes.dedup_by(|one, other| one.id == other.id);
    writes
}

/// Lets every reader read after a write.
async fn read(readers: &mut [Reader<'_>], write: &str) {
    for reader in readers {
        reader.read(write).await;
    }
}

fn assert_told(readers: &[Reader<'_>], changed: usize) {
    for reader in readers {
        assert!(reader.wrong.is_empty(), "{:#?}", reader.wrong);
    }
    assert!(readers[0].changed > changed, "{}", readers[0].changed);
}

/// Everything that is shown was written by a clock that has been put back since.
async fn written_in_the_future(test: &crate::support::app::TestApp, moment: &str) {
    let moment: toposcope_types::Timestamp = moment.parse().unwrap();
    for list in LISTS {
        let table = match list {
            "/if-entries" => "if_entry",
            "/auth/keys" => "api_key",
            "/groups" => "\"group\"",
            "/users" => "\"user\"",
            other => other.strip_prefix('/').and_then(|one| one.strip_suffix('s')).unwrap(),
        };
        test.sql(&format!("UPDATE {table} SET updated_at = $1"), [moment.into()]).await;
    }
}

#[tokio::test]
async fn whatever_a_request_changes_in_a_body_changes_its_tag_and_its_version() {
    every_write_is_told(None).await;
}

#[tokio::test]
async fn versions_go_on_where_the_clock_goes_back() {
    every_write_is_told(Some("2999-12-31T23:59:59.999999Z")).await;
}

async fn every_write_is_told(written: Option<&str>) {
    let world = World::new().await;
    let ours = &world.ours;
    if let Some(moment) = written {
        written_in_the_future(&world.test, moment).await;
    }
    let mut readers =
        [&ours.owner, &ours.viewer].map(|person| Reader::new(&world, &person.session));
    read(&mut readers, "").await;
    let home = Home::of_owner(ours, &ours.owner.session);
    let writes = writes();
    assert!(writes.len() > 50, "{}", writes.len());
    assert_eq!(writes.last().unwrap().id, "delete_user");
    for route in writes {
        let call = call(&world, &route.id, &home).await;
        read(&mut readers, &format!("before {}", route.id)).await;
        let mut asked = world.test.ask(route.method, &filled(&route.path, &call.ids));
        if let Some(body) = &call.body {
            asked = asked.json(body);
        }
        asked.credential(home.credential).send().await.data();
        // Whoever is deleted reads no more.
        let left = if route.id == "delete_user" { 1 } else { 2 };
        read(&mut readers[..left], &route.id).await;
    }
    assert_told(&readers, 50);
}

#[tokio::test]
async fn whoever_is_connected_otherwise_by_what_others_write_is_another_version() {
    for moment in [None, Some("2999-01-01T00:00:00.000000Z")] {
        neighbors_are_told(moment).await;
    }
}

async fn neighbors_are_told(written: Option<&str>) {
    let world = World::new().await;
    if let Some(moment) = written {
        written_in_the_future(&world.test, moment).await;
    }
    let network = &world.ours.networks[0];
    let session = &world.ours.owner.session;
    let mut readers = [Reader::new(&world, session)];
    let beta = format!("/api/v1/hosts/{}", network.hosts[1].id);
    let mut neighbor = lldp(["LocallyAssigned", "BETA"], ["InterfaceName", "Gi0/1"]);
    neighbor["if_name"] = json!("Gi0/1");
    let hears = with(&network.entry_body(0), &neighbor);
    let nothing = with(&network.entry_body(0), &json!({ "if_name": "Gi0/1" }));
    let named = |name: &str| json!({ "name": name, "hostname": null, "sys_name": name, "network_id": network.id, "tags": [] });
    let far = network.entry_path(1);
    let renamed =
        with(&network.entry_body(1), &json!({ "if_descr": "ge-0/0/9", "if_name": "ge-0/0/9" }));
    let near = network.entry_path(0);
    // What the world began with nobody wrote through the product, which so does not know it by name.
    world.test.put(&beta, &named("BETA")).credential(session).send().await.data();
    read(&mut readers, "").await;
    for (what, method, path, body, connected) in [
        ("a port hears another", Method::PUT, &near, &hears, true),
        ("the far port has another name", Method::PUT, &far, &renamed, false),
        (
            "and its own again",
            Method::PUT,
            &far,
            &with(&network.entry_body(1), &json!({ "if_name": "Gi0/1" })),
            true,
        ),
        ("the far device has another name", Method::PUT, &beta, &named("gamma"), false),
        ("and its own again", Method::PUT, &beta, &named("BETA"), true),
        ("the port hears nothing", Method::PUT, &near, &nothing, false),
        ("and hears it again", Method::PUT, &near, &hears, true),
        ("the far port is deleted", Method::DELETE, &far, &Value::Null, false),
        ("the far device is deleted", Method::DELETE, &beta, &Value::Null, false),
    ] {
        let asked = world.test.ask(method, path).json(body).credential(session);
        let answer = asked.send().await;
        answer.data();
        read(&mut readers, what).await;
        let seen = &readers[0].seen;
        let to_port = |path: &String| seen[path].1["neighbor"]["type"] == "IfEntry";
        assert_eq!(to_port(&near), connected, "{what}");
        if let (Some((tag, shown)), Some(given)) = (seen.get(path), answer.header("etag")) {
            assert_eq!((given, answer.data()), (tag.as_str(), shown), "{what}: what is answered");
        }
    }
    assert_told(&readers, 12);
}

#[tokio::test]
async fn what_is_done_beside_requests_is_another_version_too() {
    let world = World::new().await;
    let (ours, app) = (&world.ours, &world.test.app);
    let mut readers =
        [&ours.owner, &ours.viewer].map(|person| Reader::new(&world, &person.session));
    read(&mut readers, "").await;

    world.test.get("/api/v1/hosts").credential(&ours.owner.key).send().await.data();
    read(&mut readers, "a key is used").await;

    let two = ours.networks[1].id;
    users::grant(app, "viewer@ours.example.com", &two.to_string()).await.unwrap();
    read(&mut readers, "a network is granted").await;

    // As if other rules had found what these do not.
    let [near, far] = [0, 1].map(|host| ours.networks[0].hosts[host].if_entries[0]);
    let wrong = "UPDATE if_entry SET neighbor_if_entry_id = $1 WHERE id = $2";
    world.test.sql(wrong, [far.into(), near.into()]).await;
    world.test.sql("UPDATE network SET resolver = 0", []).await;
    readers = [&ours.owner, &ours.viewer].map(|person| Reader::new(&world, &person.session));
    read(&mut readers, "").await;
    assert_eq!(topology::reresolve::refresh(app).await.unwrap(), 4);
    read(&mut readers, "the rules are others").await;
    let shown = &readers[0].seen[&format!("/api/v1/if-entries/{near}")];
    assert_eq!(shown.1["neighbor"], Value::Null);
    assert_told(&readers, 1);
}
