//! The cost of a response, reported to clients that ask for it: a request with
//! `"extensions": {"cost": true}` gets a response with
//! `"extensions": {"cost": {"statements": 2, "rows": 17, "milliseconds": 3.4}}`.

use std::time::Instant;

use async_graphql::{Response, Value, value};

use super::context::ResponseSize;
use crate::db;

/// Runs a request and adds its cost to the response: the number of statements it sent, the rows of
/// its lists, and how long it took.
pub async fn told(size: ResponseSize, request: impl Future<Output = Response>) -> Response {
    let began = Instant::now();
    let (answer, statements) = db::counted(request).await;
    // Thousandths of a millisecond are noise.
    let milliseconds = (began.elapsed().as_secs_f64() * 1e5).round() / 100.0;
    answer.extension("cost", cost(statements, size.rows(), milliseconds))
}

fn cost(statements: u64, rows: usize, milliseconds: f64) -> Value {
    value!({ "statements": statements, "rows": rows, "milliseconds": milliseconds })
}
