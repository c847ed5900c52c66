//! The inventory document: what `import` reads and `export` writes.
//!
//! `document` is the shape of the text, `stored` what the database holds, `plan` the pure
//! difference of the two, `write` the statements that settle it.

mod children;
pub mod document;
mod entries;
mod export;
mod host_parts;
mod import;
mod matching;
mod members;
mod namesakes;
mod pins;
mod plan;
mod planner;
mod report;
mod stored;
mod subnets;
mod targets;
mod write;

pub use self::{
    export::export,
    import::{Target, import, progress_bar},
    report::Report,
};
use crate::error::Result;

/// The document of a small campus, to try things on.
pub const SAMPLE: &str = include_str!("campus.json");

/// The place of `field` within `place`.
fn at(place: &str, field: &str) -> String {
    match (place, field) {
        ("", field) => field.to_owned(),
        (place, "") => place.to_owned(),
        (place, field) if field.starts_with('[') => format!("{place}{field}"),
        (place, field) => format!("{place}.{field}"),
    }
}

/// Puts the place of the thing that an error is about before the field that it names.
trait Within<T> {
    fn within(self, place: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Within<T> for Result<T> {
    fn within(self, place: impl FnOnce() -> String) -> Self {
        self.map_err(|error| error.within(&place()))
    }
}

/// How a document is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Say what would change and change nothing.
    pub dry_run: bool,
    /// Also remove the hosts of the network that the document does not have.
    pub prune: bool,
}
