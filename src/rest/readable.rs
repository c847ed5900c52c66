//! What a resource says of itself to be shown, made and changed over REST.

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

/// A resource that REST shows.
pub trait Readable: Listed {
    /// How its routes begin, such as `/hosts`.
    const PATH: &'static str;
    /// Its name in `operationId`s: one and many.
    const NAMES: (&'static str, &'static str);
    /// The name of its list.
    const LIST: Option<&'static str> = None;
    /// The part of the document that its endpoints stand in.
    const TAG: &'static str;
    /// The level that an API key needs at least, whatever is done with it; none where only sessions may.
    const KEYS: Option<PermissionLevel> = Some(PermissionLevel::Viewer);
    /// The level that reading it needs.
    const READ: PermissionLevel = PermissionLevel::Viewer;
    /// The level that making and changing it needs.
    const WRITE: PermissionLevel = PermissionLevel::Member;
    /// How many are read at once with all that belongs to them.
    const TOGETHER: usize = 1000;
    /// The columns of its CSV: keys of [`Self::Full`].
    const COLUMNS: &'static [&'static str];
    /// What is shown: the row with all that belongs to it.
    type Full: Serialize + ToSchema + Send + 'static;

    /// The version of what is shown.
    fn updated_at(full: &Self::Full) -> Timestamp;

    /// A moment that is shown and is no change of the thing itself, if there is one.
    fn besides(_: &Self::Full) -> Option<Timestamp> {
        None
    }

    /// What tells this body from others.
    fn tag(full: &Self::Full) -> Tag {
        Tag { version: <Self as Readable>::updated_at(full), besides: Self::besides(full) }
    }

    /// The filter that a query string gives.
    fn filter(query: &mut Query) -> Result<Self::Filter>;

    /// Adds to rows what belongs to them, in a number of statements that does not grow with them.
    fn full(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: Vec<Self::Model>,
    ) -> impl Future<Output = Result<Vec<Self::Full>>> + Send;

    /// How many bytes of what is shown are so long that they are not read yet.
    fn late(_: &Self::Full) -> u64 {
        0
    }

    /// Reads what was left for later.
    fn read_late(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        _: &mut [Self::Full],
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Those of its parts of which something is left for later.
    fn late_parts(_: &Self::Full) -> Option<LateParts> {
        None
    }

    /// What was left of such parts, as it is shown.
    fn read_parts(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        _: Vec<Id>,
    ) -> impl Future<Output = Result<HashMap<Id, Vec<u8>>>> + Send {
        std::future::ready(Ok(HashMap::new()))
    }
}

/// Parts of which something is left for later.
#[derive(Clone, Debug)]
pub struct LateParts {
    /// What they are parts of.
    pub id: Id,
    /// Each with the bytes that are left, in the order in which they are shown.
    pub parts: Vec<(Id, u64)>,
}

/// A resource that can be made over REST.
pub trait Creatable: Readable {
    /// What making one takes.
    type Input: DeserializeOwned + ToSchema + Send + 'static;

    /// What the query string says of it, as a change of what is taken.
    fn asked(_: &mut Query) -> Result<fn(&mut Self::Input)> {
        Ok(|_| ())
    }

    /// Makes one.
    fn create(
        app: &App,
        viewer: &Viewer,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Full>> + Send;
}

/// What is said of a resource of which changing one replaces all that clients know of it.
pub const REPLACES: &str = "Replaces one: what is left out becomes empty.";

/// A resource that can be changed over REST.
pub trait Updatable: Readable {
    /// What changing one does to what is left out.
    const SUMMARY: &'static str = "Changes one: what is left out stays, and null clears.";
    /// What changing one takes.
    type Input: DeserializeOwned + ToSchema + Send + 'static;

    /// Changes one.
    fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> impl Future<Output = Result<Self::Full>> + Send;
}
