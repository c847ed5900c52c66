//! Secrets that callers present, kept only as SHA-256 hashes.

use std::fmt::Write as _;

use rand::{Rng as _, distr::Alphanumeric};
use sha2::{Digest as _, Sha256};
use toposcope_types::Id;

/// The hash of a credential that a caller presented.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// The hash of an API key.
    ApiKey(String),
    /// The hash of a session id.
    Session(String),
}

impl Token {
    /// Returns the token of an API key; `None` for a string that cannot be one.
    pub fn api_key(text: &str) -> Option<Self> {
        is_api_key(text).then(|| Self::ApiKey(hash(text)))
    }

    /// Returns an id that identifies a session without revealing it: a part of the hash of its
    /// hash.
    pub fn fingerprint(&self) -> Option<Id> {
        let Self::Session(hash) = self else { return None };
        let digest = Sha256::digest(hash.as_bytes());
        let bytes = <[u8; 16]>::try_from(digest.get(..16)?).ok()?;
        Some(uuid::Builder::from_custom_bytes(bytes).into_uuid().into())
    }

    /// Returns the token of a session id.
    pub fn session(id: &str) -> Self {
        Self::Session(hash(id))
    }
}

/// Returns the SHA-256 of a secret as 64 hex digits, the form that the database keeps.
///
/// The secrets are random and long, so a fast hash without salt is enough (unlike passwords).
pub(crate) fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Creates a session id: 256 random bits as hex digits.
pub(crate) fn new_session_id() -> String {
    hex(&rand::random::<[u8; 32]>())
}

/// Creates an API key: `scp_u_` and 32 characters of `[0-9A-Za-z]`.
pub(crate) fn new_api_key() -> String {
    let random = rand::rng().sample_iter(Alphanumeric).take(32).map(char::from);
    "scp_u_".chars().chain(random).collect()
}

/// Returns whether a string has the form of an API key.
fn is_api_key(text: &str) -> bool {
    text.strip_prefix("scp_u_").is_some_and(|rest| {
        rest.len() == 32 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
