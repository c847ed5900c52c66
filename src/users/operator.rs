//! What the operator of the server does to users, on the command line.

use sea_orm::EntityTrait as _;

use super::{Entity, MAX_NAME, NewUser, User, add, by_email, credential, email, found, manage};
use crate::{
    app::App,
    auth::{Token, Viewer, password, session},
    changes::{Write, later},
    error::{Error, Kind, Result},
    networks, organizations,
    types::{Id, PermissionLevel, text},
};

/// Makes a user from what was typed on the command line, and with them the organization and its
/// first network if there is none by this name.
pub async fn create_by_operator(
    app: &App,
    organization: &str,
    network: Option<String>,
    address: String,
    secret: String,
    permissions: PermissionLevel,
) -> Result<User> {
    let email = email(address)?;
    password::check(&secret)?;
    let hash = password::hash(secret).await?;
    let organization_id = Id::nil();
    let new = NewUser { organization_id, email, permissions, hash, terms_accepted_at: None };
    let mut write = Write::begin(app, &Viewer::nobody(&app.db)).await?;
    let known = organizations::by_id_or_name(&write.db, organization).await?;
    let user = match known {
        Some(known) => {
            write.viewer.organization_id = known.id;
            write.hold_organization().await?;
            let user = add(&write.db, NewUser { organization_id: known.id, ..new }).await?;
            write.log::<Entity>(None, Some(&user));
            user
        }
        None if organization.parse::<Id>().is_ok() => {
            let reason = format!("there is no `{organization}`; a new one is made by its name");
            return Err(Error::invalid("organization", reason));
        }
        None => {
            let name = |field, name| text::required(field, name, 1, MAX_NAME);
            let organization = name("organization", organization.to_owned())?;
            let network = network.map(|network| name("network", network)).transpose()?;
            let network = network.map(|network| (Id::new(), network));
            found(&mut write, organization, network, new).await?
        }
    };
    write.commit().await?;
    Ok(user)
}

/// Changes a password and ends every session of the user.
pub async fn set_password(app: &App, address: &str, secret: String) -> Result<()> {
    password::check(&secret)?;
    let hash = password::hash(secret).await?;
    let user = by_email(app, address).await?;
    let mut write = Write::begin(app, &Viewer::nobody(&app.db)).await?;
    write.viewer.organization_id = user.organization_id;
    write.hold_organization().await?;
    let user = again(&write, user.id).await?;
    let after = User { updated_at: later(user.updated_at), ..user.clone() };
    write.replace::<Entity>(vec![(user.clone(), after)]).await?;
    // That it changed is told, and nothing of what it was or is.
    write.log_part((Kind::User, user.id), "password_changed", false, true);
    credential::set(&write.db, user.id, hash).await?;
    session::end_all(&write.db, user.id).await?;
    write.commit().await?;
    app.credentials.forget();
    Ok(())
}

/// Lets a user reach a network of their organization; granting twice is granting once.
pub async fn grant(app: &App, address: &str, network: &networks::Network) -> Result<()> {
    let user = by_email(app, address).await?;
    if user.organization_id != network.organization_id {
        return Err(Error::invalid("network", "it belongs to another organization than the user"));
    }
    let mut write = Write::begin(app, &Viewer::nobody(&app.db)).await?;
    write.viewer.organization_id = user.organization_id;
    write.hold_organization().await?;
    let user = again(&write, user.id).await?;
    let id = user.id;
    manage::grant_one(&mut write, user, network.id).await?;
    write.commit().await?;
    app.credentials.forget();
    tracing::info!(user.id = %id, network.id = %network.id, "granted a network to user {id}");
    Ok(())
}

/// A user as they are now that nobody else changes them.
async fn again(write: &Write<'_>, id: Id) -> Result<User> {
    let user = Entity::find_by_id(id).one(&write.db).await?;
    user.ok_or(Error::NotFound { kind: Kind::User, id })
}

/// The user with this address as a viewer with a session of their own, for the command line.
pub async fn viewer_of(app: &App, address: &str) -> Result<Viewer> {
    let user = by_email(app, address).await?;
    let session = session::start(app.db.writer(), Some(user.id), None).await?;
    let caller = app.credentials.look_up(app, Some(Token::session(&session))).await?;
    session::end(app.db.writer(), &session).await?;
    app.credentials.forget();
    caller.viewer().cloned()
}
