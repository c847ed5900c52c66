//! A database server that goes away and comes back, with a PostgreSQL server of the test's own.

use std::{
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;

use crate::support::binary::{HttpAnswer, Sandbox, bearer};

/// A database server in a temporary folder; it stops when it goes out of scope.
struct Postgres {
    binaries: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

impl Postgres {
    /// `None` where the tests do not run on PostgreSQL or its server is not installed.
    fn start() -> Option<Self> {
        std::env::var("TEST_DATABASE_URL").ok()?;
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        let binaries = versions.map(|version| version.unwrap().path().join("bin"));
        let binaries = binaries.filter(|path| path.join("initdb").exists()).max()?;
        let folder = tempfile::tempdir().unwrap();
        // The user postgres passes through this folder and sees nothing else in it.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o711)).unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        std::fs::set_permissions(&data, PermissionsExt::from_mode(0o700)).unwrap();
        if is_root() {
            let owned = Command::new("chown").arg("postgres:").arg(&data).status().unwrap();
            assert!(owned.success());
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let postgres = Self { binaries, folder, port };
        postgres.run(
            "initdb",
            &[
                "--username",
                "toposcope",
                "--auth",
                "trust",
                "--encoding",
                "UTF8",
                "--no-locale",
                "--no-sync",
            ],
        );
        postgres.begin();
        Some(postgres)
    }

    fn begin(&self) {
        let options =
            format!("-h 127.0.0.1 -p {} -c unix_socket_directories='' -c fsync=off", self.port);
        let log = self.data().join("server.log");
        let log = log.to_str().unwrap();
        self.run("pg_ctl", &["start", "--silent", "--wait", "--log", log, "--options", &options]);
    }

    fn end(&self) {
        self.run("pg_ctl", &["stop", "--silent", "--wait", "--mode", "fast"]);
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Runs one of its commands; as root through the user postgres, since it refuses root.
    fn run(&self, program: &str, args: &[&str]) {
        let program = self.binaries.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.arg("--pgdata").arg(self.data()).args(args).current_dir("/");
        // The server keeps what it inherits open.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().unwrap().success(), "{command:?}");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.data().join("postmaster.pid").exists() {
            self.run("pg_ctl", &["stop", "--silent", "--mode", "immediate"]);
        }
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    Path::new("/proc/self").metadata().is_ok_and(|own| own.uid() == 0)
}

#[track_caller]
fn assert_unavailable(answer: &HttpAnswer) {
    assert_eq!(answer.status, 503, "{answer:?}");
    let error = answer.body.pointer("/errors/0/extensions").unwrap_or(&answer.body);
    assert_eq!(error["code"], "service_unavailable", "{answer:?}");
    assert_eq!(answer.header("retry-after"), Some("2"));
}

#[test]
fn a_lost_database_is_503_until_it_returns() {
    let Some(postgres) = Postgres::start() else {
        eprintln!("skipped: it needs TEST_DATABASE_URL and the binaries of a PostgreSQL server");
        return;
    };
    let url = format!("postgres://toposcope@127.0.0.1:{}/postgres", postgres.port);
    let sandbox = Sandbox { url, folder: tempfile::tempdir().unwrap() };
    let email = "ada@example.com";
    sandbox.done(&["user", "create", "--email", email, "--password-stdin"], "Correct-Horse-9\n");
    let key = sandbox.done(&["key", "create", "--email", email, "--name", "robot"], "");
    let key = bearer(key.trim());
    let server = sandbox.serve();
    let services = || server.get("/api/v1/services", &key);
    let at_once = |status: u16| {
        std::thread::scope(|scope| {
            let asked: Vec<_> = (0..12).map(|_| scope.spawn(services)).collect();
            for answer in asked {
                let answer = answer.join().unwrap();
                assert_eq!(answer.status, status, "{answer:?} {}", server.log());
            }
        });
    };
    let start = Instant::now();
    at_once(200);
    // How much longer than on an idle machine things may take here.
    let slack = 10 * start.elapsed();

    for asked_meanwhile in [true, false] {
        postgres.end();
        // Connections that have been idle for a second are tried before they are used. Requests
        // until then need none.
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(1200) {
            assert!(matches!(server.get("/api/version", "").status, 200 | 429));
        }
        if asked_meanwhile {
            let query = json!({ "query": "{ networks { totalCount } }" });
            let login = json!({ "email": email, "password": "Correct-Horse-9" });
            let start = Instant::now();
            assert_unavailable(&server.get("/api/health", ""));
            assert!(start.elapsed() < Duration::from_secs(4) + slack, "{:?}", start.elapsed());
            for ask in [
                &services as &dyn Fn() -> HttpAnswer,
                &|| server.ask("POST", "/api/auth/login", "", &login),
                &|| {
                    let accept = "Accept: application/graphql-response+json\r\n";
                    server.ask("POST", "/graphql", &format!("{key}{accept}"), &query)
                },
            ] {
                let start = Instant::now();
                assert_unavailable(&ask());
                assert!(start.elapsed() < Duration::from_secs(12) + slack, "{:?}", start.elapsed());
            }
            assert!(matches!(server.get("/api/version", "").status, 200 | 429));
        }
        postgres.begin();
        // The first answer already: nobody has to start the server anew or to ask twice.
        at_once(200);
        assert_eq!(server.get("/api/health", "").status, 200);
    }
}
