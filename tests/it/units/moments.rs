//! Moments in a column, as SQL counts them.

use sea_orm::{ConnectionTrait as _, Statement};
use toposcope::db::Db;
use toposcope_types::Timestamp;

#[tokio::test]
async fn the_moment_after_is_written_as_the_driver_writes_it() {
    let db = Db::open("sqlite::memory:").await.unwrap();
    db.writer().execute_unprepared("CREATE TABLE t (m TEXT, n TEXT)").await.unwrap();
    for moment in [
        "2026-11-27T21:42:38Z",
        "2026-11-27T21:42:38.348Z",
        "2026-11-27T21:42:38.348819Z",
        "2026-11-27T21:42:38.348999Z",
        "2026-12-31T23:59:59.999999Z",
    ] {
        let moment: Timestamp = moment.parse().unwrap();
        let after = moment + chrono::TimeDelta::microseconds(1);
        let insert = "INSERT INTO t VALUES ($1, $2)";
        let values = [moment.into(), after.into()];
        let insert = Statement::from_sql_and_values(db.backend(), insert, values);
        db.writer().execute_raw(insert).await.unwrap();
    }
    let sql = format!("SELECT m FROM t WHERE n IS NOT {}", db.moment_after("m"));
    let wrong = db.writer().query_all_raw(Statement::from_string(db.backend(), sql)).await;
    assert_eq!(wrong.unwrap().len(), 0);
}
