//! The state that a viewer expects of a row before changing it.

use chrono::{DateTime, Utc};
use toposcope_types::{Id, Kind, Timestamp};

use crate::error::{Error, Result};

/// The version that a viewer has seen, so that nobody overwrites what they have not read.
#[derive(Clone, Debug, Default)]
pub struct Precondition {
    /// The acceptable versions, one of which must be the stored one.
    pub any_of: Option<Vec<Timestamp>>,
    /// The expected version, which must be the stored one.
    pub expected: Option<Timestamp>,
    /// The moment since which the row must not have changed, in whole seconds.
    pub unmodified_since: Option<DateTime<Utc>>,
}

impl Precondition {
    /// Adds the version that an input expects.
    #[must_use]
    pub fn or(&self, expected: Option<Timestamp>) -> Self {
        let any_of = match (&self.any_of, self.expected, expected) {
            // Two expected versions hold only if they are the same.
            (_, Some(one), Some(other)) if one != other => Some(Vec::new()),
            (any_of, ..) => any_of.clone(),
        };
        Self { any_of, expected: self.expected.or(expected), ..self.clone() }
    }

    /// Refuses the change if the stored version differs.
    pub fn check(&self, kind: Kind, id: Id, stored: Timestamp) -> Result<()> {
        let seen = self.expected.is_none_or(|seen| seen == stored)
            && self.any_of.as_ref().is_none_or(|seen| seen.contains(&stored));
        let unmodified = self
            .unmodified_since
            .is_none_or(|since| stored.date_time().timestamp() <= since.timestamp());
        if seen && unmodified { Ok(()) } else { Err(Error::Changed { kind, id }) }
    }
}
