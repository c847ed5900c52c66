//! Positions in lists, counted from 0.

use crate::error::{Error, Result};

/// Checks that a position is not negative.
pub(crate) fn check(position: Option<i32>) -> Result<Option<i32>> {
    if position.is_some_and(|position| position < 0) {
        let field = "position".to_owned();
        return Err(Error::OutOfRange { field, min: 0, max: i32::MAX.into() });
    }
    Ok(position)
}
