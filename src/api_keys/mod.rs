//! API keys: how programs act for a user.

pub(crate) mod entity;
pub(crate) mod graphql;
mod list;
mod manage;
pub(crate) mod rest;

use async_graphql::InputObject;
use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, Expr, Order, Query},
};
use serde::{Deserialize, Serialize};
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as ApiKey},
    list::{ApiKeyFilter, ApiKeyOrder, ApiKeyOrderField},
    manage::{ApiKeyInput, full, reach_also, remove_of_users, rotate, update},
};
use crate::{
    app::App,
    auth::{self, Viewer},
    db::IdSet,
    error::{Error, Result},
    input::text,
    networks,
    resource::{self, children::Relation},
    tags::{self, TagOwner},
    write::Write,
};

/// The text shown in place of a secret.
const HIDDEN: &str = "**********";

/// An API key with which a program acts for a user, with its tags and networks.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = UserApiKey)]
pub struct FullApiKey {
    #[serde(flatten)]
    pub api_key: ApiKey,
    /// Ten asterisks: the secret itself is shown only once, when it is created.
    pub key: &'static str,
    /// The ids of the key's tags.
    pub tags: Vec<Id>,
    /// The networks given to the key; it reaches those that its owner reaches now.
    pub network_ids: Vec<Id>,
}

/// A key with a new secret.
#[derive(Clone, Serialize, ToSchema)]
pub struct CreatedApiKey {
    /// The key.
    pub api_key: FullApiKey,
    /// The secret, shown only this once.
    pub key: String,
}

impl std::fmt::Debug for CreatedApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CreatedApiKey").field("api_key", &self.api_key).finish_non_exhaustive()
    }
}

/// Fields of an API key to create.
#[derive(Clone, Debug, Deserialize, InputObject)]
pub struct CreateApiKeyInput {
    /// The name, 1 to 100 characters.
    pub name: String,
    /// Your organization; the nil id and null mean the same.
    pub organization_id: Option<Id>,
    /// Your own user id; the nil id and null mean the same.
    pub user_id: Option<Id>,
    /// The highest permission level of the key, at most yours.
    #[graphql(default_with = "Some(PermissionLevel::Viewer)")]
    pub permissions: Option<PermissionLevel>,
    /// The networks that the key reaches, all within your reach. Defaults to those that you reach
    /// now; an empty list means no network.
    pub network_ids: Option<Vec<Id>>,
    /// Whether the key reaches every network that you reach, including future ones.
    #[graphql(default_with = "Some(false)")]
    pub all_networks: Option<bool>,
    /// The time at which the key expires; never if omitted.
    pub expires_at: Option<Timestamp>,
    /// Whether the key works immediately.
    #[graphql(default_with = "Some(true)")]
    pub is_enabled: Option<bool>,
    /// The tags.
    pub tags: Option<Vec<Id>>,
}

/// Creates a key for the viewer, who must have logged in.
pub async fn create(app: &App, viewer: &Viewer, input: CreateApiKeyInput) -> Result<CreatedApiKey> {
    viewer.require_session()?;
    let name = text::required("name", input.name, 1, text::MAX_TITLE)?;
    let own = |id: Option<Id>, own: Id| id.is_none_or(|id| id.is_nil() || id == own);
    if !own(input.user_id, viewer.user_id) || !own(input.organization_id, viewer.organization_id) {
        return Err(Error::denied("a key can only be made for yourself in your own organization"));
    }
    if input.expires_at.is_some_and(Timestamp::is_past) {
        return Err(Error::invalid("expires_at", "it lies in the past"));
    }
    let all_networks = input.all_networks.unwrap_or(false);
    if all_networks && input.network_ids.as_ref().is_some_and(|ids| !ids.is_empty()) {
        return Err(no_choice());
    }
    let tags = input.tags.unwrap_or_default();
    tags::no_repeats("tags", &tags)?;
    let tags = app.db.ids(tags);

    let make = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Viewer).await?;
        write.hold_organization().await?;
        let viewer = &write.viewer.clone();
        let permissions = input.permissions.unwrap_or(PermissionLevel::Viewer);
        require_no_more(viewer, permissions)?;
        let networks = match &input.network_ids {
            _ if all_networks => Vec::new(),
            Some(networks) => networks.clone(),
            None => viewer.networks.ids().to_vec(),
        };
        check_networks(viewer, &[], &networks)?;
        tags::check(&write.db, viewer, "tags", &tags).await?;
        let now = Timestamp::now();
        let api_key = ApiKey {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            name: name.clone(),
            organization_id: viewer.organization_id,
            user_id: viewer.user_id,
            permissions,
            last_used: None,
            expires_at: input.expires_at,
            is_enabled: input.is_enabled.unwrap_or(true),
            all_networks,
        };
        write.insert::<Entity>(vec![api_key.clone()]).await?;
        let key = auth::api_key::issue(&write.db, api_key.id).await?;
        grant(&write.db, api_key.id, &networks).await?;
        write.log_part((Kind::UserApiKey, api_key.id), "network_ids", (), &networks);
        tags::replace(&mut write, TagOwner::ApiKey, api_key.id, &[], &tags).await?;
        write.change_rights();
        write.commit().await?;
        let tags = tags.ids().to_vec();
        Ok(CreatedApiKey {
            api_key: FullApiKey { api_key, key: HIDDEN, tags, network_ids: networks },
            key,
        })
    };
    app.db.again(make).await
}

/// Rejects a key whose level is above the viewer's.
fn require_no_more(viewer: &Viewer, permissions: PermissionLevel) -> Result<()> {
    if permissions <= viewer.level {
        return Ok(());
    }
    let level = viewer.level;
    Err(Error::denied(format!("a key may not have more than you have, which is {level:?}")))
}

/// Rejects networks that are neither within the viewer's reach nor already reached by the key.
fn check_networks(viewer: &Viewer, before: &[Id], after: &[Id]) -> Result<()> {
    tags::no_repeats("network_ids", after)?;
    if after.iter().all(|id| viewer.networks.contains(*id) || before.contains(id)) {
        return Ok(());
    }
    Err(Error::denied("`network_ids` may only name networks within your reach"))
}

fn no_choice() -> Error {
    Error::invalid("network_ids", "leave it out of a key that reaches all networks")
}

const NETWORKS: &str = "api_key_network";

/// The relation from a key to the networks that it was given.
pub const GIVEN_NETWORKS: Relation<networks::Entity> =
    Relation::Table { table: NETWORKS, parent: "api_key_id", child: "network_id" };

async fn grant(db: &impl ConnectionTrait, id: Id, networks: &[Id]) -> Result<()> {
    if networks.is_empty() {
        return Ok(());
    }
    let mut insert = Query::insert();
    insert
        .into_table(Alias::new(NETWORKS))
        .columns(["api_key_id", "network_id", "position"].map(Alias::new));
    for (position, network) in (0_i32..).zip(networks) {
        insert.values_panic([Expr::val(id), Expr::val(*network), Expr::val(position)]);
    }
    db.execute(&insert).await?;
    Ok(())
}

/// Returns the networks given to each of many keys, in one statement.
pub async fn network_ids(
    db: &impl ConnectionTrait,
    keys: &IdSet,
) -> Result<std::collections::HashMap<Id, Vec<Id>>> {
    let statement = Query::select()
        .columns(["api_key_id", "network_id"].map(Alias::new))
        .from(Alias::new(NETWORKS))
        .and_where(keys.includes(Expr::col(Alias::new("api_key_id"))))
        .order_by(Alias::new("position"), Order::Asc)
        .to_owned();
    let mut networks = std::collections::HashMap::<Id, Vec<Id>>::new();
    for row in db.query_all(&statement).await? {
        networks.entry(row.try_get_by_index(0)?).or_default().push(row.try_get_by_index(1)?);
    }
    Ok(networks)
}

/// Returns the key that the viewer presented: a key sees itself and no other.
pub async fn presented(app: &App, viewer: &Viewer, id: Id) -> Result<Option<ApiKey>> {
    if viewer.api_key_id != Some(id) {
        return Ok(None);
    }
    let owner = Viewer { api_key_id: None, ..viewer.clone() };
    resource::find::<Entity>(app.db.reader(), &owner, id).await
}
