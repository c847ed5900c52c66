//! Documents of which elements are left out, and the rest is imported.

use serde_json::{Value, json};
use toposcope::{
    hosts, if_entries,
    inventory::{self, Options, Report},
};

use crate::{
    inventory::{Importer, entry, merge, with},
    support::binary::Sandbox,
};

const SKIP: Options = Options { dry_run: false, prune: false, skip_invalid: true };
const TRY: Options = Options { dry_run: true, ..SKIP };
const PRUNE: Options = Options { prune: true, ..SKIP };

async fn read(importer: &Importer, text: &str, options: Options) -> Report {
    let progress = inventory::progress_bar();
    let app = &importer.test.app;
    let import = inventory::import(app, &importer.target, text, options, &progress);
    Box::pin(import).await.unwrap()
}

/// Two hosts and all that can refer to one of them.
fn lab() -> Value {
    let mut document = with(json!([
        { "name": "first" },
        {
            "name": "second", "tags": ["prod", "old"],
            "interfaces": [{ "ip_address": "10.0.0.1", "prefix_length": 24 },
                           { "ip_address": "10.0.1.1" }],
            "if_entries": [
                entry(1, json!({ "ip_address": "10.0.0.1", "neighbors_heard": [
                    { "protocol": "LLDP", "sys_name": "x" },
                    { "protocol": "LLDP", "sys_name": "y" }] })),
                entry(2, json!({})),
            ],
            "ports": [{ "number": 443, "protocol": "Tcp" }, { "number": 53, "protocol": "Udp" }],
            "services": [
                { "name": "web", "service_definition": "Nginx", "tags": ["prod"], "bindings": [
                    { "type": "Port", "number": 443, "protocol": "Tcp", "ip_address": "10.0.0.1" },
                    { "type": "Port", "number": 80, "protocol": "Tcp" }] },
                { "name": "fw", "service_definition": "Firewall", "bindings": [
                    { "type": "Interface", "ip_address": "10.0.1.1" }] },
            ],
        },
    ]));
    let group = |name: &str| {
        json!({ "name": name, "group_type": "HubAndSpoke", "bindings": [
            { "host": "second", "service": "fw" },
            { "host": "second", "service": "web", "number": 443, "protocol": "Tcp" }] })
    };
    merge(
        &mut document,
        json!({
            "tags": [{ "name": "prod", "color": "Red" }, { "name": "spare" }],
            "subnets": [{ "cidr": "10.0.0.0/24", "name": "A" }, { "cidr": "10.0.1.0/24" }],
            "groups": [group("g"), group("h")],
        }),
    );
    document
}

/// Values that are wrong, with all that is left out: the place, the name and a part of the reason.
type Case = (&'static str, Value, Vec<(&'static str, Option<&'static str>, &'static str)>);

fn in_hosts() -> Vec<Case> {
    let refers = "it refers to `hosts[1]`, which is left out";
    let member = |place| (place, Some("second"), refers);
    let gone = |reason| {
        vec![
            ("hosts[1]", Some("second"), reason),
            member("groups[0].bindings[0]"),
            member("groups[0].bindings[1]"),
            member("groups[1].bindings[0]"),
            member("groups[1].bindings[1]"),
        ]
    };
    let mut repeated = gone("`name` repeats");
    for (_, _, reason) in &mut repeated[1..] {
        *reason = "`second` has no service";
    }
    let name = "hosts[0]";
    vec![
        ("/hosts/0/name", json!(5), vec![(name, Some("5"), "`name` is not valid: invalid type")]),
        ("/hosts/0/name", json!(""), vec![(name, None, "`name` must have at least 1")]),
        ("/hosts/0/name", json!("second"), repeated),
        ("/hosts/0", json!([]), vec![(name, None, "is not valid: invalid type")]),
        ("/hosts/0", json!(null), vec![(name, None, "`hosts[0]` is required")]),
        ("/hosts/1/hidden", json!("yes"), gone("`hidden` is not valid: invalid type")),
        ("/hosts/1/hostname", json!("a\u{7}"), gone("`hostname` is not valid")),
        ("/hosts/1/if_entries", json!("none"), gone("`if_entries` is not valid: invalid type")),
        ("/hosts/1/tags/1", json!(5), vec![("hosts[1].tags[1]", None, "is not valid")]),
        ("/hosts/1/tags/1", json!("prod"), vec![("hosts[1].tags[1]", Some("prod"), "repeats")]),
        (
            "/hosts/1/ports/1/number",
            json!(70_000),
            vec![("hosts[1].ports[1]", Some("70000"), "`number` is not valid")],
        ),
        (
            "/hosts/1/ports/1/number",
            json!(0),
            vec![("hosts[1].ports[1]", Some("0"), "`number` must be between")],
        ),
        (
            "/hosts/1/if_entries/1/mac_address",
            json!("x"),
            vec![("hosts[1].if_entries[1]", Some("eth2"), "`mac_address` is not valid: not a MAC")],
        ),
        (
            "/hosts/1/if_entries/1/if_index",
            json!(1),
            vec![("hosts[1].if_entries[1]", Some("eth2"), "`if_index` repeats")],
        ),
        (
            "/hosts/1/if_entries/1/ip_address",
            json!("10.7.7.7"),
            vec![("hosts[1].if_entries[1]", Some("eth2"), "the host has no interface `10.7.7.7`")],
        ),
        (
            "/hosts/1/if_entries/0/neighbors_heard/0/protocol",
            json!("EDP"),
            vec![("hosts[1].if_entries[0].neighbors_heard[0]", Some("x"), "`protocol` is not")],
        ),
        (
            "/hosts/1/if_entries/0/neighbors_heard/1/port_id",
            json!("Gi1"),
            vec![("hosts[1].if_entries[0].neighbors_heard[1]", Some("y"), "`port_id` is not")],
        ),
    ]
}

fn in_other_parts() -> Vec<Case> {
    let member = |place, reason| (place, Some("second"), reason);
    let without_service = |reason| {
        let refers =
            "`service` is not valid: it refers to `hosts[1].services[0]`, which is left out";
        vec![
            ("hosts[1].services[0]", Some("web"), reason),
            member("groups[0].bindings[1]", refers),
            member("groups[1].bindings[1]", refers),
        ]
    };
    let without_binding = |reason| {
        let refers = "it refers to `hosts[1].services[0].bindings[0]`, which is left out";
        vec![
            ("hosts[1].services[0].bindings[0]", None, reason),
            member("groups[0].bindings[1]", refers),
            member("groups[1].bindings[1]", refers),
        ]
    };
    let mut without_interface = without_binding("it refers to `hosts[1].interfaces[0]`, which is");
    without_interface
        .insert(0, ("hosts[1].interfaces[0]", Some("10.0.0.1"), "`prefix_length` must"));
    without_interface.insert(
        1,
        (
            "hosts[1].if_entries[0]",
            Some("eth1"),
            "`ip_address` is not valid: it refers to `hosts[1].inter",
        ),
    );
    let refers = "it refers to `tags[0]`, which is left out";
    vec![
        ("/tags/1/color", json!("Beige"), vec![("tags[1]", Some("spare"), "`color` is not valid")]),
        (
            "/tags/0/color",
            json!("Beige"),
            vec![
                ("tags[0]", Some("prod"), "`color` is not valid"),
                ("hosts[1].tags[0]", Some("prod"), refers),
                ("hosts[1].services[0].tags[0]", Some("prod"), refers),
            ],
        ),
        (
            "/subnets/0/name",
            json!("a\u{7}"),
            vec![("subnets[0]", Some("10.0.0.0/24"), "`name` is not valid")],
        ),
        (
            "/subnets/1/cidr",
            json!("10.0.0.0/24"),
            vec![
                ("subnets[1]", Some("10.0.0.0/24"), "`cidr` repeats"),
                ("hosts[1].interfaces[1]", Some("10.0.1.1"), "`prefix_length` is required"),
                (
                    "hosts[1].services[1].bindings[0]",
                    None,
                    "it refers to `hosts[1].interfaces[1]`, which is left out",
                ),
                member(
                    "groups[0].bindings[0]",
                    "it refers to `hosts[1].services[1].bindings[0]`, which is left out",
                ),
                member(
                    "groups[1].bindings[0]",
                    "it refers to `hosts[1].services[1].bindings[0]`, which is left out",
                ),
            ],
        ),
        ("/hosts/1/interfaces/0/prefix_length", json!(99), without_interface),
        ("/hosts/1/services/0/position", json!(-1), without_service("`position` must be between")),
        ("/hosts/1/services/0/service_definition", json!(5), without_service("is not valid")),
        (
            "/hosts/1/services/0/bindings/0/protocol",
            json!("Ip"),
            without_binding("`protocol` is not valid"),
        ),
        (
            "/hosts/1/services/0/bindings/0/protocol",
            json!(null),
            without_binding("`protocol` is required"),
        ),
        ("/groups/1/group_type", json!("Ring"), vec![("groups[1]", Some("h"), "`group_type` is")]),
        ("/groups/1/name", json!("g"), vec![("groups[1]", Some("g"), "`name` repeats")]),
        (
            "/groups/1/bindings/0/number",
            json!(-1),
            vec![member("groups[1].bindings[0]", "`number` is not valid")],
        ),
        (
            "/groups/1/bindings/0/host",
            json!("third"),
            vec![("groups[1].bindings[0]", Some("third"), "there is no host `third`")],
        ),
    ]
}

fn spoilt(document: &Value, pointer: &str, value: Value) -> Value {
    let mut document = document.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        object => object[key] = value,
    }
    document
}

#[tokio::test]
async fn each_kind_of_element_is_left_out_with_what_refers_to_it() {
    for (pointer, value, expected) in in_hosts().into_iter().chain(in_other_parts()) {
        let importer = Importer::new().await;
        let document = spoilt(&lab(), pointer, value);
        let told = |report: &Report| {
            assert_eq!(report.left_out.len(), expected.len(), "{pointer}: {:#?}", report.left_out);
            for (left_out, (place, name, reason)) in report.left_out.iter().zip(&expected) {
                assert_eq!((left_out.place.as_str(), left_out.name.as_deref()), (*place, *name));
                assert!(left_out.reason.contains(reason), "{pointer}: {}", left_out.reason);
            }
        };
        let fault = importer.fault(&document).await;
        assert!(fault.starts_with(&format!("`{}", expected[0].0)), "{pointer}: {fault}");
        let before = importer.everything().await;
        let tried = read(&importer, &document.to_string(), TRY).await;
        assert_eq!(importer.everything().await, before, "{pointer}");
        told(&tried);
        let report = read(&importer, &document.to_string(), SKIP).await;
        told(&report);
        assert_eq!(report.counts, tried.counts, "{pointer}");
        let hosts =
            2 - expected.iter().filter(|(place, ..)| place.len() == "hosts[0]".len()).count();
        assert_eq!(importer.all::<hosts::Entity>().await.len(), hosts, "{pointer}");
        // Whatever is imported comes back, and the same document changes nothing more.
        importer.try_text(&importer.export().await, false).await.unwrap();
        let again = read(&importer, &document.to_string(), SKIP).await;
        assert!(again.is_unchanged(), "{pointer}: {again}");
    }
}

#[tokio::test]
async fn what_is_stored_of_what_is_left_out_stays() {
    let importer = Importer::new().await;
    importer.import(&lab()).await;
    let before = importer.everything().await;
    for (pointer, value, _) in in_hosts().into_iter().chain(in_other_parts()) {
        let document = spoilt(&lab(), pointer, value);
        let report = read(&importer, &document.to_string(), PRUNE).await;
        assert!(report.is_unchanged(), "{pointer}: {report}");
        assert_eq!(importer.everything().await, before, "{pointer}");
    }
}

#[tokio::test]
async fn a_number_that_another_port_has_now_is_not_kept() {
    let importer = Importer::new().await;
    let document = |entries: Value| with(json!([{ "name": "a", "if_entries": entries }]));
    let named = |if_index, name: &str| entry(if_index, json!({ "if_name": name }));
    importer.import(&document(json!([named(1, "ge-1"), named(2, "ge-2"), named(3, "ge-3")]))).await;
    let first = importer.entry(1).await;
    let mut bad = named(1, "ge-2");
    bad["mac_address"] = json!("x");
    let document = document(json!([bad, named(2, "ge-1")]));
    let report = read(&importer, &document.to_string(), SKIP).await;
    assert_eq!(report.of("if-entries"), [0, 1, 0, 1], "{report}");
    assert_eq!(importer.entry(2).await.id, first.id);
    assert_eq!(importer.all::<if_entries::Entity>().await.len(), 2);
}

#[tokio::test]
async fn a_host_that_cannot_be_read_keeps_its_row_from_others_and_from_going() {
    let importer = Importer::new().await;
    importer.import(&with(json!([{ "name": "a", "chassis_id": "C" }, { "name": "b" }]))).await;
    let before = importer.all::<hosts::Entity>().await;
    let document = with(json!([
        { "name": "a", "chassis_id": "C", "hidden": "?" },
        { "name": "c", "chassis_id": "C" },
    ]));
    let report = read(&importer, &document.to_string(), PRUNE).await;
    assert_eq!(report.of("hosts"), [1, 0, 0, 0], "{report}");
    assert_eq!(importer.all::<hosts::Entity>().await[..2], before);
    assert_eq!(report.absent, ["b"]);
    assert!(report.to_string().contains("left alone, since others are left out): b"), "{report}");
}

#[tokio::test]
async fn one_bad_line_of_ten_thousand_names_its_place() {
    let importer = Importer::new().await;
    let text = |bad: Value| {
        let lines: Vec<String> = (0..10_000)
            .map(|nth| {
                let more = if nth == 7_000 { bad.clone() } else { json!({}) };
                json!({ "name": format!("host{nth}"), "if_entries": [entry(1, more)] }).to_string()
            })
            .collect();
        let head = r#"{"format": "toposcope.inventory/1", "network": {"name": "lab"}, "hosts": ["#;
        format!("{head}\n{}\n]}}", lines.join(",\n"))
    };
    let place = "hosts[7000].if_entries[0]";
    let rule = text(json!({ "if_descr": "" }));
    let fault = importer.try_text(&rule, false).await.unwrap_err().to_string();
    assert!(fault.starts_with(&format!("`{place}.if_descr` must have at least 1")), "{fault}");
    let began = std::time::Instant::now();
    let report = read(&importer, &rule, TRY).await;
    println!("a dry run took {:?}", began.elapsed());
    assert_eq!(report.left_out.len(), 1);
    assert_eq!(report.left_out[0].place, place);
    assert_eq!(report.of("if-entries"), [9_999, 0, 0, 0]);

    let unreadable = text(json!({ "mac_address": "?" }));
    let fault = importer.try_text(&unreadable, false).await.unwrap_err().to_string();
    assert!(fault.starts_with(&format!("`{place}.mac_address` is not valid")), "{fault}");
    let began = std::time::Instant::now();
    let report = read(&importer, &unreadable, SKIP).await;
    println!("an import took {:?}", began.elapsed());
    assert_eq!(
        (report.of("hosts"), report.of("if-entries")),
        ([10_000, 0, 0, 0], [9_999, 0, 0, 0])
    );
    // The position is that in the text, as without the option.
    let [left_out] = report.left_out.as_slice() else { panic!("{report}") };
    assert_eq!(format!("`{place}.{}", &left_out.reason[1..]), fault);
    assert!(fault.contains("at line 7002 column "), "{fault}");
    let began = std::time::Instant::now();
    let all_bad = unreadable.replace("\"if_type\":6", "\"if_type\":\"?\"");
    let report = read(&importer, &all_bad, SKIP).await;
    println!("leaving 10,000 out took {:?}", began.elapsed());
    assert_eq!(report.left_out.len(), 10_000);
    assert!(report.is_unchanged(), "{report}");
}

#[tokio::test]
async fn the_report_lists_the_first_and_counts_the_rest() {
    let importer = Importer::new().await;
    let entries: Vec<Value> = (1..=25)
        .map(|nth| entry(nth, json!({ "mac_address": "?", "if_name": "Gi\u{7}" })))
        .collect();
    let text = with(json!([{ "name": "a", "if_entries": entries }])).to_string();
    let tried = read(&importer, &text, TRY).await;
    assert_eq!(tried.left_out.len(), 25);
    let lines = tried.to_string();
    assert!(lines.contains("\n25 elements of the document would be left out; what is"), "{lines}");
    assert!(
        lines.contains("\nleft out: hosts[0].if_entries[0] `Gi`: `mac_address` is not valid: "),
        "{lines}"
    );
    assert_eq!(lines.matches("\nleft out: hosts[0]").count(), 20);
    assert!(lines.contains("\nleft out: … and 5 more\n"), "{lines}");
    assert!(lines.ends_with("this was a dry run: nothing was changed\n"), "{lines}");
    read(&importer, &text, SKIP).await;
    let lines = read(&importer, &text, SKIP).await.to_string();
    assert!(lines.contains("\n25 elements of the document are left out"), "{lines}");
    assert!(lines.ends_with("all the rest was there already: nothing was changed\n"), "{lines}");
}

#[tokio::test]
async fn unknown_keys_of_what_is_imported_are_reported() {
    let importer = Importer::new().await;
    let document = with(json!([
        { "name": "a", "colour": 1, "hidden": "?" },
        { "name": "b", "colour": 1, "if_entries": [entry(1, json!({ "vlan": 7 }))] },
    ]));
    let report = read(&importer, &document.to_string(), SKIP).await;
    assert_eq!(report.unknown_keys, ["hosts[1].colour", "hosts[1].if_entries[0].vlan"]);
}

#[tokio::test]
async fn what_is_no_document_is_refused_nevertheless() {
    let importer = Importer::new().await;
    let valid = lab().to_string();
    let spoilt_first = spoilt(&lab(), "/hosts/0/name", json!(5)).to_string();
    for (text, expected) in [
        ("[]".to_owned(), "`document` is not valid: it is a list"),
        (valid[..valid.len() - 1].to_owned(), "the document ends too early"),
        (spoilt_first[..spoilt_first.len() - 1].to_owned(), "the document ends too early"),
        (format!("{spoilt_first} {{}}"), "`document` is not valid"),
        (spoilt_first.replace("\"second\"", "second"), "this is not JSON"),
        (spoilt(&lab(), "/format", json!("other/1")).to_string(), "`format` is not valid"),
        (spoilt(&lab(), "/network", json!(5)).to_string(), "`network` is not valid"),
        (spoilt(&lab(), "/network/name", json!(null)).to_string(), "`network.name` is required"),
        (spoilt(&lab(), "/hosts", json!({})).to_string(), "`hosts` is not valid"),
    ] {
        let progress = inventory::progress_bar();
        let app = &importer.test.app;
        let import = inventory::import(app, &importer.target, &text, SKIP, &progress);
        let fault = Box::pin(import).await.unwrap_err().to_string();
        assert!(fault.contains(expected), "{expected}: {fault}");
    }
    assert!(importer.all::<hosts::Entity>().await.is_empty());
}

#[test]
fn the_command_leaves_out_what_it_is_told_to() {
    let sandbox = Sandbox::migrated();
    let document = with(json!([{ "name": "a" }, { "name": 5 }])).to_string();
    sandbox.key_of_ada("owner");
    let refused = sandbox.run(&["import", "-"], &document);
    assert!(!refused.status.success());
    let printed = sandbox.done(&["import", "-", "--skip-invalid"], &document);
    assert!(printed.contains("\nleft out: hosts[1] `5`: `name` is not valid"), "{printed}");
}
