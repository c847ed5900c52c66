//! Organizations: the boundary between tenants.

pub(crate) mod entity;
pub(crate) mod graphql;
mod list;
pub(crate) mod rest;

use async_graphql::InputObject;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel as _, QueryFilter, QueryOrder as _,
    QuerySelect,
};
use serde::Deserialize;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp, named};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Organization},
    list::{OrganizationFilter, OrganizationOrder, OrganizationOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
    input::{given, text},
    resource::{self, Precondition},
    write::{Write, later},
};

/// Fields of the organization to change; omitted fields keep their value.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateOrganizationInput")]
pub struct OrganizationInput {
    /// The name, 1 to 100 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// Whether the API keys of its users may be used; unchanged if omitted.
    pub api_access_enabled: Option<bool>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// Creates an organization; only the command line and registration may do so.
pub async fn create(db: &impl ConnectionTrait, name: String) -> Result<Organization> {
    let now = Timestamp::now();
    let organization = Organization {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        name,
        api_access_enabled: true,
    };
    let row = organization.clone().into_active_model();
    Entity::insert(row).exec_without_returning(db).await?;
    Ok(organization)
}

/// Returns the organization, if it is the viewer's own.
pub async fn get(app: &App, viewer: &Viewer, id: Id) -> Result<Organization> {
    resource::get::<Entity>(app.db.reader(), viewer, id).await
}

/// Updates the organization. Requires the Owner permission level.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: OrganizationInput,
    precondition: &Precondition,
) -> Result<Organization> {
    viewer.require(PermissionLevel::Owner)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Owner).await?;
        write.hold_organization().await?;
        let viewer = &write.viewer.clone();
        let before = resource::get::<Entity>(&write.db, viewer, id).await?;
        precondition.check(Kind::Organization, id, before.updated_at)?;
        let name = input.name.as_ref().unwrap_or(&before.name).clone();
        let after = Organization {
            name: text::required("name", name, 1, text::MAX_TITLE)?,
            api_access_enabled: input.api_access_enabled.unwrap_or(before.api_access_enabled),
            updated_at: later(before.updated_at),
            ..before.clone()
        };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        write.change_rights();
        write.commit().await?;
        Ok(after)
    };
    app.db.again(replace).await
}

/// Finds the organization that the operator specified: by id, by name, or the only one.
pub async fn find(app: &App, wanted: Option<&str>) -> Result<Organization> {
    let remedy = "say which by id or name with `--organization`";
    let found = meant(app.db.reader(), wanted, remedy).await?;
    found.ok_or_else(|| {
        Error::invalid(
            "organization",
            "there is none yet; make one with `toposcope user create`, or in the browser",
        )
    })
}

/// Finds the organization that the operator specified; returns `None` if there are no
/// organizations. The error includes the `remedy` if the choice matches none of them or is
/// ambiguous.
pub async fn meant(
    db: &impl ConnectionTrait,
    wanted: Option<&str>,
    remedy: &str,
) -> Result<Option<Organization>> {
    if let Some(wanted) = wanted
        && let Some(found) = by_id_or_name(db, wanted).await?
    {
        return Ok(Some(found));
    }
    let some = Entity::find().order_by_asc(Column::CreatedAt).limit(named::LISTED + 1);
    let mut some = some.all(db).await?;
    if some.is_empty() {
        return Ok(None);
    }
    let names = named::list(some.iter().map(|row| row.name.as_str()));
    let reason = match wanted {
        None if some.len() == 1 => return Ok(some.pop()),
        None => format!("there are {names}; {remedy}"),
        Some(wanted) => format!("there is no organization `{wanted}`, only {names}; {remedy}"),
    };
    Err(Error::invalid("organization", reason))
}

/// Finds the organization with this id or name; for the operator only.
pub async fn by_id_or_name(
    db: &impl ConnectionTrait,
    wanted: &str,
) -> Result<Option<Organization>> {
    if let Ok(id) = wanted.parse::<Id>() {
        return Ok(Entity::find_by_id(id).one(db).await?);
    }
    let mut named = Entity::find().filter(Column::Name.eq(wanted)).limit(2).all(db).await?;
    match (named.pop(), named.pop()) {
        (found, None) => Ok(found),
        _ => Err(Error::invalid(
            "organization",
            format!("several are called `{wanted}`; use the id"),
        )),
    }
}
