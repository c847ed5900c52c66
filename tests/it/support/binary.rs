//! The `toposcope` command as a process of its own, and plain HTTP to it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use serde_json::Value;

use super::database::{copy_template, new_schema};

/// The name of the file of a SQLite database.
const FILE: &str = "test.db";

/// Longer than anything here takes, on a busy machine, too.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A database of its own, and a folder in which the commands run.
pub(crate) struct Sandbox {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) url: String,
}

impl Sandbox {
    /// Creates one with an empty database, for tests of what a command makes of that.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = match std::env::var("TEST_DATABASE_URL") {
            Ok(administrator) => block_on(new_schema(&administrator)),
            Err(_) => format!("sqlite://{}/{FILE}?mode=rwc", folder.path().display()),
        };
        Self { folder, url }
    }

    /// Creates one with a database that has the current tables, so that no command takes time to
    /// make them; on PostgreSQL the first command does.
    pub(crate) fn migrated() -> Self {
        let sandbox = Self::new();
        if sandbox.url.starts_with("sqlite:") {
            block_on(copy_template(&sandbox.folder.path().join(FILE)));
        }
        sandbox
    }

    /// The command, with nothing in its environment but the database.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toposcope"));
        command.args(args).current_dir(self.folder.path()).env_clear();
        command.env("TOPOSCOPE_DATABASE_URL", &self.url).stdin(Stdio::null());
        command
    }

    /// Runs the command to its end with `input` to read.
    pub(crate) fn run(&self, args: &[&str], input: &str) -> Output {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that reads nothing may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        output(child)
    }

    /// Runs the command, which must succeed, and answers what it printed.
    #[track_caller]
    pub(crate) fn done(&self, args: &[&str], input: &str) -> String {
        let output = self.run(args, input);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{args:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Makes the first user, and answers the head that an API key of theirs with a level is sent in.
    pub(crate) fn key_of_ada(&self, level: &str) -> String {
        let create = ["user", "create", "--email", "ada@example.com", "--password-stdin"];
        self.done(&create, "Correct-Horse-9\n");
        let email = ["key", "create", "--email", "ada@example.com"];
        let key =
            self.done(&[&email[..], &["--name", "robot", "--permissions", level]].concat(), "");
        bearer(key.trim())
    }

    pub(crate) fn serve(&self) -> Server {
        Server::start(&mut self.command(&["serve", "--listen", "127.0.0.1:0"]))
    }
}

/// Returns the output of a command once it ends, which it must do in time.
pub(crate) fn output(child: Child) -> Output {
    let pid = child.id();
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = ended.recv_timeout(PATIENCE) else {
        let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
        panic!("it does not end");
    };
    output.unwrap()
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// A running `toposcope serve`; it is ended when it goes out of scope.
pub(crate) struct Server {
    child: Option<Child>,
    pub(crate) address: SocketAddr,
    log: Arc<Mutex<String>>,
    reader: thread::JoinHandle<()>,
}

impl Server {
    /// Starts it and waits until it listens.
    #[track_caller]
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let (sender, ready) = mpsc::channel();
        let written = Arc::clone(&log);
        let reader = thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some((_, address)) = line.split_once("listening on http://") {
                    let _ = sender.send(address.trim().parse().unwrap());
                }
                let mut written = written.lock().unwrap();
                written.push_str(&line);
                written.push('\n');
            }
        });
        let Ok(address) = ready.recv_timeout(PATIENCE) else {
            let _ = child.kill();
            panic!("it does not listen: {}", log.lock().unwrap());
        };
        Self { child: Some(child), address, log, reader }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Returns what it has written to its log until now.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends one request and reads the whole answer; `head` are further header lines.
    pub(crate) fn ask(&self, method: &str, path: &str, head: &str, body: &Value) -> HttpAnswer {
        let mut stream = self.connect();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{head}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        HttpAnswer::read(stream)
    }

    pub(crate) fn get(&self, path: &str, head: &str) -> HttpAnswer {
        self.ask("GET", path, head, &Value::Null)
    }

    /// Asks it to stop, as a service manager does.
    pub(crate) fn terminate(&self) {
        let pid = self.pid().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }

    /// Waits until it ends, and returns how it did and all that it wrote to its log.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (ExitStatus, String) {
        let mut child = self.child.take().unwrap();
        let pid = child.id();
        let (sender, ended) = mpsc::channel();
        thread::spawn(move || sender.send(child.wait()));
        let Ok(status) = ended.recv_timeout(PATIENCE) else {
            let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
            panic!("it does not stop");
        };
        let log = Arc::clone(&self.log);
        while !self.reader.is_finished() {
            thread::yield_now();
        }
        let log = log.lock().unwrap().clone();
        (status.unwrap(), log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// An answer as it came over the wire.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl HttpAnswer {
    #[track_caller]
    pub(crate) fn read(mut stream: TcpStream) -> Self {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Self {
            status: status.unwrap_or_else(|| panic!("no answer: {text:?}")),
            head: head.to_lowercase(),
            body: serde_json::from_str(body).unwrap_or(Value::Null),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let prefix = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&prefix))
    }

    /// The header line that presents the session of this answer.
    #[track_caller]
    pub(crate) fn cookie(&self) -> String {
        let cookie = self.header("set-cookie").unwrap_or_else(|| panic!("{self:?}"));
        format!("Cookie: {}\r\n", cookie.split(';').next().unwrap())
    }

    #[track_caller]
    pub(crate) fn data(&self) -> &Value {
        assert_eq!((self.status, &self.body["success"]), (200, &Value::Bool(true)), "{self:?}");
        &self.body["data"]
    }
}

/// The header line that presents a key.
pub(crate) fn bearer(key: &str) -> String {
    format!("Authorization: Bearer {key}\r\n")
}
