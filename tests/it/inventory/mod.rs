//! Documents in, documents out.

mod faults;
mod matching;
mod namesakes;
mod prune;
mod renumbering;
mod same_device;
mod skipping;

use std::fmt::Debug;

use sea_orm::{
    ColumnTrait as _, ConnectionTrait as _, EntityTrait, PaginatorTrait as _, QueryFilter as _,
    QueryOrder as _,
    sea_query::{Alias, Expr, Query},
};
use serde_json::{Value, json};
use toposcope::{
    bindings,
    error::Error,
    groups, hosts,
    if_entries::{self, observation},
    interfaces,
    inventory::{self, Options, Report, Target},
    networks, organizations, ports,
    resource::Resource,
    services, subnets, tags,
};
use toposcope_types::{Id, Timestamp};

use crate::{support::app::TestApp, topology::fabrics::fabrics};

const CAMPUS: &str = include_str!("../../../src/inventory/campus.json");

/// An application, and an organization in it to import into.
pub(crate) struct Importer {
    pub(crate) test: TestApp,
    pub(crate) target: Target,
}

impl Importer {
    pub(crate) async fn new() -> Self {
        let test = TestApp::new().await;
        let organization_id = organization(&test, "ours").await;
        Self { test, target: Target { organization_id, network_id: None } }
    }

    pub(crate) async fn try_text(&self, text: &str, dry_run: bool) -> Result<Report, Error> {
        let progress = inventory::progress_bar();
        let options = Options { dry_run, ..Options::default() };
        Box::pin(inventory::import(&self.test.app, &self.target, text, options, &progress)).await
    }

    pub(crate) async fn import(&self, document: &Value) -> Report {
        self.try_text(&document.to_string(), false).await.unwrap()
    }

    /// Imports a document that is wrong, and returns the error. Nothing of it may be written.
    pub(crate) async fn fault(&self, document: &Value) -> String {
        let before = self.everything().await;
        let error = self.try_text(&document.to_string(), false).await.unwrap_err();
        assert_eq!(self.everything().await, before);
        error.to_string()
    }

    pub(crate) async fn network(&self) -> networks::Network {
        networks::Entity::find().one(self.test.app.db.reader()).await.unwrap().unwrap()
    }

    pub(crate) async fn export(&self) -> String {
        inventory::export(&self.test.app, &self.network().await).await.unwrap()
    }

    pub(crate) async fn all<E: Resource>(&self) -> Vec<E::Model> {
        let rows = E::find().order_by_asc(E::CREATED_AT).order_by_asc(E::ID);
        rows.all(self.test.app.db.reader()).await.unwrap()
    }

    async fn text<E: Resource<Model: Debug>>(&self) -> String {
        format!("{:?}\n", self.all::<E>().await)
    }

    /// Every row with its id, times and revision.
    pub(crate) async fn everything(&self) -> String {
        let mut everything = [
            self.text::<networks::Entity>().await,
            self.text::<tags::Entity>().await,
            self.text::<subnets::Entity>().await,
            self.text::<hosts::Entity>().await,
            self.text::<interfaces::Entity>().await,
            self.text::<if_entries::Entity>().await,
            self.text::<observation::Entity>().await,
            self.text::<ports::Entity>().await,
            self.text::<services::Entity>().await,
            self.text::<bindings::Entity>().await,
            self.text::<groups::Entity>().await,
        ]
        .concat();
        for network in self.all::<networks::Entity>().await {
            let text = inventory::export(&self.test.app, &network).await.unwrap();
            everything.push_str(&text);
        }
        everything
    }

    pub(crate) async fn entry(&self, if_index: i32) -> if_entries::IfEntry {
        let rows = if_entries::Entity::find().filter(if_entries::Column::IfIndex.eq(if_index));
        rows.one(self.test.app.db.reader()).await.unwrap().unwrap()
    }
}

pub(crate) async fn organization(test: &TestApp, name: &str) -> Id {
    organizations::create(test.app.db.writer(), name.to_owned()).await.unwrap().id
}

/// A document with these hosts.
pub(crate) fn with(hosts: impl Into<Value>) -> Value {
    let hosts = hosts.into();
    json!({ "format": "toposcope.inventory/1", "network": { "name": "lab" }, "hosts": hosts })
}

pub(crate) fn entry(if_index: i64, more: Value) -> Value {
    let mut entry = json!({
        "if_index": if_index, "if_descr": format!("eth{if_index}"), "if_type": 6,
        "admin_status": "Up", "oper_status": "Up",
    });
    merge(&mut entry, more);
    entry
}

pub(crate) fn merge(into: &mut Value, more: Value) {
    let Value::Object(more) = more else { panic!("an object is expected") };
    into.as_object_mut().unwrap().extend(more);
}

/// Everything that the format has a word for.
const FULL: &str = r#"{
    "format": "toposcope.inventory/1",
    "network": {"name": "lab", "tags": ["prod"]},
    "tags": [{"name": "prod", "color": "Red", "description": "in use"},
             {"name": "spare", "color": "Gray"}],
    "subnets": [{"name": "Servers", "cidr": "10.0.0.0/24", "subnet_type": "Dmz",
                 "description": "behind the firewall", "tags": ["prod"]}],
    "hosts": [{
        "name": "web01", "hostname": "web01.example", "description": "the web",
        "sys_name": "web01", "sys_descr": "Linux", "sys_object_id": "1.3.6.1.4.1.8072",
        "sys_location": "rack 3", "sys_contact": "ops", "management_url": "https://10.0.0.1/",
        "management_address": "10.0.0.1", "chassis_id": "00:11:22:33:44:55",
        "manufacturer": "Acme", "model": "M1", "serial_number": "S1", "hidden": true,
        "software_version": "17.9.4",
        "stack_members": [{"number": 1, "serial_number": "S1", "model": "M1",
                           "mac_address": "00:11:22:33:44:55", "software_version": "17.9.4"}],
        "source": {"type": "Discovery", "metadata": [{"type": "Network", "date": "2026-01-01"}]},
        "tags": ["spare", "prod"],
        "interfaces": [
            {"ip_address": "10.0.0.1", "prefix_length": 24, "mac_address": "00:11:22:33:44:55",
             "if_name": "eth1"},
            {"ip_address": "10.9.9.9", "prefix_length": 32},
            {"ip_address": "2001:db8::1", "prefix_length": 64, "if_name": "eth2"}
        ],
        "if_entries": [
            {"if_index": 1, "if_descr": "eth1", "if_type": 6, "admin_status": "Up",
             "oper_status": "Up", "if_name": "eth1", "if_alias": "up",
             "mac_address": "0011.2233.4455", "speed_bps": 9000000000000000000,
             "lldp_chassis_id": {"subtype": "MacAddress", "value": "0:1:2:3:4:5"},
             "lldp_port_id": {"subtype": "InterfaceName", "value": "Gi1"},
             "lldp_sys_name": "sw1", "cdp_device_id": "sw1", "cdp_port_id": "Gi1",
             "cdp_platform": "C9300", "cdp_address": "10.0.0.254",
             "neighbors_heard": [
                {"protocol": "CDP", "sys_name": "sw2", "port_id": "Gi2"},
                {"protocol": "LLDP", "sys_name": "sw3",
                 "port_id": {"subtype": "LocallyAssigned", "value": "7"}}
             ],
             "fdb_macs": ["00:11:22:33:44:66", "00:11:22:33:44:67"], "lag_if_index": 2,
             "parent_if_index": 9, "mtu": 9216, "duplex": "Full", "native_vlan": 30,
             "tagged_vlans": [10, 11, 12, 20], "stp_state": "Forwarding"},
            {"if_index": 2, "if_descr": "eth2", "if_type": 6, "admin_status": "Up",
             "oper_status": "Up"}
        ],
        "ports": [{"number": 443, "protocol": "Tcp"}, {"number": 53, "protocol": "Udp"}],
        "services": [
            {"name": "nginx", "service_definition": "Nginx", "tags": ["prod"], "bindings": [
                {"type": "Port", "number": 443, "protocol": "Tcp", "ip_address": "10.0.0.1"},
                {"type": "Port", "number": 443, "protocol": "Tcp"}]},
            {"name": "fw", "service_definition": "Firewall", "bindings": [
                {"type": "Interface", "ip_address": "10.9.9.9"}]}
        ]
    }],
    "groups": [{"name": "path", "group_type": "RequestPath", "color": "Teal",
        "edge_style": "Step", "description": "how it flows", "tags": ["spare"],
        "bindings": [
            {"host": "web01", "service": "fw", "ip_address": "10.9.9.9"},
            {"host": "web01", "service": "nginx", "number": 443, "protocol": "Tcp"},
            {"host": "web01", "service": "nginx", "number": 443, "protocol": "Tcp",
             "ip_address": "10.0.0.1"}]}]
}"#;

pub(crate) fn full() -> Value {
    serde_json::from_str(FULL).unwrap()
}

#[tokio::test]
async fn a_second_import_changes_nothing_at_all() {
    let importer = Importer::new().await;
    let first = importer.import(&full()).await;
    assert!(!first.is_unchanged());
    assert!(first.network_created);
    let before = importer.everything().await;
    let second = importer.import(&full()).await;
    assert!(second.is_unchanged(), "{second}");
    assert!(second.to_string().contains("nothing was changed"), "{second}");
    assert_eq!(importer.everything().await, before);
}

#[tokio::test]
async fn an_export_imports_elsewhere_and_exports_the_same_bytes() {
    let importer = Importer::new().await;
    let elsewhere = Importer::new().await;
    for document in [full().to_string(), CAMPUS.to_owned()] {
        importer.try_text(&document, false).await.unwrap();
        let network = importer.all::<networks::Entity>().await.pop().unwrap();
        let text = inventory::export(&importer.test.app, &network).await.unwrap();
        elsewhere.try_text(&text, false).await.unwrap();
        let network = elsewhere.all::<networks::Entity>().await.pop().unwrap();
        let again = inventory::export(&elsewhere.test.app, &network).await.unwrap();
        assert_eq!(text, again);
        let report = importer.try_text(&text, false).await.unwrap();
        assert!(report.is_unchanged(), "{report}");
    }
}

#[tokio::test]
async fn an_export_holds_everything_that_was_imported() {
    let importer = Importer::new().await;
    importer.import(&full()).await;
    let exported: Value = serde_json::from_str(&importer.export().await).unwrap();
    let given = full();
    for key in ["network", "tags", "groups"] {
        assert_eq!(exported[key], given[key], "{key}");
    }
    let (host, said) = (&exported["hosts"][0], &given["hosts"][0]);
    for (key, value) in said.as_object().unwrap() {
        if !["if_entries", "services"].contains(&key.as_str()) {
            assert_eq!(host[key], *value, "{key}");
        }
    }
    let heard = host["if_entries"][0]["neighbors_heard"].clone();
    assert_eq!(
        heard,
        json!([
            {"protocol": "LLDP", "chassis_id": {"subtype": "MacAddress", "value": "00:01:02:03:04:05"},
             "port_id": {"subtype": "InterfaceName", "value": "Gi1"}, "sys_name": "sw1"},
            {"protocol": "LLDP", "port_id": {"subtype": "LocallyAssigned", "value": "7"},
             "sys_name": "sw3"},
            {"protocol": "CDP", "port_id": "Gi1", "sys_name": "sw1", "mgmt_addr": "10.0.0.254",
             "platform": "C9300"},
            {"protocol": "CDP", "port_id": "Gi2", "sys_name": "sw2"},
        ])
    );
    assert_eq!(host["services"][0]["bindings"], said["services"][0]["bindings"]);
}

#[tokio::test]
async fn every_real_fabric_imports_once_and_comes_back_the_same() {
    for (name, text, _) in fabrics() {
        let importer = Importer::new().await;
        let report = importer.try_text(&text, false).await.unwrap();
        assert_eq!(report.unknown_keys, Vec::<String>::new(), "{name}");
        if name == "nxos" {
            assert_eq!(report.of("hosts"), [14, 0, 0, 0]);
            assert_eq!(report.of("if-entries"), [694, 0, 0, 0]);
        }
        let before = importer.everything().await;
        let again = importer.try_text(&text, false).await.unwrap();
        assert!(again.is_unchanged(), "{name}: {again}");
        assert_eq!(importer.everything().await, before, "{name}");

        let exported = importer.export().await;
        let elsewhere = Importer::new().await;
        let copied = elsewhere.try_text(&exported, false).await.unwrap();
        assert_eq!(elsewhere.export().await, exported, "{name}");
        for kind in ["hosts", "interfaces", "if-entries", "neighbors heard", "subnets"] {
            assert_eq!(copied.of(kind), report.of(kind), "{name}: {kind}");
        }
        let count = |rows: Vec<if_entries::IfEntry>| {
            rows.iter().filter(|row| row.interface_id.is_some()).count()
        };
        let tied = count(importer.all::<if_entries::Entity>().await);
        assert!(tied > 0, "{name}");
        assert_eq!(tied, count(elsewhere.all::<if_entries::Entity>().await), "{name}");
    }
}

#[tokio::test]
async fn the_campus_imports_with_all_its_groups() {
    let importer = Importer::new().await;
    let report = importer.try_text(CAMPUS, false).await.unwrap();
    assert_eq!(report.of("hosts"), [44, 0, 0, 0]);
    assert_eq!(report.of("if-entries"), [801, 0, 0, 0]);
    assert_eq!(report.of("groups"), [4, 0, 0, 0]);
    assert!(report.unknown_keys.is_empty() && report.notes.is_empty(), "{report}");
    assert!(importer.try_text(CAMPUS, false).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn a_dry_run_says_what_would_change_and_changes_nothing() {
    let importer = Importer::new().await;
    let report = importer.try_text(&full().to_string(), true).await.unwrap();
    assert_eq!(report.of("hosts"), [1, 0, 0, 0]);
    assert!(report.to_string().contains("nothing was changed"), "{report}");
    assert!(report.to_string().contains("(would be new)"), "{report}");
    for rows in [
        importer.all::<networks::Entity>().await.len(),
        importer.all::<hosts::Entity>().await.len(),
        importer.all::<tags::Entity>().await.len(),
    ] {
        assert_eq!(rows, 0);
    }
}

#[tokio::test]
async fn what_a_given_list_lacks_is_removed_and_a_list_left_out_is_left_alone() {
    let importer = Importer::new().await;
    importer.import(&full()).await;
    let before = importer.everything().await;
    let report = importer.import(&with(json!([{ "name": "web01" }]))).await;
    assert!(report.is_unchanged(), "{report}");
    let report = importer.import(&with(json!([{ "name": "other" }]))).await;
    assert_eq!(report.of("hosts"), [1, 0, 0, 0]);
    assert!(importer.everything().await.len() > before.len());

    let report = importer
        .import(&with(json!([{ "name": "web01", "if_entries": [entry(2, json!({}))] }])))
        .await;
    assert_eq!(report.of("if-entries"), [0, 0, 1, 1]);
    assert_eq!(report.of("neighbors heard"), [0, 0, 0, 4]);
    assert_eq!(report.of("services"), [0; 4]);
    let report = importer.import(&with(json!([{ "name": "web01", "ports": [] }]))).await;
    assert_eq!(report.of("ports"), [0, 0, 0, 2]);
    assert_eq!(report.of("bindings"), [0, 0, 0, 2]);
    let report = importer
        .import(&with(json!([{ "name": "web01", "interfaces": [], "services": [] }])))
        .await;
    assert_eq!(report.of("interfaces"), [0, 0, 0, 3]);
    assert_eq!(report.of("services"), [0, 0, 0, 2]);
    assert_eq!(report.of("bindings"), [0, 0, 0, 1]);
    assert!(importer.all::<bindings::Entity>().await.is_empty());
    let columns = ["host_count", "if_entry_count", "port_count", "binding_count", "revision"];
    let select = Query::select().columns(columns.map(Alias::new)).from(networks::Entity).to_owned();
    let counters = importer.test.app.db.reader().query_one(&select);
    let counters = counters.await.unwrap().unwrap();
    let counters: Vec<i64> = (0..5).map(|nth| counters.try_get_by_index(nth).unwrap()).collect();
    assert_eq!(counters, [2, 1, 0, 0, 4]);
}

#[tokio::test]
async fn only_the_difference_is_written_and_ids_and_pins_stay() {
    let importer = Importer::new().await;
    let document = |alias: &str| {
        with(json!([
            { "name": "a", "if_entries": [entry(1, json!({ "if_alias": alias })), entry(2, json!({}))] },
            { "name": "b", "if_entries": [entry(3, json!({}))] },
        ]))
    };
    importer.import(&document("old")).await;
    let (one, two, three) =
        (importer.entry(1).await, importer.entry(2).await, importer.entry(3).await);
    if_entries::Entity::update_many()
        .col_expr(if_entries::Column::NeighborIfEntryId, Expr::val(three.id))
        .col_expr(if_entries::Column::NeighborPinned, Expr::val(true))
        .filter(if_entries::Column::Id.eq(one.id))
        .exec(importer.test.app.db.writer())
        .await
        .unwrap();
    let report = importer.import(&document("new")).await;
    assert_eq!(report.of("if-entries"), [0, 1, 2, 0]);
    assert_eq!(report.of("hosts"), [0, 0, 2, 0]);
    let now = importer.entry(1).await;
    assert_eq!(now.id, one.id);
    assert_eq!(now.created_at, one.created_at);
    assert!(now.updated_at > one.updated_at);
    assert_eq!(now.if_alias.as_deref(), Some("new"));
    assert_eq!((now.neighbor_if_entry_id, now.neighbor_pinned), (Some(three.id), true));
    assert_eq!(importer.entry(2).await, two);

    // A pin to what is removed goes with it.
    importer.import(&with(json!([{ "name": "b", "if_entries": [] }]))).await;
    let now = importer.entry(1).await;
    assert_eq!((now.neighbor_if_entry_id, now.neighbor_pinned), (None, false));
}

#[tokio::test]
async fn what_an_entry_heard_is_part_of_its_version() {
    let importer = Importer::new().await;
    let document = |name: &str| {
        with(json!([{ "name": "a", "if_entries": [entry(1, json!({ "lldp_sys_name": name }))] }]))
    };
    importer.import(&document("x")).await;
    let before = importer.entry(1).await;
    let report = importer.import(&document("y")).await;
    assert_eq!(report.of("if-entries"), [0, 1, 0, 0]);
    assert_eq!(report.of("neighbors heard"), [0, 1, 0, 0]);
    assert!(importer.entry(1).await.updated_at > before.updated_at);
}

#[tokio::test]
async fn a_mac_address_that_is_left_out_stays_and_another_one_is_told() {
    let importer = Importer::new().await;
    let document = |more: Value| with(json!([{ "name": "a", "if_entries": [entry(1, more)] }]));
    importer.import(&document(json!({ "mac_address": "00:11:22:33:44:55" }))).await;
    assert!(importer.import(&document(json!({}))).await.is_unchanged());
    let report = importer.import(&document(json!({ "mac_address": "00:11:22:33:44:56" }))).await;
    assert_eq!(report.of("if-entries"), [0, 1, 0, 0]);
    assert!(report.notes[0].contains("and has `00:11:22:33:44:56`"), "{:?}", report.notes);
}

#[tokio::test]
async fn statements_grow_with_chunks_and_not_with_rows() {
    let importer = Importer::new().await;
    let document = |entries: i64| {
        let entries: Vec<_> = (1..=entries)
            .map(|nth| entry(nth, json!({ "if_name": format!("eth{nth}"), "lldp_sys_name": "x" })))
            .collect();
        with(json!([{ "name": "a", "if_entries": entries }]))
    };
    importer.import(&with(json!([{ "name": "a" }]))).await;
    let (_, few) = importer.test.statements(importer.import(&document(10))).await;
    let (report, more) = importer.test.statements(importer.import(&document(1_000))).await;
    assert_eq!(report.of("if-entries"), [990, 0, 10, 0]);
    assert_eq!(more, few);
    let text = document(10_000).to_string();
    let began = std::time::Instant::now();
    let (report, many) = importer.test.statements(importer.try_text(&text, false)).await;
    assert_eq!(report.unwrap().of("if-entries"), [9_000, 0, 1_000, 0]);
    println!("9,000 entries more took {:?} and {many} statements", began.elapsed());
    assert!(many < more + 20, "{many} {more}");
    let began = std::time::Instant::now();
    let (report, none) = importer.test.statements(importer.try_text(&text, false)).await;
    assert!(report.unwrap().is_unchanged());
    println!("finding nothing to do took {:?} and {none} statements", began.elapsed());
    assert!(none < few, "{none} {few}");
    let count = observation::Entity::find().count(importer.test.app.db.reader()).await.unwrap();
    assert_eq!(count, 10_000);
}

#[tokio::test]
async fn what_is_imported_is_dated_now() {
    let importer = Importer::new().await;
    let before = Timestamp::now();
    importer.import(&full()).await;
    for host in importer.all::<hosts::Entity>().await {
        assert!(host.created_at >= before && host.created_at <= Timestamp::now());
        assert_eq!(host.created_at, host.updated_at);
    }
}
