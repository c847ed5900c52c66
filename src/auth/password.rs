//! Passwords: what makes a good one, and their Argon2id hashes.

use std::sync::LazyLock;

use anyhow::Context as _;
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// The fewest characters of a password.
const MIN_LENGTH: usize = 10;
/// The most characters that are hashed, so that nobody makes the server hash megabytes.
const MAX_LENGTH: usize = 1024;

/// Argon2id takes 19 MiB and tens of milliseconds; two at a time keep the rest responsive.
static HASHING: Semaphore = Semaphore::const_new(2);

/// Compared with when there is no such user, so that the answer takes as long either way.
static NOBODY: LazyLock<String> = LazyLock::new(|| password_auth::generate_hash("nobody"));

/// Refuses a password that is too short, too long, or lacks upper case, lower case or a digit.
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

/// The hash of a password.
pub async fn hash(password: String) -> Result<String> {
    blocking(move || password_auth::generate_hash(password)).await
}

/// Whether a password has this hash; without a hash the same work is done for nothing.
pub async fn verify(password: String, hash: Option<String>) -> Result<bool> {
    if password.chars().count() > MAX_LENGTH {
        return Ok(false);
    }
    blocking(move || {
        let nobody = &*NOBODY; // made by the first login, whoever it is
        let known = hash.is_some();
        let hash = hash.as_ref().unwrap_or(nobody);
        password_auth::verify_password(password, hash).is_ok() && known
    })
    .await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let permit = HASHING.acquire().await.context("password hashing has stopped")?;
    // Work that has begun goes on when nobody waits for it any more, and counts until it ends.
    let work = move || {
        let _permit = permit;
        work()
    };
    Ok(tokio::task::spawn_blocking(work).await.context("password hashing failed")?)
}
