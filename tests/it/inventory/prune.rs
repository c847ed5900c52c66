//! Devices that the next document does not have: what is told of them, and how they go.

use sea_orm::DbBackend;
use serde_json::{Value, json};
use toposcope::{
    error::Result,
    inventory::{Options, Report},
};
use toposcope_types::{Id, Timestamp};

use crate::support::{
    bodies::counter,
    wiring::{Net, Wiring, device, document, lldp, port},
};

const PRUNE: Options = Options { dry_run: false, prune: true, skip_invalid: false };
const TRIED: Options = Options { dry_run: true, prune: true, skip_invalid: false };

/// A switch that stays, and two devices that may go: `old` serves, is heard and is in a group.
fn devices() -> Value {
    let serving = |address: &str| {
        json!({
            "interfaces": [{ "ip_address": address, "prefix_length": 24 }],
            "ports": [{ "number": 443, "protocol": "Tcp" }],
            "services": [{
                "name": "web", "service_definition": "HTTPS",
                "bindings": [{ "type": "Port", "number": 443, "protocol": "Tcp" }],
            }],
            "tags": ["rack"],
        })
    };
    let hears = lldp(["MacAddress", "00:11:22:33:44:55"], ["InterfaceName", "eth1"]);
    json!([
        device(
            "kept",
            &[port(1, "eth1", &json!({})), port(2, "eth2", &json!({}))],
            &serving("10.0.0.1")
        ),
        device(
            "old",
            &[port(1, "eth1", &hears), port(2, "eth2", &json!({}))],
            &serving("10.0.0.2")
        ),
        device("older", &[port(1, "eth1", &json!({}))], &json!({})),
    ])
}

fn whole(network: &str) -> Value {
    let mut document = document(network, &devices());
    let member = |host| json!({ "host": host, "service": "web", "number": 443, "protocol": "Tcp" });
    document["groups"] = json!([{
        "name": "path", "group_type": "RequestPath", "bindings": [member("kept"), member("old")],
    }]);
    document
}

/// A network of these devices, in which a person has pinned ports to those that may go.
async fn fill<'w>(wiring: &'w Wiring, network: &str) -> Net<'w> {
    let text = whole(network).to_string();
    wiring.import_text(&text).await;
    let net = wiring.fill(network, &json!([])).await;
    let port = json!({ "type": "IfEntry", "id": net.port("old:eth1").await.id });
    net.put("kept:eth1", &json!({ "neighbor": port })).await;
    let device = json!({ "type": "Host", "id": net.host("older").await });
    net.put("kept:eth2", &json!({ "neighbor": device })).await;
    net
}

async fn read(wiring: &Wiring, document: &Value, options: Options) -> Result<Report> {
    wiring.read(&wiring.target, &document.to_string(), options).await
}

/// Replaces the ids and times of a value, which differ from one network to another.
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) if text.parse::<Id>().is_ok() => "an id".into(),
        Value::String(text) if text.parse::<Timestamp>().is_ok() => "a time".into(),
        Value::Array(all) => all.iter().map(plain).collect(),
        Value::Object(all) => all.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

/// Returns the changes in the log of a network after the first `before`, sorted.
async fn told(net: &Net<'_>, before: usize) -> Vec<String> {
    let path = format!("/changes?network_id={}&limit=0&order_by=sequence", net.id);
    let changes = net.wiring.done("GET", &path, &Value::Null).await;
    let changes = changes.as_array().unwrap().iter().skip(before);
    let mut told: Vec<String> = changes
        .map(|change| {
            let [entity, action, before, after] =
                ["entity", "action", "before", "after"].map(|part| plain(&change[part]));
            format!("{entity} {action} {before} {after}")
        })
        .collect();
    told.sort_unstable();
    told
}

async fn names(net: &Net<'_>, list: &str) -> Vec<String> {
    let path = format!("/{list}?network_id={}&limit=0&order_by=name", net.id);
    let rows = net.wiring.done("GET", &path, &Value::Null).await;
    rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_a_document_does_not_have_stays_and_is_told() {
    let wiring = Wiring::new().await;
    let net = fill(&wiring, "lab").await;
    let later = document("lab", &json!([{ "name": "kept" }]));
    let report = read(&wiring, &later, Options::default()).await.unwrap();
    assert_eq!(report.absent, ["old", "older"]);
    let sentence = "2 hosts are in the network but not in the document (left alone; `--prune` \
                    removes them): old, older";
    assert!(report.to_string().contains(sentence), "{report}");
    assert_eq!(names(&net, "hosts").await, ["kept", "old", "older"]);
    // A document that lists no hosts says nothing about them.
    let mut silent = document("lab", &Value::Null);
    silent.as_object_mut().unwrap().remove("hosts");
    let report = read(&wiring, &silent, Options::default()).await.unwrap();
    assert_eq!(report.absent, [""; 0]);
    for options in [PRUNE, TRIED] {
        let refused = read(&wiring, &silent, options).await.unwrap_err().to_string();
        assert!(refused.starts_with("`hosts` is not valid: ") && refused.contains("`--prune`"));
    }
    assert_eq!(names(&net, "hosts").await, ["kept", "old", "older"]);
}

#[tokio::test]
async fn a_dry_run_tells_first_what_a_prune_removes() {
    let wiring = Wiring::new().await;
    let net = fill(&wiring, "lab").await;
    let later = document("lab", &json!([{ "name": "kept" }]));
    let dry = read(&wiring, &later, TRIED).await.unwrap();
    assert!(dry.to_string().contains("not in the document (would be removed): old, older"));
    assert_eq!(names(&net, "hosts").await, ["kept", "old", "older"]);
    let report = read(&wiring, &later, PRUNE).await.unwrap();
    assert!(report.to_string().contains("not in the document (removed): old, older"), "{report}");
    for (kind, removed) in [
        ("hosts", 2),
        ("interfaces", 1),
        ("if-entries", 3),
        ("neighbors heard", 1),
        ("ports", 1),
        ("services", 1),
        ("bindings", 1),
        ("subnets", 0),
        ("groups", 0),
    ] {
        assert_eq!((report.of(kind)[3], dry.of(kind)), (removed, report.of(kind)), "{kind}");
    }
    let pin =
        |near, far| format!("the pin of `{near}` of `kept` to {far} goes with what is removed");
    let notes = [pin("eth1", "`eth1` of `old`"), pin("eth2", "`older`")];
    assert_eq!((&report.notes[..], &dry.notes[..]), (&notes[..], &notes[..]));
    assert_eq!(names(&net, "hosts").await, ["kept"]);
    assert_eq!(names(&net, "services").await, ["web"]);
    assert_eq!(names(&net, "groups").await, ["path"]);
    for called in ["kept:eth1", "kept:eth2"] {
        assert_eq!(net.body(called).await["neighbor"], Value::Null);
    }
    assert!(read(&wiring, &later, PRUNE).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn a_prune_is_logged_as_a_delete_of_the_same_devices() {
    let wiring = Wiring::new().await;
    let (pruned, deleted) = (fill(&wiring, "lab").await, fill(&wiring, "office").await);
    let before = told(&pruned, 0).await.len();
    assert_eq!(told(&deleted, 0).await.len(), before);
    read(&wiring, &document("lab", &json!([{ "name": "kept" }])), PRUNE).await.unwrap();
    let gone = json!([deleted.host("old").await, deleted.host("older").await]);
    wiring.done("POST", "/hosts/bulk-delete", &gone).await;
    let told_of_prune = told(&pruned, before).await;
    assert_eq!(told_of_prune, told(&deleted, before).await);
    let hosts = told_of_prune.iter().filter(|line| line.starts_with("\"Host\" \"Deleted\" "));
    assert_eq!(hosts.count(), 2, "{told_of_prune:#?}");
    for count in ["host_count", "if_entry_count", "interface_count", "binding_count", "revision"] {
        let [one, other] = [pruned.id, deleted.id].map(|id| counter(&wiring.test, id, count));
        assert_eq!(one.await, other.await, "{count}");
    }
}

#[tokio::test]
async fn a_prune_stays_within_its_network() {
    let wiring = Wiring::new().await;
    let theirs = wiring.of_another_organization().await;
    let (net, other) = (fill(&wiring, "lab").await, fill(&wiring, "office").await);
    let text = whole("lab").to_string();
    wiring.try_import(&theirs, &text).await.unwrap();
    read(&wiring, &document("lab", &json!([])), PRUNE).await.unwrap();
    assert_eq!(names(&net, "hosts").await, [""; 0]);
    assert_eq!(names(&other, "hosts").await, ["kept", "old", "older"]);
    assert_eq!(other.neighbor("kept:eth1").await.as_deref(), Some("old:eth1"));
    let report = wiring.try_import(&theirs, &text).await.unwrap();
    assert!(report.is_unchanged(), "{report}");
}

#[tokio::test]
async fn a_prune_that_cannot_be_done_changes_nothing() {
    let wiring = Wiring::new().await;
    let net = fill(&wiring, "lab").await;
    let before = told(&net, 0).await;
    // A group of the document needs what would go.
    let mut later = whole("lab");
    later["hosts"] = json!([{ "name": "kept", "description": "new" }]);
    for options in [TRIED, PRUNE] {
        let refused = read(&wiring, &later, options).await.unwrap_err().to_string();
        assert!(refused.starts_with("`groups[0].bindings[1]"), "{refused}");
    }
    // A host that stays runs on a service that would go.
    let path = format!("/services?network_id={}&host_id={}", net.id, net.host("old").await);
    let service = wiring.done("GET", &path, &Value::Null).await[0]["id"].clone();
    let details = json!({ "vm_name": null, "vm_id": null, "service_id": service });
    let runs = json!({ "type": "Proxmox", "details": details }).to_string();
    let run = match wiring.test.app.db.backend() {
        DbBackend::Postgres => "UPDATE host SET virtualization = $1::jsonb WHERE id = $2",
        _ => "UPDATE host SET virtualization = $1 WHERE id = $2",
    };
    wiring.test.sql(run, [runs.into(), net.host("kept").await.into()]).await;
    later.as_object_mut().unwrap().remove("groups");
    for options in [TRIED, PRUNE] {
        let refused = read(&wiring, &later, options).await.unwrap_err().to_string();
        let reason = "`--prune` is not valid: the Service is in use by a Host; change or delete that \
                      first; nothing was changed";
        assert_eq!(refused, reason);
    }
    assert_eq!(told(&net, 0).await, before);
    assert_eq!(names(&net, "hosts").await, ["kept", "old", "older"]);
}
