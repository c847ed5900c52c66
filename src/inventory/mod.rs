//! The inventory document, which `import` reads and `export` writes.
//!
//! `document` is the format of the text, `stored` the contents of the database, `plan` the pure
//! difference between the two, and `write` the statements that apply it.

mod children;
pub(crate) mod document;
mod entries;
mod export;
mod host_parts;
mod import;
mod matching;
mod members;
mod namesakes;
mod parse;
mod pins;
mod plan;
mod planner;
mod report;
mod same_device;
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

/// The document of a small sample campus.
pub const SAMPLE: &str = include_str!("campus.json");

/// An extension that prefixes the field of an error with the path of the element in question.
trait Within<T> {
    fn within(self, path: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Within<T> for Result<T> {
    fn within(self, path: impl FnOnce() -> String) -> Self {
        self.map_err(|error| error.within(&path()))
    }
}

/// The options of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to report what would change, without changing anything.
    pub dry_run: bool,
    /// Whether to remove the hosts of the network that are missing from the document.
    pub prune: bool,
}
