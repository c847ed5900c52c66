//! Listing, updating, rotating and deleting API keys.

use async_graphql::{InputObject, MaybeUndefined};
use sea_orm::{
    ConnectionTrait, EntityTrait as _, QueryFilter as _,
    sea_query::{Alias, Expr, ExprTrait as _, Query},
};
use serde::Deserialize;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use super::{
    ApiKey, Column, CreatedApiKey, Entity, FullApiKey, HIDDEN, NETWORKS, check_networks, grant,
    network_ids, no_choice, require_no_more,
};
use crate::{
    app::App,
    auth::{self, Viewer},
    db::IdSet,
    error::{Error, Result},
    input::{given, text},
    resource::{self, Precondition},
    tags::{self, TagOwner},
    write::{Removable, Write, later},
};

/// Fields of an API key to change; omitted fields keep their value.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateApiKeyInput")]
pub struct ApiKeyInput {
    /// The name, 1 to 100 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// The highest permission level of the key, at most yours; unchanged if omitted.
    pub permissions: Option<PermissionLevel>,
    /// The networks that the key reaches, all within your reach; unchanged if omitted.
    pub network_ids: Option<Vec<Id>>,
    /// Whether the key reaches every network that you reach, including future ones; unchanged if
    /// omitted.
    pub all_networks: Option<bool>,
    /// The time at which the key expires; null means never. Unchanged if omitted.
    #[serde(default)]
    #[schema(value_type = Option<Timestamp>)]
    pub expires_at: MaybeUndefined<Timestamp>,
    /// Whether the key works; unchanged if omitted.
    pub is_enabled: Option<bool>,
    /// The tags; an empty list clears them.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Vec<Id>)]
    pub tags: Option<Vec<Id>>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// Adds to each key its tags and networks, in two statements.
pub async fn full(
    app: &App,
    db: &impl ConnectionTrait,
    keys: Vec<ApiKey>,
) -> Result<Vec<FullApiKey>> {
    let ids = app.db.ids(keys.iter().map(|key| key.id).collect::<Vec<_>>());
    let mut tags = tags::ids_of(db, TagOwner::ApiKey, &ids).await?;
    let mut networks = network_ids(db, &ids).await?;
    let full = keys.into_iter().map(|api_key| FullApiKey {
        key: HIDDEN,
        tags: tags.remove(&api_key.id).unwrap_or_default(),
        network_ids: networks.remove(&api_key.id).unwrap_or_default(),
        api_key,
    });
    Ok(full.collect())
}

impl ApiKeyInput {
    fn apply(&self, viewer: &Viewer, before: ApiKey) -> Result<ApiKey> {
        let permissions = self.permissions.unwrap_or(before.permissions);
        if permissions > before.permissions {
            require_no_more(viewer, permissions)?;
        }
        let expires_at = given::or_stored(&self.expires_at, before.expires_at);
        if expires_at != before.expires_at && expires_at.is_some_and(Timestamp::is_past) {
            return Err(Error::invalid("expires_at", "it lies in the past"));
        }
        tags::no_repeats("tags", self.tags.as_deref().unwrap_or_default())?;
        let name = self.name.clone().unwrap_or(before.name);
        Ok(ApiKey {
            name: text::required("name", name, 1, text::MAX_TITLE)?,
            permissions,
            expires_at,
            is_enabled: self.is_enabled.unwrap_or(before.is_enabled),
            all_networks: self.all_networks.unwrap_or(before.all_networks),
            updated_at: later(before.updated_at),
            ..before
        })
    }
}

/// Updates a key of the viewer, who must have logged in. The secret and omitted fields stay the
/// same.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: ApiKeyInput,
    precondition: &Precondition,
) -> Result<FullApiKey> {
    viewer.require_session()?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Viewer).await?;
        let before = held(&mut write, id, &precondition).await?;
        let viewer = &write.viewer.clone();
        let after = input.apply(viewer, before.clone())?;
        let shown = full(app, &write.db, vec![before.clone()]).await?.pop();
        let shown = shown.ok_or(Error::NotFound { kind: Kind::UserApiKey, id })?;
        let tags = tags::given_or_stored(&write, input.tags.as_deref(), &shown.tags).await?;
        let networks = match &input.network_ids {
            Some(networks) if after.all_networks && !networks.is_empty() => return Err(no_choice()),
            Some(networks) => networks.clone(),
            None if after.all_networks => Vec::new(),
            None => shown.network_ids.clone(),
        };
        check_networks(viewer, &shown.network_ids, &networks)?;
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        if networks != shown.network_ids {
            let delete = Query::delete()
                .from_table(Alias::new(NETWORKS))
                .and_where(Expr::col(Alias::new("api_key_id")).eq(id))
                .to_owned();
            write.db.execute(&delete).await?;
            grant(&write.db, id, &networks).await?;
            write.log_part((Kind::UserApiKey, id), "network_ids", &shown.network_ids, &networks);
        }
        tags::replace(&mut write, TagOwner::ApiKey, id, &shown.tags, &tags).await?;
        write.change_rights();
        write.commit().await?;
        let tags = tags.ids().to_vec();
        Ok(FullApiKey { api_key: after, key: HIDDEN, tags, network_ids: networks })
    };
    app.db.again(replace).await
}

/// Issues a new secret for a key of the viewer, who must have logged in; the old secret stops
/// working.
pub async fn rotate(app: &App, viewer: &Viewer, id: Id) -> Result<CreatedApiKey> {
    viewer.require_session()?;
    let renew = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Viewer).await?;
        let before = held(&mut write, id, &Precondition::default()).await?;
        let after = ApiKey { updated_at: later(before.updated_at), ..before.clone() };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        // The log records that the secret changed, but neither the old nor the new one.
        write.log_part((Kind::UserApiKey, id), "secret_rotated", false, true);
        auth::api_key::revoke(&write.db, id).await?;
        let key = auth::api_key::issue(&write.db, id).await?;
        let shown = full(app, &write.db, vec![after]).await?.pop();
        write.change_rights();
        write.commit().await?;
        let api_key = shown.ok_or(Error::NotFound { kind: Kind::UserApiKey, id })?;
        Ok(CreatedApiKey { api_key, key })
    };
    app.db.again(renew).await
}

/// Holds the log of the organization and returns the current state of a key of the viewer.
async fn held(write: &mut Write<'_>, id: Id, precondition: &Precondition) -> Result<ApiKey> {
    write.hold_organization().await?;
    let key = resource::get::<Entity>(&write.db, &write.viewer, id).await?;
    precondition.check(Kind::UserApiKey, id, key.updated_at)?;
    Ok(key)
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Viewer;
    const REACH: bool = true;

    async fn hold(write: &mut Write<'_>, _: &IdSet) -> Result<()> {
        write.viewer.require_session()?;
        write.hold_organization().await
    }

    async fn remove(write: &mut Write<'_>, rows: Vec<ApiKey>) -> Result<()> {
        let before = full(write.app, &write.db, rows.clone()).await?;
        write.remove::<Self>(&rows).await?;
        for key in before {
            let id = (Kind::UserApiKey, key.api_key.id);
            write.log_part(id, "tags", key.tags, ());
            write.log_part(id, "network_ids", key.network_ids, ());
        }
        Ok(())
    }
}

/// Deletes the keys of users who are being deleted.
pub async fn remove_of_users(write: &mut Write<'_>, users: &IdSet) -> Result<()> {
    let keys = Entity::find().filter(users.includes(Column::UserId)).all(&write.db).await?;
    Entity::remove(write, keys).await
}

/// Lets the key that created a network reach it.
pub async fn reach_also(write: &mut Write<'_>, id: Id, network: Id) -> Result<()> {
    write.hold_organization().await?;
    let owner = Viewer { api_key_id: None, ..write.viewer.clone() };
    let before = resource::get::<Entity>(&write.db, &owner, id).await?;
    if before.all_networks {
        return Ok(());
    }
    let networks = network_ids(&write.db, &write.app.db.ids([id])).await?.remove(&id);
    let networks = networks.unwrap_or_default();
    let after = ApiKey { updated_at: later(before.updated_at), ..before.clone() };
    write.replace::<Entity>(vec![(before, after)]).await?;
    let position = i32::try_from(networks.len()).unwrap_or(i32::MAX);
    let insert = Query::insert()
        .into_table(Alias::new(NETWORKS))
        .columns(["api_key_id", "network_id", "position"].map(Alias::new))
        .values_panic([Expr::val(id), Expr::val(network), Expr::val(position)])
        .to_owned();
    write.db.execute(&insert).await?;
    let mut reached = networks.clone();
    reached.push(network);
    write.log_part((Kind::UserApiKey, id), "network_ids", networks, reached);
    Ok(())
}
