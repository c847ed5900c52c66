//! Refusals: each has the same code and the same params over both faces.

use serde_json::{Value, json};

use crate::{
    support::{
        app::Answer,
        world::{self, World},
    },
    two_faces::{CREATE_KEY, UPDATE_ENTRY, UPDATE_GROUP, entry, graphql, group, put},
};

/// Asks the same wrong thing of both faces.
fn both_refuse(what: &str, rest: &Answer, graphql: &Value) -> String {
    let (_, code, params) = rest.failure();
    let error = &graphql["errors"][0];
    let extensions = &error["extensions"];
    assert_eq!(extensions["code"], code, "{what}: {graphql} and {}", rest.body);
    assert_eq!(extensions["params"], *params, "{what}: {graphql} and {}", rest.body);
    if !code.starts_with("validation_required") && !code.starts_with("validation_invalid_format") {
        assert_eq!(error["message"], rest.body["error"], "{what}");
    }
    code.to_owned()
}

fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    *body
        .pointer_mut(&format!("/{}", field.replace('.', "/")))
        .unwrap_or_else(|| panic!("there is no {field}")) = value;
    body
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
#[tokio::test]
async fn an_entry_is_refused_alike() {
    let world = World::new().await;
    let (ours, random) = (&world.ours, "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69");
    let (one, two) = (&ours.networks[0], &ours.networks[1]);
    let (id, mut body) = entry(&world);
    body["expected_updated_at"] = json!(null);
    let key = &ours.admin.key;
    let long = |length: usize| json!("x".repeat(length));
    let fdb: Vec<_> = (0..65_537)
        .map(|n| format!("00:00:00:{:02x}:{:02x}:{:02x}", n >> 16, (n >> 8) & 255, n & 255))
        .collect();
    let theirs = &world.theirs.networks[0];
    let mut codes = Vec::new();
    for (field, value) in [
        ("if_index", json!(0)),
        ("if_index", json!(-1)),
        ("if_index", json!(2_147_483_648_i64)),
        ("if_type", json!(-1)),
        ("if_descr", json!("")),
        ("if_descr", long(256)),
        ("if_descr", json!("a\u{1}b")),
        ("if_name", long(256)),
        ("if_alias", long(256)),
        ("speed_bps", json!(-1)),
        ("lldp_sys_desc", long(4097)),
        ("cdp_platform", long(4097)),
        ("if_alias", json!("\u{7}")),
        ("lldp_chassis_id.value", long(4097)),
        ("fdb_macs", json!(fdb)),
        ("host_id", json!(random)),
        ("host_id", json!(theirs.hosts[0].id)),
        ("host_id", json!(two.hosts[0].id)),
        ("network_id", json!(random)),
        ("network_id", json!(theirs.id)),
        ("network_id", json!(two.id)),
        ("interface_id", json!(random)),
        ("interface_id", json!(one.hosts[1].interface)),
        ("interface_id", json!(theirs.hosts[0].interface)),
        ("mac_address", json!("02:00:00:00:00:02")),
        ("if_index", json!(2)),
        ("neighbor.id", json!(random)),
        ("neighbor.id", json!(id)),
        ("neighbor.id", json!(two.hosts[0].if_entries[0])),
        ("neighbor.id", json!(theirs.hosts[0].if_entries[0])),
        ("neighbor", json!({ "type": "Host", "id": one.hosts[0].id })),
        ("neighbor", json!({ "type": "Host", "id": random })),
        ("expected_updated_at", json!("2020-01-01T00:00:00Z")),
        // What GraphQL itself finds before any operation of ours.
        ("admin_status", json!("Sideways")),
        ("mac_address", json!("nonsense")),
        ("fdb_macs", json!(["00:00:00:00:00:01", "x"])),
        ("lldp_port_id.subtype", json!("Nothing")),
        ("expected_updated_at", json!("yesterday")),
        ("if_descr", json!(7)),
        ("speed_bps", json!("x")),
    ] {
        let wrong = with(&body, field, value);
        let refused = put(&world, key, &format!("/api/v1/if-entries/{id}"), &wrong).await;
        let also = graphql(&world, key, UPDATE_ENTRY, &id, &wrong).await;
        codes.push(both_refuse(
            &format!(
                "{field}: {:.60}",
                wrong.pointer(&format!("/{}", field.replace('.', "/"))).unwrap().to_string()
            ),
            &refused,
            &also,
        ));
    }
    for field in
        ["host_id", "network_id", "if_index", "if_descr", "if_type", "admin_status", "oper_status"]
    {
        let mut wrong = body.clone();
        wrong.as_object_mut().unwrap().remove(field);
        let refused = put(&world, key, &format!("/api/v1/if-entries/{id}"), &wrong).await;
        let also = graphql(&world, key, UPDATE_ENTRY, &id, &wrong).await;
        codes.push(both_refuse(&format!("no {field}"), &refused, &also));
    }
    put(&world, key, &format!("/api/v1/if-entries/{id}"), &body).await.data();
    let moved = with(&body, "mac_address", json!("02:00:00:00:00:0F"));
    let moved = with(&moved, "interface_id", json!(null));
    let refused = put(&world, key, &format!("/api/v1/if-entries/{id}"), &moved).await;
    let also = graphql(&world, key, UPDATE_ENTRY, &id, &moved).await;
    codes.push(both_refuse("another MAC", &refused, &also));
    for (credential, id) in [
        (&ours.viewer.key, &*id),
        (key, random),
        (key, &theirs.hosts[0].if_entries[0].to_string()),
        (&ours.member.key, &two.hosts[0].if_entries[0].to_string()),
    ] {
        let refused = put(&world, credential, &format!("/api/v1/if-entries/{id}"), &body).await;
        let also = graphql(&world, credential, UPDATE_ENTRY, id, &body).await;
        codes.push(both_refuse(id, &refused, &also));
    }
    for code in [
        "validation_required",
        "validation_invalid_format",
        "validation_out_of_range",
        "validation_min_length",
        "validation_max_length",
        "entity_reference_invalid",
        "entity_network_mismatch",
        "entity_already_exists",
        "field_immutable",
        "entity_changed",
        "entity_not_found",
        "auth_permission_denied",
    ] {
        assert!(codes.iter().any(|found| found == code), "no case has {code}: {codes:?}");
    }
}

#[tokio::test]
async fn a_group_and_a_key_are_refused_alike() {
    let world = World::new().await;
    let (ours, random) = (&world.ours, json!("0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69"));
    let (one, two, theirs) = (&ours.networks[0], &ours.networks[1], &world.theirs.networks[0]);
    let (id, body) = group(&world);
    let bindings = one.hosts[0].bindings;
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(101))),
        ("name", json!("\u{0}")),
        ("description", json!("é".repeat(501))),
        ("color", json!("Beige")),
        ("edge_style", json!("Wavy")),
        ("binding_ids", json!([bindings[0], bindings[1], bindings[0]])),
        ("binding_ids", json!([bindings[0], random])),
        ("binding_ids", json!([two.hosts[0].bindings[0]])),
        ("binding_ids", json!([theirs.hosts[0].bindings[0]])),
        ("tags", json!([ours.tags[0], ours.tags[0]])),
        ("tags", json!([random])),
        ("tags", json!([world.theirs.tags[0]])),
        ("network_id", random.clone()),
        ("network_id", json!(two.id)),
        ("network_id", json!(theirs.id)),
    ] {
        let wrong = with(&body, field, value);
        let refused = put(&world, &ours.owner.key, &format!("/api/v1/groups/{id}"), &wrong).await;
        let also = graphql(&world, &ours.owner.key, UPDATE_GROUP, &id, &wrong).await;
        both_refuse(&format!("{field}: {}", wrong[field]), &refused, &also);
    }
    let body = json!({
        "name": "key", "organization_id": ours.organization, "user_id": ours.member.id, "tags": [], "permissions": "Viewer",
        "network_ids": [one.id], "expires_at": null,
    });
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(101))),
        ("permissions", json!("Admin")),
        ("permissions", json!("God")),
        ("user_id", json!(ours.owner.id)),
        ("user_id", random.clone()),
        ("organization_id", json!(world.theirs.organization)),
        ("network_ids", json!([two.id])),
        ("network_ids", json!([random])),
        ("network_ids", json!([one.id, one.id])),
        ("expires_at", json!("2020-01-01T00:00:00Z")),
        ("expires_at", json!("soon")),
        ("tags", json!([random])),
        ("tags", json!([ours.tags[0], ours.tags[0]])),
        ("tags", json!([world.theirs.tags[0]])),
    ] {
        let wrong = with(&body, field, value);
        let refused = world
            .test
            .post("/api/v1/auth/keys", &wrong)
            .credential(&ours.member.session)
            .send()
            .await;
        let also = graphql(&world, &ours.member.session, CREATE_KEY, "", &wrong).await;
        both_refuse(&format!("{field}: {}", wrong[field]), &refused, &also);
    }
    let refused =
        world.test.post("/api/v1/auth/keys", &body).credential(&ours.member.key).send().await;
    let also = graphql(&world, &ours.member.key, CREATE_KEY, "", &body).await;
    assert_eq!(both_refuse("by a key", &refused, &also), "auth_user_context_required");
}

#[tokio::test]
async fn credentials_are_refused_alike() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let mut cases = vec![
        ("none".to_owned(), None),
        ("nonsense".to_owned(), Some("Bearer x".to_owned())),
        ("another scheme".to_owned(), Some("Basic eDp5".to_owned())),
        ("an unknown key".to_owned(), Some(format!("Bearer scp_u_{}", "0".repeat(32)))),
    ];
    let user =
        toposcope::users::viewer_of(&world.test.app, "owner@ours.example.com").await.unwrap();
    assert_eq!(user.user_id, owner.id);
    world::change_key(&world.test, owner.key_id, |key| {
        key.is_enabled = sea_orm::ActiveValue::Set(false);
    })
    .await;
    cases.push(("a disabled key".to_owned(), Some(format!("Bearer {}", owner.key))));
    let expired = &world.ours.admin;
    world::change_key(&world.test, expired.key_id, |key| {
        key.expires_at = sea_orm::ActiveValue::Set(Some("2020-01-01T00:00:00Z".parse().unwrap()));
    })
    .await;
    cases.push(("an expired key".to_owned(), Some(format!("Bearer {}", expired.key))));
    for (what, header) in cases {
        let list = world.test.get("/api/v1/services");
        let query = world.test.post("/graphql", &json!({ "query": "{ __typename }" }));
        let (list, query) = match &header {
            Some(header) => {
                (list.header("authorization", header), query.header("authorization", header))
            }
            None => (list, query),
        };
        let (list, query) = (list.send().await, query.send().await);
        assert_eq!(list.status, query.status, "{what}");
        assert_eq!(list.header("www-authenticate"), query.header("www-authenticate"), "{what}");
        both_refuse(&what, &list, &query.body);
    }
}

#[tokio::test]
async fn a_list_in_place_of_an_object_is_of_the_wrong_type() {
    let world = World::new().await;
    let (admin, network) = (&world.ours.admin.key, &world.ours.networks[0]);
    let entry = network.entry_path(0);
    let host = format!("/api/v1/hosts/{}", network.hosts[0].id);
    let stored = world.test.get(&host).credential(admin).send().await.data().clone();
    let mac = json!(["MacAddress", "02:00:00:00:00:0F"]);
    let engine = json!(network.hosts[0].services[0]);
    for (path, body, field, value) in [
        (&entry, network.entry_body(0), "neighbor", json!(["Host", network.hosts[1].id])),
        (&entry, network.entry_body(0), "lldp_chassis_id", mac.clone()),
        (&entry, network.entry_body(0), "lldp_port_id", mac),
        (&host, stored.clone(), "virtualization", json!(["Proxmox", { "service_id": engine }])),
        (
            &host,
            stored,
            "virtualization",
            json!({ "type": "Proxmox", "details": [null, null, engine] }),
        ),
    ] {
        let body = crate::support::bodies::with(&body, &json!({ (field): value }));
        let refused = put(&world, admin, path, &body).await;
        let (status, code, params) = refused.failure();
        assert_eq!((status, code), (400, "validation_invalid_format"), "{field}: {value}");
        let named = params["field"].as_str().unwrap();
        assert!(named.starts_with(field), "{field}: {named}");
    }
}
