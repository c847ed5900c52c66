//! The one who asks: always somebody, with a level and a reach.

use std::{net::IpAddr, sync::Arc};

use toposcope_types::{Id, Kind, PermissionLevel};

use super::Token;
use crate::{
    db::{Db, IdSet},
    error::{Error, Result},
};

/// A user, by session or by one of their API keys, with what both may do at this moment.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The user, or the owner of the key.
    pub user_id: Id,
    /// The organization of the user.
    pub organization_id: Id,
    /// The key that was presented; `None` for a session.
    pub api_key_id: Option<Id>,
    /// What tells the session from others without giving it away; `None` for a key.
    pub session_id: Option<Id>,
    /// What was presented, by which writes look up once more what it is good for; `None` for the
    /// operator.
    pub token: Option<Token>,
    /// The id of the request, for the log of changes.
    pub request_id: Option<Arc<str>>,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The lower of the user's level and the key's.
    pub level: PermissionLevel,
    /// The networks in reach of both.
    pub networks: IdSet,
}

impl Viewer {
    /// What another viewer may, for the request of this one.
    pub(super) fn becoming(&self, other: &Self) -> Self {
        Self { request_id: self.request_id.clone(), address: self.address, ..other.clone() }
    }

    /// Who is nobody yet, and becomes somebody by what they are about to write.
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

    /// Whether every network of the organization is in reach, also those that are yet to come.
    pub fn administers(&self) -> bool {
        self.api_key_id.is_none() && self.level >= PermissionLevel::Admin
    }

    /// Refuses a viewer below `level`.
    pub fn require(&self, level: PermissionLevel) -> Result<()> {
        if self.level >= level {
            return Ok(());
        }
        Err(Error::denied(format!("this needs the level {level:?}; yours is {:?}", self.level)))
    }

    /// Refuses a `network_id` out of reach.
    pub fn require_network(&self, id: Id) -> Result<()> {
        if self.networks.contains(id) {
            return Ok(());
        }
        Err(Error::ReferenceInvalid { kind: Kind::Network, field: "network_id".to_owned(), id })
    }

    /// Refuses an API key.
    pub fn require_session(&self) -> Result<()> {
        if self.api_key_id.is_some() { Err(Error::UserContextRequired) } else { Ok(()) }
    }

    /// Refuses an API key below `level`; sessions pass.
    pub fn require_session_or_key(&self, level: PermissionLevel) -> Result<()> {
        if self.level >= level { Ok(()) } else { self.require_session() }
    }

    /// The same viewer with no more than `networks` in reach.
    #[must_use]
    pub fn within(&self, networks: IdSet) -> Self {
        Self { networks, ..self.clone() }
    }
}
