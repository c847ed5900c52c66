//! Login, logout and confirmation of the password.

use std::net::IpAddr;

use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use serde::Deserialize;
use toposcope_types::{Id, text::clean};
use tracing::info;
use utoipa::ToSchema;

use super::{Column, Entity, FullUser, User, credential, full};
use crate::{
    app::App,
    auth::{Viewer, password, session},
    db::signal::Signal,
    error::{Error, Result},
};

/// Credentials for logging in.
#[derive(Deserialize, ToSchema)]
pub struct LoginInput {
    /// The e-mail address.
    pub email: String,
    /// The password.
    pub password: String,
}

/// Logs a user in and returns the user and the id of a new session. All failures take the same time
/// and look the same.
pub async fn login(
    app: &App,
    address: IpAddr,
    session_id: Option<&str>,
    input: LoginInput,
) -> Result<(FullUser, String)> {
    let account = input.email.trim().to_lowercase();
    let attempt = app.credentials.failed_logins().attempt(Some(address), &account).await?;
    // PostgreSQL cannot search for a NUL; no stored address contains one.
    let found = match clean(&account) {
        Ok(account) => {
            Entity::find().filter(Column::Email.eq(&*account)).one(app.db.reader()).await?
        }
        Err(_) => None,
    };
    let user_id = found.as_ref().map(|user| user.id);
    let hash = credential::hash(app.db.reader(), user_id.unwrap_or(Id::nil())).await?;
    let right = password::verify(input.password, hash.clone()).await?;
    let user = found.filter(|_| right).ok_or_else(|| refused(address, user_id))?;
    attempt.succeeded();
    if let Some(old) = session_id {
        logout(app, old).await?;
    }
    let transaction = app.db.begin().await?;
    // A password change in the meantime has ended all sessions, and must end this one as well.
    if credential::hash(&transaction, user.id).await? != hash {
        return Err(refused(address, user_id));
    }
    let session = session::start(&transaction, Some(user.id), None).await?;
    transaction.commit().await?;
    info!(client.address = %address, user.id = %user.id, "login from {address}");
    Ok((full::one(app, user).await?, session))
}

/// Logs a failed login without the address that was typed, which may be a password.
fn refused(address: IpAddr, user: Option<Id>) -> Error {
    let user = user.map(tracing::field::display);
    info!(client.address = %address, user.id = user, "failed login from {address}");
    Error::InvalidCredentials
}

/// Ends a session.
pub async fn logout(app: &App, session_id: &str) -> Result<()> {
    let transaction = app.db.begin().await?;
    if session::end(&transaction, session_id).await? {
        Signal::Auth.raise(&transaction).await?;
        transaction.commit().await?;
        app.credentials.forget();
    }
    Ok(())
}

/// Proof that a user has just given their password. Until it is dropped, other attempts at the
/// password wait.
#[derive(Debug)]
pub(super) struct Proof<'a> {
    attempt: crate::auth::Attempt<'a>,
    hash: Option<String>,
}

impl<'a> Proof<'a> {
    /// Rejects a password that is not the user's, as slowly as a login does.
    pub(super) async fn new(
        app: &'a App,
        viewer: &Viewer,
        user: &'a User,
        password: String,
    ) -> Result<Self> {
        let attempt = app.credentials.failed_logins().attempt(viewer.address, &user.email).await?;
        let hash = credential::hash(app.db.reader(), user.id).await?;
        if password::verify(password, hash.clone()).await? {
            return Ok(Self { attempt, hash });
        }
        let refused = |address| refused(address, Some(user.id));
        Err(viewer.address.map_or(Error::InvalidCredentials, refused))
    }

    /// Rejects a password that has changed since.
    pub(super) async fn still_holds(
        &self,
        db: &impl sea_orm::ConnectionTrait,
        id: Id,
    ) -> Result<()> {
        if credential::hash(db, id).await? == self.hash {
            return Ok(());
        }
        Err(Error::InvalidCredentials)
    }

    /// Records that the operation behind the password succeeded. A rejected operation counts as a
    /// wrong password, so that nobody can quickly find out which addresses others have.
    pub(super) fn used(self) {
        self.attempt.succeeded();
    }
}
