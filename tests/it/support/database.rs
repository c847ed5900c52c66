//! Databases for tests: SQLite in a temporary file, a copy of one that was migrated once; with
//! `TEST_DATABASE_URL` a schema of its own on that PostgreSQL server.

use std::{path::Path, time::UNIX_EPOCH};

use sea_orm::{ConnectionTrait as _, Database as Connector};
use toposcope::db::Db;
use toposcope_types::Id;

/// A database without rows; a file goes when this is dropped.
pub(crate) struct Database {
    pub(crate) url: String,
    /// Whether it has the current tables, or nothing at all.
    pub(crate) is_migrated: bool,
    _folder: Option<tempfile::TempDir>,
}

impl Database {
    pub(crate) async fn new() -> Self {
        match std::env::var("TEST_DATABASE_URL") {
            Ok(administrator) => Self::on_server(&administrator).await,
            Err(_) => Self::in_file().await,
        }
    }

    async fn in_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        copy_template(&file).await;
        let url = format!("sqlite://{}?mode=rwc", file.display());
        Self { url, is_migrated: true, _folder: Some(folder) }
    }

    async fn on_server(administrator: &str) -> Self {
        Self { url: new_schema(administrator).await, is_migrated: false, _folder: None }
    }
}

/// Copies the SQLite database that was migrated once.
pub(crate) async fn copy_template(file: &Path) {
    let executable = std::env::current_exe().unwrap();
    let template = executable.with_file_name(format!("{TEMPLATE}{}.db", version()));
    if !template.exists() {
        make_file(&template).await;
    }
    std::fs::copy(template, file).unwrap();
}

/// Creates an empty schema on a PostgreSQL server, and returns the URL that leads to it. Not a
/// copied database: in a new database each connection would read the catalogs anew, which takes
/// longer than to migrate.
pub(crate) async fn new_schema(administrator: &str) -> String {
    let name = format!("test_{}", Id::new().uuid().simple());
    let server = Connector::connect(administrator).await.unwrap();
    server.execute_unprepared(&format!("CREATE SCHEMA {name}")).await.unwrap();
    server.close().await.unwrap();
    format!("{administrator}?options=-csearch_path%3D{name}")
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
