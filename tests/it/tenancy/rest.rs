//! The same walls at every endpoint of REST.

use serde_json::{Map, Value, json};
use toposcope_types::Id;

use crate::{
    support::{
        app::{Answer, Ask},
        introspection::text,
        world::World,
    },
    tenancy::{Attack, attacks, blank, marks, mutations::input, world},
};

/// Every route that takes an id, where `*` is; a new one belongs here.
const ROUTES: &[&str] = &[
    "/services?network_id=*",
    "/services?host_id=*",
    "/services?ids=*",
    "/services?tag_ids=*",
    "/services?network_id=*&order_by=name",
    "/services?ids=*&limit=0",
    "/if-entries/*",
    "/groups/*",
    "/auth/keys/*",
];

/// Every body and the fields of it that name something.
const BODIES: &[(&str, &[&str])] = &[
    ("/if-entries", &["host_id", "network_id", "interface_id", "neighbor"]),
    ("/groups", &["network_id", "binding_ids", "tags"]),
    ("/auth/keys", &["organization_id", "user_id", "network_ids", "tags"]),
];

/// Returns the status and the body of an answer, without the id that was asked for.
fn said(answer: &Answer, id: Id) -> (u16, String) {
    (answer.status.as_u16(), blank(&answer.body, id))
}

/// A body of REST that would be accepted.
fn body(route: &str, attack: &Attack<'_>) -> Value {
    match route {
        "/if-entries" => snake(&input("IfEntry", attack.own)),
        "/groups" => snake(&input("Group", attack.own)),
        _ => json!({
            "name": "x", "organization_id": attack.own.organization, "user_id": Id::nil(), "tags": [],
        }),
    }
}

fn request<'a>(world: &'a World, attack: &Attack<'_>, route: &str, id: Id) -> Ask<'a> {
    let path = format!("/api/v1{}", route.replace('*', &id.to_string()));
    match route {
        "/if-entries/*" => world.test.put(&path, &body("/if-entries", attack)),
        "/groups/*" => world.test.put(&path, &body("/groups", attack)),
        _ => world.test.get(&path),
    }
}

#[tokio::test]
async fn every_route_is_blind_to_what_is_out_of_reach() {
    let world = world().await;
    for attack in attacks(&world) {
        for route in ROUTES {
            let ask = async |id: Id| {
                let request = request(&world, &attack, route, id).credential(attack.credential);
                said(&request.send().await, id)
            };
            let known = ask(Id::new()).await;
            for id in &attack.foreign {
                assert_eq!(ask(*id).await, known, "{}: {route} with {id}", attack.who);
            }
            for mark in marks(&attack, &world) {
                assert!(!known.1.contains(&mark), "{}: {route} told {mark}", attack.who);
            }
        }
    }
}

#[tokio::test]
async fn every_body_is_blind_to_what_is_out_of_reach() {
    let world = world().await;
    for attack in attacks(&world) {
        let network = &attack.own.networks[0];
        for (route, slots) in BODIES {
            for slot in *slots {
                let ask = async |id: Id| {
                    let mut body = body(route, &attack);
                    body[slot] = match *slot {
                        "neighbor" => json!({ "type": "IfEntry", "id": id }),
                        list if list.ends_with('s') => json!([id]),
                        _ => json!(id),
                    };
                    let request = match *route {
                        "/if-entries" => world.test.put(
                            &format!("/api/v1/if-entries/{}", network.hosts[0].if_entries[0]),
                            &body,
                        ),
                        "/groups" => {
                            world.test.put(&format!("/api/v1/groups/{}", network.group), &body)
                        }
                        _ => world.test.post("/api/v1/auth/keys", &body),
                    };
                    said(&request.credential(attack.credential).send().await, id)
                };
                let known = ask(Id::new()).await;
                assert_ne!(known.0, 200, "{route} took an unknown id in {slot}");
                for id in &attack.foreign {
                    assert_eq!(ask(*id).await, known, "{}: {route} {slot} {id}", attack.who);
                }
            }
        }
    }
}

/// An input of GraphQL as a body of REST.
fn snake(input: &Value) -> Value {
    let enums = ["adminStatus", "operStatus", "groupType", "color", "edgeStyle"];
    let fields = input.as_object().unwrap().iter().map(|(key, value)| {
        let mut name = String::new();
        for character in key.chars() {
            if character.is_uppercase() {
                name.push('_');
            }
            name.extend(character.to_lowercase());
        }
        let value = if enums.contains(&key.as_str()) {
            let words =
                text(value).split('_').map(|word| word[..1].to_owned() + &word[1..].to_lowercase());
            json!(words.collect::<String>())
        } else {
            value.clone()
        };
        (name, value)
    });
    Value::Object(fields.collect::<Map<_, _>>())
}
