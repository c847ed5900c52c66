//! The README, followed word by word.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::support::binary::{Sandbox, Server, bearer, output};

const README: &str = include_str!("../../README.md");
/// The address at which the server listens, according to the README.
const LISTENS: &str = "127.0.0.1:60072";

/// The blocks of a kind that come after a heading.
fn blocks(after: &str, kind: &str) -> Vec<&'static str> {
    let (_, text) = README.split_once(after).unwrap();
    let begin = format!("\n```{kind}\n");
    let blocks = text.split(&*begin).skip(1);
    blocks.map(|block| block.split_once("\n```").unwrap().0).collect()
}

/// Runs a script in a folder, as somebody would type it, and answers what it printed.
#[track_caller]
fn run(folder: &Path, script: &str) -> String {
    let binaries = Path::new(env!("CARGO_BIN_EXE_toposcope")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    // What is answered by an error is no success, nor is one part of a line that fails.
    let script = format!(
        "set -euo pipefail\ncurl() {{ command curl --silent --show-error --fail-with-body \"$@\"; }}\n\
         {script}"
    );
    let mut command = Command::new("bash");
    command.args(["-c", &script]).current_dir(folder).env_clear().env("PATH", path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = output(command.spawn().expect("bash is needed, and curl"));
    let printed = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}\n{printed}\n{errors}");
    printed
}

/// The questions of a block, each without its comment.
fn questions(block: &str) -> impl Iterator<Item = String> {
    block.split("\n\n").map(|question| {
        let lines = question.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.collect::<Vec<_>>().join("\n")
    })
}

#[test]
fn what_the_readme_says_to_type_works_in_an_empty_folder() {
    let sandbox = Sandbox::new();
    let folder = sandbox.folder.path();
    let mut typed = blocks("\n## The first ten minutes\n", "sh").into_iter();
    let first = typed.next().unwrap();
    assert_eq!(first.split('#').next().unwrap().trim(), "toposcope serve");
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::start(command.env_remove("TOPOSCOPE_DATABASE_URL"));
    // It takes a database server of one's own.
    let (elsewhere, typed): (Vec<_>, Vec<_>) =
        typed.partition(|block| block.contains("db.example.com"));
    assert_eq!(elsewhere.len(), 1);
    let address = server.address.to_string();
    let script = typed.join("\n").replace(LISTENS, &address);
    assert!(script.contains(&address) && !script.contains('…'), "{script}");
    let printed = run(folder, &format!("{script}\necho; echo $NETWORK $KEY"));
    assert!(!printed.contains("\"errors\""), "{printed}");
    for file in ["toposcope.db", "campus.json", "hosts.csv"] {
        assert!(fs::metadata(folder.join(file)).unwrap().len() > 0, "{file}");
    }
    let [network, key] =
        printed.lines().last().unwrap().split(' ').collect::<Vec<_>>().try_into().unwrap();
    ask_all(&server, network, key);
}

/// Asks the questions of the README, with the ids of this network in place of those left out.
fn ask_all(server: &Server, network: &str, key: &str) {
    let ask = |query: &str| {
        let body = json!({ "query": query });
        let answer = server.ask("POST", "/graphql", &bearer(key), &body);
        assert_eq!(answer.body["errors"], Value::Null, "{query}\n{}", answer.body);
        answer.body["data"].clone()
    };
    let found = ask(&format!(
        "{{ hosts(first: 2) {{ nodes {{ id ifEntries(first: 1) {{ nodes {{ id }} }} }} }} \
           topology(networkId: \"{network}\") {{ unresolved {{ evidence {{ observationId }} }} }} }}"
    ));
    let hosts = &found["hosts"]["nodes"];
    let [host, other] = [0, 1].map(|nth| hosts[nth]["id"].as_str().unwrap());
    let entry = hosts[0]["ifEntries"]["nodes"][0]["id"].as_str().unwrap();
    let heard = &found["topology"]["unresolved"][0]["evidence"][0]["observationId"];
    let ids = [
        ("networkId: \"…\"", format!("networkId: \"{network}\"")),
        ("ids: [\"…\", \"…\"]", format!("ids: [\"{host}\", \"{other}\"]")),
        ("hosts: [\"…\"]", format!("hosts: [\"{host}\"]")),
        ("from: \"…\"", format!("from: \"{host}\"")),
        ("to: \"…\"", format!("to: \"{other}\"")),
        ("ifEntry(id: \"…\")", format!("ifEntry(id: \"{entry}\")")),
        ("observationId: \"…\"", format!("observationId: {heard}")),
        ("hostId: \"…\"", format!("hostId: \"{host}\"")),
    ];
    let mut asked = 0;
    for block in blocks("\n## The first ten minutes\n", "graphql") {
        for question in questions(block) {
            let question = ids
                .iter()
                .fold(question, |question, (left_out, id)| question.replace(left_out, id));
            assert!(!question.contains('…'), "{question}");
            ask(&question);
            asked += 1;
        }
    }
    assert!(asked > 8, "{asked}");
}

#[test]
fn the_way_without_curl_works_as_well() {
    let sandbox = Sandbox::new();
    let (_, rest) = README.split_once("\nOr without curl: `").unwrap();
    let (typed, _) = rest.split_once('`').unwrap();
    // Where there is a terminal, it asks for the password.
    let printed = run(
        sandbox.folder.path(),
        &format!("{typed} --password-stdin <<<Correct-Horse-9\ntoposcope import --sample"),
    );
    assert!(printed.contains("network `Sample campus` (new)"), "{printed}");
}
