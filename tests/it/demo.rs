//! The demo, started as a person starts it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

/// A running demo and what it printed.
struct Demo {
    process: Child,
    address: String,
    password: String,
    key: String,
    text: String,
}

impl Demo {
    fn start(file: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_toposcope"))
            .args(["demo", "--listen", "127.0.0.1:0", "--file"])
            .arg(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut text = String::new();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        while !text.contains("/graphql'") {
            text.push_str(&lines.next().unwrap().unwrap());
            text.push('\n');
        }
        let after = |label: &str| {
            let (_, rest) = text.split_once(label).unwrap();
            rest.split_whitespace().next().unwrap().to_owned()
        };
        let (address, password, key) = (after("http://"), after("Password"), after("API key"));
        Self { process, address, password, key, text }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        let (line, rest) = request.split_once('\n').unwrap();
        write!(stream, "{line} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{rest}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn services(&self, key: &str) -> String {
        self.ask(&format!("GET /api/v1/services?limit=3\nauthorization: Bearer {key}\r\n\r\n"))
    }

    fn post(&self, path: &str, body: &str) -> String {
        self.ask(&format!(
            "POST {path}\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.key,
            body.len()
        ))
    }

    /// Stops it; answers what it wrote to standard error.
    fn stop(mut self) -> String {
        self.process.kill().unwrap();
        let mut errors = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        self.process.wait().unwrap();
        errors
    }
}

#[test]
fn what_the_demo_prints_works_as_printed_at_every_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("with space 100%.db");
    let first = Demo::start(&file);
    assert!(first.services(&first.key).contains(r#""success":true"#));
    let key = first.key.clone();
    assert_eq!(first.stop(), "");

    let second = Demo::start(&file);
    assert_ne!(second.key, key);
    // The key of an earlier start has been replaced, not kept beside the new one.
    assert!(second.services(&key).starts_with("HTTP/1.1 401"));
    assert!(second.services(&second.key).contains(r#""total_count":126"#));
    let login = format!(r#"{{"email":"demo@example.com","password":"{}"}}"#, second.password);
    assert!(second.post("/api/auth/login", &login).starts_with("HTTP/1.1 200"));
    let (_, query) = second.text.split_once("-d '").unwrap();
    let (query, _) = query.split_once('\'').unwrap();
    let answer = second.post("/graphql", query);
    assert!(answer.contains("core-1") && !answer.contains("errors"), "{answer}");
    second.stop();
    assert!(file.is_file());
}
