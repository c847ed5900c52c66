//! The viewer: the authenticated user or key, with a level and a reach.

use std::{net::IpAddr, sync::Arc};

use toposcope_types::{Id, Kind, PermissionLevel};

use super::Token;
use crate::{
    db::{Db, IdSet},
    error::{Error, Result},
};

/// A user, by session or by one of their API keys, with the rights that both have at this moment.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The user, or the owner of the key.
    pub user_id: Id,
    /// The organization of the user.
    pub organization_id: Id,
    /// The presented API key; `None` for a session.
    pub api_key_id: Option<Id>,
    /// A fingerprint that identifies the session without revealing it; `None` for a key.
    pub session_id: Option<Id>,
    /// The presented credential, with which writes look up the current rights; `None` for the
    /// operator.
    pub token: Option<Token>,
    /// The id of the request, for the change log.
    pub request_id: Option<Arc<str>>,
    /// The address that the request came from.
    pub address: Option<IpAddr>,
    /// The lower of the user's level and the key's.
    pub level: PermissionLevel,
    /// The networks that both reach.
    pub networks: IdSet,
}

impl Viewer {
    /// Returns a viewer with the rights of `other`, for the request of this one.
    pub(super) fn becoming(&self, other: &Self) -> Self {
        Self { request_id: self.request_id.clone(), address: self.address, ..other.clone() }
    }

    /// Returns a viewer without an identity yet; it gets one from what it is about to write.
    pub fn nobody(db: &Db) -> Self {
        Self {
            user_id: Id::nil(),
            organization_id: Id::nil(),
            api_key_id: None,
            session_id: None,
            token: None,
            request_id: None,
            address: None,
            level: PermissionLevel::Owner,
            networks: db.ids([]),
        }
    }

    /// Returns whether every network of the organization is within reach, including future ones.
    pub fn administers(&self) -> bool {
        self.api_key_id.is_none() && self.level >= PermissionLevel::Admin
    }

    /// Rejects a viewer below `level`.
    pub fn require(&self, level: PermissionLevel) -> Result<()> {
        if self.level >= level {
            return Ok(());
        }
        Err(Error::denied(format!("this needs the level {level:?}; yours is {:?}", self.level)))
    }

    /// Rejects a `network_id` out of reach.
    pub fn require_network(&self, id: Id) -> Result<()> {
        if self.networks.contains(id) {
            return Ok(());
        }
        Err(Error::ReferenceInvalid { kind: Kind::Network, field: "network_id".to_owned(), id })
    }

    /// Rejects any organization but the viewer's own; the nil id also means the viewer's own.
    pub fn require_own(&self, organization_id: Option<Id>) -> Result<()> {
        let other = organization_id.filter(|id| !id.is_nil() && *id != self.organization_id);
        let Some(id) = other else { return Ok(()) };
        let (kind, field) = (Kind::Organization, "organization_id".to_owned());
        Err(Error::ReferenceInvalid { kind, field, id })
    }

    /// Rejects an API key.
    pub fn require_session(&self) -> Result<()> {
        if self.api_key_id.is_some() { Err(Error::UserContextRequired) } else { Ok(()) }
    }

    /// Rejects an API key below `level`; sessions pass.
    pub fn require_session_or_key(&self, level: PermissionLevel) -> Result<()> {
        if self.level >= level { Ok(()) } else { self.require_session() }
    }

    /// Returns the same viewer with only `networks` within reach.
    #[must_use]
    pub fn within(&self, networks: IdSet) -> Self {
        Self { networks, ..self.clone() }
    }
}
