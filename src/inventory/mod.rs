//! The inventory document, which `import` reads and `export` writes.
//!
//! `document` is the format of the text, `stored` the contents of the database, `plan` the pure
//! difference between the two, and `write` the statements that apply it.

mod children;
pub(crate) mod document;
mod elements;
mod entries;
mod export;
mod host_parts;
mod hosts;
mod import;
mod left_out;
mod list;
mod malformed;
mod matching;
mod members;
mod namesakes;
mod parse;
mod pins;
mod plan;
mod planner;
mod report;
mod same_device;
mod services;
mod sieve;
mod stored;
mod subnets;
mod targets;
mod write;

pub use self::{
    export::export,
    import::{Target, import, progress_bar},
    left_out::LeftOut,
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
    /// Whether to leave out elements that are invalid, instead of refusing the document.
    pub skip_invalid: bool,
}
