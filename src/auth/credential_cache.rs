//! Credential lookup: one statement, cached for seconds, invalidated by any change.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::TimeDelta;
use moka::sync::Cache;
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement};
use tokio_util::task::TaskTracker;
use toposcope_types::{Id, PermissionLevel, Timestamp};

use super::{Token, Viewer, belief::Belief, login_throttle::FailedLogins};
use crate::{
    db::Db,
    error::{Error, Result},
};

/// The longest time that a cached lookup is trusted.
const REMEMBERED: Duration = Duration::from_secs(5);
/// The shortest time between two writes of the last use of a key or session.
const TOUCHED: Duration = Duration::from_mins(1);
/// The time after which an unused session expires.
pub(super) const SESSION_IDLE: TimeDelta = TimeDelta::days(7);

/// The caller of a request, before any decision on access.
#[derive(Clone, Debug)]
pub enum Caller {
    /// A caller without a credential, or with an unknown one.
    Nobody,
    /// A known caller; `refusal` is the reason that a known key may not be used now.
    Known { viewer: Viewer, refusal: Option<Refusal> },
}

/// The reason that an existing key may not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Disabled,
    Expired,
    ApiAccessDisabled,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Disabled => Self::Disabled,
            Refusal::Expired => Self::Expired,
            Refusal::ApiAccessDisabled => Self::ApiAccessDisabled,
        }
    }
}

impl Caller {
    /// Returns the viewer, or the reason that there is none.
    pub fn viewer(&self) -> Result<&Viewer> {
        match self {
            Self::Nobody => Err(Error::NotAuthenticated),
            Self::Known { refusal: Some(refusal), .. } => Err((*refusal).into()),
            Self::Known { viewer, refusal: None } => Ok(viewer),
        }
    }
}

/// The result of a lookup; its times are checked at every use.
#[derive(Clone, Debug)]
struct Found {
    viewer: Viewer,
    refusal: Option<Refusal>,
    expires_at: Option<Timestamp>,
    last_used: Option<Timestamp>,
}

impl Found {
    fn caller(&self, now: Timestamp) -> Caller {
        let expired = self.expires_at.is_some_and(|end| end <= now);
        if expired && self.viewer.session_id.is_some() {
            return Caller::Nobody;
        }
        let refusal = self.refusal.or(expired.then_some(Refusal::Expired));
        Caller::Known { viewer: self.viewer.clone(), refusal }
    }
}

/// The credential lookups and failed logins that this process remembers.
#[derive(Debug)]
pub struct Credentials {
    found: Cache<Token, Arc<Found>>,
    touched: Cache<Token, ()>,
    generation: AtomicU64,
    failed_logins: FailedLogins,
    pub(super) belief: Belief,
}

impl Default for Credentials {
    fn default() -> Self {
        Self {
            found: Cache::builder().max_capacity(10_000).time_to_live(REMEMBERED).build(),
            touched: Cache::builder().max_capacity(100_000).time_to_live(TOUCHED).build(),
            generation: AtomicU64::new(0),
            failed_logins: FailedLogins::default(),
            belief: Belief::default(),
        }
    }
}

impl Credentials {
    /// Forgets every lookup; called after any change to users, keys, sessions or networks.
    pub fn forget(&self) {
        // A lookup that began before the change must not be remembered after it.
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.found.invalidate_all();
    }

    /// Returns how many times all lookups have been forgotten.
    pub fn forgotten(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// Returns the failed logins of the last minutes.
    pub(crate) fn failed_logins(&self) -> &FailedLogins {
        &self.failed_logins
    }

    /// Returns the caller who presents `token`. Runs at most one statement, and none for a token
    /// that was looked up a moment ago. One of the `tasks` records the use.
    pub async fn look_up(
        &self,
        db: &Db,
        tasks: &TaskTracker,
        token: Option<Token>,
    ) -> Result<Caller> {
        let Some(token) = token else { return Ok(Caller::Nobody) };
        let known = self.found.get(&token).filter(|_| self.belief.is_believed());
        let found = if let Some(found) = known {
            found
        } else {
            let generation = self.generation.load(Ordering::SeqCst);
            let found = read(db.reader(), db, &token).await?;
            let Some(found) = found else { return Ok(Caller::Nobody) };
            let found = Arc::new(found);
            if generation == self.generation.load(Ordering::SeqCst) {
                self.found.insert(token.clone(), Arc::clone(&found));
            }
            found
        };
        let now = Timestamp::now();
        let caller = found.caller(now);
        if matches!(caller, Caller::Known { refusal: None, .. }) {
            self.touch(db, tasks, token, &found, now);
        }
        Ok(caller)
    }

    /// Returns the viewer with its current rights. Runs at most one statement, like
    /// [`Self::look_up`].
    pub async fn renewed(&self, db: &Db, tasks: &TaskTracker, viewer: &Viewer) -> Result<Viewer> {
        let Some(token) = viewer.token.clone() else { return Ok(viewer.clone()) };
        Ok(viewer.becoming(self.look_up(db, tasks, Some(token)).await?.viewer()?))
    }

    /// Rereads the viewer with its current rights within a write transaction. On PostgreSQL, the
    /// user and the credential stay locked until it ends: revoking a right waits for the writes
    /// that began with that right. A viewer without a token, such as the operator, is returned as
    /// is.
    pub async fn again(
        db: &Db,
        transaction: &impl ConnectionTrait,
        viewer: &Viewer,
    ) -> Result<Viewer> {
        let Some(token) = &viewer.token else { return Ok(viewer.clone()) };
        hold(transaction, db, token).await?;
        let found = read(transaction, db, token).await?;
        let caller = found.map_or(Caller::Nobody, |found| found.caller(Timestamp::now()));
        Ok(viewer.becoming(caller.viewer()?))
    }

    /// Records the use of a key or session, in the background and at most once a minute. The UPDATE
    /// sets only that one column, so it cannot restore old values of others.
    fn touch(&self, db: &Db, tasks: &TaskTracker, token: Token, found: &Found, now: Timestamp) {
        let before = now - TimeDelta::seconds(TOUCHED.as_secs().cast_signed());
        if self.touched.contains_key(&token) || found.last_used.is_some_and(|at| at > before) {
            return;
        }
        self.touched.insert(token.clone(), ());
        let db = db.clone();
        tasks.spawn(async move {
            let (sql, key) = match token {
                Token::ApiKey(hash) => (
                    "UPDATE api_key SET last_used = $1 WHERE id = \
                     (SELECT api_key_id FROM api_key_secret WHERE secret_hash = $2)",
                    hash,
                ),
                Token::Session(hash) => {
                    ("UPDATE session SET last_seen_at = $1 WHERE token_hash = $2", hash)
                }
            };
            let statement =
                Statement::from_sql_and_values(db.backend(), sql, [now.into(), key.into()]);
            if let Err(error) = db.writer().execute_raw(statement).await {
                tracing::warn!(%error, "could not note the last use of a credential");
            }
        });
    }
}

/// The query for a key with its owner and the networks that both reach; one row for each network.
const READ_API_KEY: &str = r#"
SELECT k.id AS api_key_id, k.user_id, k.organization_id, k.permissions, k.is_enabled, k.expires_at,
       k.last_used, u.permissions AS owner_permissions, o.api_access_enabled, n.id AS network_id
FROM api_key_secret s
JOIN api_key k ON k.id = s.api_key_id
JOIN "user" u ON u.id = k.user_id AND u.organization_id = k.organization_id
JOIN organization o ON o.id = k.organization_id
LEFT JOIN network n ON n.organization_id = u.organization_id
  AND (k.all_networks
       OR EXISTS (SELECT 1 FROM api_key_network r WHERE r.api_key_id = k.id AND r.network_id = n.id))
  AND (u.permissions IN ('Owner', 'Admin')
       OR EXISTS (SELECT 1 FROM user_network g WHERE g.user_id = u.id AND g.network_id = n.id))
WHERE s.secret_hash = $1"#;

/// The query for a session with its user and the networks in reach; one row for each network.
const READ_SESSION: &str = r#"
SELECT s.last_seen_at, s.user_id, u.organization_id, u.permissions, n.id AS network_id
FROM session s
JOIN "user" u ON u.id = s.user_id
LEFT JOIN network n ON n.organization_id = u.organization_id
  AND (u.permissions IN ('Owner', 'Admin')
       OR EXISTS (SELECT 1 FROM user_network g WHERE g.user_id = u.id AND g.network_id = n.id))
WHERE s.token_hash = $1"#;

const HOLD_API_KEY: &str = r#"
SELECT 1 FROM api_key_secret s JOIN api_key k ON k.id = s.api_key_id JOIN "user" u ON u.id = k.user_id
WHERE s.secret_hash = $1 FOR SHARE"#;

const HOLD_SESSION: &str = r#"
SELECT 1 FROM session s JOIN "user" u ON u.id = s.user_id WHERE s.token_hash = $1 FOR SHARE"#;

/// Locks a credential and its user until the transaction ends. This is a separate statement: a
/// statement that waited for a lock would see the networks in reach as they were before. On SQLite,
/// a write transaction keeps out all other writers anyway.
async fn hold(transaction: &impl ConnectionTrait, db: &Db, token: &Token) -> Result<()> {
    if db.backend() == DbBackend::Postgres {
        let (sql, hash) = match token {
            Token::ApiKey(hash) => (HOLD_API_KEY, hash),
            Token::Session(hash) => (HOLD_SESSION, hash),
        };
        let statement = Statement::from_sql_and_values(db.backend(), sql, [hash.clone().into()]);
        transaction.query_all_raw(statement).await?;
    }
    Ok(())
}

async fn read(connection: &impl ConnectionTrait, db: &Db, token: &Token) -> Result<Option<Found>> {
    let (sql, hash) = match token {
        Token::ApiKey(hash) => (READ_API_KEY, hash),
        Token::Session(hash) => (READ_SESSION, hash),
    };
    let statement = Statement::from_sql_and_values(db.backend(), sql, [hash.clone().into()]);
    let rows = connection.query_all_raw(statement).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let mut networks = rows
        .iter()
        .map(|row| row.try_get::<Option<Id>>("", "network_id"))
        .filter_map(Result::transpose)
        .collect::<Result<Vec<_>, _>>()?;
    networks.sort_unstable();
    let networks = db.ids(networks);
    let found = match token {
        Token::ApiKey(_) => api_key(token, first, networks)?,
        Token::Session(_) => session(token, first, networks)?,
    };
    Ok(Some(found))
}

fn api_key(token: &Token, row: &QueryResult, networks: crate::db::IdSet) -> Result<Found> {
    let level: PermissionLevel = row.try_get("", "permissions")?;
    let owner_level: PermissionLevel = row.try_get("", "owner_permissions")?;
    let refusal = if !row.try_get::<bool>("", "api_access_enabled")? {
        Some(Refusal::ApiAccessDisabled)
    } else if row.try_get::<bool>("", "is_enabled")? {
        None
    } else {
        Some(Refusal::Disabled)
    };
    Ok(Found {
        viewer: Viewer {
            user_id: row.try_get("", "user_id")?,
            organization_id: row.try_get("", "organization_id")?,
            api_key_id: Some(row.try_get("", "api_key_id")?),
            session_id: None,
            token: Some(token.clone()),
            request_id: None,
            address: None,
            level: level.min(owner_level),
            networks,
        },
        refusal,
        expires_at: row.try_get("", "expires_at")?,
        last_used: row.try_get("", "last_used")?,
    })
}

fn session(token: &Token, row: &QueryResult, networks: crate::db::IdSet) -> Result<Found> {
    let last_seen_at: Timestamp = row.try_get("", "last_seen_at")?;
    Ok(Found {
        viewer: Viewer {
            user_id: row.try_get("", "user_id")?,
            organization_id: row.try_get("", "organization_id")?,
            api_key_id: None,
            session_id: token.fingerprint(),
            token: Some(token.clone()),
            request_id: None,
            address: None,
            level: row.try_get("", "permissions")?,
            networks,
        },
        refusal: None,
        expires_at: Some(last_seen_at + SESSION_IDLE),
        last_used: Some(last_seen_at),
    })
}
