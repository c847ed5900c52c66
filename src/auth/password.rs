//! Passwords: requirements and Argon2id hashes.

use std::sync::LazyLock;

use anyhow::Context as _;
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// The minimum number of characters in a password.
const MIN_LENGTH: usize = 10;
/// The maximum number of characters to hash, so that nobody makes the server hash megabytes.
const MAX_LENGTH: usize = 1024;

/// Permits for hashing. Argon2id takes 19 MiB and tens of milliseconds; two at a time keep the rest
/// responsive.
static HASHING: Semaphore = Semaphore::const_new(2);

/// The hash to compare with for an unknown user, so that the response takes equally long.
static NOBODY: LazyLock<String> = LazyLock::new(|| password_auth::generate_hash("nobody"));

/// Rejects a password that is too short, too long, or lacks upper case, lower case or a digit.
pub fn check(password: &str) -> Result<()> {
    const FIELD: &str = "password";
    if password.chars().count() < MIN_LENGTH {
        return Err(Error::MinLength { field: FIELD.to_owned(), min: MIN_LENGTH });
    }
    if password.chars().count() > MAX_LENGTH {
        return Err(Error::MaxLength { field: FIELD.to_owned(), max: MAX_LENGTH });
    }
    let has = |kind: fn(char) -> bool| password.chars().any(kind);
    if has(char::is_uppercase) && has(char::is_lowercase) && has(|c| c.is_ascii_digit()) {
        return Ok(());
    }
    Err(Error::invalid(FIELD, "use upper case, lower case and a digit"))
}

/// Hashes a password.
pub async fn hash(password: String) -> Result<String> {
    blocking(move || password_auth::generate_hash(password)).await
}

/// Returns whether a password has this hash; without a hash, does the same work for nothing.
pub async fn verify(password: String, hash: Option<String>) -> Result<bool> {
    if password.chars().count() > MAX_LENGTH {
        return Ok(false);
    }
    blocking(move || {
        let nobody = &*NOBODY; // computed at the first login, by whatever user
        let known = hash.is_some();
        let hash = hash.as_ref().unwrap_or(nobody);
        password_auth::verify_password(password, hash).is_ok() && known
    })
    .await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let permit = HASHING.acquire().await.context("password hashing has stopped")?;
    // Work that has begun continues when no caller waits for it any more, and counts until it ends.
    let work = move || {
        let _permit = permit;
        work()
    };
    Ok(tokio::task::spawn_blocking(work).await.context("password hashing failed")?)
}
