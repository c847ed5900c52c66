//! Two small networks, and any write upon them as the API does it.

use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use serde_json::{Value, json};
use toposcope::{
    auth::Viewer,
    error::{Error, Result},
    if_entries::{self, observation},
    topology,
};
use toposcope_types::Id;

use crate::support::{
    bodies::with,
    collisions::{ENTRIES, EntryFacts, HOSTS, INTERFACES, Write, named_apart},
    wiring::{Net, Wiring, document},
};

/// The contents of the slots, in two networks that have a subnet each.
pub(crate) struct Universe<'w> {
    wiring: &'w Wiring,
    pub(crate) networks: [Id; 2],
    names: [String; 2],
    subnets: [Value; 2],
    hosts: Vec<Option<(Id, usize)>>,
    interfaces: Vec<Option<Id>>,
    entries: Vec<Option<(Id, Value)>>,
}

impl<'w> Universe<'w> {
    pub(crate) async fn new(wiring: &'w Wiring) -> Self {
        let names = [(); 2].map(|()| Id::new().to_string());
        let mut networks = Vec::new();
        let mut subnets = Vec::new();
        for name in &names {
            let id = wiring.fill(name, &json!([])).await.id;
            let subnet = json!({ "network_id": id, "cidr": "10.0.0.0/16", "name": "all",
                "subnet_type": "Lan", "source": "Manual", "tags": [] });
            networks.push(id);
            subnets.push(wiring.done("POST", "/subnets", &subnet).await["id"].clone());
        }
        Self {
            wiring,
            networks: networks.try_into().unwrap(),
            names,
            subnets: subnets.try_into().unwrap(),
            hosts: vec![None; HOSTS.end],
            interfaces: vec![None; INTERFACES.end],
            entries: vec![None; ENTRIES.end],
        }
    }

    /// Makes or replaces what is in a slot, and returns the id if that succeeded. A refusal changes
    /// nothing, and a failure is a bug.
    async fn put(&self, path: &str, known: Option<Id>, body: &Value) -> Option<Id> {
        let answer = match known {
            Some(id) => self.wiring.ask("PUT", &format!("{path}/{id}"), body).await,
            None => self.wiring.ask("POST", path, body).await,
        };
        assert!(!answer.status.is_server_error(), "{path} {body}: {}", answer.body);
        answer.body["data"]["id"].as_str().map(|id| id.parse().unwrap())
    }

    async fn drop(&self, path: &str, id: Id) {
        let answer = self.wiring.ask("DELETE", &format!("{path}/{id}"), &Value::Null).await;
        assert!(!answer.status.is_server_error(), "{path}/{id}: {}", answer.body);
    }

    async fn drop_all(&self, path: &str, ids: Vec<Id>) {
        let ids = json!(ids);
        let answer = self.wiring.ask("POST", &format!("{path}/bulk-delete"), &ids).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.body);
    }

    /// Empties both networks, so that the next may be read whole.
    pub(crate) async fn clear(self) {
        for id in self.networks {
            Net { wiring: self.wiring, id }.clear().await;
        }
    }

    /// Does a write as the API does it.
    pub(crate) async fn apply(&mut self, write: &Write) {
        match write {
            Write::Host(slot, net, facts) => self.host(*slot, *net, facts).await,
            Write::Interface(slot, host, facts) => self.interface(*slot, *host, facts).await,
            Write::Entry(slot, host, facts) => self.entry(*slot, *host, facts).await,
            Write::Reshape(slot, numbers) => self.reshape(*slot, numbers).await,
            Write::DropHost(slot) => {
                if let Some((id, _)) = self.hosts[*slot].take() {
                    self.drop("/hosts", id).await;
                }
            }
            Write::DropInterface(slot) => {
                if let Some(id) = self.interfaces[*slot].take() {
                    self.drop("/interfaces", id).await;
                }
            }
            Write::DropEntry(slot) => {
                if let Some((id, _)) = self.entries[*slot].take() {
                    self.drop("/if-entries", id).await;
                }
            }
            Write::DropEntries(slots) => {
                let rows = slots.iter().filter_map(|slot| self.entries[*slot].take());
                let ids = rows.map(|(id, _)| id).collect();
                self.drop_all("/if-entries", ids).await;
            }
            Write::DropHosts(slots) => {
                let rows = slots.iter().filter_map(|slot| self.hosts[*slot].take());
                let ids = rows.map(|(id, _)| id).collect();
                self.drop_all("/hosts", ids).await;
            }
            Write::Consolidate(to, from) => {
                if let (Some((to, _)), Some((other, _))) = (self.hosts[*to], self.hosts[*from]) {
                    let path = format!("/hosts/{to}/consolidate/{other}");
                    let answer = self.wiring.ask("PUT", &path, &Value::Null).await;
                    assert!(!answer.status.is_server_error(), "{path}: {}", answer.body);
                    if answer.status.is_success() {
                        self.hosts[*from] = None;
                    }
                }
            }
            Write::Teach(heard, host, port) => self.teach(*heard, *host, *port).await,
            Write::Forget(heard) => {
                if let Some((viewer, seen)) = self.seen(*heard).await {
                    let forgot =
                        topology::identify::forget(&self.wiring.test.app, &viewer, seen).await;
                    refused_at_most(forgot.map(drop));
                }
            }
            Write::Import(net, hosts) => self.import(*net, hosts).await,
        }
    }

    /// The first neighbor that an entry hears, and somebody who may say who that is.
    async fn seen(&self, slot: usize) -> Option<(Viewer, Id)> {
        let (entry, _) = self.entries[slot].as_ref()?;
        let app = &self.wiring.test.app;
        let entry = if_entries::Entity::find_by_id(*entry).one(app.db.writer()).await.unwrap()?;
        let heard = observation::Entity::find()
            .filter(observation::Column::IfEntryId.eq(entry.id))
            .order_by_asc(observation::Column::Id)
            .one(app.db.writer());
        let seen = heard.await.unwrap().map_or(entry.id, |row| row.id);
        Some((self.wiring.viewer(entry.network_id), seen))
    }

    async fn teach(&self, heard: usize, host: usize, port: Option<usize>) {
        let (Some((viewer, seen)), Some((host, _))) = (self.seen(heard).await, self.hosts[host])
        else {
            return;
        };
        let port = port.and_then(|slot| self.entries[slot].as_ref()).map(|(id, _)| *id);
        let app = &self.wiring.test.app;
        refused_at_most(
            topology::identify::identify(app, &viewer, seen, host, port).await.map(drop),
        );
    }

    async fn host(&mut self, slot: usize, net: usize, facts: &Value) {
        let net = self.hosts[slot].map_or(net, |(_, net)| net);
        let more = json!({ "network_id": self.networks[net], "hidden": false, "tags": [] });
        let body = with(facts, &more);
        let known = self.hosts[slot].map(|(id, _)| id);
        self.hosts[slot] = self.put("/hosts", known, &body).await.map(|id| (id, net));
    }

    async fn interface(&mut self, slot: usize, host: usize, facts: &Value) {
        let Some((host, net)) = self.hosts[host] else { return };
        let more = json!({ "network_id": self.networks[net], "host_id": host,
            "subnet_id": self.subnets[net] });
        let body = with(facts, &more);
        if let Some(id) = self.put("/interfaces", self.interfaces[slot], &body).await {
            self.interfaces[slot] = Some(id);
        }
    }

    async fn entry(&mut self, slot: usize, host: usize, facts: &EntryFacts) {
        let Some((host, net)) = self.hosts[host] else { return };
        let neighbor = facts.pin.and_then(|(port, far)| {
            let id = if port {
                self.entries[far].as_ref().map(|(id, _)| *id)?
            } else {
                self.hosts[far % HOSTS.end].map(|(id, _)| id)?
            };
            Some(json!({ "type": if port { "IfEntry" } else { "Host" }, "id": id }))
        });
        let more = json!({ "network_id": self.networks[net], "host_id": host,
            "if_index": slot + 1, "admin_status": "Up", "oper_status": "Up",
            "interface_id": facts.interface.and_then(|slot| self.interfaces[slot]),
            "neighbor": neighbor });
        let mut body = named_apart(with(&facts.says, &more));
        let known = self.entries[slot].clone();
        if let Some((_, mac)) = known.as_ref().filter(|(_, mac)| !mac.is_null()) {
            body["mac_address"] = mac.clone();
        }
        // What it refers to may be elsewhere: then it is written without.
        for missing in [&[][..], &["neighbor"], &["neighbor", "interface_id"]] {
            for key in missing {
                body[*key] = Value::Null;
            }
            let id = known.as_ref().map(|(id, _)| *id);
            if let Some(id) = self.put("/if-entries", id, &body).await {
                self.entries[slot] = Some((id, body["mac_address"].clone()));
                return;
            }
        }
        self.entries[slot] = None;
    }

    async fn reshape(&self, slot: usize, [lag, parent]: &[Value; 2]) {
        let Some((id, _)) = &self.entries[slot] else { return };
        let path = format!("/if-entries/{id}");
        let answer = self.wiring.ask("GET", &path, &Value::Null).await;
        if answer.body["data"].is_null() {
            return;
        }
        let numbers = json!({ "lag_if_index": lag, "parent_if_index": parent });
        self.put("/if-entries", Some(*id), &named_apart(with(&answer.body["data"], &numbers)))
            .await;
    }

    async fn import(&self, net: usize, hosts: &[(&str, Value, Vec<Value>)]) {
        let hosts: Vec<Value> = hosts
            .iter()
            .map(|(name, facts, ports)| with(facts, &json!({ "name": name, "if_entries": ports })))
            .collect();
        let text = document(&self.names[net], &json!(hosts)).to_string();
        refused_at_most(self.wiring.import_into(&text).await.map(drop));
    }
}

/// Asserts that a write was done or refused: a refusal changes nothing, and a failure is a bug.
fn refused_at_most(done: Result<()>) {
    if let Err(error) = done {
        assert!(!matches!(error, Error::Internal(_)), "{error:?}");
    }
}
