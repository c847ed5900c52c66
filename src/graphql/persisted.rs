//! Automatic persisted queries: a client sends the hash of a query, and its text only if the server
//! does not know it yet.

use std::sync::Arc;

use async_graphql::{ErrorExtensionValues, ServerError};
use moka::sync::Cache;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};

/// The maximum bytes of stored queries; queries that no client requests are evicted first.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The bytes that a query takes in addition to its text.
const OVERHEAD: usize = 200;

const EXTENSION: &str = "extensions.persistedQuery";

/// The SHA-256 of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryHash([u8; 32]);

impl QueryHash {
    /// Returns the hash in the extensions of a request, if there is one.
    pub fn of(extensions: &Value) -> Result<Option<Self>> {
        let persisted = match &extensions["persistedQuery"] {
            Value::Null => return Ok(None),
            Value::Object(persisted) => persisted,
            _ => return Err(Error::invalid(EXTENSION, "it must be a JSON object")),
        };
        if persisted.get("version") != Some(&Value::from(1)) {
            return Err(Error::invalid(format!("{EXTENSION}.version"), "it must be 1"));
        }
        let hash = persisted.get("sha256Hash").and_then(Value::as_str).and_then(Self::parse);
        hash.map(Some).ok_or_else(|| wrong_hash("it must be 64 hexadecimal digits"))
    }

    fn parse(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut hash = [0; 32];
        for (nth, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * nth..2 * nth + 2)?, 16).ok()?;
        }
        Some(Self(hash))
    }

    /// Rejects a query with a different hash: the server would run it for every client that sends
    /// that hash.
    pub(super) fn check(self, query: &str) -> Result<()> {
        if <[u8; 32]>::from(Sha256::digest(query)) == self.0 {
            return Ok(());
        }
        Err(wrong_hash("it is not the SHA-256 of the query"))
    }
}

fn wrong_hash(reason: &str) -> Error {
    Error::invalid(format!("{EXTENSION}.sha256Hash"), reason)
}

/// Returns the error that tells a client to send the text, with the name and the code that clients
/// look for.
pub(super) fn not_found() -> ServerError {
    let mut error = ServerError::new("PersistedQueryNotFound", None);
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    extensions.set("code", "PERSISTED_QUERY_NOT_FOUND");
    error
}

/// The queries that clients sent with their hashes.
#[derive(Clone, Debug)]
pub struct PersistedQueries(Cache<QueryHash, Arc<str>>);

impl Default for PersistedQueries {
    fn default() -> Self {
        Self::of_bytes(MAX_BYTES)
    }
}

impl PersistedQueries {
    /// Creates a store of queries that take up to `bytes`.
    pub fn of_bytes(bytes: u64) -> Self {
        let weight = |_: &QueryHash, query: &Arc<str>| {
            u32::try_from(query.len().saturating_add(OVERHEAD)).unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(bytes).weigher(weight).build())
    }

    /// Returns the number of stored queries.
    pub fn count(&self) -> u64 {
        self.0.run_pending_tasks();
        self.0.entry_count()
    }

    /// Returns the bytes that the stored queries take.
    pub fn bytes(&self) -> u64 {
        self.0.run_pending_tasks();
        self.0.weighted_size()
    }

    /// Returns the query with this hash, if it is stored.
    pub fn get(&self, hash: QueryHash) -> Option<String> {
        self.0.get(&hash).map(|query| query.as_ref().to_owned())
    }

    /// Stores a query whose hash has been checked.
    pub fn keep(&self, hash: QueryHash, query: &str) {
        if !self.0.contains_key(&hash) {
            self.0.insert(hash, query.into());
        }
    }
}
