//! Copies of a database in use, and what its files may be read by.

use std::{
    os::unix::fs::PermissionsExt as _,
    sync::atomic::{AtomicBool, Ordering},
};

use serde_json::{Value, json};

use crate::support::binary::{Sandbox, Server};

/// Adds a key of a new user to a sandbox.
fn with_key(sandbox: Sandbox) -> (Sandbox, String) {
    let key = sandbox.key_of_ada("Owner");
    (sandbox, key)
}

fn mode(file: &std::path::Path) -> u32 {
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777
}

fn unlimited(sandbox: &Sandbox) -> Server {
    Server::start(&mut sandbox.command(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--rate-limit",
        "off",
    ]))
}

#[test]
fn a_backup_made_while_others_write_is_whole_and_can_be_served() {
    let (sandbox, key) = with_key(Sandbox::migrated());
    if !sandbox.url.starts_with("sqlite:") {
        let refusal = sandbox.run(&["backup", "copy.db"], "");
        assert!(!refusal.status.success());
        let sentence = String::from_utf8(refusal.stderr).unwrap();
        assert!(sentence.contains("pg_dump"), "{sentence}");
        return;
    }
    let server = unlimited(&sandbox);
    let ended = AtomicBool::new(false);
    let organization = "00000000-0000-0000-0000-000000000000";
    let write = |writer: usize| {
        let mut written = 0;
        while !ended.load(Ordering::SeqCst) {
            let name = format!("{writer}.{written:05}");
            let body = json!({ "name": name, "color": "Red", "organization_id": organization });
            let answer = server.ask("POST", "/api/v1/tags", &key, &body);
            assert_eq!(answer.status, 200, "{answer:?}");
            written += 1;
        }
        written
    };
    let copies = ["one.db", "two.db", "three.db"];
    let written: Vec<usize> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..3).map(|writer| scope.spawn(move || write(writer))).collect();
        for copy in copies {
            assert_eq!(sandbox.done(&["backup", copy], ""), "");
        }
        ended.store(true, Ordering::SeqCst);
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    server.terminate();
    assert!(server.ended().0.success());
    // Each writer's tags are there from the first to one of the last, without a gap: one moment.
    for copy in copies {
        let file = sandbox.folder.path().join(copy);
        assert_eq!(mode(&file), 0o600);
        assert!(!sandbox.folder.path().join(format!("{copy}.partial")).exists());
        // Restored as the README says: put in the place of the database.
        let restored = Sandbox { folder: tempfile::tempdir().unwrap(), ..Sandbox::new() };
        let url = format!("sqlite://{}/test.db?mode=rwc", restored.folder.path().display());
        let restored = Sandbox { url, ..restored };
        std::fs::copy(&file, restored.folder.path().join("test.db")).unwrap();
        let server = unlimited(&restored);
        let tags = server.get("/api/v1/tags?limit=0", &key);
        let tags = tags.data().as_array().unwrap();
        for (writer, written) in written.iter().enumerate() {
            let prefix = format!("{writer}.");
            let names = tags.iter().map(|tag| tag["name"].as_str().unwrap());
            let mut names: Vec<&str> = names.filter(|name| name.starts_with(&prefix)).collect();
            names.sort_unstable();
            assert!(names.len() <= *written);
            for (number, name) in names.iter().enumerate() {
                assert_eq!(*name, format!("{writer}.{number:05}"));
            }
        }
        let body = json!({ "name": "after", "color": "Red", "organization_id": organization });
        server.ask("POST", "/api/v1/tags", &key, &body).data();
    }
}

#[test]
fn a_backup_overwrites_nothing_and_makes_no_database() {
    let (sandbox, _) = with_key(Sandbox::migrated());
    if !sandbox.url.starts_with("sqlite:") {
        eprintln!("skipped: `backup` is for SQLite");
        return;
    }
    let refused = |args: &[&str], sentence: &str| {
        let output = sandbox.run(args, "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(sentence), "{errors}");
    };
    let taken = sandbox.folder.path().join("taken.db");
    std::fs::write(&taken, "mine").unwrap();
    refused(&["backup", "taken.db"], "is there already; name a new file");
    assert_eq!(std::fs::read(&taken).unwrap(), b"mine");
    refused(&["backup", "nowhere/copy.db"], "cannot write nowhere/copy.db");
    refused(
        &["backup", "copy.db", "--database-url", "sqlite://none.db?mode=rwc"],
        "there is no database at none.db",
    );
    assert!(!sandbox.folder.path().join("none.db").exists());
    assert!(!sandbox.folder.path().join("copy.db").exists());
}

#[test]
fn the_files_of_a_database_are_for_their_owner_only() {
    let (sandbox, key) = with_key(Sandbox::new());
    if !sandbox.url.starts_with("sqlite:") {
        eprintln!("skipped: on PostgreSQL the files are the server's");
        return;
    }
    let server = unlimited(&sandbox);
    let networks: Value = server.get("/api/v1/networks", &key).data().clone();
    assert_eq!(networks.as_array().unwrap().len(), 1);
    for file in ["test.db", "test.db-wal", "test.db-shm"] {
        assert_eq!(mode(&sandbox.folder.path().join(file)), 0o600, "{file}");
    }
}
