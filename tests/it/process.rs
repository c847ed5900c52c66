//! The command as its operator meets it: starting, stopping, and what is typed.

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Output, Stdio},
};

use serde_json::{Value, json};

use crate::support::binary::{HttpAnswer, Sandbox, Server, bearer, output};

const PASSWORD: &str = "Correct-Horse-9";

fn login(server: &Server, password: &str) -> HttpAnswer {
    let body = json!({ "email": "ada@example.com", "password": password });
    server.ask("POST", "/api/auth/login", "", &body)
}

fn create_user(sandbox: &Sandbox) {
    let args = ["user", "create", "--email", "ada@example.com", "--password-stdin"];
    assert_eq!(sandbox.done(&args, &format!("{PASSWORD}\n")), "");
}

#[test]
fn serve_in_an_empty_folder_makes_the_database_and_is_ready() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env_remove("TOPOSCOPE_DATABASE_URL");
    let server = Server::start(&mut command);
    assert_eq!(server.get("/api/health", "").data(), "ok");
    assert_eq!(server.get("/api/version", "").data()["api_version"], 1);
    assert!(sandbox.folder.path().join("toposcope.db").exists());
    server.terminate();
    let (status, log) = server.ended();
    assert!(status.success(), "{log}");
}

#[test]
fn several_that_start_at_once_on_a_new_database_all_come_up() {
    for _ in 0..2 {
        let sandbox = Sandbox::new();
        let servers: Vec<Server> = std::thread::scope(|scope| {
            let starting: Vec<_> = (0..5).map(|_| scope.spawn(|| sandbox.serve())).collect();
            starting.into_iter().map(|server| server.join().unwrap()).collect()
        });
        create_user(&sandbox);
        for server in &servers {
            server.get("/api/health", "").data();
            login(server, PASSWORD).data();
        }
    }
}

#[test]
fn the_way_from_nothing_to_the_first_services_is_as_described() {
    let sandbox = Sandbox::new();
    let server = sandbox.serve();
    let body = json!({ "organization_name": "Ours", "network": { "name": "Home" } });
    let setup = server.ask("POST", "/api/auth/setup", "", &body);
    let network = setup.data()["network_id"].clone();
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "terms_accepted": true });
    let user = server.ask("POST", "/api/auth/register", &setup.cookie(), &body);
    assert_eq!(user.data()["permissions"], "Owner");
    let session = login(&server, PASSWORD).cookie();
    let me = server.ask("POST", "/api/auth/me", &session, &Value::Null);
    assert_eq!(me.data(), user.data());
    let body = json!({
        "name": "robot", "organization_id": me.data()["organization_id"],
        "user_id": me.data()["id"], "tags": [],
    });
    let key = server.ask("POST", "/api/v1/auth/keys", &session, &body);
    assert_eq!(key.data()["api_key"]["network_ids"], json!([network]));
    let key = bearer(key.data()["key"].as_str().unwrap());
    let services = server.get("/api/v1/services", &key);
    assert_eq!(services.data(), &json!([]));
    assert_eq!(services.header("x-ratelimit-limit"), Some("300"));
    let query = json!({ "query": "{ viewer { networks { id } } }" });
    let answer = server.ask("POST", "/graphql", &key, &query);
    assert_eq!(answer.body["data"]["viewer"]["networks"], json!([{ "id": network }]));
    let again = server.ask("POST", "/api/auth/setup", "", &json!({}));
    assert_eq!(again.status, 403);
    // What was done is there after the server has been restarted.
    server.terminate();
    assert!(server.ended().0.success());
    assert_eq!(sandbox.serve().get("/api/v1/services", &key).status, 200);
}

#[test]
fn a_stopping_server_finishes_what_it_accepted() {
    let sandbox = Sandbox::migrated();
    create_user(&sandbox);
    let server = sandbox.serve();
    let address = server.address;
    let body = json!({ "email": "ada@example.com", "password": PASSWORD }).to_string();
    let (half, rest) = body.split_at(20);
    let mut stream = server.connect();
    write!(
        stream,
        "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .unwrap();
    // The server says so when it begins to read the body: the request is accepted.
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(half.as_bytes()).unwrap();
    let mut idle = server.connect();
    write!(idle, "GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let (mut answer, mut byte) = (Vec::new(), [0; 1]);
    while !answer.ends_with(b"}}") {
        idle.read_exact(&mut byte).unwrap();
        answer.push(byte[0]);
    }
    server.terminate();
    // An idle connection is closed, and no other is accepted any more.
    assert_eq!(idle.read(&mut byte).unwrap(), 0);
    while TcpStream::connect(address).is_ok() {
        std::thread::yield_now();
    }
    stream.write_all(rest.as_bytes()).unwrap();
    assert_eq!(HttpAnswer::read(stream).data()["email"], "ada@example.com");
    let (status, log) = server.ended();
    assert!(status.success(), "{log}");
}

#[test]
fn a_key_is_made_by_one_command() {
    let sandbox = Sandbox::migrated();
    create_user(&sandbox);
    let printed = sandbox.done(
        &[
            "key",
            "create",
            "--email",
            "ada@example.com",
            "--name",
            "robot",
            "--permissions",
            "Owner",
        ],
        "",
    );
    let key = printed.strip_suffix('\n').unwrap();
    assert!(key.starts_with("scp_u_") && key.len() == 38, "the secret alone: {printed:?}");
    let server = sandbox.serve();
    server.get("/api/v1/services", &bearer(key)).data();
    let query = json!({ "query": "{ viewer { permissions networks { name } apiKey { name } } }" });
    let answer = server.ask("POST", "/graphql", &bearer(key), &query);
    assert_eq!(
        answer.body["data"]["viewer"],
        json!({
            "permissions": "OWNER", "networks": [{ "name": "My network" }],
            "apiKey": { "name": "robot" },
        })
    );
    // The session that the command used is gone.
    let output = sandbox.run(&["key", "create", "--email", "b@example.com", "--name", "x"], "");
    assert_fails(&output, "there is no user `b@example.com`");
}

#[test]
fn a_change_of_password_by_command_ends_sessions() {
    let sandbox = Sandbox::migrated();
    create_user(&sandbox);
    let server = sandbox.serve();
    let session = login(&server, PASSWORD).cookie();
    let args = ["user", "password", "--email", "ada@example.com", "--password-stdin"];
    assert_fails(&sandbox.run(&args, "short\n"), "`password` must have at least 10 characters");
    sandbox.done(&args, "Another-Horse-7\n");
    assert_eq!(server.ask("POST", "/api/auth/me", &session, &Value::Null).status, 401);
    assert_eq!(login(&server, PASSWORD).status, 401);
    login(&server, "Another-Horse-7").data();
    let args = ["user", "create", "--email", "ada@example.com", "--password-stdin"];
    assert_fails(&sandbox.run(&args, PASSWORD), "this User already exists");
}

#[test]
fn a_user_needs_what_a_registration_needs() {
    let sandbox = Sandbox::migrated();
    let create = ["user", "create", "--password-stdin", "--email"];
    for (email, password, more, reason) in [
        ("ada", PASSWORD, &[][..], "`email`"),
        ("ada@example.com", "correct-horse-9", &[], "`password`"),
        ("ada@example.com", "", &[], "`password`"),
        ("ada@example.com", PASSWORD, &["--organization", ""], "`organization`"),
        ("ada@example.com", PASSWORD, &["--network", ""], "`network`"),
    ] {
        let args = [&create[..], &[email], more].concat();
        assert_fails(&sandbox.run(&args, password), reason);
    }
    create_user(&sandbox); // nothing was left behind by those that failed
    let without = sandbox.run(&["user", "password", "--email", "ada@example.com"], "");
    assert_fails(&without, "use --password-stdin");
}

#[test]
fn the_help_lists_everything_that_can_be_configured() {
    let sandbox = Sandbox::new();
    let help = sandbox.done(&["serve", "--help"], "");
    for name in [
        "TOPOSCOPE_DATABASE_URL",
        "TOPOSCOPE_LISTEN",
        "TOPOSCOPE_REGISTRATION",
        "TOPOSCOPE_SESSION_COOKIE_SECURE",
        "TOPOSCOPE_RATE_LIMIT",
        "TOPOSCOPE_TRUSTED_PROXIES",
        "TOPOSCOPE_CORS_ORIGINS",
        "TOPOSCOPE_MAX_CONNECTIONS",
        "TOPOSCOPE_MAX_CONNECTIONS_PER_ADDRESS",
        "TOPOSCOPE_SERVICE_DEFINITIONS",
        "TOPOSCOPE_LOG",
    ] {
        assert!(help.contains(&format!("[env: {name}")), "{name}: {help}");
    }
    assert!(!help.contains(&sandbox.url), "a URL may hold a password");
    assert!(sandbox.done(&["--help"], "").contains("serve --help"));
    for command in [["user", "create", "--help"], ["key", "create", "--help"]] {
        assert!(sandbox.done(&command, "").contains("--email"), "{command:?}");
    }
}

/// Asserts that a command failed with `reason` in the first line of its errors, and no panic.
#[track_caller]
fn assert_fails(output: &Output, reason: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(matches!(output.status.code(), Some(1 | 2)), "{:?} {errors}", output.status);
    assert!(errors.lines().next().unwrap_or_default().contains(reason), "{reason}: {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    assert_eq!(output.stdout, b"");
}

#[test]
fn a_wrong_value_is_one_clear_line() {
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (name, value, reason) in [
        ("TOPOSCOPE_LISTEN", "8080", "a port without a host: use `127.0.0.1:8080`"),
        ("TOPOSCOPE_LISTEN", ":8080", "`:8080` names no host; use HOST:PORT, such as"),
        ("TOPOSCOPE_LISTEN", "http://localhost", "`http://localhost` is a URL"),
        ("TOPOSCOPE_LISTEN", "host.invalid", "cannot listen on host.invalid:60072: no address"),
        ("TOPOSCOPE_LISTEN", "127.0.0.1:99999", "--listen"),
        ("TOPOSCOPE_LISTEN", &taken, &taken),
        ("TOPOSCOPE_CORS_ORIGINS", "map.example.com", "`map.example.com` is not an origin"),
        ("TOPOSCOPE_REGISTRATION", "maybe", "invalid value 'maybe' for '--registration"),
        ("TOPOSCOPE_REGISTRATION", "", "--registration"),
        ("TOPOSCOPE_SESSION_COOKIE_SECURE", "yes", "'yes' for '--session-cookie-secure"),
        ("TOPOSCOPE_RATE_LIMIT", "0", "invalid value '0' for '--rate-limit"),
        ("TOPOSCOPE_TRUSTED_PROXIES", "10.0.0.0/33", "`10.0.0.0/33` is neither an address"),
        ("TOPOSCOPE_TRUSTED_PROXIES", "10.0.0.1,proxy", "`proxy` is neither an address"),
        ("TOPOSCOPE_MAX_CONNECTIONS", "many", "invalid value 'many' for '--max-connections"),
        ("TOPOSCOPE_MAX_CONNECTIONS", "0", "invalid value '0' for '--max-connections"),
        ("TOPOSCOPE_MAX_CONNECTIONS_PER_ADDRESS", "-1", "--max-connections-per-address"),
        ("TOPOSCOPE_SERVICE_DEFINITIONS", "none.csv", "none.csv"),
        ("TOPOSCOPE_LOG", "verbose", "`verbose` is not a log filter"),
        ("TOPOSCOPE_LOG", "toposcope=loud", "`toposcope=loud` is not a log filter"),
        ("TOPOSCOPE_LOG", "info,verbose", "`info,verbose` is not a log filter"),
        ("TOPOSCOPE_LOG", "", "`` is not a log filter"),
        ("TOPOSCOPE_DATABASE_URL", "", "the database URL"),
        ("TOPOSCOPE_DATABASE_URL", "toposcope.db", "the database URL"),
        ("TOPOSCOPE_DATABASE_URL", "mysql://u:Secret-1@127.0.0.1/x", "must begin with sqlite: or"),
        ("TOPOSCOPE_DATABASE_URL", "postgres://u:Secret-1@127.0.0.1:port/x", "the database URL"),
        ("TOPOSCOPE_DATABASE_URL", "postgres://u:Secret-1@[::1/x", "the database URL"),
        ("TOPOSCOPE_DATABASE_URL", "postgres://u:?a=Secret-1@127.0.0.1/x", "as %3F, %23, %40"),
        (
            "TOPOSCOPE_DATABASE_URL",
            "postgres://u:Secret-1@127.0.0.1:1/x",
            "cannot open the database",
        ),
        (
            "TOPOSCOPE_DATABASE_URL",
            "postgres://u:Secret-1@127.0.0.1:1/x?sslmode=maybe",
            "cannot open the database",
        ),
        (
            "TOPOSCOPE_DATABASE_URL",
            "sqlite://none/such/file.db?mode=rwc",
            "cannot open the database",
        ),
    ] {
        let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
        if name == "TOPOSCOPE_LISTEN" {
            command = sandbox.command(&["serve"]);
        }
        command.env(name, value).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = output(command.spawn().unwrap());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_fails(&output, reason);
        assert!(!errors.contains("Secret-1"), "{errors}");
        let ours = errors.strip_prefix("toposcope: ").map(|rest| rest.trim_end().lines().count());
        assert!(errors.starts_with("error: ") || ours == Some(1), "{name}={value}: {errors}");
    }
}

#[test]
fn the_environment_configures_and_flags_decide() {
    let sandbox = Sandbox::migrated();
    let mut command = sandbox.command(&["serve", "--rate-limit", "on", "--listen", "127.0.0.1:0"]);
    command
        .env("TOPOSCOPE_REGISTRATION", "closed")
        .env("TOPOSCOPE_SESSION_COOKIE_SECURE", "true")
        .env("TOPOSCOPE_RATE_LIMIT", "off")
        .env("TOPOSCOPE_TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/8")
        .env("TOPOSCOPE_LISTEN", "192.0.2.1:1")
        .env("TOPOSCOPE_LOG", "warn,toposcope=info");
    let server = Server::start(&mut command);
    create_user(&sandbox);
    assert!(login(&server, PASSWORD).header("set-cookie").unwrap().contains("; secure"));
    let body = json!({ "organization_name": "Ours", "network": { "name": "Home" } });
    assert_eq!(server.ask("POST", "/api/auth/setup", "", &body).status, 403);
    let from = |address| server.get("/api/version", &format!("X-Forwarded-For: {address}\r\n"));
    assert_eq!(from("192.0.2.1").header("x-ratelimit-remaining"), Some("9"));
    assert_eq!(from("192.0.2.2").header("x-ratelimit-remaining"), Some("9"));

    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::start(command.env("TOPOSCOPE_RATE_LIMIT", "off"));
    let cookie = login(&server, PASSWORD).header("set-cookie").unwrap().to_owned();
    assert!(!cookie.contains("secure"), "on loopback it need not be: {cookie}");
    assert_eq!(server.get("/api/version", "").header("x-ratelimit-limit"), None);
}
