//! Which stored things those of a document are.

use sea_orm::{ColumnTrait as _, EntityTrait, QueryFilter as _};
use serde_json::{Value, json};
use toposcope::{error::Error, hosts, interfaces, networks, services, subnets};
use toposcope_types::{Id, SubnetType};

use crate::inventory::{self, Importer, entry, full, merge, with};

#[tokio::test]
async fn a_host_is_found_by_its_name_and_then_by_its_chassis_id() {
    let importer = Importer::new().await;
    importer.import(&with(json!([{ "name": "old", "chassis_id": "00:11:22:aa:bb:cc" }]))).await;
    let before = importer.all::<hosts::Entity>().await;
    let report =
        importer.import(&with(json!([{ "name": "new", "chassis_id": "0011.22AA.BBCC" }]))).await;
    assert_eq!(report.of("hosts"), [0, 1, 0, 0]);
    let after = importer.all::<hosts::Entity>().await;
    assert_eq!((after[0].id, after[0].name.as_str()), (before[0].id, "new"));
    // A name is believed before a chassis id.
    let report = importer
        .import(&with(
            json!([{ "name": "other", "chassis_id": "00:11:22:aa:bb:cc" }, { "name": "new" }]),
        ))
        .await;
    assert_eq!(report.of("hosts"), [1, 0, 1, 0]);
}

#[tokio::test]
async fn a_text_left_out_of_a_host_stays_and_null_empties_it() {
    let importer = Importer::new().await;
    importer.import(&with(json!([{ "name": "a", "description": "noted", "sys_name": "x" }]))).await;
    importer.import(&with(json!([{ "name": "a", "sys_name": null, "model": "M" }]))).await;
    let host = importer.all::<hosts::Entity>().await.remove(0);
    assert_eq!(host.description.as_deref(), Some("noted"));
    assert_eq!((host.sys_name, host.model.as_deref()), (None, Some("M")));
}

#[tokio::test]
async fn an_interface_goes_to_the_subnet_of_its_prefix_or_the_most_specific_that_contains_it() {
    let importer = Importer::new().await;
    let mut document = with(json!([{ "name": "a", "interfaces": [
        { "ip_address": "10.0.1.5" },
        { "ip_address": "10.0.2.5", "prefix_length": 32 },
        { "ip_address": "192.168.7.9", "prefix_length": 24 },
        { "ip_address": "192.168.7.10", "prefix_length": 32 },
        { "ip_address": "8.8.8.8", "prefix_length": 29 },
        { "ip_address": "fd00::1", "prefix_length": 64 },
        { "ip_address": "2001:db8::1", "prefix_length": 128 },
        { "ip_address": "128.0.0.1", "prefix_length": 2 },
    ] }]));
    merge(
        &mut document,
        json!({ "subnets": [
        { "cidr": "10.0.0.0/16", "name": "wide" }, { "cidr": "10.0.1.0/24", "subnet_type": "Dmz" } ] }),
    );
    let report = importer.import(&document).await;
    assert_eq!(report.of("subnets"), [8, 0, 0, 0]);
    let subnets = importer.all::<subnets::Entity>().await;
    let of = |id: Id| subnets.iter().find(|subnet| subnet.id == id).unwrap();
    let found: Vec<_> = importer
        .all::<interfaces::Entity>()
        .await
        .iter()
        .map(|row| {
            (
                row.ip_address.to_string(),
                of(row.subnet_id).name.clone(),
                of(row.subnet_id).subnet_type,
            )
        })
        .collect();
    let expected = [
        ("10.0.1.5", "10.0.1.0/24", SubnetType::Dmz),
        ("10.0.2.5", "wide", SubnetType::Lan),
        ("192.168.7.9", "192.168.7.0/24", SubnetType::Lan),
        ("192.168.7.10", "192.168.7.10/32", SubnetType::Management),
        ("8.8.8.8", "8.8.8.8/29", SubnetType::Unknown),
        ("fd00::1", "fd00::/64", SubnetType::Lan),
        ("2001:db8::1", "2001:db8::1/128", SubnetType::Management),
        ("128.0.0.1", "128.0.0.0/2", SubnetType::Unknown),
    ];
    for (found, (address, name, kind)) in found.iter().zip(expected) {
        assert_eq!(*found, (address.to_owned(), name.to_owned(), kind));
    }
    let again = importer.import(&document).await;
    assert!(again.is_unchanged(), "{again}");
    assert_eq!(again.of("subnets"), [0, 0, 8, 0]);
}

#[tokio::test]
async fn an_entry_is_tied_to_the_first_address_that_names_it_and_has_its_mac_address() {
    let importer = Importer::new().await;
    let mac = "00:11:22:33:44:55";
    let document = with(json!([{ "name": "a",
        "interfaces": [
            { "ip_address": "10.0.0.1", "prefix_length": 24, "if_name": "eth1" },
            { "ip_address": "10.0.0.2", "prefix_length": 24, "if_name": "eth1" },
            { "ip_address": "10.0.0.3", "prefix_length": 24, "if_name": "eth2", "mac_address": mac },
            { "ip_address": "10.0.0.1", "prefix_length": 24, "if_name": "eth3" },
        ],
        "if_entries": [
            entry(1, json!({ "if_name": "eth1", "mac_address": mac })),
            entry(2, json!({ "if_name": "eth2", "mac_address": "00:11:22:33:44:66" })),
            entry(3, json!({})),
            entry(4, json!({ "ip_address": "10.0.0.2" })),
        ] }]));
    let report = importer.import(&document).await;
    let of = |address: &'static str| {
        let rows = interfaces::Entity::find();
        let rows = rows.filter(interfaces::Column::IpAddress.eq(address));
        let db = importer.test.app.db.reader();
        async move { rows.one(db).await.unwrap().map(|row| row.id) }
    };
    assert_eq!(importer.entry(1).await.interface_id, of("10.0.0.1").await);
    assert_eq!(importer.entry(2).await.interface_id, None);
    assert_eq!(importer.entry(3).await.interface_id, of("10.0.0.1").await);
    assert_eq!(importer.entry(4).await.interface_id, of("10.0.0.2").await);
    assert_eq!(report.of("interfaces"), [3, 0, 0, 0]);
    assert_eq!(report.notes.len(), 2, "{report}");
    assert!(report.notes[0].contains("10.0.0.1"), "{report}");
    assert!(report.notes[1].contains("another MAC address"), "{report}");
    assert!(importer.import(&document).await.is_unchanged());
    // An export says what an import could not guess.
    let elsewhere = Importer::new().await;
    let text = importer.export().await;
    elsewhere.try_text(&text, false).await.unwrap();
    assert!(elsewhere.entry(3).await.interface_id.is_some());
    assert_eq!(elsewhere.export().await, text);
}

#[tokio::test]
async fn a_new_network_is_made_and_one_of_several_namesakes_must_be_named_by_id() {
    let mut importer = Importer::new().await;
    let document = with(json!([{ "name": "a" }]));
    importer.import(&document).await;
    let organization = importer.target.organization_id;
    let twin =
        networks::insert(importer.test.app.db.writer(), Id::new(), organization, "lab".to_owned());
    let twin = twin.await.unwrap();
    let fault = importer.fault(&document).await;
    assert!(fault.contains("`network.name`") && fault.contains("`--network`"), "{fault}");
    importer.target.network_id = Some(twin.id);
    let report = importer
        .import(&json!({ "format": "toposcope.inventory/1", "hosts": [{ "name": "b" }] }))
        .await;
    assert!(!report.network_created);
    // A network of another organization does not exist for this one.
    importer.target.organization_id = inventory::organization(&importer.test, "theirs").await;
    assert!(matches!(
        importer.try_text(&document.to_string(), false).await,
        Err(Error::NotFound { .. })
    ));
}

#[tokio::test]
async fn tags_that_exist_keep_their_looks_and_missing_ones_are_reported() {
    let importer = Importer::new().await;
    let report = importer.import(&full()).await;
    assert_eq!(report.new_tags, ["prod", "spare"]);
    assert!(report.to_string().contains("new tags: prod, spare"), "{report}");
    let mut document = full();
    document["tags"][0]["color"] = json!("Blue");
    document["hosts"][0]["tags"] = json!(["prod"]);
    let report = importer.import(&document).await;
    assert_eq!(report.of("hosts"), [0, 1, 0, 0]);
    assert_eq!(report.of("tags"), [0; 4]);
    // Whoever asks again sees by its revision that there is something new.
    let before = importer.network().await;
    document["network"]["tags"] = json!(["spare"]);
    importer.import(&document).await;
    let after = importer.network().await;
    assert!(after.revision > before.revision, "{after:?}");
    assert!(after.updated_at > before.updated_at, "{after:?}");
}

#[tokio::test]
async fn services_of_one_name_are_told_apart_by_their_order() {
    let importer = Importer::new().await;
    let service = |definition: &str| json!({ "name": "s", "service_definition": definition });
    let document = |services: Value| with(json!([{ "name": "a", "services": services }]));
    importer.import(&document(json!([service("A"), service("B")]))).await;
    let before = importer.all::<services::Entity>().await;
    let report = importer.import(&document(json!([service("A"), service("C")]))).await;
    assert_eq!(report.of("services"), [0, 1, 1, 0]);
    let after = importer.all::<services::Entity>().await;
    assert_eq!(after[1].id, before[1].id);
    assert_eq!(after[1].service_definition, "C");
}
