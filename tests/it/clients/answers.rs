//! Answers in the shapes that programs of others read.

use axum::http::Method;
use sea_orm::EntityTrait as _;
use serde_json::{Value, json};
use toposcope::users;
use toposcope_types::PermissionLevel;

use super::{get, post, put};
use crate::support::{
    app::{Answer, TestApp},
    bodies::with,
    introspection::text,
    world::{World, key},
};

async fn by(world: &World, method: Method, path: &str, credential: &str, body: &Value) -> Answer {
    world.test.ask(method, path).json(body).credential(credential).send().await
}

#[tokio::test]
async fn health_is_a_text_with_its_detail_beside() {
    let answer = TestApp::new().await.get("/api/health").send().await;
    assert_eq!(answer.data(), "ok");
    assert_eq!(answer.body["meta"]["status"], "ok");
    assert_eq!(answer.body["meta"]["api_version"], 1);
}

#[tokio::test]
async fn a_new_secret_is_the_answer_and_the_key_stands_beside_it() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let path = format!("/api/v1/auth/keys/{}/rotate", owner.key_id);
    let answer = by(&world, Method::POST, &path, &owner.session, &json!({})).await;
    let secret = text(answer.data()).to_owned();
    assert!(secret.starts_with("scp_u_") && secret.len() == 38, "{}", secret.len());
    let beside = &answer.body["meta"]["api_key"];
    assert_eq!((&beside["id"], &beside["key"]), (&json!(owner.key_id), &json!("**********")));
    assert_eq!(world.test.get("/api/v1/hosts").credential(&secret).send().await.status, 200);
    assert_eq!(world.test.get("/api/v1/hosts").credential(&owner.key).send().await.status, 401);
}

#[tokio::test]
async fn everybody_has_one_organization_which_needs_no_id() {
    let world = World::new().await;
    let (ours, path) = (&world.ours, "/api/v1/organizations");
    for secret in [&ours.viewer.key, &ours.owner.session] {
        let answer = world.test.get(path).credential(secret).send().await;
        assert_eq!(answer.data()["id"], json!(ours.organization));
        let by_id = format!("{path}/{}", ours.organization);
        let other = world.test.get(&by_id).credential(secret).send().await;
        assert_eq!((other.data(), other.header("etag")), (answer.data(), answer.header("etag")));
    }
    let renamed = by(&world, Method::PUT, path, &ours.owner.key, &json!({ "name": "new" })).await;
    assert_eq!(renamed.data()["name"], "new");
    assert_eq!(renamed.data()["api_access_enabled"], true, "what is left out stays");
    let refused = by(&world, Method::PUT, path, &ours.admin.key, &json!({ "name": "x" })).await;
    assert_eq!(refused.failure().0, 403);
    let theirs = world.test.get(path).credential(&world.theirs.viewer.key).send().await;
    assert_eq!(theirs.data()["name"], "theirs");
}

#[tokio::test]
async fn an_admins_key_manages_users_and_no_other_key_does() {
    let world = World::new().await;
    let ours = &world.ours;
    let everybody = world.test.get("/api/v1/users").credential(&ours.admin.key).send().await;
    assert_eq!(everybody.data().as_array().unwrap().len(), 4);
    for secret in [&ours.member.key, &ours.viewer.key] {
        let refused = world.test.get("/api/v1/users").credential(secret).send().await;
        assert_eq!(refused.failure().1, "auth_user_context_required");
    }
    // A key of an owner with a lower level is one of that level.
    let owner = users::Entity::find_by_id(ours.owner.id).one(world.test.app.db.reader()).await;
    let owner = owner.unwrap().unwrap();
    let (_, low) = key(&world.test, &owner, PermissionLevel::Viewer, &[]).await;
    let refused = world.test.get("/api/v1/users").credential(&low).send().await;
    assert_eq!(refused.failure().1, "auth_user_context_required");

    let path = format!("/api/v1/users/{}", ours.viewer.id);
    let admin = format!("{path}/admin");
    // As it was read, with another level: the whole user is sent back.
    let whole = world.test.get(&path).credential(&ours.admin.key).send().await.data().clone();
    let raised = with(&whole, &json!({ "permissions": "Member" }));
    let answer = by(&world, Method::PUT, &admin, &ours.admin.key, &raised).await;
    assert_eq!(answer.data()["permissions"], "Member");
    let lowered = with(&whole, &json!({ "permissions": "Visualizer" }));
    let answer = by(&world, Method::PUT, &admin, &ours.admin.session, &lowered).await;
    assert_eq!(answer.data()["permissions"], "Viewer", "the level by its former name");
    for secret in [&ours.member.key, &ours.member.session, &ours.viewer.session] {
        let answer = by(&world, Method::PUT, &admin, secret, &raised).await;
        assert_eq!(answer.failure().1, "auth_permission_denied");
    }
    // No more than the key may, and nobody's address.
    let most = json!({ "permissions": "Owner" });
    assert_eq!(by(&world, Method::PUT, &admin, &ours.admin.key, &most).await.failure().0, 403);
    let own = format!("/api/v1/users/{}/admin", ours.admin.id);
    let address = json!({ "email": "other@ours.example.com", "password": "Correct-Horse-9" });
    let refused = by(&world, Method::PUT, &own, &ours.admin.key, &address).await;
    assert_eq!(refused.failure().1, "auth_user_context_required");
    let theirs = format!("/api/v1/users/{}/admin", world.theirs.viewer.id);
    assert_eq!(by(&world, Method::PUT, &theirs, &ours.admin.key, &raised).await.failure().0, 404);
    let gone = world.test.ask(Method::DELETE, &path).credential(&ours.admin.key).send().await;
    assert_eq!(gone.data()["deleted"]["User"], 1, "{}", gone.body);
}

#[tokio::test]
async fn tables_come_in_pages_where_they_are_asked_for() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    for (resource, order) in [
        ("hosts", "name"),
        ("interfaces", "ip_address"),
        ("if-entries", "if_index"),
        ("ports", "number"),
        ("services", "name"),
        ("bindings", "created_at"),
        ("groups", "name"),
        ("subnets", "name"),
        ("networks", "name"),
        ("tags", "name"),
        ("auth/keys", "name"),
        ("users", "email"),
        ("organizations", "name"),
        ("changes", "created_at"),
    ] {
        let table = async |page: &str| {
            let path = format!("/api/v1/{resource}/export/csv?order_by={order}{page}");
            let answer = world.test.get(&path).credential(&owner.session).send().await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            let mut lines: Vec<String> = answer.text().lines().map(str::to_owned).collect();
            assert!(!lines.is_empty(), "{path}");
            lines.remove(0);
            lines
        };
        let all = table("").await;
        assert_eq!(table("&limit=0").await, all, "{resource}");
        assert_eq!(table("&limit=5000").await, all, "{resource}: no more than there are");
        for (limit, offset) in [(1, 0), (2, 1), (1000, 1), (1500, 1), (0, 1), (1, 10_000)] {
            let most = if limit == 0 { usize::MAX } else { limit };
            let expected: Vec<String> = all.iter().skip(offset).take(most).cloned().collect();
            let page = table(&format!("&limit={limit}&offset={offset}")).await;
            assert_eq!(page, expected, "{resource} {limit} {offset}");
        }
    }
    let path = "/api/v1/hosts/export/csv?limit=-1";
    assert_eq!(world.test.get(path).credential(&owner.key).send().await.failure().0, 400);
}

#[tokio::test]
async fn the_type_of_a_dependency_filters_as_that_of_a_group_does() {
    let world = World::new().await;
    for root in ["groups", "dependencies"] {
        for (query, count) in [
            ("dependency_type=RequestPath&limit=0", 2),
            ("dependency_type=HubAndSpoke", 0),
            ("dependency_type=RequestPath&group_type=RequestPath", 2),
            ("dependency_type=HubAndSpoke&group_type=RequestPath", 0),
        ] {
            let answer = get(&world, &format!("/api/v1/{root}?{query}")).await;
            assert_eq!(answer.data().as_array().unwrap().len(), count, "{root} {query}");
        }
        let answer = get(&world, &format!("/api/v1/{root}?dependency_type=Ring")).await;
        assert_eq!(answer.failure().2["field"], "dependency_type");
    }
}

#[tokio::test]
async fn what_exists_already_is_said_in_these_words() {
    let world = World::new().await;
    let tag = json!({ "name": "red", "color": "Red", "organization_id": world.ours.organization });
    let answer = post(&world, "/api/v1/tags", &tag).await;
    assert_eq!(answer.failure().1, "entity_already_exists");
    let sentence = text(&answer.body["error"]);
    assert!(sentence.contains("already exists") && sentence.contains("name"), "{sentence}");
}

#[tokio::test]
async fn a_network_is_a_topology_of_its_own() {
    let world = World::new().await;
    let ours = &world.ours;
    let list = get(&world, "/api/v1/topology").await;
    let names: Vec<&str> =
        list.data().as_array().unwrap().iter().map(|one| text(&one["name"])).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(list.body["meta"]["pagination"]["total_count"], 2);
    let page = get(&world, "/api/v1/topology?limit=1&offset=1").await;
    assert_eq!(page.data()[0]["network_id"], json!(ours.networks[1].id));
    assert_eq!(page.body["meta"]["pagination"]["has_more"], false);
    let viewers = world.test.get("/api/v1/topology").credential(&ours.viewer.key).send().await;
    assert_eq!(viewers.data().as_array().unwrap().len(), 1, "what is granted");

    let id = ours.networks[0].id;
    assert_eq!(list.data()[0]["id"], json!(id));
    for (view, layer) in [
        ("", "L2"),
        ("view=L2Physical", "L2"),
        ("view=L3Logical", "L3"),
        ("view=l3", "L3"),
        ("view=Application", "APPLICATION"),
    ] {
        let one = get(&world, &format!("/api/v1/topology/{id}?{view}")).await.data().clone();
        assert_eq!((&one["id"], &one["layer"]), (&json!(id), &json!(layer)));
        let data = get(&world, &format!("/api/v1/topology/data?network_id={id}&{view}")).await;
        assert_eq!(data.data(), &one);
        let own = get(&world, &format!("/api/v1/networks/{id}/topology?layer={layer}")).await;
        for key in ["nodes", "links", "revision", "network_id"] {
            assert_eq!(one[key], own.data()[key], "{view} {key}");
        }
        let chart = get(&world, &format!("/api/v1/topology/{id}/export/mermaid?{view}")).await;
        assert!(chart.text().contains("alpha"), "{}", chart.text());
    }
    for path in ["/api/v1/topology/data", "/api/v1/topology/data?network_id="] {
        let answer = get(&world, path).await;
        assert_eq!(answer.failure().1, "validation_required");
        assert_eq!(answer.failure().2["field"], "network_id");
    }
    let odd = get(&world, &format!("/api/v1/topology/{id}?view=Workloads")).await;
    assert_eq!(odd.failure().2["field"], "view");
    let theirs = world.theirs.networks[0].id;
    for path in [format!("{theirs}"), format!("data?network_id={theirs}")] {
        let answer = get(&world, &format!("/api/v1/topology/{path}")).await;
        assert_eq!(answer.failure().1, "entity_not_found");
    }
}

#[tokio::test]
async fn what_is_not_built_is_empty_to_read_and_says_so_to_write() {
    let world = World::new().await;
    for resource in ["daemons", "discovery", "credentials", "snmp-credentials", "shares", "invites"]
    {
        let path = format!("/api/v1/{resource}");
        let page = format!("{path}?limit=10&network_id={}", world.ours.networks[0].id);
        let list = get(&world, &page).await;
        assert_eq!(list.data(), &json!([]), "{resource}");
        let pagination = &list.body["meta"]["pagination"];
        assert_eq!((&pagination["total_count"], &pagination["limit"]), (&json!(0), &json!(10)));
        let one = format!("{path}/{}", world.ours.organization);
        assert_eq!(get(&world, &one).await.failure().0, 404);
        for (method, path) in [
            (Method::POST, &path),
            (Method::PUT, &one),
            (Method::DELETE, &one),
            (Method::POST, &format!("{path}/start-session")),
        ] {
            let answer = by(&world, method, path, &world.ours.owner.key, &json!({})).await;
            let (status, code, _) = answer.failure();
            assert_eq!((status, code), (501, "not_implemented"), "{path}");
            assert!(text(&answer.body["error"]).contains("does not have them yet"));
            let answer = world.test.post(path, &json!({})).send().await;
            assert_eq!(answer.failure().0, 401, "who is nobody learns nothing");
        }
        assert_eq!(world.test.get(&path).send().await.failure().0, 401);
    }
    assert_eq!(put(&world, "/api/v1/gadgets/1", &json!({})).await.failure().0, 404);
}
