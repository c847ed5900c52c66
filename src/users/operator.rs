//! User management by the operator of the server, on the command line.

use sea_orm::EntityTrait as _;
use toposcope_types::{Id, Kind, PermissionLevel};

use super::{Entity, NewUser, User, add, by_email, credential, found, lock_registration, manage};
use crate::{
    app::App,
    auth::{Token, Viewer, password, session},
    error::{Error, Result},
    input::text,
    networks, organizations,
    write::{Write, later},
};

/// The default name of the first organization.
const ORGANIZATION: &str = "My organization";

/// A user that the operator wants to create.
pub struct Newcomer {
    /// The e-mail address.
    pub email: String,
    /// The password.
    pub password: String,
    /// The permission level.
    pub permissions: PermissionLevel,
    /// The organization of the user.
    pub organization: Belongs,
    /// For a new organization, the name of its first network. For an existing one, the id or name
    /// of a network that the user is to reach.
    pub network: Option<String>,
    /// The default name of the first network of a new organization; `None` creates no network.
    pub default_network: Option<&'static str>,
}

/// The organization of a user that the operator creates.
#[derive(Clone, Debug)]
pub enum Belongs {
    /// The organization with this id or name, or the only one; a new one if there are none at all.
    To(Option<String>),
    /// A new organization with this name.
    ToNew(String),
}

/// Creates a user from command-line input. Also creates the organization and its first network for
/// the very first user, or if the operator requests a new organization.
pub async fn create_by_operator(app: &App, newcomer: Newcomer) -> Result<User> {
    let Newcomer { email, password, permissions, organization, network, default_network } =
        newcomer;
    let email = super::email(email)?;
    password::check(&password)?;
    let hash = password::hash(password).await?;
    let organization_id = Id::nil();
    let new = NewUser { organization_id, email, permissions, hash, terms_accepted_at: None };
    let mut write = Write::begin_unseen(app, &Viewer::nobody(&app.db)).await?;
    // If two users are created at once on an empty database, only one of them is the first.
    lock_registration(app, &write.db).await?;
    let (known, name) = belongs(&write, organization).await?;
    let user = if let Some(known) = known {
        join(&mut write, known.id, network, new).await?
    } else {
        let name = text::required("organization", name, 1, text::MAX_TITLE)?;
        let network = network.or_else(|| default_network.map(str::to_owned));
        let name_of = |network| text::required("network", network, 1, text::MAX_TITLE);
        let network = network.map(name_of).transpose()?.map(|network| (Id::new(), network));
        found(&mut write, name, network, new).await?
    };
    write.commit().await?;
    Ok(user)
}

/// Returns the organization that a new user belongs to, or the name of the one to create.
async fn belongs(
    write: &Write<'_>,
    organization: Belongs,
) -> Result<(Option<organizations::Organization>, String)> {
    let wanted = match organization {
        Belongs::ToNew(name) => {
            let Some(known) = organizations::by_id_or_name(&write.db, &name).await? else {
                return Ok((None, name));
            };
            let reason = format!(
                "there is `{}` already; leave `--new-organization` out to add a user to it",
                known.name
            );
            return Err(Error::invalid("organization", reason));
        }
        Belongs::To(wanted) => wanted,
    };
    let remedy = "use one of them, or add `--new-organization` to make another";
    let known = organizations::meant(&write.db, wanted.as_deref(), remedy).await?;
    let name = wanted.unwrap_or_else(|| ORGANIZATION.to_owned());
    if known.is_none() && name.parse::<Id>().is_ok() {
        let reason = format!("there is no `{name}`; a new one is made by its name");
        return Err(Error::invalid("organization", reason));
    }
    Ok((known, name))
}

/// Adds a user to an existing organization.
async fn join(
    write: &mut Write<'_>,
    organization_id: Id,
    network: Option<String>,
    new: NewUser,
) -> Result<User> {
    write.viewer.organization_id = organization_id;
    write.hold_organization().await?;
    let user = add(&write.db, NewUser { organization_id, ..new }).await?;
    write.log::<Entity>(None, Some(&user));
    let Some(network) = network else { return Ok(user) };
    let network = networks::find(&write.db, Some(organization_id), &network).await?;
    if user.permissions < PermissionLevel::Admin {
        manage::grant_one(write, user.clone(), network.id).await?;
    }
    Ok(user)
}

/// Changes a password and ends every session of the user.
pub async fn set_password(app: &App, address: &str, secret: String) -> Result<()> {
    password::check(&secret)?;
    let hash = password::hash(secret).await?;
    let user = by_email(app, address).await?;
    let mut write = Write::begin_unseen(app, &Viewer::nobody(&app.db)).await?;
    write.viewer.organization_id = user.organization_id;
    write.hold_organization().await?;
    let user = again(&write, user.id).await?;
    let after = User { updated_at: later(user.updated_at), ..user.clone() };
    write.replace::<Entity>(vec![(user.clone(), after)]).await?;
    // The log records that the password changed, but neither the old nor the new one.
    write.log_part((Kind::User, user.id), "password_changed", false, true);
    credential::set(&write.db, user.id, hash).await?;
    session::end_all(&write.db, user.id).await?;
    write.change_rights();
    write.commit().await?;
    Ok(())
}

/// Grants a user a network of their organization, by id or name, and returns the network. Granting
/// it again has no effect.
pub async fn grant(app: &App, address: &str, network: &str) -> Result<networks::Network> {
    let user = by_email(app, address).await?;
    let network = networks::find(app.db.reader(), Some(user.organization_id), network).await?;
    let mut write = Write::begin_unseen(app, &Viewer::nobody(&app.db)).await?;
    write.viewer.organization_id = user.organization_id;
    write.hold_organization().await?;
    let user = again(&write, user.id).await?;
    let id = user.id;
    manage::grant_one(&mut write, user, network.id).await?;
    write.change_rights();
    write.commit().await?;
    tracing::info!(user.id = %id, network.id = %network.id, "granted a network to user {id}");
    Ok(network)
}

/// Rereads a user, now that no other writer can change them.
async fn again(write: &Write<'_>, id: Id) -> Result<User> {
    let user = Entity::find_by_id(id).one(&write.db).await?;
    user.ok_or(Error::NotFound { kind: Kind::User, id })
}

/// Returns the user with this address as a viewer with a session of their own, for the command
/// line.
pub async fn viewer_of(app: &App, address: &str) -> Result<Viewer> {
    let user = by_email(app, address).await?;
    let session = session::start(app.db.writer(), Some(user.id), None).await?;
    let caller = app.look_up(Some(Token::session(&session))).await?;
    session::end(app.db.writer(), &session).await?;
    app.credentials.forget();
    // The session has ended; the operator needs none.
    Ok(Viewer { token: None, ..caller.viewer()?.clone() })
}
