//! The log: it tells who came, who was refused and who may do what, and no secret.

use serde_json::{Value, json};

use crate::support::binary::{Sandbox, Server, bearer};

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "Correct-Horse-9";

fn login(
    server: &Server,
    head: &str,
    email: &str,
    password: &str,
) -> crate::support::binary::HttpAnswer {
    let body = json!({ "email": email, "password": password });
    server.ask("POST", "/api/auth/login", head, &body)
}

/// The lines that a filter like that of the README finds, with the address in each.
fn found<'a>(log: &'a str, words: &str) -> Vec<(&'a str, &'a str)> {
    let lines = log.lines().filter_map(|line| {
        let (_, rest) = line.split_once(words)?;
        let end = rest.find([':', ' ']).unwrap_or(rest.len());
        Some((line, &rest[..end]))
    });
    lines.collect()
}

#[test]
fn each_refusal_and_each_login_is_one_line_with_its_address_and_no_secret() {
    let sandbox = Sandbox::migrated();
    let create = ["user", "create", "--password-stdin", "--email"];
    sandbox.done(&[&create[..], &[EMAIL]].concat(), PASSWORD);
    sandbox
        .done(&[&create[..], &["bob@example.com", "--permissions", "member"]].concat(), PASSWORD);
    let key = ["key", "create", "--email", EMAIL, "--name", "x", "--permissions", "owner"];
    let key = sandbox.done(&key, "").trim().to_owned();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::start(command.env("TOPOSCOPE_TRUSTED_PROXIES", "127.0.0.1"));
    let from = |nth: u8| format!("X-Forwarded-For: 192.0.2.{nth}\r\n");

    let session = login(&server, &from(1), EMAIL, PASSWORD).cookie();
    let me = server.ask("POST", "/api/auth/me", &(from(1) + &session), &Value::Null);
    let ada = me.data()["id"].as_str().unwrap().to_owned();
    assert_eq!(login(&server, &from(2), EMAIL, "Mistyped-Horse-1").status, 401);
    assert_eq!(login(&server, &from(3), "Typed-Secret-2", "Mistyped-Horse-1").status, 401);
    // One that comes with a session that has ended is one failed login, and nothing else.
    let stale = format!("Cookie: session_id={}\r\n", "0".repeat(64));
    assert_eq!(login(&server, &(from(4) + &stale), "Typed-Secret-2", "x").status, 401);
    let unknown = bearer(&format!("scp_u_{}", "a".repeat(32)));
    for (nth, credential) in
        [(5, unknown.clone()), (6, stale), (7, "Authorization: x\r\n".to_owned())]
    {
        assert_eq!(server.get("/api/v1/services", &(from(nth) + &credential)).status, 401);
    }
    let id = server.get("/api/v1/auth/keys", &session).data()[0].clone();
    let path = format!("/api/v1/auth/keys/{}", id["id"].as_str().unwrap());
    let body = json!({ "name": "x", "tags": [], "is_enabled": false });
    server.ask("PUT", &path, &(from(1) + &session), &body).data();
    assert_eq!(server.get("/api/v1/services", &(from(8) + &bearer(&key))).status, 403);
    let query = json!({ "query": "{ viewer { permissions } }" });
    assert_eq!(server.ask("POST", "/graphql", &(from(8) + &bearer(&key)), &query).status, 403);
    // Nobody presented anything: nothing was refused.
    assert_eq!(server.get("/api/v1/services", &from(9)).status, 401);
    // Nor is a credential refused where none is needed.
    assert_eq!(server.get("/api/version", &(from(9) + &unknown)).status, 200);
    let mut over = 0;
    while over < 2 {
        over += i32::from(server.get("/api/version", &from(10)).status == 429);
    }
    let users = server.get("/api/v1/users?permissions=Member", &(from(1) + &session));
    let bob = users.data()[0]["id"].as_str().unwrap().to_owned();
    let change = json!({ "permissions": "Admin" });
    server.ask("PUT", &format!("/api/v1/users/{bob}"), &(from(11) + &session), &change).data();
    // A guess at one's own password by a session is a failed login like others.
    let guess = json!({ "email": "new@example.com", "password": "Mistyped-Horse-1" });
    let own = format!("/api/v1/users/{ada}");
    assert_eq!(server.ask("PUT", &own, &(from(12) + &session), &guess).status, 401);
    server.terminate();
    let (status, log) = server.ended();
    assert!(status.success(), "{log}");

    let addresses = |words| found(&log, words).iter().map(|(_, at)| *at).collect::<Vec<_>>();
    assert_eq!(
        addresses("failed login from "),
        ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.12"],
        "{log}"
    );
    let refused = ["192.0.2.5", "192.0.2.6", "192.0.2.7", "192.0.2.8", "192.0.2.8"];
    assert_eq!(addresses("refused a credential from "), refused, "{log}");
    assert_eq!(addresses("too many requests from "), ["192.0.2.10"; 2], "{log}");
    assert_eq!(addresses(": login from "), ["192.0.2.1"], "{log}");
    for (words, known) in
        [(": login from ", 1), ("failed login from ", 2), ("refused a credential from ", 2)]
    {
        let lines = found(&log, words);
        let named = lines.iter().filter(|(line, _)| line.contains(&ada)).count();
        assert_eq!(named, known, "{words}: {log}");
        assert!(lines.iter().all(|(line, _)| line.contains(" INFO ")), "{log}");
    }
    let granted: Vec<_> = log.lines().filter(|line| line.contains(" granted ")).collect();
    assert_eq!(granted.len(), 1, "{log}");
    for part in [&*ada, &*bob, "192.0.2.11", "Admin"] {
        assert!(granted[0].contains(part), "{part}: {log}");
    }
    for secret in
        ["Typed-Secret", "typed-secret", "Mistyped", "Horse", "scp_u_", EMAIL, &"0".repeat(64)]
    {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
    let session = session.trim().rsplit('=').next().unwrap();
    assert!(!log.contains(session), "{log}");
}

#[test]
fn a_grant_by_command_is_told() {
    let sandbox = Sandbox::migrated();
    let create = ["user", "create", "--password-stdin", "--email", "bob@example.com"];
    sandbox.done(&[&create[..], &["--permissions", "member"]].concat(), PASSWORD);
    let grant = ["user", "grant", "--email", "bob@example.com", "--network", "My network"];
    let output = sandbox.run(&grant, "");
    let log = String::from_utf8(output.stderr).unwrap();
    let granted = log.lines().filter(|line| line.contains("granted a network to user ")).count();
    assert_eq!(granted, 1, "{log}");
}

#[test]
fn the_log_tells_a_wrong_key_from_none_and_the_answer_does_not() {
    let sandbox = Sandbox::migrated();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::start(command.env("TOPOSCOPE_LOG", "debug"));
    let unknown = bearer(&format!("scp_u_{}", "a".repeat(32)));
    let several = unknown.repeat(2);
    let none = "no credential from 127.0.0.1";
    let mut answers = Vec::new();
    for (head, told) in [
        ("", none),
        (&*unknown, "from 127.0.0.1: there is no such API key"),
        (&several, "from 127.0.0.1: there are several headers `Authorization`"),
        // What a shell makes of a variable that is not set.
        ("Authorization: Bearer \r\n", "from 127.0.0.1: it is not `Bearer` and then an API key"),
        ("Authorization: scp_u_x\r\n", "from 127.0.0.1: it is not `Bearer` and then an API key"),
        ("Cookie: session_id=x\r\n", "from 127.0.0.1: its session is unknown or has ended"),
    ] {
        let lines = server.log().matches(told).count();
        let answer = server.get("/api/v1/services", head);
        assert_eq!(answer.status, 401);
        answers.push(answer.body["error"].clone());
        let wait = std::time::Instant::now();
        while server.log().matches(told).count() == lines {
            assert!(wait.elapsed() < crate::support::binary::PATIENCE, "{told}: {}", server.log());
            std::thread::yield_now();
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(server.log().matches(none).count(), 1);
    assert!(!server.log().contains("scp_u_a"));
}
