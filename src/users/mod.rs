//! Users: the people who log in, the registration of the first one, and login.

mod credential;
pub(crate) mod entity;
mod full;
pub(crate) mod graphql;
mod list;
mod login;
mod manage;
mod operator;
pub(crate) mod rest;

use std::{net::IpAddr, sync::Arc};

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};
use serde::Deserialize;
use toposcope_types::{Id, PermissionLevel, Timestamp, object};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as User},
    full::{FullUser, full},
    list::{UserFilter, UserOrder, UserOrderField},
    login::{LoginInput, login, logout},
    manage::{UserInput, update},
    operator::{Belongs, Newcomer, create_by_operator, grant, set_password, viewer_of},
};
use crate::{
    app::App,
    auth::{
        Token, Viewer, password,
        session::{self, Setup},
    },
    config::Registration,
    error::{Error, Result},
    input::text,
    networks, organizations, resource,
    write::Write,
};

/// RFC 5321, 4.5.3.1.3, less the angle brackets.
const MAX_EMAIL: usize = 254;

/// Fields for registering a user.
#[derive(Deserialize, ToSchema)]
pub struct RegisterInput {
    /// The e-mail address, used as the login from then on.
    #[schema(min_length = 3, max_length = 254, pattern = r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$")]
    pub email: String,
    /// The password: 10 to 1024 characters with upper-case letters, lower-case letters and digits.
    #[schema(format = Password, min_length = 10, max_length = 1024)]
    pub password: String,
    /// Whether the user accepts the terms; must be true.
    pub terms_accepted: bool,
}

/// The organization that registration will create.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetupInput {
    /// The name of the organization, 1 to 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    pub organization_name: String,
    /// Its first network.
    #[serde(deserialize_with = "object::required")]
    pub network: SetupNetworkInput,
}

/// The first network of the new organization.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetupNetworkInput {
    /// The name of the network, 1 to 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
}

/// Returns the normalized form of an e-mail address, for storage and comparison.
fn email(text: String) -> Result<String> {
    let email = text::required("email", text, 1, MAX_EMAIL)?.trim().to_lowercase();
    let valid = email.split_once('@').is_some_and(|(local, domain)| {
        !local.is_empty()
            && !domain.is_empty()
            && !domain.contains('@')
            && !email.contains(char::is_whitespace)
    });
    if valid {
        Ok(email)
    } else {
        Err(Error::invalid("email", "use an address like a@example.com"))
    }
}

/// Stores the names of an organization and its first network until a user registers. Returns the
/// session that holds the names and the id that the network will have.
pub async fn setup(app: &App, input: SetupInput) -> Result<(String, Id)> {
    require_open(app).await?;
    let setup = Setup {
        organization_name: text::required(
            "organization_name",
            input.organization_name,
            1,
            text::MAX_TITLE,
        )?,
        network_name: text::required("network.name", input.network.name, 1, text::MAX_TITLE)?,
        network_id: Id::new(),
    };
    let network_id = setup.network_id;
    let session = session::start(app.db.writer(), None, Some(setup)).await?;
    Ok((session, network_id))
}

/// Creates the organization and network that were set up in `session_id` and their first user, and
/// logs the user in. Returns the user and the new session.
pub async fn register(
    app: &App,
    address: IpAddr,
    session_id: Option<&str>,
    request_id: Option<Arc<str>>,
    input: RegisterInput,
) -> Result<(FullUser, String)> {
    require_open(app).await?;
    let email = email(input.email)?;
    password::check(&input.password)?;
    if !input.terms_accepted {
        return Err(Error::invalid("terms_accepted", "the terms must be accepted"));
    }
    let no_setup = || Error::NotSetUp;
    let session_id = session_id.ok_or_else(no_setup)?;
    let setup = session::setup(app.db.reader(), session_id).await?.ok_or_else(no_setup)?;
    let hash = password::hash(input.password).await?;

    let mut write = Write::begin_unseen(app, &Viewer::nobody(&app.db)).await?;
    // If two users register at once, only one of them is the first.
    if app.settings.registration == Registration::First {
        lock_registration(app, &write.db).await?;
        if Entity::find().count(&write.db).await? > 0 {
            return Err(closed());
        }
    }
    if !session::end(&write.db, session_id).await? {
        return Err(no_setup());
    }
    let new = NewUser {
        organization_id: Id::nil(),
        email,
        permissions: PermissionLevel::Owner,
        hash,
        terms_accepted_at: Some(Timestamp::now()),
    };
    let network = (setup.network_id, setup.network_name);
    let user = found(&mut write, setup.organization_name, Some(network), new).await?;
    let session = session::start(&write.db, Some(user.id), None).await?;
    write.viewer.user_id = user.id;
    write.viewer.session_id = Token::session(&session).fingerprint();
    write.viewer.request_id = request_id;
    write.change_rights();
    write.commit().await?;
    tracing::info!(client.address = %address, user.id = %user.id, "login from {address}: registered");
    Ok((FullUser { user, has_password: true, network_ids: Vec::new() }, session))
}

/// Creates an organization with its first network and its first user.
async fn found(
    write: &mut Write<'_>,
    organization: String,
    network: Option<(Id, String)>,
    new: NewUser,
) -> Result<User> {
    let organization = organizations::create(&write.db, organization).await?;
    let new = NewUser { organization_id: organization.id, ..new };
    let user = add(&write.db, new).await?;
    write.viewer.organization_id = organization.id;
    write.hold_organization().await?;
    write.log::<organizations::Entity>(None, Some(&organization));
    write.log::<Entity>(None, Some(&user));
    if let Some((id, name)) = network {
        networks::add(write, id, organization.id, name).await?;
    }
    Ok(user)
}

/// Locks the user table on PostgreSQL; on SQLite, the transaction already holds the only write
/// lock.
async fn lock_registration(app: &App, db: &impl ConnectionTrait) -> Result<()> {
    if app.db.backend() == sea_orm::DbBackend::Postgres {
        db.execute_unprepared(r#"LOCK TABLE "user" IN SHARE ROW EXCLUSIVE MODE"#).await?;
    }
    Ok(())
}

/// Rejects a registration if registration is closed, or open only to the first user and users
/// exist.
pub async fn require_open(app: &App) -> Result<()> {
    let open = match app.settings.registration {
        Registration::Open => true,
        Registration::Closed => false,
        Registration::First => are_none(app).await?,
    };
    if open { Ok(()) } else { Err(closed()) }
}

/// Returns whether there are no users at all.
pub async fn are_none(app: &App) -> Result<bool> {
    Ok(Entity::find().count(app.db.reader()).await? == 0)
}

fn closed() -> Error {
    Error::denied("registration is closed; ask whoever runs this server for a user")
}

/// A user to create, with the password already hashed.
#[derive(Debug)]
pub struct NewUser {
    pub organization_id: Id,
    pub email: String,
    pub permissions: PermissionLevel,
    pub hash: String,
    /// The time at which the user accepted the terms; the command line does not ask.
    pub terms_accepted_at: Option<Timestamp>,
}

/// Adds a user who can log in.
pub async fn add(db: &impl ConnectionTrait, new: NewUser) -> Result<User> {
    let now = Timestamp::now();
    let user = User {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        organization_id: new.organization_id,
        email: new.email,
        permissions: new.permissions,
        email_verified: true,
        terms_accepted_at: new.terms_accepted_at,
    };
    let row = sea_orm::IntoActiveModel::into_active_model(user.clone());
    Entity::insert(row).exec_without_returning(db).await?;
    credential::set(db, user.id, new.hash).await?;
    Ok(user)
}

/// Returns the logged-in user.
pub async fn me(app: &App, viewer: &Viewer) -> Result<FullUser> {
    viewer.require_session()?;
    let user = resource::get::<Entity>(app.db.reader(), viewer, viewer.user_id).await?;
    full::one(app, user).await
}

async fn by_email(app: &App, address: &str) -> Result<User> {
    let address = address.trim().to_lowercase();
    let user = Entity::find().filter(Column::Email.eq(&address)).one(app.db.reader()).await?;
    user.ok_or_else(|| Error::invalid("email", format!("there is no user `{address}`")))
}
