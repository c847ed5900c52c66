//! A server that is killed while it writes: what it answered for is there, and what follows from it.

use std::{
    collections::BTreeSet,
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::mpsc,
    thread::{self, JoinHandle},
};

use sea_orm::EntityTrait as _;
use serde_json::{Value, json};
use toposcope::{db::Db, networks};

use crate::support::{
    binary::{Sandbox, Server, bearer, block_on},
    bodies::with,
    resolutions::resolutions,
    wiring::{device, document, port},
};

const WRITERS: usize = 3;
/// The number of writes of each that are accepted before the server is killed.
const WRITES: usize = 12;

/// Writes again and again that a port hears another one of the far device, until nobody answers;
/// answers the last that was accepted, and what was on its way when the server was gone.
fn write(
    server: &Server,
    key: &str,
    entry: &Value,
    accepted: impl Fn() + Send + 'static,
) -> JoinHandle<[i64; 2]> {
    let (address, entry) = (server.address, entry.clone());
    let head = bearer(key);
    thread::spawn(move || {
        let mut last = 0;
        for turn in 1_i64.. {
            let far = format!("Gi0/{}", turn % 4 + 1);
            let said = json!({
                "lldp_chassis_id": { "subtype": "LocallyAssigned", "value": "far" },
                "lldp_port_id": { "subtype": "InterfaceName", "value": far },
                "if_alias": turn.to_string(),
            });
            let body = with(&entry, &said).to_string();
            let path = format!("/api/v1/if-entries/{}", entry["id"].as_str().unwrap());
            let request = format!(
                "PUT {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{head}\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let answered = TcpStream::connect(address).and_then(|mut stream| {
                stream.write_all(request.as_bytes())?;
                let mut answer = String::new();
                stream.read_to_string(&mut answer)?;
                Ok(answer)
            });
            match answered {
                Ok(answer) if answer.starts_with("HTTP/1.1 200") => last = turn,
                Ok(answer) if !answer.is_empty() => panic!("{answer}"),
                _ => return [last, turn],
            }
            accepted();
        }
        unreachable!("it writes until nobody answers")
    })
}

#[test]
fn what_was_answered_for_outlives_the_server_and_its_links_follow_from_it() {
    let sandbox = Sandbox::migrated();
    let ports = |count: usize| -> Vec<Value> {
        let numbers = (1..).take(count);
        numbers.map(|number| port(number, &format!("Gi0/{number}"), &json!({}))).collect()
    };
    let hosts =
        json!([device("near", &ports(WRITERS), &json!({})), device("far", &ports(4), &json!({})),]);
    let file = sandbox.folder.path().join("lab.json");
    fs::write(&file, document("lab", &hosts).to_string()).unwrap();
    let email = "ada@example.com";
    sandbox.done(&["user", "create", "--email", email, "--password-stdin"], "Correct-Horse-9\n");
    sandbox.done(&["import", file.to_str().unwrap()], "");
    let robot = ["key", "create", "--email", email, "--name", "robot", "--permissions", "Member"];
    let key = sandbox.done(&robot, "");
    let key = key.trim();

    let unlimited = ["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off"];
    let server = Server::start(&mut sandbox.command(&unlimited));
    let hosts = server.get("/api/v1/hosts?limit=10", &bearer(key)).data().clone();
    let near = hosts.as_array().unwrap().iter().find(|host| host["name"] == "near").unwrap();
    let entries = near["if_entries"].as_array().unwrap();
    let (sender, accepted) = mpsc::channel();
    let begin = |(writer, entry): (usize, &Value)| {
        let sender = sender.clone();
        write(&server, key, entry, move || {
            // Nobody counts any more once enough were accepted.
            let _ = sender.send(writer);
        })
    };
    let writers: Vec<_> = entries.iter().enumerate().map(begin).collect();
    drop(sender);
    let mut counts = [0; WRITERS];
    while counts.iter().any(|count| *count < WRITES) {
        counts[accepted.recv().unwrap()] += 1;
    }
    // Killed, not asked to stop.
    drop(server);
    let written: Vec<[i64; 2]> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();

    let server = sandbox.serve();
    let entries: Vec<&str> = entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    for (id, [last, on_its_way]) in entries.iter().zip(&written) {
        let entry = server.get(&format!("/api/v1/if-entries/{id}"), &bearer(key)).data().clone();
        let turn: i64 = entry["if_alias"].as_str().unwrap().parse().unwrap();
        assert!((*last..=*on_its_way).contains(&turn), "{turn} of {last} to {on_its_way}");
        assert_eq!(entry["lldp_port_id"]["value"], format!("Gi0/{}", turn % 4 + 1));
        assert_eq!(entry["neighbor"]["type"], "IfEntry", "{entry}");
    }
    drop(server);
    block_on(async {
        let db = Db::open(&sandbox.url).await.unwrap();
        let network = networks::Entity::find().all(db.reader()).await.unwrap();
        let network = network.iter().find(|network| network.name == "lab").unwrap().id;
        let resolved = async || -> BTreeSet<String> {
            resolutions(db.writer()).await.iter().map(|row| format!("{row:?}")).collect()
        };
        let before = resolved().await;
        assert_eq!(before.len(), WRITERS);
        let write = db.begin().await.unwrap();
        toposcope::resolution::incremental::from_scratch(&write, &db, network).await.unwrap();
        write.commit().await.unwrap();
        assert_eq!(resolved().await, before);
    });
}
