//! Organizations: the wall between tenants.

mod entity;

use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect,
};

pub use self::entity::{ActiveModel, Column, Entity, Model as Organization};
use crate::{
    app::App,
    error::{Error, Result},
    types::{Id, Timestamp},
};

/// Makes an organization; only the command line and a registration may.
pub async fn create(db: &impl ConnectionTrait, name: String) -> Result<Id> {
    let (id, now) = (Id::new(), Timestamp::now());
    let row = ActiveModel {
        id: Set(id),
        created_at: Set(now),
        updated_at: Set(now),
        name: Set(name),
        api_access_enabled: Set(true),
    };
    Entity::insert(row).exec_without_returning(db).await?;
    Ok(id)
}

/// The organization that the operator means: by id, by name, or the only one there is.
pub async fn find(app: &App, wanted: Option<&str>) -> Result<Organization> {
    if let Some(wanted) = wanted {
        let found = by_id_or_name(app.db.reader(), wanted).await?;
        return found.ok_or_else(|| {
            Error::invalid("organization", format!("there is no organization `{wanted}`"))
        });
    }
    let mut some = Entity::find().limit(2).all(app.db.reader()).await?;
    match (some.pop(), some.pop()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Error::invalid(
            "organization",
            "there is none yet; make one with `toposcope user create`",
        )),
        (Some(_), Some(_)) => Err(Error::invalid(
            "organization",
            "there are several; say which by id or name with `--organization`",
        )),
    }
}

/// The organization with this id or name, for the operator only.
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
