//! Walls: what lies out of reach is, through every field and every endpoint, as if it did not exist.
//!
//! The walk is made from the schema, so a new field is walked by itself.

mod mutations;
mod rest;

use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use toposcope_types::Id;

use crate::support::{
    introspection::{Types, named, text},
    world::{SampleNetwork, Tenant, World},
};

/// Every id of a network.
pub(crate) fn ids_in_network(network: &SampleNetwork) -> Vec<Id> {
    let mut ids = vec![network.id, network.subnet, network.group];
    for host in &network.hosts {
        ids.extend([host.id, host.interface]);
        ids.extend(
            host.ports.iter().chain(&host.if_entries).chain(&host.services).chain(&host.bindings),
        );
    }
    ids
}

/// Every id of a tenant.
pub(crate) fn tenant_ids(tenant: &Tenant) -> Vec<Id> {
    let mut ids = vec![tenant.organization];
    ids.extend(tenant.tags);
    for person in [&tenant.owner, &tenant.admin, &tenant.member, &tenant.viewer] {
        ids.extend([person.id, person.key_id]);
    }
    ids.extend(tenant.networks.iter().flat_map(ids_in_network));
    ids
}

/// An attacker, their credential, and the ids that they must learn nothing of.
pub(crate) struct Attack<'a> {
    pub(crate) who: &'static str,
    pub(crate) credential: &'a str,
    pub(crate) own: &'a Tenant,
    pub(crate) foreign: Vec<Id>,
}

pub(crate) fn attacks(world: &World) -> Vec<Attack<'_>> {
    let (ours, theirs) = (&world.ours, &world.theirs);
    let attack = |who, credential, own, foreign| Attack { who, credential, own, foreign };
    vec![
        attack("our owner by session", &*ours.owner.session, ours, tenant_ids(theirs)),
        attack("our member by key", &*ours.member.key, ours, tenant_ids(theirs)),
        attack("their owner by key", &*theirs.owner.key, theirs, tenant_ids(ours)),
        attack(
            "our member at our second network",
            &*ours.member.key,
            ours,
            ids_in_network(&ours.networks[1]),
        ),
        attack(
            "our viewer at our second network",
            &*ours.viewer.session,
            ours,
            ids_in_network(&ours.networks[1]),
        ),
    ]
}

/// A world where each thing that is out of somebody's reach has a name that tells it.
pub(crate) async fn world() -> World {
    let world = World::new().await;
    let db = world.test.app.db.writer();
    for (mark, networks) in [
        (
            "secret-theirs",
            format!(
                "SELECT id FROM network WHERE organization_id = {}",
                literal(&world, world.theirs.organization)
            ),
        ),
        (
            "secret-first",
            format!(
                "SELECT id FROM network WHERE id = {}",
                literal(&world, world.ours.networks[0].id)
            ),
        ),
        (
            "secret-second",
            format!(
                "SELECT id FROM network WHERE id = {}",
                literal(&world, world.ours.networks[1].id)
            ),
        ),
    ] {
        for (table, column) in [
            ("host", "name"),
            ("service", "name"),
            ("\"group\"", "name"),
            ("subnet", "name"),
            ("interface", "name"),
            ("if_entry", "if_descr"),
            ("if_entry", "if_alias"),
        ] {
            let sql =
                format!("UPDATE {table} SET {column} = '{mark}' WHERE network_id IN ({networks})");
            assert!(db.execute_unprepared(&sql).await.unwrap().rows_affected() > 0);
        }
        db.execute_unprepared(&format!(
            "UPDATE network SET name = '{mark}' WHERE id IN ({networks})"
        ))
        .await
        .unwrap();
    }
    let theirs = literal(&world, world.theirs.organization);
    for (table, name) in
        [("tag", "'secret-theirs-' || name"), ("api_key", "'secret-theirs-' || name")]
    {
        db.execute_unprepared(&format!(
            "UPDATE {table} SET name = {name} WHERE organization_id = {theirs}"
        ))
        .await
        .unwrap();
    }
    world
}

pub(crate) fn literal(world: &World, id: Id) -> String {
    match world.test.app.db.backend() {
        sea_orm::DbBackend::Sqlite => format!("x'{}'", id.uuid().simple()),
        _ => format!("'{id}'"),
    }
}

/// The marks that must not come up in an answer to an attacker.
pub(crate) fn marks(attack: &Attack<'_>, world: &World) -> Vec<String> {
    let mut marks: Vec<String> = attack.foreign.iter().map(ToString::to_string).collect();
    let ours = attack.own.organization == world.ours.organization;
    marks.push(if ours { "secret-theirs" } else { "secret-second" }.to_owned());
    if !ours {
        marks.push("secret-first".to_owned());
    }
    marks.push(if ours { "theirs.example.com" } else { "ours.example.com" }.to_owned());
    if attack.who.contains("member") || attack.who.contains("viewer") {
        marks.push("secret-second".to_owned());
    }
    marks
}

/// An answer in which the id that was asked for is a blank.
pub(crate) fn blank(answer: &Value, id: Id) -> String {
    answer.to_string().replace(&id.to_string(), "*")
}

/// Asks the same with a foreign id and with one that does not exist: nothing may tell them apart.
async fn indistinguishable(
    world: &World,
    attack: &Attack<'_>,
    query: &str,
    variables: impl Fn(Id) -> Value,
) {
    let nowhere = Id::new();
    let ask = |id| world.test.graphql(attack.credential, query, variables(id));
    let known = blank(&ask(nowhere).await, nowhere);
    for id in &attack.foreign {
        let answer = blank(&ask(*id).await, *id);
        assert_eq!(answer, known, "{}: {query} with {}", attack.who, variables(*id));
        for mark in marks(attack, world) {
            assert!(!answer.contains(&mark), "{}: {query} told {mark}: {answer}", attack.who);
        }
    }
}

#[tokio::test]
async fn every_query_by_id_is_blind_to_what_is_out_of_reach() {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let mut walked = Vec::new();
    for field in types.fields("Query") {
        let arguments = field["args"].as_array().unwrap();
        let Some(argument) = arguments.iter().find(|argument| named(&argument["type"]) == "ID")
        else {
            continue;
        };
        let (name, argument) = (text(&field["name"]), text(&argument["name"]));
        let query = format!("query Q($id: ID!) {{ {name}({argument}: $id) {{ __typename id }} }}");
        for attack in attacks(&world) {
            indistinguishable(&world, &attack, &query, |id| json!({ "id": id })).await;
        }
        walked.push(name);
    }
    assert!(walked.len() >= 11, "{walked:?}");
}

#[tokio::test]
async fn every_filter_by_id_is_blind_to_what_is_out_of_reach() {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let mut walked = 0;
    let mut roots = vec![("Query".to_owned(), String::new())];
    roots.extend(types.connections("Query").into_iter().map(|root| (root.node, root.field)));
    for (parent, list) in roots {
        if types.kind(&parent) != "OBJECT" {
            continue;
        }
        for connection in types.connections(&parent) {
            for field in types.fields(&connection.filter) {
                if named(&field["type"]) != "IdFilter" {
                    continue;
                }
                let (name, input) = (&connection.field, &connection.filter);
                let ask = format!(
                    "{name}(filter: $filter) {{ totalCount nodes {{ id }} pageInfo {{ endCursor }} }}"
                );
                let query = if list.is_empty() {
                    format!("query Q($filter: {input}) {{ {ask} }}")
                } else {
                    format!("query Q($filter: {input}) {{ {list} {{ nodes {{ id {ask} }} }} }}")
                };
                let field = text(&field["name"]);
                for attack in attacks(&world) {
                    for wrap in [
                        |one: Value| one,
                        |one: Value| json!({ "or": [one] }),
                        |one: Value| json!({ "not": one }),
                    ] {
                        let ask = |ids: &[Id]| {
                            let filter = wrap(json!({ field: { "in": ids } }));
                            world.test.graphql(
                                attack.credential,
                                &query,
                                json!({ "filter": filter }),
                            )
                        };
                        let nowhere: Vec<Id> = attack.foreign.iter().map(|_| Id::new()).collect();
                        assert_eq!(
                            ask(&attack.foreign).await,
                            ask(&nowhere).await,
                            "{}: {query}",
                            attack.who
                        );
                    }
                }
                let attack = &attacks(&world)[walked % 5];
                let variables = |id: Id| json!({ "filter": { field: { "eq": id } } });
                indistinguishable(&world, attack, &query, variables).await;
                walked += 1;
            }
        }
    }
    assert!(walked > 50, "{walked}");
}
