//! Updating and deleting users.

use async_graphql::InputObject;
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, PaginatorTrait as _, QueryFilter as _,
    sea_query::{Alias, Expr, ExprTrait as _, Query},
};
use serde::Deserialize;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use super::{
    Column, Entity, FullUser, User, email,
    full::{NETWORKS, full, network_ids},
    login::Proof,
};
use crate::{
    api_keys,
    app::App,
    auth::Viewer,
    db::IdSet,
    error::{Error, Result},
    networks,
    resource::{self, Precondition, Resource as _},
    tags,
    write::{Removable, Write, later},
};

/// Fields of a user to change; omitted fields keep their value.
#[derive(Clone, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateUserInput")]
pub struct UserInput {
    /// The e-mail address, used as the login; you can change only your own, and only with your
    /// `password`.
    #[schema(min_length = 3, max_length = 254, pattern = r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$")]
    pub email: Option<String>,
    /// Your current password; required to change `email`.
    #[schema(format = Password, max_length = 1024)]
    pub password: Option<String>,
    /// The permission level of the user, at most yours.
    pub permissions: Option<PermissionLevel>,
    /// The granted networks; owners and admins reach all networks without a grant.
    pub network_ids: Option<Vec<Id>>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// Updates a user: the viewer's own e-mail address or, for an Admin, the level and reach of users
/// whose level is not above the viewer's.
///
/// Changing the address requires the password and is throttled like a login. The error for a taken
/// address (409) is returned only if the viewer can see its user anyway. The error for any other
/// taken address reveals neither that such a user exists nor where, and costs as much as a wrong
/// password.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: UserInput,
    precondition: &Precondition,
) -> Result<FullUser> {
    viewer.require_session_or_key(PermissionLevel::Admin)?;
    let precondition = precondition.or(input.expected_updated_at);
    let address = input.email.clone().map(email).transpose()?;
    let present = match &address {
        Some(_) if id == viewer.user_id => {
            Some(resource::get::<Entity>(app.db.reader(), viewer, id).await?)
        }
        _ => None,
    };
    let proof = match present.as_ref().filter(|user| address.as_ref() != Some(&user.email)) {
        Some(user) => {
            viewer.require_session()?;
            let required = || Error::Required { field: "password".to_owned() };
            Some(Proof::new(app, viewer, user, input.password.clone().ok_or_else(required)?).await?)
        }
        None => None,
    };
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Viewer).await?;
        write.hold_organization().await?;
        let viewer = &write.viewer.clone();
        let before = resource::get::<Entity>(&write.db, viewer, id).await?;
        let granted = network_ids(&write.db, &app.db.ids([id])).await?.remove(&id);
        let granted = granted.unwrap_or_default();
        let level = input.permissions.filter(|level| *level != before.permissions);
        let sorted = |mut networks: Vec<Id>| {
            networks.sort_unstable();
            networks
        };
        // A key grants and revokes only networks that it reaches: grants that it cannot see stay.
        let unseen = granted.iter().copied().filter(|id| !viewer.networks.contains(*id));
        let with_unseen = |seen: &Vec<Id>| seen.iter().copied().chain(unseen).collect();
        let networks = input.network_ids.as_ref().map(with_unseen);
        let networks =
            networks.filter(|all: &Vec<Id>| sorted(all.clone()) != sorted(granted.clone()));
        if level.is_some() || networks.is_some() {
            viewer.require(PermissionLevel::Admin)?;
            require_below(
                viewer,
                Ord::max(before.permissions, level.unwrap_or(before.permissions)),
            )?;
        }
        precondition.check(Kind::User, id, before.updated_at)?;
        let mut after = before.clone();
        if let Some(address) = address.clone().filter(|address| *address != before.email) {
            if id != viewer.user_id {
                return Err(Error::denied("only users themselves change their e-mail address"));
            }
            let proof = proof.as_ref().ok_or(Error::Changed { kind: Kind::User, id })?;
            proof.still_holds(&write.db, id).await?;
            let visible = Entity::visible_to(viewer).filter(Column::Email.eq(&address));
            if visible.count(&write.db).await? > 0 {
                return Err(Error::AlreadyExists { kind: Kind::User, field: "email" });
            }
            after.email = address;
            after.email_verified = false;
        }
        after.permissions = level.unwrap_or(before.permissions);
        if before.permissions == PermissionLevel::Owner && level.is_some() {
            require_another_owner(&write, &[id]).await?;
        }
        after.updated_at = later(before.updated_at);
        let replaced = write.replace::<Entity>(vec![(before, after)]).await;
        replaced.map_err(|error| match error {
            Error::AlreadyExists { kind: Kind::User, .. } => {
                Error::invalid("email", "this address cannot be used here; use another")
            }
            error => error,
        })?;
        if let Some(networks) = &networks {
            require_known(&write, input.network_ids.as_deref().unwrap_or_default()).await?;
            grant(&write, id, networks).await?;
            write.log_part((Kind::User, id), "network_ids", &granted, networks);
        }
        let after = resource::get::<Entity>(&write.db, viewer, id).await?;
        let shown = full(app, &write.db, Some(&viewer.networks), vec![after]).await?.pop();
        write.change_rights();
        write.commit().await?;
        if level.is_some() || networks.is_some() {
            granted_by(viewer, id, level, networks.as_deref());
        }
        shown.ok_or(Error::NotFound { kind: Kind::User, id })
    };
    let changed = app.db.again(replace).await?;
    if let Some(proof) = proof {
        proof.used();
    }
    Ok(changed)
}

/// Logs the rights that a viewer granted to a user.
fn granted_by(viewer: &Viewer, id: Id, level: Option<PermissionLevel>, networks: Option<&[Id]>) {
    let level = level.map(tracing::field::debug);
    let networks = networks.map(tracing::field::debug);
    let by = viewer.user_id;
    tracing::info!(user.id = %id, level, networks, by.user.id = %by, "user {by} granted rights to user {id}");
}

/// Rejects changes to a user whose level is above the viewer's.
fn require_below(viewer: &Viewer, level: PermissionLevel) -> Result<()> {
    if level <= viewer.level {
        return Ok(());
    }
    Err(Error::denied(format!("this needs the level {level:?}; yours is {:?}", viewer.level)))
}

/// Rejects a change that would leave the organization without an owner.
async fn require_another_owner(write: &Write<'_>, leaving: &[Id]) -> Result<()> {
    let owners = Entity::find()
        .filter(Column::OrganizationId.eq(write.viewer.organization_id))
        .filter(Column::Permissions.eq(PermissionLevel::Owner))
        .filter(write.app.db.ids(leaving).includes(Column::Id).not())
        .count(&write.db)
        .await?;
    if owners > 0 {
        return Ok(());
    }
    Err(Error::InUse { kind: Kind::User, used_by: Kind::Organization })
}

/// Rejects networks that are not within reach.
async fn require_known(write: &Write<'_>, networks: &[Id]) -> Result<()> {
    tags::no_repeats("network_ids", networks)?;
    let wanted = write.app.db.ids(networks);
    let known = networks::Entity::visible_to(&write.viewer)
        .filter(wanted.includes(networks::Column::Id))
        .all(&write.db)
        .await?;
    let unknown = |id: &Id| !known.iter().any(|network| network.id == *id);
    if let Some(place) = networks.iter().position(unknown) {
        let (kind, field) = (Kind::Network, format!("network_ids[{place}]"));
        return Err(Error::ReferenceInvalid { kind, field, id: networks[place] });
    }
    Ok(())
}

/// Grants a user exactly these networks.
async fn grant(write: &Write<'_>, id: Id, networks: &[Id]) -> Result<()> {
    let delete = Query::delete()
        .from_table(Alias::new(NETWORKS))
        .and_where(Expr::col(Alias::new("user_id")).eq(id))
        .to_owned();
    write.db.execute(&delete).await?;
    if networks.is_empty() {
        return Ok(());
    }
    let mut insert = Query::insert();
    insert.into_table(Alias::new(NETWORKS)).columns(["user_id", "network_id"].map(Alias::new));
    for network in networks {
        insert.values_panic([Expr::val(id), Expr::val(*network)]);
    }
    write.db.execute(&insert).await?;
    Ok(())
}

/// Grants a user one more network.
pub(super) async fn grant_one(write: &mut Write<'_>, user: User, network: Id) -> Result<()> {
    let id = user.id;
    let before = network_ids(&write.db, &write.app.db.ids([id])).await?.remove(&id);
    let before = before.unwrap_or_default();
    if before.contains(&network) {
        return Ok(());
    }
    let after = User { updated_at: later(user.updated_at), ..user.clone() };
    write.replace::<Entity>(vec![(user, after)]).await?;
    let insert = Query::insert()
        .into_table(Alias::new(NETWORKS))
        .columns(["user_id", "network_id"].map(Alias::new))
        .values_panic([Expr::val(id), Expr::val(network)])
        .to_owned();
    write.db.execute(&insert).await?;
    let mut granted = before.clone();
    granted.push(network);
    write.log_part((Kind::User, id), "network_ids", before, granted);
    Ok(())
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Admin;
    const REACH: bool = true;

    async fn hold(write: &mut Write<'_>, _: &IdSet) -> Result<()> {
        write.hold_organization().await
    }

    /// Deletes users with their keys and sessions, but never the last owner.
    async fn remove(write: &mut Write<'_>, rows: Vec<User>) -> Result<()> {
        for user in &rows {
            require_below(&write.viewer, user.permissions)?;
        }
        if rows.iter().any(|user| user.permissions == PermissionLevel::Owner) {
            let leaving: Vec<Id> = rows.iter().map(|user| user.id).collect();
            require_another_owner(write, &leaving).await?;
        }
        let ids = write.app.db.ids(rows.iter().map(|user| user.id).collect::<Vec<_>>());
        let networks = network_ids(&write.db, &ids).await?;
        api_keys::remove_of_users(write, &ids).await?;
        write.remove::<Self>(&rows).await?;
        for (id, networks) in networks {
            write.log_part((Kind::User, id), "network_ids", networks, ());
        }
        Ok(())
    }
}
