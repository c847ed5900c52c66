//! What a caller believes to be the state of what they change.

use chrono::{DateTime, Utc};

use crate::{
    error::{Error, Kind, Result},
    types::{Id, Timestamp},
};

/// The version that a caller has seen, so that nobody overwrites what they have not read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Precondition {
    /// The `updated_at` that the caller has seen.
    pub updated_at: Option<Timestamp>,
    /// The moment since which nothing may have changed, in whole seconds.
    pub unmodified_since: Option<DateTime<Utc>>,
}

impl Precondition {
    /// The same, or with the version from the input where the caller gave none otherwise.
    #[must_use]
    pub fn or(self, updated_at: Option<Timestamp>) -> Self {
        Self { updated_at: self.updated_at.or(updated_at), ..self }
    }

    /// Refuses the change when the stored version is another.
    pub fn check(&self, kind: Kind, id: Id, stored: Timestamp) -> Result<()> {
        let seen = self.updated_at.is_none_or(|seen| seen == stored);
        let unmodified = self
            .unmodified_since
            .is_none_or(|since| stored.date_time().timestamp() <= since.timestamp());
        if seen && unmodified { Ok(()) } else { Err(Error::Changed { kind, id }) }
    }
}
