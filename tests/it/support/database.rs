//! Databases for tests: each is a copy of one that was migrated once.
//!
//! SQLite in a temporary file by default; with `TEST_DATABASE_URL` a database of its own on that
//! PostgreSQL server.

use std::{path::Path, time::UNIX_EPOCH};

use sea_orm::{ConnectOptions, ConnectionTrait as _, Database as Connector, DatabaseConnection};
use toposcope::db::Db;
use toposcope_types::Id;

/// A database with the current schema and nothing in it, which goes when this is dropped.
pub(crate) struct Database {
    pub(crate) url: String,
    _where: Where,
}

enum Where {
    Folder { _folder: tempfile::TempDir },
    Server { administrator: String, name: String },
}

impl Database {
    pub(crate) async fn new() -> Self {
        match std::env::var("TEST_DATABASE_URL") {
            Ok(administrator) => Self::on_server(administrator).await,
            Err(_) => Self::in_file().await,
        }
    }

    async fn in_file() -> Self {
        let executable = std::env::current_exe().unwrap();
        let template = executable.with_file_name(format!("{TEMPLATE}{}.db", version()));
        if !template.exists() {
            make_file(&template).await;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        std::fs::copy(template, &file).unwrap();
        let url = format!("sqlite://{}?mode=rwc", file.display());
        Self { url, _where: Where::Folder { _folder: folder } }
    }

    async fn on_server(administrator: String) -> Self {
        let template = format!("template_{}", version());
        let name = format!("test_{}", Id::new().uuid().simple());
        let server = Connector::connect(&administrator).await.unwrap();
        let of = "SELECT datistemplate FROM pg_database WHERE datname = ";
        let made = server.query_one_raw(statement(&format!("{of}'{template}'"))).await.unwrap();
        if !made.is_some_and(|row| row.try_get_by_index(0).unwrap()) {
            make_on_server(&server, &administrator, &template).await;
        }
        run(&server, &format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        server.close().await.unwrap();
        let url = of_database(&administrator, &name);
        Self { url, _where: Where::Server { administrator, name } }
    }
}

impl Drop for Where {
    fn drop(&mut self) {
        let Self::Server { administrator, name } = self else { return };
        let (administrator, name) = (administrator.clone(), name.clone());
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let server = Connector::connect(&administrator).await.unwrap();
                run(&server, &format!("DROP DATABASE {name} WITH (FORCE)")).await;
            });
        });
        // A test that fails says why by itself.
        let _ = dropping.join();
    }
}

/// The beginning of the names of templates that are files.
const TEMPLATE: &str = "toposcope-template-";

/// Returns the part of their names that templates of one build share: when the migrations change,
/// the tests are linked anew.
fn version() -> String {
    let built = std::env::current_exe().unwrap().metadata().unwrap().modified().unwrap();
    built.duration_since(UNIX_EPOCH).unwrap().as_micros().to_string()
}

/// Tests begin side by side: whoever is first renames a whole file into place, and so do the others.
async fn make_file(template: &Path) {
    let folder = tempfile::tempdir_in(template.parent().unwrap()).unwrap();
    let file = folder.path().join("template.db");
    let db = Db::open(&format!("sqlite://{}?mode=rwc", file.display())).await.unwrap();
    db.migrate().await.unwrap();
    db.writer().execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
    let of_builds_before = |path: &Path| {
        path.extension() == template.extension()
            && path.file_name().unwrap().to_str().unwrap().starts_with(TEMPLATE)
    };
    for entry in std::fs::read_dir(template.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if of_builds_before(&path) && path != template {
            let _ = std::fs::remove_file(path); // somebody else may have
        }
    }
    std::fs::rename(file, template).unwrap();
}

async fn make_on_server(server: &DatabaseConnection, administrator: &str, template: &str) {
    let mut one = ConnectOptions::new(administrator);
    one.max_connections(1); // which holds the lock, as long as it is open
    let lock = Connector::connect(one).await.unwrap();
    run(&lock, "SELECT pg_advisory_lock(7)").await;
    let there = format!("SELECT datistemplate FROM pg_database WHERE datname = '{template}'");
    let there = server.query_one_raw(statement(&there)).await.unwrap();
    if !there.is_some_and(|row| row.try_get_by_index(0).unwrap()) {
        // One that is not marked was left by a test that was killed while it made it.
        run(server, &format!("DROP DATABASE IF EXISTS {template} WITH (FORCE)")).await;
        run(server, &format!("CREATE DATABASE {template}")).await;
        Db::open(&of_database(administrator, template)).await.unwrap().migrate().await.unwrap();
        let connected = format!("FROM pg_stat_activity WHERE datname = '{template}'");
        run(server, &format!("SELECT pg_terminate_backend(pid) {connected}")).await;
        run(server, &format!("ALTER DATABASE {template} IS_TEMPLATE true")).await;
    }
    lock.close().await.unwrap();
}

fn of_database(administrator: &str, name: &str) -> String {
    let mut url = url::Url::parse(administrator).unwrap();
    url.set_path(name);
    url.to_string()
}

fn statement(sql: &str) -> sea_orm::Statement {
    sea_orm::Statement::from_string(sea_orm::DbBackend::Postgres, sql)
}

async fn run(server: &DatabaseConnection, sql: &str) {
    server.execute_unprepared(sql).await.unwrap();
}
