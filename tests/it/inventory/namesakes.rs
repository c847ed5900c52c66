//! Hosts and groups of one name in documents: out, in again, and into what is there.

use std::collections::BTreeMap;

use sea_orm::EntityTrait as _;
use serde_json::{Value, json};
use toposcope::{groups, hosts, if_entries, inventory};
use toposcope_types::{Id, Timestamp};

use crate::{
    inventory::Importer,
    support::{
        app::TestApp,
        wiring::{device, lldp, port},
        world::insert,
    },
};

fn document(hosts: &Value, groups: &Value) -> Value {
    json!({
        "format": "toposcope.inventory/1", "network": { "name": "lab" },
        "hosts": hosts, "groups": groups,
    })
}

/// A host that is told from its namesakes by `reference`, with one port, which hears `hears`, and a
/// web service.
fn host(name: &str, reference: &str, more: &Value, hears: &Value) -> Value {
    let mut host = device(name, &[port(1, "Gi0/1", hears)], more);
    host["ref"] = json!(reference);
    host["services"] = json!([{
        "name": "web", "service_definition": "Nginx",
        "bindings": [{ "type": "Port", "number": 80, "protocol": "Tcp" }],
    }]);
    host
}

/// Five hosts of which three are called the same and one almost, in a group in an order of their own.
fn lab() -> Value {
    let hears = |chassis: &str| lldp(["LocallyAssigned", chassis], ["InterfaceName", "Gi0/1"]);
    let none = json!({});
    let mut plain = host("switch", "x", &none, &hears("C2"));
    plain.as_object_mut().unwrap().remove("ref");
    let hosts = json!([
        plain,
        host("printer", "c", &json!({ "chassis_id": "C3", "sys_location": "attic" }), &none),
        host("printer", "a", &json!({ "chassis_id": "C1", "sys_location": "hall" }), &none),
        {
            "name": "Printer", "description": "another",
            "services": [{ "name": "web", "service_definition": "Nginx",
                           "bindings": [{ "type": "Port", "number": 80, "protocol": "Tcp" }] }],
        },
        host("printer", "b", &json!({ "chassis_id": "C2", "sys_location": "cellar" }), &none),
    ]);
    let member = |name: &str, reference: Option<&str>| {
        let mut member = json!({ "host": name, "service": "web", "number": 80, "protocol": "Tcp" });
        if let Some(reference) = reference {
            member["host_ref"] = json!(reference);
        }
        member
    };
    let group = |reference: &str, description: &str, members: Vec<Value>| {
        json!({
            "name": "web", "ref": reference, "group_type": "RequestPath", "description": description,
            "bindings": members,
        })
    };
    let groups = json!([
        group(
            "1",
            "one way",
            vec![
                member("printer", Some("b")),
                member("Printer", None),
                member("printer", Some("c")),
                member("switch", None),
                member("printer", Some("a")),
            ]
        ),
        group("2", "the other", vec![member("printer", Some("a")), member("printer", Some("b"))]),
    ]);
    document(&hosts, &groups)
}

/// Returns the location of each host by its id, and the members of each group in their order.
async fn told(importer: &Importer) -> (BTreeMap<Id, Option<String>>, Vec<Vec<String>>) {
    let hosts = importer.all::<hosts::Entity>().await;
    let locations = hosts.iter().map(|host| (host.id, host.sys_location.clone())).collect();
    let exported: Value = serde_json::from_str(&importer.export().await).unwrap();
    let called = |name: &Value, reference: &Value| {
        let hosts = exported["hosts"].as_array().unwrap().iter();
        let mut found = hosts.filter(|host| host["name"] == *name && host["ref"] == *reference);
        let host = found.next().unwrap();
        assert!(found.next().is_none(), "{name} {reference} are several");
        host["sys_location"].as_str().or(host["name"].as_str()).unwrap().to_owned()
    };
    let groups = exported["groups"].as_array().unwrap().iter().map(|group| {
        let members = group["bindings"].as_array().unwrap().iter();
        members.map(|member| called(&member["host"], &member["host_ref"])).collect()
    });
    (locations, groups.collect())
}

#[tokio::test]
async fn namesakes_come_back_as_they_were_exported() {
    let importer = Importer::new().await;
    importer.import(&lab()).await;
    let (before, groups) = told(&importer).await;
    assert_eq!(groups[0], ["cellar", "Printer", "attic", "switch", "hall"]);
    assert_eq!(groups[1], ["hall", "cellar"]);
    // Into the network that they are from: nothing changes, whichever stands first.
    let text = importer.export().await;
    assert!(importer.try_text(&text, false).await.unwrap().is_unchanged());
    let mut turned: Value = serde_json::from_str(&text).unwrap();
    turned["hosts"].as_array_mut().unwrap().reverse();
    let report = importer.try_text(&turned.to_string(), false).await.unwrap();
    assert!(report.is_unchanged(), "{report}");
    assert_eq!(told(&importer).await, (before, groups.clone()));
    // And elsewhere: the same text, the same neighbors.
    let elsewhere = Importer::new().await;
    elsewhere.try_text(&text, false).await.unwrap();
    assert_eq!(elsewhere.export().await, text);
    assert_eq!(told(&elsewhere).await.1, groups);
    for importer in [&importer, &elsewhere] {
        let hosts = importer.all::<hosts::Entity>().await;
        let entries = importer.all::<if_entries::Entity>().await;
        let of = |host: Id| entries.iter().find(|entry| entry.host_id == host).unwrap();
        let switch = hosts.iter().find(|host| host.name == "switch").unwrap();
        let cellar = hosts.iter().find(|host| host.sys_location.as_deref() == Some("cellar"));
        assert_eq!(of(switch.id).neighbor_if_entry_id, Some(of(cellar.unwrap().id).id));
    }
}

#[tokio::test]
async fn pins_and_what_runs_a_host_stay_with_each_of_several_namesakes() {
    let importer = Importer::new().await;
    importer.import(&lab()).await;
    let text = importer.export().await;
    let hosts = importer.all::<hosts::Entity>().await;
    let entries = importer.all::<if_entries::Entity>().await;
    let at = |location: &str| {
        hosts.iter().find(|host| host.sys_location.as_deref() == Some(location)).unwrap()
    };
    let port_of = |host: &hosts::Host| entries.iter().find(|row| row.host_id == host.id).unwrap();
    let (hall, attic) = (port_of(at("hall")), port_of(at("attic")));
    let pin = "UPDATE if_entry SET neighbor_if_entry_id = $1, neighbor_pinned = TRUE WHERE id = $2";
    importer.test.sql(pin, [attic.id.into(), hall.id.into()]).await;
    let services = importer.all::<toposcope::services::Entity>().await;
    let runs = services.iter().find(|service| service.host_id == at("hall").id).unwrap().id;
    let virtualization = json!({ "type": "Proxmox", "details": { "vm_name": null, "vm_id": null, "service_id": runs } });
    let run = "UPDATE host SET virtualization = $1 WHERE id = $2";
    let run = if std::env::var("TEST_DATABASE_URL").is_ok() {
        run.replace("$1", "$1::jsonb")
    } else {
        run.to_owned()
    };
    importer.test.sql(&run, [virtualization.to_string().into(), at("attic").id.into()]).await;

    let mut turned: Value = serde_json::from_str(&text).unwrap();
    turned["hosts"].as_array_mut().unwrap().reverse();
    for host in turned["hosts"].as_array_mut().unwrap() {
        host["description"] = json!("read again");
    }
    importer.import(&turned).await;
    let again = importer.all::<if_entries::Entity>().await;
    let pinned: Vec<_> = again.iter().filter(|row| row.neighbor_pinned).collect();
    assert_eq!(pinned.len(), 1);
    assert_eq!((pinned[0].id, pinned[0].neighbor_if_entry_id), (hall.id, Some(attic.id)));
    let hosts = importer.all::<hosts::Entity>().await;
    let virtual_ones: Vec<_> = hosts.iter().filter(|host| host.virtualization.is_some()).collect();
    assert_eq!(virtual_ones.len(), 1);
    assert_eq!(virtual_ones[0].sys_location.as_deref(), Some("attic"));
    assert_eq!(virtual_ones[0].description.as_deref(), Some("read again"));
}

/// Makes hosts that nothing but their ids tells apart.
async fn alike(test: &TestApp, network: Id, count: usize) {
    for nth in 0..count {
        let host = hosts::Host {
            name: "twin".to_owned(),
            description: Some(format!("made as number {nth}")),
            ..hosts::Host::blank(Id::new(), network, Timestamp::now())
        };
        insert::<hosts::Entity, _>(test, host).await;
    }
}

#[tokio::test]
async fn hosts_that_nothing_tells_apart_are_taken_in_their_order_or_not_at_all() {
    for count in [2, 3] {
        let importer = Importer::new().await;
        importer.import(&document(&json!([]), &json!([]))).await;
        let network = importer.network().await.id;
        alike(&importer.test, network, count).await;
        let text = importer.export().await;
        let report = importer.try_text(&text, false).await.unwrap();
        assert!(report.is_unchanged(), "{report}");
        let elsewhere = Importer::new().await;
        elsewhere.try_text(&text, false).await.unwrap();
        assert_eq!(elsewhere.export().await, text);
        // Some of them are too few to say which they are.
        let fewer = document(&json!([{ "name": "twin" }]), &json!([]));
        let fault = importer.fault(&fewer).await;
        assert!(fault.contains("several stored hosts are called `twin`"), "{fault}");
        // Where there is one more, it is new.
        let mut more: Value = serde_json::from_str(&text).unwrap();
        let another = json!({ "name": "twin", "ref": "new", "serial_number": "S9" });
        more["hosts"].as_array_mut().unwrap().push(another);
        assert_eq!(importer.import(&more).await.of("hosts")[0], 1);
        assert!(importer.import(&more).await.is_unchanged());
    }
}

#[tokio::test]
async fn each_mark_that_devices_have_tells_namesakes_apart() {
    let interface = |mac: Value, address: &str| json!([{ "ip_address": address, "prefix_length": 24, "mac_address": mac }]);
    for marks in [
        [
            json!({ "chassis_id": "00:11:22:33:44:01" }),
            json!({ "chassis_id": "00:11:22:33:44:02" }),
        ],
        [json!({ "serial_number": "S1" }), json!({ "serial_number": "S2" })],
        [
            json!({ "interfaces": interface(json!("00:11:22:33:44:01"), "10.0.0.1") }),
            json!({ "interfaces": interface(json!("00:11:22:33:44:02"), "10.0.0.1") }),
        ],
        [json!({ "management_address": "10.0.0.1" }), json!({ "management_address": "10.0.0.2" })],
        [
            json!({ "interfaces": interface(Value::Null, "10.0.0.1") }),
            json!({ "interfaces": interface(Value::Null, "10.0.0.2") }),
        ],
    ] {
        let importer = Importer::new().await;
        let named = |mark: &Value, reference: &str, more: &str| {
            let mut host = mark.clone();
            (host["name"], host["ref"]) = (json!("box"), json!(reference));
            host["description"] = json!(more);
            host
        };
        let both = |first: usize, texts: [&str; 2]| {
            let hosts = [0, 1].map(|nth| {
                let which = (first + nth) % 2;
                named(&marks[which], &format!("{nth}"), texts[which])
            });
            document(&json!(hosts), &json!([]))
        };
        importer.import(&both(0, ["one", "two"])).await;
        let before = importer.all::<hosts::Entity>().await;
        importer.import(&both(1, ["one again", "two again"])).await;
        let after = importer.all::<hosts::Entity>().await;
        assert_eq!(after.len(), 2, "{marks:?}");
        for (before, after) in before.iter().zip(&after) {
            let expected = format!("{} again", before.description.as_deref().unwrap());
            assert_eq!(
                (before.id, Some(expected)),
                (after.id, after.description.clone()),
                "{marks:?}"
            );
        }
        // One of them alone is known, too.
        let alone = document(&json!([named(&marks[1], "only", "alone")]), &json!([]));
        importer.import(&alone).await;
        let rows = importer.all::<hosts::Entity>().await;
        assert_eq!(rows.len(), 2, "{marks:?}");
        assert_eq!(rows[1].description.as_deref(), Some("alone"), "{marks:?}");
    }
}

#[tokio::test]
async fn what_names_several_says_which() {
    let importer = Importer::new().await;
    let twin = |reference: Value| json!({ "name": "twin", "ref": reference });
    let group = |member: Value| json!([{ "name": "web", "group_type": "RequestPath", "bindings": [member] }]);
    let member =
        |reference: Value| json!({ "host": "twin", "host_ref": reference, "service": "web" });
    let two = json!([twin(json!("1")), twin(json!("2"))]);
    for (document, expected) in [
        (
            document(&json!([twin(Value::Null), twin(Value::Null)]), &json!([])),
            "`hosts[1].name` repeats",
        ),
        (
            document(&json!([twin(json!("1")), twin(json!("1"))]), &json!([])),
            "`hosts[1].ref` repeats",
        ),
        (document(&two, &group(member(Value::Null))), "several hosts `twin`; say `host_ref`"),
        (document(&two, &group(member(json!("3")))), "no host `twin` with the ref `3`"),
        (
            document(
                &json!([]),
                &json!([
                    { "name": "web", "group_type": "RequestPath" },
                    { "name": "web", "group_type": "RequestPath" },
                ]),
            ),
            "`groups[1].name` repeats",
        ),
    ] {
        let fault = importer.fault(&document).await;
        assert!(fault.contains(expected), "{expected}: {fault}");
    }
    importer.import(&lab()).await;
    let one = json!([{ "name": "web", "group_type": "RequestPath" }]);
    let fault = importer.fault(&document(&json!([]), &one)).await;
    assert!(fault.contains("several stored groups are called `web`"), "{fault}");
    let stored = groups::Entity::find().all(importer.test.app.db.reader()).await.unwrap();
    assert_eq!(stored.len(), 2);
    let network = importer.network().await;
    assert!(inventory::export(&importer.test.app, &network).await.is_ok());
}
