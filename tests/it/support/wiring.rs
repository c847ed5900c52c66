//! A network of which only the wiring matters, and what became of it.

use std::sync::Arc;

use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use toposcope::{
    auth::{self, Viewer},
    hosts, if_entries,
    inventory::{self, Options, Report, Target},
    networks, organizations, topology, users,
};
use toposcope_topology::{
    explanation::Explanation,
    network::{Snapshot, links::Link},
};
use toposcope_types::{Id, Method, PermissionLevel};

use crate::support::app::{Answer, TestApp};

/// A device and one of its ports, where that is known.
pub(crate) type Port = (String, Option<String>);

/// An application with one organization, filled by inventory documents.
pub(crate) struct Wiring {
    pub(crate) test: TestApp,
    pub(crate) target: Target,
    session: OnceCell<String>,
}

/// One network of several.
pub(crate) struct Net<'w> {
    pub(crate) wiring: &'w Wiring,
    pub(crate) id: Id,
}

impl Wiring {
    pub(crate) async fn new() -> Self {
        let test = TestApp::new().await;
        let made = organizations::create(test.app.db.writer(), "ours".to_owned()).await.unwrap();
        let target = Target { organization_id: made.id, network_id: None };
        Self { test, target, session: OnceCell::new() }
    }

    /// The same for another organization that is in the application.
    pub(crate) async fn of_another_organization(&self) -> Target {
        let db = self.test.app.db.writer();
        let made = organizations::create(db, "theirs".to_owned()).await.unwrap();
        Target { organization_id: made.id, network_id: None }
    }

    pub(crate) async fn try_import(
        &self,
        target: &Target,
        text: &str,
    ) -> toposcope::error::Result<Report> {
        self.attempt(target, text, false).await
    }

    async fn attempt(
        &self,
        target: &Target,
        text: &str,
        dry_run: bool,
    ) -> toposcope::error::Result<Report> {
        self.read(target, text, Options { dry_run, ..Options::default() }).await
    }

    pub(crate) async fn read(
        &self,
        target: &Target,
        text: &str,
        options: Options,
    ) -> toposcope::error::Result<Report> {
        let progress = inventory::progress_bar();
        Box::pin(inventory::import(&self.test.app, target, text, options, &progress)).await
    }

    /// Brings a network to these devices, and answers what that did; or what it would do.
    pub(crate) async fn report(&self, network: &str, hosts: &Value, dry_run: bool) -> Report {
        let text = document(network, hosts).to_string();
        self.attempt(&self.target, &text, dry_run).await.unwrap()
    }

    pub(crate) async fn import_into(&self, text: &str) -> toposcope::error::Result<Report> {
        self.try_import(&self.target, text).await
    }

    pub(crate) async fn import_text(&self, text: &str) {
        self.try_import(&self.target, text).await.unwrap();
    }

    pub(crate) async fn import(&self, document: &Value) {
        self.import_text(&document.to_string()).await;
    }

    /// Makes a network of these devices, or brings it to them.
    pub(crate) async fn fill(&self, network: &str, hosts: &Value) -> Net<'_> {
        self.fill_for(self.target, network, hosts).await
    }

    pub(crate) async fn fill_for(&self, target: Target, network: &str, hosts: &Value) -> Net<'_> {
        let text = document(network, hosts).to_string();
        self.try_import(&target, &text).await.unwrap_or_else(|error| panic!("{network}: {error}"));
        let found = networks::Entity::find()
            .filter(networks::Column::Name.eq(network))
            .filter(networks::Column::OrganizationId.eq(target.organization_id))
            .one(self.test.app.db.reader());
        Net { wiring: self, id: found.await.unwrap().unwrap().id }
    }

    pub(crate) async fn refusal(&self, network: &str, hosts: &Value) -> String {
        let text = document(network, hosts).to_string();
        self.try_import(&self.target, &text).await.unwrap_err().to_string()
    }

    pub(crate) async fn network(&self) -> Id {
        networks::Entity::find().one(self.test.app.db.reader()).await.unwrap().unwrap().id
    }

    pub(crate) fn viewer(&self, network: Id) -> Viewer {
        Viewer {
            organization_id: self.target.organization_id,
            level: PermissionLevel::Owner,
            networks: self.test.app.db.ids([network]),
            ..Viewer::nobody(&self.test.app.db)
        }
    }

    pub(crate) async fn snapshot(&self) -> Arc<Snapshot> {
        let network = self.network().await;
        topology::current::snapshot(&self.test.app, &self.viewer(network), network).await.unwrap()
    }

    /// A session of an owner, who reaches every network of the organization.
    pub(crate) async fn session(&self) -> &str {
        let start = async || {
            let db = self.test.app.db.writer();
            let new = users::NewUser {
                organization_id: self.target.organization_id,
                email: "owner@ours.example.com".to_owned(),
                permissions: PermissionLevel::Owner,
                hash: String::new(),
                terms_accepted_at: None,
            };
            let user = users::add(db, new).await.unwrap();
            auth::session::start(db, Some(user.id), None).await.unwrap()
        };
        self.session.get_or_init(start).await
    }

    pub(crate) async fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        let ask = self.test.ask(method.parse().unwrap(), &format!("/api/v1{path}"));
        let ask = if body.is_null() { ask } else { ask.json(body) };
        ask.credential(self.session().await).send().await
    }

    /// A request that succeeds, and its data.
    pub(crate) async fn done(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, path, body).await.data().clone()
    }
}

impl Net<'_> {
    /// Takes the network away.
    pub(crate) async fn clear(self) {
        let sql = match self.wiring.test.app.db.backend() {
            sea_orm::DbBackend::Postgres => "DELETE FROM network WHERE id = $1",
            _ => "DELETE FROM network WHERE id = ?",
        };
        self.wiring.test.sql(sql, [self.id.into()]).await;
    }

    pub(crate) async fn snapshot(&self) -> Arc<Snapshot> {
        let viewer = self.wiring.viewer(self.id);
        topology::current::snapshot(&self.wiring.test.app, &viewer, self.id).await.unwrap()
    }

    /// The links, such as `sw1:Gi0/1 -- sw2:Gi0/2 LLDP`, in the order of their texts.
    pub(crate) async fn links(&self) -> Vec<String> {
        let snapshot = self.snapshot().await;
        let mut links: Vec<String> =
            snapshot.links.iter().map(|link| told(&snapshot, link)).collect();
        links.sort_unstable();
        links
    }

    /// The same with how often each was seen, and what says otherwise.
    pub(crate) async fn evidence(&self) -> Vec<String> {
        let snapshot = self.snapshot().await;
        let methods = |places: &[u32]| -> String {
            let mut methods: Vec<_> =
                places.iter().map(|place| snapshot.seen[*place as usize].method).collect();
            methods.sort_unstable();
            methods.into_iter().map(Method::spelled).collect::<Vec<_>>().join("+")
        };
        let of = |link: &Link| {
            let told = format!("{} by {}", told(&snapshot, link), methods(&link.evidence));
            match methods(&link.contradictions) {
                none if none.is_empty() => told,
                others => format!("{told} but {others}"),
            }
        };
        let mut links: Vec<String> = snapshot.links.iter().map(of).collect();
        links.sort_unstable();
        links
    }

    pub(crate) async fn host(&self, name: &str) -> Id {
        let found = hosts::Entity::find()
            .filter(hosts::Column::NetworkId.eq(self.id))
            .filter(hosts::Column::Name.eq(name))
            .one(self.wiring.test.app.db.reader());
        found.await.unwrap().unwrap_or_else(|| panic!("there is no host {name}")).id
    }

    /// The row of a port that is called like `sw1:Gi0/1`.
    pub(crate) async fn port(&self, called: &str) -> if_entries::IfEntry {
        let (host, port) = called.split_once(':').unwrap();
        let found = if_entries::Entity::find()
            .filter(if_entries::Column::HostId.eq(self.host(host).await))
            .filter(if_entries::Column::IfDescr.eq(port))
            .one(self.wiring.test.app.db.reader());
        found.await.unwrap().unwrap_or_else(|| panic!("there is no port {called}"))
    }

    /// Returns the stored neighbor of a port: `sw2:Gi0/2`, or `sw2`.
    pub(crate) async fn neighbor(&self, called: &str) -> Option<String> {
        let row = self.port(called).await;
        let db = self.wiring.test.app.db.reader();
        let mut host = row.neighbor_host_id;
        let mut port = String::new();
        if let Some(far) = row.neighbor_if_entry_id {
            let far = if_entries::Entity::find_by_id(far).one(db).await.unwrap().unwrap();
            host = Some(far.host_id);
            port = format!(":{}", far.if_descr);
        }
        let host = hosts::Entity::find_by_id(host?).one(db).await.unwrap().unwrap();
        Some(format!("{}{port}", host.name))
    }

    /// Why what a port heard is who it is, the strongest protocol first.
    pub(crate) async fn explained(&self, called: &str) -> Vec<Explanation> {
        let port = self.port(called).await.id;
        let db = &self.wiring.test.app.db;
        let explained =
            topology::explain::explain(db.reader(), db, self.id, &[port]).await.unwrap();
        let mut explained: Vec<Explanation> = explained.into_values().collect();
        explained.sort_by(|a, b| (a.method, &a.sentence).cmp(&(b.method, &b.sentence)));
        explained
    }

    /// The same in one text.
    pub(crate) async fn why(&self, called: &str) -> String {
        let explained = self.explained(called).await;
        explained.iter().map(|one| one.sentence.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Returns the body of a PUT that changes nothing of this port.
    pub(crate) async fn body(&self, called: &str) -> Value {
        let id = self.port(called).await.id;
        self.wiring.done("GET", &format!("/if-entries/{id}"), &Value::Null).await
    }

    /// Replaces a port by what it is with `change`; it may hear otherwise, and is then answered.
    pub(crate) async fn put(&self, called: &str, change: &Value) -> Value {
        let id = self.port(called).await.id;
        let mut body = self.body(called).await;
        // What the server resolved is not said by a person.
        body["neighbor"] = Value::Null;
        let body = crate::support::bodies::with(&body, change);
        self.wiring.done("PUT", &format!("/if-entries/{id}"), &body).await
    }
}

/// A link between ends in the order of their names.
pub(crate) fn told(snapshot: &Snapshot, link: &Link) -> String {
    let mut ends = ends(snapshot, link).map(|(host, port)| match port {
        Some(port) => format!("{host}:{port}"),
        None => host,
    });
    ends.sort_unstable();
    format!("{} -- {} {}", ends[0], ends[1], link.method.spelled())
}

/// The ends of a link, by name.
pub(crate) fn ends(snapshot: &Snapshot, link: &Link) -> [Port; 2] {
    link.ends.map(|end| {
        let port = snapshot.ports.get(end.port as usize).map(|port| port.name.to_string());
        (snapshot.hosts[end.host as usize].name.to_string(), port)
    })
}

/// An inventory document of these devices.
pub(crate) fn document(network: &str, hosts: &Value) -> Value {
    json!({ "format": "toposcope.inventory/1", "network": { "name": network }, "hosts": hosts })
}

/// A device with ports, and what else is said of it.
pub(crate) fn device(name: &str, ports: &[Value], more: &Value) -> Value {
    crate::support::bodies::with(&json!({ "name": name, "if_entries": ports }), more)
}

/// An Ethernet port by its number and name, and what else is said of it.
pub(crate) fn port(number: i32, name: &str, more: &Value) -> Value {
    let port = json!({
        "if_index": number,
        "if_descr": name,
        "if_name": name,
        "if_type": 6,
        "admin_status": "Up",
        "oper_status": "Up",
    });
    crate::support::bodies::with(&port, more)
}

/// Returns what LLDP says of a chassis and a port, each by subtype and value.
pub(crate) fn lldp(chassis: [&str; 2], port: [&str; 2]) -> Value {
    let id = |[subtype, value]: [&str; 2]| json!({ "subtype": subtype, "value": value });
    json!({ "lldp_chassis_id": id(chassis), "lldp_port_id": id(port) })
}

/// Returns what CDP says of a device and its port.
pub(crate) fn cdp(device: &str, port: &str) -> Value {
    json!({ "cdp_device_id": device, "cdp_port_id": port })
}
