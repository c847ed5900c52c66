//! The maximum running time of a statement.

use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use toposcope::{
    db::{Db, lanes::READ_LIMIT},
    error::Error,
};

#[tokio::test]
async fn a_statement_that_runs_too_long_is_stopped_and_the_connection_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let db = Db::open(&format!("sqlite://{}?mode=rwc", file.display())).await.unwrap();
    let lease = db.reader().lease().await.unwrap();
    let lane = lease.lane();
    let read =
        |sql: &str| lane.connection.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql));
    assert_eq!(read("SELECT 1").await.unwrap().len(), 1);
    lane.stop.begin(Duration::ZERO);
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                   SELECT count(*) FROM n";
    let error = Error::from(read(endless).await.unwrap_err());
    assert_eq!(error.status(), 503, "{error}");
    lane.stop.begin(READ_LIMIT);
    assert_eq!(read("SELECT 1").await.unwrap().len(), 1);
}
