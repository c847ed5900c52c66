//! Subnets: the address ranges of a network.

pub(crate) mod entity;
pub(crate) mod graphql;
mod list;
pub(crate) mod rest;

use async_graphql::{InputObject, MaybeUndefined};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, PaginatorTrait as _, QueryFilter as _, QueryOrder as _,
};
use serde::{Deserialize, Serialize};
use toposcope_types::{Cidr, Id, IpAddress, Kind, PermissionLevel, Source, SubnetType, Timestamp};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Subnet},
    list::{SubnetFilter, SubnetOrder, SubnetOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
    input::{Input, given, text},
    interfaces::entity as interfaces,
    resource::{Precondition, Resource as _, require_same},
    tags::{self, TagOwner},
    write::{Removable, Write, later},
};

/// A range of addresses with its tags.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Subnet)]
pub struct FullSubnet {
    #[serde(flatten)]
    pub subnet: Subnet,
    /// The ids of the subnet's tags.
    pub tags: Vec<Id>,
}

/// Fields of a subnet to create or update; an update keeps omitted fields.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateSubnetInput")]
pub struct SubnetInput {
    /// The range, such as `10.0.0.0/24`; the host bits are zero.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Cidr)]
    pub cidr: Option<Cidr>,
    /// The id of the subnet's network; an update cannot change it.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The name, 1 to 100 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// Notes that people made about the subnet, up to 500 characters; an empty text means none.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 500)]
    pub description: MaybeUndefined<String>,
    /// The purpose of the subnet.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = SubnetType)]
    pub subnet_type: Option<SubnetType>,
    /// The tag ids; an empty list clears them.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Vec<Id>)]
    pub tags: Option<Vec<Id>>,
    /// Whether to create another subnet if the network already has this range; if omitted, the
    /// server returns the existing one. Updates ignore this.
    pub allow_overlap: Option<bool>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

impl Input for SubnetInput {
    const REQUIRED: &'static [&'static str] =
        &["cidr", "network_id", "name", "subnet_type", "tags"];
}

impl SubnetInput {
    fn apply(&self, before: Subnet) -> Result<Subnet> {
        tags::no_repeats("tags", self.tags.as_deref().unwrap_or_default())?;
        let (given, stored) = (&self.description, before.description);
        let name = self.name.clone().unwrap_or(before.name);
        Ok(Subnet {
            cidr: self.cidr.unwrap_or(before.cidr),
            name: text::required("name", name, 1, text::MAX_TITLE)?,
            description: given::text_or_stored(
                "description",
                given,
                stored,
                text::MAX_DESCRIPTION,
            )?,
            subnet_type: self.subnet_type.unwrap_or(before.subnet_type),
            ..before
        })
    }
}

/// Adds the tags of each subnet, in one statement.
pub async fn full(
    app: &App,
    db: &impl ConnectionTrait,
    subnets: Vec<Subnet>,
) -> Result<Vec<FullSubnet>> {
    let ids = app.db.ids(subnets.iter().map(|subnet| subnet.id).collect::<Vec<_>>());
    let mut tags = tags::ids_of(db, TagOwner::Subnet, &ids).await?;
    let full = subnets
        .into_iter()
        .map(|subnet| FullSubnet { tags: tags.remove(&subnet.id).unwrap_or_default(), subnet });
    Ok(full.collect())
}

/// Returns the subnets outside a network, which every network has from the start. Hosts reached
/// there are in none of the network's own ranges.
pub fn outside_of(network_id: Id, made_at: Timestamp) -> Vec<Subnet> {
    let outside = |name: &str, subnet_type| Subnet {
        id: Id::new(),
        created_at: made_at,
        updated_at: made_at,
        cidr: Cidr::EVERYWHERE,
        network_id,
        name: name.to_owned(),
        description: None,
        subnet_type,
        source: Source::System,
    };
    vec![outside("Internet", SubnetType::Internet), outside("Remote Network", SubnetType::Remote)]
}

/// Returns whether a subnet stands for the outside of its network.
pub fn is_outside(subnet: &Subnet) -> bool {
    subnet.cidr == Cidr::EVERYWHERE
        && matches!(subnet.subnet_type, SubnetType::Internet | SubnetType::Remote)
}

/// Finds the subnet of a network that already has this range. Of several, prefers one with the same
/// purpose, then the oldest.
async fn same_range(write: &Write<'_>, new: &Subnet) -> Result<Option<Subnet>> {
    let rows = Entity::visible_to(&write.viewer)
        .filter(Column::NetworkId.eq(new.network_id))
        .filter(Column::Cidr.eq(new.cidr))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id);
    let mut rows = rows.all(&write.db).await?;
    rows.sort_by_key(|row| row.subnet_type != new.subnet_type);
    Ok(rows.into_iter().next())
}

/// Creates a subnet. Returns the existing one if the network already has the same range, unless the
/// input allows an overlap.
pub async fn create(app: &App, viewer: &Viewer, input: SubnetInput) -> Result<FullSubnet> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let now = Timestamp::now();
        let network_id = given::required("network_id", input.network_id)?;
        let subnet = input.apply(Subnet {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            cidr: given::required("cidr", input.cidr)?,
            network_id,
            name: String::new(),
            description: None,
            subnet_type: given::required("subnet_type", input.subnet_type)?,
            source: Source::Manual,
        })?;
        let tags = app.db.ids(input.tags.as_deref().unwrap_or_default());
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(network_id).await?;
        let viewer = &write.viewer.clone();
        tags::check(&write.db, viewer, "tags", &tags).await?;
        if !input.allow_overlap.unwrap_or(false)
            && let Some(subnet) = same_range(&write, &subnet).await?
        {
            let id = subnet.id;
            let found = full(app, &write.db, vec![subnet]).await?.pop();
            write.db.rollback().await?;
            return found.ok_or(Error::NotFound { kind: Kind::Subnet, id });
        }
        write.insert::<Entity>(vec![subnet.clone()]).await?;
        tags::replace(&mut write, TagOwner::Subnet, subnet.id, &[], &tags).await?;
        write.commit().await?;
        Ok(FullSubnet { subnet, tags: tags.ids().to_vec() })
    };
    app.db.again(make).await
}

/// Updates a subnet; omitted fields keep their value. A new range must still contain the addresses
/// in the subnet.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: SubnetInput,
    precondition: &Precondition,
) -> Result<FullSubnet> {
    viewer.require(PermissionLevel::Member)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let before = write.current::<Entity>(id, None, &precondition).await?;
        require_same("network_id", before.network_id, input.network_id)?;
        let after = input.apply(before.clone())?;
        let tags_before = tags::ids_of_one(app, &write.db, TagOwner::Subnet, id).await?;
        let tags = tags::given_or_stored(&write, input.tags.as_deref(), &tags_before).await?;
        if before.cidr != after.cidr {
            check_addresses(&write, &after).await?;
        }
        let after = Subnet { updated_at: later(before.updated_at), ..after };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        tags::replace(&mut write, TagOwner::Subnet, id, &tags_before, &tags).await?;
        write.commit().await?;
        Ok(FullSubnet { subnet: after, tags: tags.ids().to_vec() })
    };
    app.db.again(replace).await
}

/// Rejects a range that excludes addresses in the subnet.
async fn check_addresses(write: &Write<'_>, subnet: &Subnet) -> Result<()> {
    use sea_orm::QuerySelect as _;
    let addresses: Vec<IpAddress> = interfaces::Entity::visible_to(&write.viewer)
        .filter(interfaces::Column::SubnetId.eq(subnet.id))
        .select_only()
        .column(interfaces::Column::IpAddress)
        .into_tuple()
        .all(&write.db)
        .await?;
    match addresses.into_iter().find(|address| !subnet.cidr.contains(*address)) {
        None => Ok(()),
        Some(ip) => Err(Error::IpOutOfRange { ip, subnet: subnet.cidr }),
    }
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    /// Deletes subnets. Refuses to delete one with addresses in it: hosts would lose them.
    async fn remove(write: &mut Write<'_>, rows: Vec<Subnet>) -> Result<()> {
        let ids = write.app.db.ids(rows.iter().map(|subnet| subnet.id).collect::<Vec<_>>());
        let addresses = interfaces::Entity::visible_to(&write.viewer)
            .filter(ids.includes(interfaces::Column::SubnetId))
            .count(&write.db)
            .await?;
        if addresses > 0 {
            return Err(Error::InUse { kind: Kind::Subnet, used_by: Kind::Interface });
        }
        let before = full(write.app, &write.db, rows.clone()).await?;
        write.remove::<Self>(&rows).await?;
        for FullSubnet { subnet, tags } in before {
            write.log_part((Kind::Subnet, subnet.id), "tags", tags, ());
        }
        Ok(())
    }
}
