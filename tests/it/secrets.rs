//! Secrets: not a byte of one is in a log, or in an answer that does not give it.

use sea_orm::{ConnectionTrait as _, Database, Statement};
use serde_json::{Value, json};

use crate::support::binary::{Sandbox, Server, bearer, block_on};

const PASSWORDS: [&str; 3] = ["Correct-Horse-9", "Wrong-Horse-8", "Database-Pass-7"];

/// Every hash that the database keeps.
fn hashes(sandbox: &Sandbox) -> Vec<String> {
    block_on(async {
        let db = Database::connect(&sandbox.url).await.unwrap();
        let sql = "SELECT token_hash AS hash FROM session UNION ALL
            SELECT secret_hash FROM api_key_secret UNION ALL SELECT password_hash FROM credential";
        let statement = Statement::from_string(db.get_database_backend(), sql);
        let rows = db.query_all_raw(statement).await.unwrap();
        rows.iter().map(|row| row.try_get("", "hash").unwrap()).collect()
    })
}

#[test]
fn no_secret_reaches_the_log() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::start(command.env("TOPOSCOPE_LOG", "debug"));
    let mut secrets: Vec<String> = PASSWORDS.map(str::to_owned).to_vec();
    let post = |path: &str, head: &str, body: &Value| server.ask("POST", path, head, body);
    let id = |cookie: &str| cookie.trim_end().rsplit('=').next().unwrap().to_owned();

    let body = json!({ "organization_name": "Ours", "network": { "name": "Home" } });
    let setup = post("/api/auth/setup", "", &body).cookie();
    let mut person = json!({ "email": "ada@example.com", "password": PASSWORDS[0] });
    person["terms_accepted"] = true.into();
    let first = post("/api/auth/register", &setup, &person);
    let second = post("/api/auth/login", &first.cookie(), &person).cookie();
    secrets.extend([id(&setup), id(&first.cookie()), id(&second)]);
    person["password"] = PASSWORDS[1].into();
    assert_eq!(post("/api/auth/login", "", &person).status, 401);
    let me = post("/api/auth/me", &second, &Value::Null);
    let body = json!({
        "name": "robot", "organization_id": me.data()["organization_id"],
        "user_id": me.data()["id"], "tags": [],
    });
    let created = post("/api/v1/auth/keys", &second, &body);
    let key = created.data()["key"].as_str().unwrap().to_owned();
    let query = r#"mutation { createApiKey(input: { name: "x" }) { key } }"#;
    let answer = post("/graphql", &second, &json!({ "query": query }));
    let other = answer.body["data"]["createApiKey"]["key"].as_str().unwrap().to_owned();
    let unknown = format!("scp_u_{}", "Zz9".repeat(11).get(..32).unwrap());
    for key in [&key, &other, &unknown] {
        server.get("/api/v1/services", &bearer(key));
        server.get(&format!("/api/v1/services?key={key}"), "");
        server.get(&format!("/api/v1/services?key={key}"), &bearer(key));
        post("/graphql", &bearer(key), &json!({ "query": format!("{{ a(key: \"{key}\") }}") }));
    }
    secrets.extend([key, other, unknown]);
    secrets.extend(hashes(&sandbox));
    post("/api/auth/logout", &second, &Value::Null);

    server.terminate();
    let (_, log) = server.ended();
    assert!(log.contains("/api/auth/login") && log.contains("DEBUG"), "it logs: {log}");
    assert!(secrets.len() >= 13, "{secrets:?}");
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} is in {log}");
    }
    assert!(!log.contains("ada@example.com"), "nor an address: {log}");
}

#[test]
fn a_database_password_is_in_no_error() {
    let sandbox = Sandbox::new();
    for url in [
        format!("postgres://u:{}@127.0.0.1:1/x", PASSWORDS[2]),
        format!("postgres://u:{}@127.0.0.1:port/x", PASSWORDS[2]),
        format!("postgres://u:{}@127.0.0.1:1/x?sslmode=maybe", PASSWORDS[2]),
        // Characters that should have been escaped.
        format!("postgres://u:{}/?#@127.0.0.1/x", PASSWORDS[2]),
        format!("postgres://u:?{}@127.0.0.1/x", PASSWORDS[2]),
        format!("postgres//u:{}@127.0.0.1/x", PASSWORDS[2]),
        format!("{}@127.0.0.1/x", PASSWORDS[2]),
    ] {
        for args in
            [&["serve"][..], &["migrate"], &["key", "create", "--email", "a", "--name", "b"]]
        {
            let mut command = sandbox.command(args);
            command.env("TOPOSCOPE_DATABASE_URL", &url).env("TOPOSCOPE_LOG", "debug");
            let output = command.output().unwrap();
            let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(!output.status.success());
            assert!(!text.contains(PASSWORDS[2]), "{text}");
            assert!(!text.contains("panicked"), "{text}");
        }
    }
}
