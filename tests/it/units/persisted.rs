//! The memory that automatic persisted queries take.

use serde_json::json;
use toposcope::graphql::persisted::{PersistedQueries, QueryHash};

/// A hash of which each byte is the same.
fn hash(byte: u8) -> QueryHash {
    let hash = format!("{byte:02x}").repeat(32);
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } });
    QueryHash::of(&extensions).unwrap().unwrap()
}

#[test]
fn no_more_is_remembered_than_fits() {
    let queries = PersistedQueries::of_bytes(10_000);
    for nth in 0..100_u8 {
        queries.keep(hash(nth), &"x".repeat(800));
    }
    assert!(queries.bytes() <= 10_000, "{}", queries.bytes());
    assert!((1..=10).contains(&queries.count()), "{}", queries.count());
    queries.keep(hash(200), &"x".repeat(20_000));
    assert!(queries.bytes() <= 10_000, "{}", queries.bytes());
    assert_eq!(queries.get(hash(200)), None, "larger than all that is remembered");
}
