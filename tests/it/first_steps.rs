//! First steps with the product: commands that say what they did, and refusals that say what to do.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
    process::Output,
    thread,
};

use serde_json::{Value, json};

use crate::support::binary::{Sandbox, Server, bearer, output};

const PASSWORD: &str = "Correct-Horse-9\n";
const CREATE: [&str; 3] = ["user", "create", "--password-stdin"];

/// Returns the one line that a command writes, which must fail.
#[track_caller]
fn refused(output: &Output) -> String {
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!output.status.success(), "{errors}");
    assert_eq!(output.stdout, b"");
    let line = errors.strip_prefix("toposcope: ").unwrap_or_else(|| panic!("{errors}")).trim_end();
    assert_eq!(line.lines().count(), 1, "{line}");
    line.to_owned()
}

fn create(sandbox: &Sandbox, email: &str, more: &[&str]) -> Output {
    sandbox.run(&[&CREATE[..], &["--email", email], more].concat(), PASSWORD)
}

#[track_caller]
fn created(sandbox: &Sandbox, email: &str, more: &[&str]) {
    let output = create(sandbox, email, more);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn import_prints_the_id_of_the_network_and_the_address_of_its_page() {
    let sandbox = Sandbox::migrated();
    created(&sandbox, "ada@example.com", &[]);
    // One that is only tried has no id yet.
    assert!(!sandbox.done(&["import", "--sample", "--dry-run"], "").contains("  id: "));
    let printed = sandbox.done(&["import", "--sample"], "");
    let id = printed.lines().find_map(|line| line.strip_prefix("  id: ")).unwrap().to_owned();
    let page = format!("http://127.0.0.1:60072/?network={id}");
    assert!(printed.contains(&page), "{printed}");
    let mut command = sandbox.command(&["import", "--sample", "--dry-run"]);
    command.env("TOPOSCOPE_LISTEN", "0.0.0.0:8080");
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let elsewhere = String::from_utf8(output(command.spawn().unwrap()).stdout).unwrap();
    assert!(elsewhere.contains(&format!("http://127.0.0.1:8080/?network={id}")), "{elsewhere}");
    let key = sandbox.done(
        &[
            "key",
            "create",
            "--email",
            "ada@example.com",
            "--name",
            "x",
            "--network",
            "Sample campus",
        ],
        "",
    );
    let networks = sandbox.serve().get("/api/v1/networks", &bearer(key.trim()));
    let networks = networks.data().as_array().unwrap();
    assert_eq!(networks.len(), 1, "the key reaches the one that it was made for");
    assert_eq!((&networks[0]["id"], &networks[0]["name"]), (&json!(id), &json!("Sample campus")));
}

#[test]
fn the_sample_needs_no_file_and_is_no_file() {
    let sandbox = Sandbox::migrated();
    created(&sandbox, "ada@example.com", &[]);
    for args in [&["import"][..], &["import", "--sample", "campus.json"]] {
        let output = sandbox.run(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
    assert!(sandbox.done(&["import", "--help"], "").contains("--sample"));
}

#[test]
fn an_organization_that_nobody_has_takes_a_flag() {
    let sandbox = Sandbox::migrated();
    // Where there are none at all, none is meant that there is.
    created(&sandbox, "ada@example.com", &["--organization", "Home", "--network", "Lab"]);
    let mistyped = refused(&create(&sandbox, "bob@example.com", &["--organization", "Hme"]));
    for part in ["`organization`", "`Hme`", "`Home`", "`--new-organization`"] {
        assert!(mistyped.contains(part), "{part}: {mistyped}");
    }
    created(&sandbox, "bob@example.com", &["--organization", "Home"]);
    let known = refused(&create(
        &sandbox,
        "eve@example.com",
        &["--organization", "Home", "--new-organization"],
    ));
    assert!(known.contains("there is `Home` already"), "{known}");
    created(&sandbox, "eve@example.com", &["--organization", "Work", "--new-organization"]);
    let which = refused(&create(&sandbox, "joe@example.com", &[]));
    for part in ["`Home`", "`Work`", "`--new-organization`"] {
        assert!(which.contains(part), "{part}: {which}");
    }
    let help = sandbox.done(&["user", "create", "--help"], "");
    assert!(help.contains("--new-organization"), "{help}");
}

#[test]
fn a_user_without_an_organization_comes_to_the_only_one() {
    let sandbox = Sandbox::migrated();
    created(&sandbox, "ada@example.com", &["--organization", "Home"]);
    created(&sandbox, "bob@example.com", &["--permissions", "viewer"]);
    let server = sandbox.serve();
    let organization = |email: &str| {
        let body = json!({ "email": email, "password": PASSWORD.trim() });
        server.ask("POST", "/api/auth/login", "", &body).data()["organization_id"].clone()
    };
    assert_eq!(organization("ada@example.com"), organization("bob@example.com"));
}

#[test]
fn networks_are_named_by_their_names_wherever_they_are_named() {
    let sandbox = Sandbox::migrated();
    created(&sandbox, "ada@example.com", &["--organization", "Home", "--network", "Lab"]);
    created(
        &sandbox,
        "eve@example.com",
        &["--organization", "Work", "--new-organization", "--network", "Lab"],
    );
    // The name of a network of one's organization, whatever others are called.
    created(
        &sandbox,
        "bob@example.com",
        &["--organization", "Home", "--permissions", "viewer", "--network", "Lab"],
    );
    created(&sandbox, "joe@example.com", &["--organization", "Home", "--permissions", "viewer"]);
    sandbox.done(&["user", "grant", "--email", "joe@example.com", "--network", "Lab"], "");
    let document = r#"{"format": "toposcope.inventory/1", "network": {"name": "else"},
                       "hosts": [{"name": "switch1"}]}"#;
    let import = ["import", "-", "--organization", "Home", "--network"];
    let printed = sandbox.done(&[&import[..], &["Lab"]].concat(), document);
    assert!(printed.starts_with("network `Lab`\n"), "{printed}");
    let id = printed.lines().find_map(|line| line.strip_prefix("  id: ")).unwrap();
    let key =
        |email, network| ["key", "create", "--email", email, "--name", "x", "--network", network];
    let server = sandbox.serve();
    for email in ["ada@example.com", "bob@example.com", "joe@example.com"] {
        for network in ["Lab", id] {
            let key = sandbox.done(&key(email, network), "");
            let hosts = server.get("/api/v1/hosts", &bearer(key.trim()));
            assert_eq!(hosts.data()[0]["name"], "switch1", "{email} {network}");
        }
    }
    assert!(sandbox.done(&["export", "--network", id], "").contains("switch1"));
    for (command, input) in [
        (&key("ada@example.com", "Lap")[..], ""),
        (&["user", "grant", "--email", "joe@example.com", "--network", "Lap"], ""),
        (&[&import[..], &["Lap"]].concat(), document),
        (&["export", "--network", "Lap"], ""),
        (
            &[
                &CREATE[..],
                &["--email", "x@example.com", "--organization", "Home", "--network", "Lap"],
            ]
            .concat(),
            PASSWORD,
        ),
    ] {
        let reason = refused(&sandbox.run(command, input));
        let expected = "`network` is not valid: there is no network `Lap`, only `Lab`";
        assert!(reason.starts_with(expected), "{command:?}: {reason}");
    }
    // Nothing is left of a user who could not be made.
    let again = create(&sandbox, "x@example.com", &["--organization", "Home"]);
    assert!(again.status.success());
    let both = refused(&sandbox.run(&["export", "--network", "Lab"], ""));
    assert!(both.contains("several are called `Lab`; use the id"), "{both}");
}

#[test]
fn what_is_no_document_is_told_so_with_what_would_be_one() {
    let sandbox = Sandbox::migrated();
    created(&sandbox, "ada@example.com", &[]);
    let shape = r#"it must be an object like {"format": "toposcope.inventory/1", "#;
    for (text, parts) in [
        ("[]", &["`document`", "it is a list", shape, "`toposcope export`"][..]),
        (r#"[{"name": "switch1"}]"#, &["`document`", "it is a list", shape]),
        ("", &["`document`", "it is empty", shape]),
        ("null", &["`document`", "it is a single value", shape]),
        ("name,ip", &["`document`", "this is not JSON: expected", "line 1 column 2", shape]),
        ("{", &["`document`", "ends too early", "line 1 column 1", "is the file complete?"]),
        (r#"{"format": "toposcope.inventory/1", "hosts": [{"#, &["ends too early", "complete?"]),
        ("{}", &["`format` is required"]),
    ] {
        fs::write(sandbox.folder.path().join("next.json"), text).unwrap();
        let reason = refused(&sandbox.run(&["import", "next.json"], ""));
        for part in [&["cannot import next.json: "], parts].concat() {
            assert!(reason.contains(part), "{text}: {reason} lacks {part}");
        }
        let reason = refused(&sandbox.run(&["import", "-"], text));
        assert!(reason.contains("cannot import standard input: "), "{reason}");
    }
    let missing = refused(&sandbox.run(&["import", "none.json"], ""));
    assert!(missing.contains("none.json") && missing.contains("--sample"), "{missing}");
}

#[test]
fn import_removes_what_is_gone_when_told_so() {
    let sandbox = Sandbox::migrated();
    created(&sandbox, "ada@example.com", &[]);
    let document = |hosts: Value| {
        json!({ "format": "toposcope.inventory/1", "network": { "name": "Lab" }, "hosts": hosts })
            .to_string()
    };
    sandbox.done(&["import", "-"], &document(json!([{ "name": "a" }, { "name": "b" }])));
    let next = document(json!([{ "name": "a" }]));
    let told = |more: &[&str]| sandbox.done(&[&["import", "-"], more].concat(), &next);
    let line = |fate| format!("1 host is in the network but not in the document ({fate}): b\n");
    assert!(told(&[]).contains(&line("left alone; `--prune` removes them")));
    assert!(told(&["--prune", "--dry-run"]).contains(&line("would be removed")));
    assert!(told(&[]).contains("left alone"));
    assert!(told(&["--prune"]).contains(&line("removed")));
    assert!(!told(&[]).contains("not in the document"));
    assert!(sandbox.done(&["import", "--help"], "").contains("--prune"));
}

fn serve(sandbox: &Sandbox, listen: &str) -> Server {
    Server::start(&mut sandbox.command(&["serve", "--listen", listen]))
}

#[test]
fn a_server_listens_on_a_name_with_and_without_a_port() {
    let sandbox = Sandbox::migrated();
    let server = serve(&sandbox, "localhost:0");
    assert!(server.address.ip().is_loopback() && server.address.is_ipv4(), "{}", server.address);
    // The cookie of a session needs no HTTPS there.
    created(&sandbox, "ada@example.com", &[]);
    let body = json!({ "email": "ada@example.com", "password": PASSWORD.trim() });
    let login = server.ask("POST", "/api/auth/login", "", &body);
    assert!(!login.header("set-cookie").unwrap().contains("; secure"));
    // The port of whoever names none may be taken by somebody else on this machine.
    let bound = TcpListener::bind("127.0.0.1:60072");
    for name in ["localhost", "127.0.0.1"] {
        if bound.is_ok() {
            let reason = refused(&sandbox.run(&["serve", "--listen", name], ""));
            assert!(reason.contains("127.0.0.1:60072"), "{reason}");
        }
    }
}

#[test]
fn a_port_that_is_taken_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap();
    for listen in [taken.to_string(), format!("localhost:{}", taken.port())] {
        for command in ["serve", "demo"] {
            let mut command = sandbox.command(&[command, "--listen", &listen]);
            command.env_remove("TOPOSCOPE_DATABASE_URL");
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            let reason = refused(&output(command.spawn().unwrap()));
            for part in [&*format!("cannot listen on {taken}"), "another process", "`--listen`"] {
                assert!(reason.contains(part), "{reason} lacks {part}");
            }
        }
    }
    let left: Vec<_> = fs::read_dir(sandbox.folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[track_caller]
fn unopened(sandbox: &Sandbox, url: &str) -> String {
    let reason = refused(&sandbox.run(&["migrate", "--database-url", url], ""));
    // That is what a pool says once it has tried again and again for its time.
    assert!(!reason.contains("timed out"), "{reason}");
    assert!(reason.starts_with("cannot open the database"), "{reason}");
    assert!(!reason.contains("Secret-1"), "{reason}");
    reason
}

#[test]
fn a_sqlite_file_that_cannot_be_opened_is_named_with_the_reason() {
    let sandbox = Sandbox::new();
    let folder = sandbox.folder.path().canonicalize().unwrap();
    let named = |file: &str| folder.join(file).display().to_string();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("text.db"), "no database, but longer than the head of one".repeat(9))
        .unwrap();
    for (file, reason) in [
        ("none/such.db", "the folder that it is to be in does not exist; make that first"),
        ("folder", "that is a folder; name a file in it"),
        ("text.db/file.db", "the file cannot be made"),
        ("text.db", "file is not a database"),
    ] {
        for url in [format!("sqlite://{file}?mode=rwc"), format!("sqlite://{}", named(file))] {
            let told = unopened(&sandbox, &url);
            assert!(told.contains(&named(file)) && told.contains(reason), "{url}: {told}");
        }
    }
    assert!(unopened(&sandbox, "sqlite://").contains("names no file"));
    assert!(!Path::new(&named("none")).exists());
}

/// A server that answers whoever connects with an error of PostgreSQL, and its address.
fn refusing(code: &'static str, message: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        let mut length = [0; 4];
        while stream.read_exact(&mut length).is_ok() {
            let mut rest = vec![0; u32::from_be_bytes(length) as usize - 4];
            stream.read_exact(&mut rest).unwrap();
            if rest == 80_877_103_u32.to_be_bytes() {
                // It asked for TLS, which there is not.
                stream.write_all(b"N").unwrap();
                continue;
            }
            let fields = format!("SFATAL\0VFATAL\0C{code}\0M{message}\0\0");
            let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
            stream.write_all(&[b"E", &length[..], fields.as_bytes()].concat()).unwrap();
            return;
        }
    });
    address
}

#[test]
fn what_a_postgresql_server_refuses_is_told_at_once_in_its_words() {
    let sandbox = Sandbox::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let told = unopened(&sandbox, &format!("postgres://u:Secret-1@{closed}/x"));
    for part in [&*closed.to_string(), "Connection refused", "does it run"] {
        assert!(told.contains(part), "{told} lacks {part}");
    }
    for (code, message, remedy) in [
        (
            "28P01",
            "password authentication failed for user \"u\"",
            "check the user and the password",
        ),
        ("3D000", "database \"x\" does not exist", "CREATE DATABASE \"x\" OWNER \"u\""),
        (
            "42501",
            "permission denied for database \"x\"",
            "GRANT CONNECT ON DATABASE \"x\" TO \"u\"",
        ),
        ("28000", "no pg_hba.conf entry for host", "check the user"),
    ] {
        let address = refusing(code, message);
        let told = unopened(&sandbox, &format!("postgres://u:Secret-1@{address}/x"));
        for part in [&*address, message, remedy] {
            assert!(told.contains(part), "{told} lacks {part}");
        }
    }
}

#[test]
fn a_command_tells_the_cause_that_answers_keep_to_themselves() {
    let sandbox = Sandbox::new();
    let file = sandbox.folder.path().join("file.db").display().to_string();
    let create = |mode: &str, email: &str| {
        let url = format!("sqlite://{file}?mode={mode}");
        create(&sandbox, email, &["--database-url", &url])
    };
    assert!(create("rwc", "ada@example.com").status.success());
    let told = refused(&create("ro", "bob@example.com"));
    for part in ["the database is read-only", "attempt to write a readonly database"] {
        assert!(told.contains(part), "{told} lacks {part}");
    }
}
