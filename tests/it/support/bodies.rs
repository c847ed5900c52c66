//! Bodies of requests that are right, to be made wrong in one way, and all that a request may change.

use std::fmt::Debug;

use sea_orm::{ConnectionTrait as _, EntityTrait as _, QueryOrder as _, Statement};
use serde_json::{Value, json};
use toposcope::{bindings, groups, hosts, if_entries, interfaces, networks, services};
use toposcope_types::Id;

use crate::support::{app::TestApp, world::SampleNetwork};

impl SampleNetwork {
    /// The first entry of a host (0 or 1) as it is, but for its name.
    pub(crate) fn entry_body(&self, host: usize) -> Value {
        json!({
            "host_id": self.hosts[host].id,
            "network_id": self.id,
            "if_index": 1,
            "if_descr": "GigabitEthernet0/1",
            "if_type": 6,
            "admin_status": "Up",
            "oper_status": "Up",
        })
    }

    pub(crate) fn entry_path(&self, host: usize) -> String {
        format!("/api/v1/if-entries/{}", self.hosts[host].if_entries[0])
    }

    /// The group with all six bindings and without tags.
    pub(crate) fn group_body(&self) -> Value {
        json!({
            "name": "web path",
            "network_id": self.id,
            "group_type": "RequestPath",
            "color": "Blue",
            "edge_style": "Bezier",
            "binding_ids": self.bindings(),
            "tags": [],
        })
    }

    pub(crate) fn group_path(&self) -> String {
        format!("/api/v1/groups/{}", self.group)
    }

    /// All bindings of the network in the order of creation.
    pub(crate) fn bindings(&self) -> Vec<Id> {
        self.hosts.iter().flat_map(|host| host.bindings).collect()
    }
}

/// `body` with the keys of `change` in place of its own.
pub(crate) fn with(body: &Value, change: &Value) -> Value {
    let mut body = body.clone();
    for (key, value) in change.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

/// `body` without a key.
pub(crate) fn without(body: &Value, key: &str) -> Value {
    let mut body = body.clone();
    body.as_object_mut().unwrap().remove(key).unwrap();
    body
}

/// Every row that REST could change, with the counters and revisions of the networks.
pub(crate) async fn rows(test: &TestApp) -> Vec<String> {
    let db = test.app.db.reader();
    let mut rows = Vec::new();
    collect(&mut rows, hosts::Entity::find().order_by_asc(hosts::Column::Id).all(db).await);
    collect(
        &mut rows,
        interfaces::Entity::find().order_by_asc(interfaces::Column::Id).all(db).await,
    );
    collect(
        &mut rows,
        if_entries::Entity::find().order_by_asc(if_entries::Column::Id).all(db).await,
    );
    collect(&mut rows, observations(test).await);
    collect(&mut rows, services::Entity::find().order_by_asc(services::Column::Id).all(db).await);
    collect(&mut rows, bindings::Entity::find().order_by_asc(bindings::Column::Id).all(db).await);
    collect(&mut rows, groups::Entity::find().order_by_asc(groups::Column::Id).all(db).await);
    collect(&mut rows, networks::Entity::find().order_by_asc(networks::Column::Id).all(db).await);
    for table in ["group_binding", "group_tag", "service_tag"] {
        let sql = format!("SELECT * FROM {table} ORDER BY 1, 2");
        for row in
            db.query_all_raw(Statement::from_string(test.app.db.backend(), sql)).await.unwrap()
        {
            let (owner, target): (Id, Id) =
                (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
            let position: i32 = row.try_get_by_index(2).unwrap();
            rows.push(format!("{table} {owner} {target} {position}"));
        }
    }
    rows
}

pub(crate) async fn observations(
    test: &TestApp,
) -> Result<Vec<if_entries::Observation>, sea_orm::DbErr> {
    use if_entries::observation::{Column, Entity};
    Entity::find()
        .order_by_asc(Column::IfEntryId)
        .order_by_asc(Column::Protocol)
        .order_by_asc(Column::Position)
        .all(test.app.db.reader())
        .await
}

fn collect<M: Debug>(rows: &mut Vec<String>, found: Result<Vec<M>, sea_orm::DbErr>) {
    rows.extend(found.unwrap().iter().map(|row| format!("{row:?}")));
}

/// One column of one network, as the database has it.
pub(crate) async fn counter(test: &TestApp, network: Id, column: &str) -> i64 {
    let sql = format!("SELECT {column} FROM network WHERE id = $1");
    let statement = Statement::from_sql_and_values(test.app.db.backend(), sql, [network.into()]);
    let row = test.app.db.reader().query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

pub(crate) async fn revision(test: &TestApp, network: Id) -> i64 {
    counter(test, network, "revision").await
}

/// The kinds of an answer: its keys with the JSON type of each, so that two can be compared.
pub(crate) fn shape(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), shape(value))).collect())
        }
        Value::Array(all) => json!(all.iter().map(shape).collect::<Vec<_>>()),
        Value::String(text) if text.parse::<Id>().is_ok() => json!("id"),
        Value::String(text) if text.ends_with('Z') && text.contains('T') => json!("time"),
        Value::String(_) => json!("text"),
        Value::Number(_) => json!("number"),
        Value::Bool(_) => json!("truth"),
        Value::Null => json!("null"),
    }
}
