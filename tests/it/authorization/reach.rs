//! The authorization walk for those who have the level, but not the reach.

use serde_json::{Value, json};
use toposcope_types::{Id, Kind, PermissionLevel};

use crate::{
    authorization::{Route, ask, routes},
    support::{
        app::Answer,
        bodies::{rows, with},
        requests::{Call, Home, call},
        world::{Person, World, key},
    },
    tenancy::{ids_in_network, tenant_ids, world},
};

/// Somebody who asks for what is not in their reach.
struct Attack<'a> {
    who: &'static str,
    home: Home<'a>,
    /// The tenant and network that they ask for.
    away: Home<'a>,
    foreign: Vec<Id>,
    /// Texts that no answer may contain.
    marks: Vec<String>,
}

async fn attacks<'a>(world: &'a World, key_of_second: &'a str) -> Vec<Attack<'a>> {
    let (ours, theirs) = (&world.ours, &world.theirs);
    let owner = |tenant, network_index, person: &'a Person, credential: &'a str| Home {
        tenant,
        network_index,
        person,
        credential,
        level: PermissionLevel::Owner,
    };
    let stranger = |who, credential: &'a str| Attack {
        who,
        home: owner(theirs, 0, &theirs.owner, credential),
        away: owner(ours, 0, &ours.owner, &ours.owner.session),
        foreign: tenant_ids(ours),
        marks: ["secret-first", "secret-second", "ours.example.com"].map(str::to_owned).to_vec(),
    };
    let member = Home {
        level: PermissionLevel::Member,
        ..owner(ours, 0, &ours.member, &ours.member.session)
    };
    vec![
        stranger("a stranger by session", &theirs.owner.session),
        stranger("a stranger by key", &theirs.owner.key),
        Attack {
            who: "a key out of reach",
            home: owner(ours, 1, &ours.owner, key_of_second),
            away: owner(ours, 0, &ours.owner, &ours.owner.session),
            foreign: ids_in_network(&ours.networks[0]),
            marks: vec!["secret-first".to_owned()],
        },
        Attack {
            who: "a member out of reach",
            home: member,
            away: owner(ours, 1, &ours.owner, &ours.owner.session),
            foreign: ids_in_network(&ours.networks[1]),
            marks: vec!["secret-second".to_owned()],
        },
    ]
}

impl Attack<'_> {
    /// Returns whether a route is about something of the attacker's own organization or of the
    /// attacker, so that no network is between.
    fn shares(&self, route: &Route) -> bool {
        let is_one_of = |names: &[&str]| {
            names.iter().any(|name| route.id.trim_end_matches('s').ends_with(name))
        };
        let own_organization = self.home.tenant.organization == self.away.tenant.organization;
        let own = self.home.person.id == self.away.person.id;
        (own_organization && is_one_of(&["_tag", "_organization"]))
            || (own && is_one_of(&["_user", "_user_api_key"]))
    }

    /// Fails if an answer holds what it must not, but for the id that was asked for.
    fn check(&self, route: &Route, answer: &Answer, asked: &str) {
        let told = String::from_utf8_lossy(&answer.bytes).replace(asked, "*");
        let what = || format!("{}: {} {}", self.who, route.method, route.path);
        for mark in &self.marks {
            assert!(!told.contains(mark), "{} told {mark}: {told}", what());
        }
        for id in &self.foreign {
            // A key tells the networks that it was given, and says by whom.
            let of_keys = route.path.starts_with("/api/v1/auth/keys");
            if of_keys && self.who == "a member out of reach" {
                continue;
            }
            assert!(!told.contains(&id.to_string()), "{} told {id}: {told}", what());
        }
    }
}

/// Returns the status and the body of an answer, without the id that was asked for.
fn said(answer: &Answer, asked: &str) -> (u16, String) {
    let told = String::from_utf8_lossy(&answer.bytes).replace(asked, "*");
    (answer.status.as_u16(), told)
}

/// Collects the JSON pointers at which two bodies of one shape name different things.
fn slots(home: &Value, away: &Value, at: &str, found: &mut Vec<(String, Id)>) {
    match (home, away) {
        (Value::Object(fields), _) => {
            for (key, value) in fields {
                slots(value, &away[key], &format!("{at}/{key}"), found);
            }
        }
        (Value::Array(elements), _) => {
            for (nth, value) in elements.iter().enumerate() {
                slots(value, &away[nth], &format!("{at}/{nth}"), found);
            }
        }
        (Value::String(own), Value::String(other)) => {
            if let (Ok(own), Ok(other)) = (own.parse::<Id>(), other.parse::<Id>())
                && own != other
            {
                found.push((at.to_owned(), other));
            }
        }
        _ => {}
    }
}

/// Returns the answer to a body that names, at `slot`, a thing out of reach or none.
fn refusal(route: &str, slot: &str) -> (u16, &'static str) {
    match (route, slot) {
        (route, "/0") if route.starts_with("bulk_delete_") => (200, "deleted_count"),
        ("bulk_add_tag" | "bulk_remove_tag", "/entity_ids/0") => (200, "affected_count"),
        ("assign_tags", "/entity_id") => (404, "entity_not_found"),
        ("create_user_api_key", "/organization_id" | "/user_id" | "/network_ids/0")
        | ("update_user_api_key", "/network_ids/0") => (403, "auth_permission_denied"),
        (
            "update_host" | "update_interface" | "update_port" | "update_service" | "update_subnet"
            | "update_binding",
            "/network_id",
        )
        | ("update_interface" | "update_port" | "update_service", "/host_id")
        | ("update_binding", "/service_id") => (409, "field_immutable"),
        _ => (400, "entity_reference_invalid"),
    }
}

/// Asks for each thing that the path names as if it were theirs.
async fn walk_path(
    world: &World,
    attack: &Attack<'_>,
    route: &Route,
    own: &Call,
    other: &Call,
) -> usize {
    let mut walked = 0;
    for nth in 0..own.ids.len() {
        if own.ids[nth] == other.ids[nth] || attack.shares(route) {
            continue;
        }
        let try_id = async |id: Id| {
            let mut call = own.clone();
            call.ids[nth] = id;
            let answer = ask(world, route, attack.home.credential, &call).await;
            attack.check(route, &answer, &id.to_string());
            let what = format!("{}: {} {} {nth}", attack.who, route.method, route.path);
            let (status, code, _) = answer.failure();
            assert_eq!((status, code), (404, "entity_not_found"), "{what}");
            said(&answer, &id.to_string())
        };
        assert_eq!(
            try_id(other.ids[nth]).await,
            try_id(Id::new()).await,
            "{} {}",
            attack.who,
            route.path
        );
        walked += 1;
    }
    walked
}

/// Names each thing that the body names as if it were theirs.
async fn walk_body(
    world: &World,
    attack: &Attack<'_>,
    route: &Route,
    own: &Call,
    other: &Call,
) -> usize {
    let (Some(body), Some(foreign)) = (&own.body, &other.body) else { return 0 };
    let mut found = Vec::new();
    slots(body, foreign, "", &mut found);
    found.retain(|(slot, _)| slot != "/0" || !attack.shares(route));
    for (slot, foreign) in &found {
        let try_id = async |id: Id| {
            let mut call = own.clone();
            *call.body.as_mut().unwrap().pointer_mut(slot).unwrap() = json!(id);
            let answer = ask(world, route, attack.home.credential, &call).await;
            attack.check(route, &answer, &id.to_string());
            let what = format!("{}: {} {} {slot}", attack.who, route.method, route.path);
            match refusal(&route.id, slot) {
                (200, count) => assert_eq!(answer.data()[count], 0, "{what}"),
                expected => {
                    let (status, code, _) = answer.failure();
                    assert_eq!((status, code), expected, "{what}: {}", answer.body);
                }
            }
            said(&answer, &id.to_string())
        };
        assert_eq!(
            try_id(*foreign).await,
            try_id(Id::new()).await,
            "{} {} {slot}",
            attack.who,
            route.path
        );
    }
    found.len()
}

/// Filters by each thing that is not theirs.
async fn walk_query(world: &World, attack: &Attack<'_>, route: &Route) -> usize {
    for parameter in &route.ids {
        let ids: Vec<Id> = if parameter.ends_with('s') {
            attack.foreign.clone()
        } else {
            vec![attack.away.named(parameter)]
        };
        // It filters nothing: `topology_identify` holds that a root out of reach is refused as one that is
        // nowhere.
        if parameter == "root" {
            continue;
        }
        // Who changed a network is told to all who reach it.
        let by_whom = ["user_id", "api_key_id"].contains(&parameter.as_str());
        if by_whom && attack.home.tenant.organization == attack.away.tenant.organization {
            continue;
        }
        let nowhere: Vec<Id> = ids.iter().map(|_| Id::new()).collect();
        let try_ids = async |ids: &[Id]| {
            let joined: Vec<String> = ids.iter().map(ToString::to_string).collect();
            let path = format!("{}?{parameter}={}", route.path, joined.join(","));
            let ask = world.test.get(&path).credential(attack.home.credential);
            let answer = ask.send().await;
            let what = format!("{}: {path}", attack.who);
            assert_eq!(answer.status, 200, "{what}");
            attack.check(route, &answer, &joined.join(","));
            if answer.body.is_null() {
                let lines = String::from_utf8_lossy(&answer.bytes).trim_end().lines().count();
                assert_eq!(lines, 1, "{what} is only the head of the table");
            } else {
                assert_eq!(answer.data(), &json!([]), "{what}");
                assert_eq!(answer.body["meta"]["pagination"]["total_count"], 0, "{what}");
            }
            answer.bytes
        };
        assert_eq!(try_ids(&ids).await, try_ids(&nowhere).await, "{} {}", attack.who, route.path);
    }
    route.ids.len()
}

#[tokio::test]
async fn what_is_out_of_reach_is_at_every_route_as_if_it_did_not_exist() {
    let world = world().await;
    let owner = user(&world, world.ours.owner.id).await;
    let second = [world.ours.networks[1].id];
    let (_, key_of_second) = key(&world.test, &owner, PermissionLevel::Owner, &second).await;
    let (mut paths, mut bodies, mut queries) = (0, 0, 0);
    for attack in attacks(&world, &key_of_second).await {
        let by_key = attack.home.credential.starts_with("scp_u_");
        for route in routes() {
            let Some(needed) = route.level else { continue };
            if needed > attack.home.level || (by_key && route.session_only) {
                continue;
            }
            let own = call(&world, &route.id, &attack.home).await;
            let other = call(&world, &route.id, &attack.away).await;
            paths += walk_path(&world, &attack, &route, &own, &other).await;
            bodies += walk_body(&world, &attack, &route, &own, &other).await;
            queries += walk_query(&world, &attack, &route).await;
            // Without what is foreign the same request is right, and tells nothing of others.
            let answer = ask(&world, &route, attack.home.credential, &own).await;
            let what = format!("{}: {} {}", attack.who, route.method, route.path);
            assert_eq!(answer.status, 200, "{what} {own:?}: {}", answer.body);
            attack.check(&route, &answer, "nothing was asked for");
        }
    }
    assert!(paths > 150 && bodies > 300 && queries > 350, "{paths} {bodies} {queries}");
}

async fn user(world: &World, id: Id) -> toposcope::users::User {
    use sea_orm::EntityTrait as _;
    let found = toposcope::users::Entity::find_by_id(id).one(world.test.app.db.reader()).await;
    found.unwrap().unwrap()
}

#[tokio::test]
async fn what_is_made_cannot_be_given_an_id_that_something_has_anywhere() {
    let world = world().await;
    let (ours, theirs) = (&world.ours.networks[0], &world.theirs.networks[0]);
    let (host, foreign) = (&ours.hosts[0], &theirs.hosts[0]);
    let path = format!("/api/v1/hosts/{}", host.id);
    let entry = json!({
        "id": foreign.if_entries[0], "if_index": 9, "if_descr": "x", "if_type": 6,
        "admin_status": "Up", "oper_status": "Up",
    });
    let service = json!({ "name": "x", "service_definition": "x" });
    let binding =
        json!({ "id": foreign.bindings[0], "type": "Interface", "interface_id": host.interface });
    for (part, kind, element) in [
        ("ports", Kind::Port, json!({ "id": foreign.ports[0], "number": 9, "protocol": "Tcp" })),
        (
            "interfaces",
            Kind::Interface,
            json!({ "id": foreign.interface, "subnet_id": ours.subnet, "ip_address": "10.0.0.9" }),
        ),
        ("if_entries", Kind::IfEntry, entry),
        ("services", Kind::Service, with(&service, &json!({ "id": foreign.services[0] }))),
        ("services", Kind::Binding, with(&service, &json!({ "bindings": [binding] }))),
    ] {
        let body = json!({ "network_id": ours.id, "name": "x", "tags": [], part: [element] });
        let before = rows(&world.test).await;
        let put = world.test.put(&path, &body).credential(&world.ours.owner.session);
        let answer = put.send().await;
        let params = json!({ "entity": kind.name(), "field": "id" });
        assert_eq!(answer.failure(), (409, "entity_already_exists", &params), "{part}");
        assert_eq!(rows(&world.test).await, before, "{part}");
    }
}
