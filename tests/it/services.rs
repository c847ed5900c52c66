//! The list of services: what it shows, which ones, and their categories.

use std::sync::Arc;

use sea_orm::{ActiveValue::Set, EntityTrait as _};
use serde_json::{Value, json};
use toposcope::{
    auth::rate_limit::RateLimits, bindings, router, schema, service_definitions::Definitions,
    services,
};
use toposcope_types::{
    BindingType, Id, ServiceVirtualization, Source, Timestamp, virtualization::DockerVirtualization,
};

use crate::support::{
    app::Answer,
    bodies::shape,
    bulk,
    world::{World, insert},
};

async fn list(world: &World, query: &str) -> Answer {
    let get = world.test.get(&format!("/api/v1/services?{query}"));
    get.credential(&world.ours.admin.key).send().await
}

/// The names of the services that a query finds, sorted, after a look at the total.
async fn names(world: &World, query: &str) -> Vec<String> {
    let answer = list(world, query).await;
    let mut names: Vec<String> = answer
        .data()
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort_unstable();
    assert_eq!(answer.body["meta"]["pagination"]["total_count"], names.len(), "{query}");
    names
}

#[tokio::test]
async fn the_answer_has_the_recorded_shape() {
    let world = World::new().await;
    let answer = list(&world, "limit=1&order_by=name&order_direction=desc").await;
    let recorded = json!({ "success": true, "data": [{
        "id": Id::new(), "created_at": "2026-11-27T21:42:51.059464Z",
        "updated_at": "2026-11-27T21:42:51.059464Z", "host_id": Id::new(), "network_id": Id::new(),
        "service_definition": "SSH", "name": "SSH", "bindings": [{
            "id": Id::new(), "created_at": "2026-11-27T21:42:51.059464Z",
            "updated_at": "2026-11-27T21:42:51.059464Z", "service_id": Id::new(),
            "network_id": Id::new(), "type": "Port", "port_id": Id::new(),
            "interface_id": Id::new() }],
        "virtualization": null, "source": { "type": "Manual" }, "tags": [], "position": 0 }],
        "meta": { "api_version": 1, "server_version": "0.14.13", "pagination":
            { "total_count": 6, "limit": 1, "offset": 0, "has_more": true } } });
    assert_eq!(shape(&answer.body), shape(&recorded));
    let network = &world.ours.networks[0];
    let query = format!("ids={}", network.hosts[0].services[1]);
    let nginx = list(&world, &query).await.data()[0].clone();
    assert_eq!(nginx["tags"], json!(world.ours.tags));
    assert_eq!(nginx["host_id"], json!(network.hosts[0].id));
    assert_eq!(nginx["position"], 1);
    let bindings = nginx["bindings"].as_array().unwrap();
    let ids: Vec<&Value> = bindings.iter().map(|binding| &binding["id"]).collect();
    assert_eq!(json!(ids), json!(network.hosts[0].bindings[1..]), "in the order of creation");
    assert_eq!(
        bindings[0].get("interface_id"),
        Some(&Value::Null),
        "null is the port on all interfaces"
    );
    assert_eq!(bindings[0]["port_id"], json!(network.hosts[0].ports[1]));
}

#[tokio::test]
async fn every_kind_of_source_binding_and_virtualization_has_its_shape() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let [ssh, nginx] = network.hosts[0].services;
    let docker = |name: Option<&str>| {
        ServiceVirtualization::Docker(DockerVirtualization {
            container_name: name.map(str::to_owned),
            container_id: None,
            service_id: ssh,
        })
    };
    let scan = json!({ "type": "Network", "date": "2026-01-01T00:00:00Z", "free": [1, null] });
    let metadata = vec![scan.clone()];
    let query = format!("ids={nginx}");
    for (source, expected) in [
        (Source::Manual, json!({ "type": "Manual" })),
        (Source::System, json!({ "type": "System" })),
        (Source::Unknown, json!({ "type": "Unknown" })),
        (
            Source::Discovery { metadata: metadata.clone() },
            json!({ "type": "Discovery", "metadata": [scan] }),
        ),
        (
            Source::DiscoveryWithMatch { metadata, details: json!({ "confidence": "High" }) },
            json!({ "type": "DiscoveryWithMatch", "metadata": [scan], "details": { "confidence": "High" } }),
        ),
    ] {
        let row = services::ActiveModel {
            id: Set(nginx),
            source: Set(source),
            virtualization: Set(Some(docker(Some("web")))),
            ..Default::default()
        };
        services::Entity::update(row).exec(world.test.app.db.writer()).await.unwrap();
        let found = list(&world, &query).await.data()[0].clone();
        assert_eq!(found["source"], expected);
        let details = json!({ "container_name": "web", "container_id": null, "service_id": ssh });
        assert_eq!(found["virtualization"], json!({ "type": "Docker", "details": details }));
    }
    let now = Timestamp::now();
    let interface = bindings::Model {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        service_id: nginx,
        network_id: network.id,
        binding_type: BindingType::Interface,
        port_id: None,
        interface_id: Some(network.hosts[0].interface),
    };
    let expected = json!({ "id": interface.id, "created_at": now, "updated_at": now, "service_id": nginx,
        "network_id": network.id, "type": "Interface", "interface_id": network.hosts[0].interface });
    insert::<bindings::Entity, _>(&world.test, interface).await;
    assert_eq!(list(&world, &query).await.data()[0]["bindings"][2], expected);
}

#[tokio::test]
async fn filters_narrow_and_combine() {
    let world = World::new().await;
    let [one, two] = &world.ours.networks;
    let [red, blue] = world.ours.tags;
    let (alpha, ssh) = (one.hosts[0].id, one.hosts[0].services[0]);
    let twice = |names: &[&str]| {
        let mut all: Vec<String> = names.iter().chain(names).map(|&name| name.to_owned()).collect();
        all.sort_unstable();
        all
    };
    let four = ["Nginx on alpha", "Nginx on beta", "SSH on alpha", "SSH on beta"];
    assert_eq!(names(&world, "").await, twice(&four));
    for (query, expected) in [
        (format!("network_id={}", one.id), four.as_slice()),
        (format!("network_id={}", two.id), &four),
        (format!("host_id={alpha}"), &["Nginx on alpha", "SSH on alpha"]),
        (format!("ids={ssh}"), &["SSH on alpha"]),
        (format!("tag_ids={red}&network_id={}", one.id), &["Nginx on alpha"]),
        (format!("tag_ids={red},{blue}&network_id={}", one.id), &["Nginx on alpha"]),
        (format!("host_id={alpha}&network_id={}", one.id), &["Nginx on alpha", "SSH on alpha"]),
        (format!("host_id={alpha}&network_id={}", two.id), &[]),
        (format!("host_id={alpha}&tag_ids={blue}"), &["Nginx on alpha"]),
        (format!("ids={ssh}&tag_ids={blue}"), &[]),
        (format!("ids={ssh}&exclude_categories=NetworkAccess"), &[]),
        (format!("host_id={alpha}&exclude_categories=NetworkAccess"), &["Nginx on alpha"]),
    ] {
        assert_eq!(names(&world, &query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_filter_that_matches_nothing_gives_an_empty_page() {
    let world = World::new().await;
    let theirs = &world.theirs.networks[0];
    let unreachable = &world.ours.networks[1];
    for query in [
        format!("network_id={}", Id::new()),
        format!("network_id={}", theirs.id),
        format!("network_id={}", unreachable.id),
        format!("host_id={}", Id::new()),
        format!("host_id={}", theirs.hosts[0].id),
        format!("host_id={}", unreachable.hosts[0].id),
        format!("ids={}", Id::new()),
        format!("ids={},{}", theirs.hosts[0].services[0], unreachable.hosts[0].services[0]),
        format!("tag_ids={}", Id::new()),
        format!("tag_ids={}", world.theirs.tags[0]),
    ] {
        for suffix in ["", "&limit=0", "&group_by=host&order_by=name"] {
            let get = world.test.get(&format!("/api/v1/services?{query}{suffix}"));
            let answer = get.credential(&world.ours.member.key).send().await;
            assert_eq!(*answer.data(), json!([]), "{query}");
            let pagination = &answer.body["meta"]["pagination"];
            assert_eq!(
                (&pagination["total_count"], &pagination["has_more"]),
                (&json!(0), &json!(false))
            );
        }
    }
}

#[tokio::test]
async fn categories_follow_from_the_definition_and_the_rest_is_unknown() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let definitions = ["PostgreSQL", "postgresql", "Unbound", "our own thing", "", "Gitea"];
    bulk::services(&world.test, network, world.ours.tags[0], definitions.len(), |nth, row| {
        row.service_definition = definitions[nth].to_owned();
        row.name = format!("{nth} {}", definitions[nth]);
    })
    .await;
    let host = format!("host_id={}", network.hosts[0].id);
    let all = [
        "0 PostgreSQL",
        "1 postgresql",
        "2 Unbound",
        "3 our own thing",
        "4 ",
        "5 Gitea",
        "Nginx on alpha",
        "SSH on alpha",
    ];
    let but = |gone: &[&str]| -> Vec<&str> {
        all.iter().copied().filter(|name| !gone.contains(name)).collect()
    };
    for (categories, expected) in [
        ("", but(&[])),
        ("Custom", but(&[])),
        ("Printer", but(&[])),
        ("Database", but(&["0 PostgreSQL", "1 postgresql"])),
        ("DNS", but(&["2 Unbound"])),
        ("Unknown", but(&["3 our own thing", "4 "])),
        ("Unknown,Custom", but(&["3 our own thing", "4 "])),
        (
            "Unknown,DNS,Database",
            but(&["0 PostgreSQL", "1 postgresql", "2 Unbound", "3 our own thing", "4 "]),
        ),
        (
            "Development&exclude_categories=ReverseProxy,NetworkAccess",
            but(&["5 Gitea", "Nginx on alpha", "SSH on alpha"]),
        ),
    ] {
        let found = names(&world, &format!("{host}&exclude_categories={categories}")).await;
        assert_eq!(found, expected, "{categories}");
    }
    let every = "NetworkCore,NetworkAccess,NetworkSecurity,Storage,Backup,Media,HomeAutomation,Virtualization,DNS,\
        VPN,SNMP,Monitoring,AdBlock,ReverseProxy,Workstation,Mobile,IoT,Printer,Database,Development,Dashboard,\
        MessageQueue,IdentityAndAccess,Office,ProjectManagement,Messaging,Conferencing,Telephony,Email,Publishing,\
        Unknown,Custom";
    assert_eq!(every.split(',').count(), 32);
    for category in every.split(',') {
        list(&world, &format!("exclude_categories={category}")).await.data();
    }
    assert!(names(&world, &format!("exclude_categories={every}")).await.is_empty());
    let known = every.replace("Unknown,Custom", "Custom");
    let left = names(&world, &format!("{host}&exclude_categories={known}")).await;
    assert_eq!(left, ["3 our own thing", "4 "]);
    let kept = list(&world, &format!("{host}&order_by=name&limit=4")).await.data()[3].clone();
    assert_eq!(kept["service_definition"], "our own thing", "kept as it is");
}

#[tokio::test]
async fn an_operator_adds_to_the_table_and_changes_it() {
    let mut world = World::new().await;
    let table = "name,category,ports\nOur Own Thing,Custom,8443/tcp\nSSH,Unknown,22/tcp\n";
    world.test.app.definitions = Arc::new(Definitions::with_file(table).unwrap());
    world.test.router = router::router(world.test.app.clone(), schema::schema(), RateLimits::off());
    let network = &world.ours.networks[0];
    bulk::services(&world.test, network, world.ours.tags[0], 2, |nth, row| {
        row.service_definition = ["our own THING", "PostgreSQL"][nth].to_owned();
        row.name = ["custom", "database"][nth].to_owned();
    })
    .await;
    let host = format!("host_id={}", network.hosts[0].id);
    for (categories, expected) in [
        ("", ["Nginx on alpha", "SSH on alpha", "custom", "database"].as_slice()),
        ("Custom", &["Nginx on alpha", "SSH on alpha", "database"]),
        ("NetworkAccess", &["Nginx on alpha", "SSH on alpha", "custom", "database"]),
        ("Unknown", &["Nginx on alpha", "custom", "database"]),
        ("Unknown,Custom,Database", &["Nginx on alpha"]),
    ] {
        let found = names(&world, &format!("{host}&exclude_categories={categories}")).await;
        assert_eq!(found, expected, "{categories}");
    }
}
