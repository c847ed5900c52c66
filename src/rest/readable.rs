//! Traits of resources that REST can read, create and update.

use std::collections::HashMap;

use sea_orm::ConnectionTrait;
use serde::{Serialize, de::DeserializeOwned};
use toposcope_types::{Id, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use super::{envelope::Tag, query::Query};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    resource::{Precondition, listed::Listed},
};

/// A resource that REST can read.
pub trait Readable: Listed {
    /// The prefix of its routes, such as `/hosts`.
    const PATH: &'static str;
    /// Its singular and plural names in `operationId`s.
    const NAMES: (&'static str, &'static str);
    /// The `operationId` of its list, if it is not the default.
    const LIST: Option<&'static str> = None;
    /// The chapter of the document for its endpoints.
    const TAG: &'static str;
    /// The minimum level of an API key for any operation; `None` if only sessions are allowed.
    const KEYS: Option<PermissionLevel> = Some(PermissionLevel::Viewer);
    /// The level required to read it.
    const READ: PermissionLevel = PermissionLevel::Viewer;
    /// The level required to create and update it.
    const WRITE: PermissionLevel = PermissionLevel::Member;
    /// The number of rows to read at once with all their related data.
    const TOGETHER: usize = 1000;
    /// The columns of its CSV: keys of [`Self::Full`].
    const COLUMNS: &'static [&'static str];
    /// The response body: the row with all its related data.
    type Full: Serialize + ToSchema + Send + 'static;

    /// Returns the version of a body.
    fn updated_at(full: &Self::Full) -> Timestamp;

    /// Returns a timestamp that the body shows and that is no update of the resource itself, if
    /// there is one.
    fn besides(_: &Self::Full) -> Option<Timestamp> {
        None
    }

    /// Returns the tag that distinguishes this body from others.
    fn tag(full: &Self::Full) -> Tag {
        Tag { version: <Self as Readable>::updated_at(full), besides: Self::besides(full) }
    }

    /// Reads the filter from a query string.
    fn filter(query: &mut Query) -> Result<Self::Filter>;

    /// Adds related data to rows, in a number of statements that does not grow with them.
    fn full(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: Vec<Self::Model>,
    ) -> impl Future<Output = Result<Vec<Self::Full>>> + Send;

    /// Returns how many bytes of the body are deferred because they are so long.
    fn late(_: &Self::Full) -> u64 {
        0
    }

    /// Returns how many bytes of the body are written from a few that are stored, such as a list
    /// from a range.
    fn unfolded(_: &Self::Full) -> u64 {
        0
    }

    /// Reads the deferred data.
    fn read_late(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        _: &mut [Self::Full],
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Returns the parts with deferred data.
    fn late_parts(_: &Self::Full) -> Option<LateParts> {
        None
    }

    /// Reads the deferred data of such parts, in the form of the response.
    fn read_parts(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        _: Vec<Id>,
    ) -> impl Future<Output = Result<HashMap<Id, Vec<u8>>>> + Send {
        std::future::ready(Ok(HashMap::new()))
    }
}

/// The parts of a resource that have deferred data.
#[derive(Clone, Debug)]
pub struct LateParts {
    /// The id of the resource.
    pub id: Id,
    /// Each part with its deferred bytes, in the order of the response.
    pub parts: Vec<(Id, u64)>,
}

/// A resource that REST can create.
pub trait Creatable: Readable {
    /// The input for creating one.
    type Input: DeserializeOwned + ToSchema + Send + 'static;

    /// Reads the options of a creation from the query string, as a change to the input.
    fn asked(_: &mut Query) -> Result<fn(&mut Self::Input)> {
        Ok(|_| ())
    }

    /// Creates one.
    fn create(
        app: &App,
        viewer: &Viewer,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Full>> + Send;
}

/// The summary for a resource whose update replaces all that clients know of it.
pub const REPLACES: &str = "Replaces one; omitted fields become empty.";

/// A resource that REST can update.
pub trait Updatable: Readable {
    /// The summary of an update, with its effect on omitted fields.
    const SUMMARY: &'static str =
        "Updates one; omitted fields keep their value, and null clears a field.";
    /// The input for updating one.
    type Input: DeserializeOwned + ToSchema + Send + 'static;

    /// Updates one.
    fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> impl Future<Output = Result<Self::Full>> + Send;
}
