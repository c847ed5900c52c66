//! Exchanges of programs of others, as `tests/clients` describes them.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use serde_json::Value;

use crate::support::world::World;

/// The requests of one program, in this order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Client {
    about: String,
    credential: String,
    exchanges: Vec<Exchange>,
}

/// One request and what is expected of its answer. `${name}` stands for an id, everywhere.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchange {
    request: String,
    credential: Option<String>,
    body: Option<Value>,
    status: u16,
    /// The values at pointers into the answer (RFC 6901).
    #[serde(default)]
    expect: BTreeMap<String, Value>,
    /// The pointers that find a value.
    #[serde(default)]
    has: Vec<String>,
    /// A text that the answer contains.
    text: Option<String>,
    /// Ids of the answer, by the names that they have from then on.
    #[serde(default)]
    keep: BTreeMap<String, String>,
}

type Names = BTreeMap<String, String>;

fn filled(text: &str, names: &Names) -> String {
    names.iter().fold(text.to_owned(), |text, (name, id)| text.replace(&format!("${{{name}}}"), id))
}

fn filled_value(value: &Value, names: &Names) -> Value {
    serde_json::from_str(&filled(&value.to_string(), names)).unwrap()
}

fn names(world: &World) -> Names {
    let (network, host) = (&world.ours.networks[0], &world.ours.networks[0].hosts[0]);
    let theirs = &world.theirs.networks[0];
    [
        ("organization", world.ours.organization),
        ("network", network.id),
        ("subnet", network.subnet),
        ("group", network.group),
        ("host", host.id),
        ("entry", host.if_entries[0]),
        ("service", host.services[0]),
        ("viewer", world.ours.viewer.id),
        ("their_network", theirs.id),
        ("their_host", theirs.hosts[0].id),
    ]
    .map(|(name, id)| (name.to_owned(), id.to_string()))
    .into()
}

fn secret<'w>(world: &'w World, credential: &str) -> Option<&'w str> {
    let ours = &world.ours;
    Some(match credential {
        "nobody" => return None,
        "viewer_key" => &ours.viewer.key,
        "member_key" => &ours.member.key,
        "admin_key" => &ours.admin.key,
        "owner_key" => &ours.owner.key,
        "owner_session" => &ours.owner.session,
        other => panic!("there is no credential {other}"),
    })
}

async fn replay(client: Client) {
    let world = World::new().await;
    let mut names = names(&world);
    for exchange in &client.exchanges {
        let request = filled(&exchange.request, &names);
        let what = format!("{}\n{request}", client.about);
        let (method, path) = request.split_once(' ').unwrap();
        let mut ask = world.test.ask(method.parse().unwrap(), path);
        if let Some(body) = &exchange.body {
            ask = ask.json(&filled_value(body, &names));
        }
        let credential = exchange.credential.as_ref().unwrap_or(&client.credential);
        if let Some(secret) = secret(&world, credential) {
            ask = ask.credential(secret);
        }
        let answer = ask.send().await;
        let said = String::from_utf8_lossy(&answer.bytes).into_owned();
        assert_eq!(answer.status.as_u16(), exchange.status, "{what}: {said}");
        for (pointer, expected) in &exchange.expect {
            let found = answer.body.pointer(pointer);
            assert_eq!(found, Some(&filled_value(expected, &names)), "{what} {pointer}: {said}");
        }
        for pointer in &exchange.has {
            assert!(answer.body.pointer(pointer).is_some(), "{what} {pointer}: {said}");
        }
        let wanted = exchange.text.as_deref().unwrap_or_default();
        assert!(said.contains(wanted), "{what} {wanted}: {said}");
        for (name, pointer) in &exchange.keep {
            let id = answer.body.pointer(pointer).and_then(Value::as_str);
            names.insert(name.clone(), id.unwrap_or_else(|| panic!("{what} {pointer}")).to_owned());
        }
    }
}

#[tokio::test]
async fn every_exchange_has_the_answer_that_its_client_expects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let client = serde_json::from_str(&text);
        replay(client.unwrap_or_else(|error| panic!("{}: {error}", file.display()))).await;
    }
}
