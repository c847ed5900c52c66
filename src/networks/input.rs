//! Creating, updating and deleting networks.

use std::collections::BTreeMap;

use async_graphql::InputObject;
use sea_orm::{
    ConnectionTrait, EntityTrait as _, QueryFilter as _,
    sea_query::{Alias, Condition, Expr, ExprTrait as _, Query},
};
use serde::{Deserialize, Serialize};
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use super::{COUNTED, Entity, Network};
use crate::{
    api_keys,
    app::App,
    auth::Viewer,
    db::IdSet,
    error::Result,
    input::{Input, given, text},
    resource::Precondition,
    tags::{self, TagOwner},
    write::{Removable, Write, later},
};

/// A network with its tags.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Network)]
pub struct FullNetwork {
    #[serde(flatten)]
    pub network: Network,
    /// The ids of the network's tags.
    pub tags: Vec<Id>,
}

/// Fields of a network to create or update; an update keeps omitted fields.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateNetworkInput")]
pub struct NetworkInput {
    /// The name, 1 to 100 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// Your organization; the nil id means the same.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub organization_id: Option<Id>,
    /// The tags; an empty list clears them.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Vec<Id>)]
    pub tags: Option<Vec<Id>>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

impl Input for NetworkInput {
    const REQUIRED: &'static [&'static str] = &["name", "organization_id", "tags"];
}

impl NetworkInput {
    fn name(&self, viewer: &Viewer, before: &str) -> Result<String> {
        viewer.require_own(self.organization_id)?;
        tags::no_repeats("tags", self.tags.as_deref().unwrap_or_default())?;
        text::required(
            "name",
            self.name.as_deref().unwrap_or(before).to_owned(),
            1,
            text::MAX_TITLE,
        )
    }
}

/// Adds the tags of each network, in one statement.
pub async fn full(
    app: &App,
    db: &impl ConnectionTrait,
    networks: Vec<Network>,
) -> Result<Vec<FullNetwork>> {
    let ids = app.db.ids(networks.iter().map(|network| network.id).collect::<Vec<_>>());
    let mut tags = tags::ids_of(db, TagOwner::Network, &ids).await?;
    let full = networks
        .into_iter()
        .map(|network| FullNetwork { tags: tags.remove(&network.id).unwrap_or_default(), network });
    Ok(full.collect())
}

/// Creates an empty network. An API key that creates a network then reaches it.
pub async fn create(app: &App, viewer: &Viewer, input: NetworkInput) -> Result<FullNetwork> {
    viewer.require(PermissionLevel::Admin)?;
    let name = input.name(viewer, "")?;
    let make = || async {
        let tags = app.db.ids(input.tags.as_deref().unwrap_or_default());
        let mut write = Write::begin(app, viewer, PermissionLevel::Admin).await?;
        // This also serializes creations by API key, since each one changes the key.
        write.hold_organization().await?;
        let viewer = &write.viewer.clone();
        tags::check(&write.db, viewer, "tags", &tags).await?;
        let (id, organization) = (Id::new(), viewer.organization_id);
        let network = super::add(&mut write, id, organization, name.clone()).await?;
        tags::replace(&mut write, TagOwner::Network, id, &[], &tags).await?;
        if let Some(key) = viewer.api_key_id {
            api_keys::reach_also(&mut write, key, id).await?;
        }
        write.change_rights();
        write.commit().await?;
        Ok(FullNetwork { network, tags: tags.ids().to_vec() })
    };
    app.db.again(make).await
}

/// Updates the name and tags of a network; omitted fields keep their value.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: NetworkInput,
    precondition: &Precondition,
) -> Result<FullNetwork> {
    viewer.require(PermissionLevel::Admin)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Admin).await?;
        let before = write.current::<Entity>(id, None, &precondition).await?;
        let viewer = &write.viewer.clone();
        let name = input.name(viewer, &before.name)?;
        let tags_before = tags::ids_of_one(app, &write.db, TagOwner::Network, id).await?;
        let tags = tags::given_or_stored(&write, input.tags.as_deref(), &tags_before).await?;
        let after = Network { name, updated_at: later(before.updated_at), ..before.clone() };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        tags::replace(&mut write, TagOwner::Network, id, &tags_before, &tags).await?;
        write.commit().await?;
        Ok(FullNetwork { network: after, tags: tags.ids().to_vec() })
    };
    app.db.again(replace).await
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Admin;
    const REACH: bool = true;

    /// Holds the organization first: the delete changes the users and keys that reach these
    /// networks, and all writers of users and keys wait for the organization.
    async fn hold(write: &mut Write<'_>, ids: &IdSet) -> Result<()> {
        write.hold_organization().await?;
        write.hold_holders::<Self>(ids).await
    }

    /// Deletes networks with everything in them. The contents are counted, not logged row by row.
    async fn remove(write: &mut Write<'_>, rows: Vec<Network>) -> Result<()> {
        let ids = write.app.db.ids(rows.iter().map(|network| network.id).collect::<Vec<_>>());
        let held = held(write, &ids).await?;
        let tags = tags::ids_of(&write.db, TagOwner::Network, &ids).await?;
        for network in &rows {
            write.gone_network(network);
            if let Some(held) = held.get(&network.id) {
                write.log_part((Kind::Network, network.id), "held", held, ());
                let tags = tags.get(&network.id);
                write.log_part((Kind::Network, network.id), "tags", tags, ());
                for (kind, count) in held {
                    write.gone_besides(*kind, *count);
                }
            }
        }
        unreach(write, &ids).await?;
        Self::delete_many().filter(ids.includes(super::Column::Id)).exec(&write.db).await?;
        Ok(())
    }
}

/// Gives a new version to the users and keys that reach the networks being deleted.
async fn unreach(write: &Write<'_>, networks: &IdSet) -> Result<()> {
    for (table, links, column) in
        [("user", "user_network", "user_id"), ("api_key", "api_key_network", "api_key_id")]
    {
        let reaching = Query::select()
            .column(Alias::new(column))
            .from(Alias::new(links))
            .and_where(networks.includes(Expr::col(Alias::new("network_id"))))
            .to_owned();
        let reaching = Expr::col(Alias::new("id")).in_subquery(reaching);
        write.touch(table, Condition::all().add(reaching), Timestamp::now()).await?;
    }
    Ok(())
}

/// Returns how many rows of each kind every network holds.
async fn held(write: &Write<'_>, ids: &IdSet) -> Result<BTreeMap<Id, BTreeMap<Kind, u64>>> {
    let mut statement = Query::select();
    statement.column(Alias::new("id")).from(Entity);
    for (table, _) in COUNTED {
        statement.column(Alias::new(format!("{table}_count")));
    }
    statement.and_where(ids.includes(Expr::col(Alias::new("id"))));
    let mut held = BTreeMap::new();
    for row in write.db.query_all(&statement).await? {
        let mut counts = BTreeMap::new();
        for (nth, (_, kind)) in COUNTED.iter().enumerate() {
            let count: i64 = row.try_get_by_index(nth + 1)?;
            if count > 0 {
                counts.insert(*kind, count.unsigned_abs());
            }
        }
        held.insert(row.try_get_by_index(0)?, counts);
    }
    Ok(held)
}
