//! Subnets: the ranges of addresses of a network.

mod entity;
pub mod graphql;
mod list;
pub mod rest;

use async_graphql::InputObject;
use sea_orm::{ColumnTrait as _, ConnectionTrait, PaginatorTrait as _, QueryFilter as _};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Subnet},
    list::{SubnetFilter, SubnetOrder, SubnetOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    changes::{Removable, Write, later},
    db::{Precondition, Resource as _, resource::require_same},
    error::{Error, Kind, Result},
    interfaces,
    tags::{self, TagOwner},
    types::{Cidr, Id, IpAddress, PermissionLevel, Source, SubnetType, Timestamp, text},
};

const MAX_NAME: usize = 100;
const MAX_DESCRIPTION: usize = 500;

/// A range of addresses with its tags.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Subnet)]
pub struct FullSubnet {
    #[serde(flatten)]
    pub subnet: Subnet,
    /// The ids of its tags.
    pub tags: Vec<Id>,
}

/// A range of addresses as it shall be: what is left out becomes empty.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateSubnetInput")]
pub struct SubnetInput {
    /// The range, such as `10.0.0.0/24`; the host bits are zero.
    pub cidr: Cidr,
    /// The network that it belongs to; it stays that of the subnet.
    pub network_id: Id,
    /// The name, 1 to 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// What people noted about it, up to 500 characters; an empty text is none.
    #[schema(max_length = 500)]
    pub description: Option<String>,
    /// What the subnet is for.
    pub subnet_type: SubnetType,
    /// The tags; an empty list clears them.
    pub tags: Vec<Id>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

impl SubnetInput {
    fn apply(&self, before: Subnet) -> Result<Subnet> {
        let description = text::optional("description", self.description.clone(), MAX_DESCRIPTION)?;
        tags::no_repeats("tags", &self.tags)?;
        Ok(Subnet {
            cidr: self.cidr,
            name: text::required("name", self.name.clone(), 1, MAX_NAME)?,
            description: description.filter(|text| !text.is_empty()),
            subnet_type: self.subnet_type,
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

/// Makes a subnet.
pub async fn create(app: &App, viewer: &Viewer, input: SubnetInput) -> Result<FullSubnet> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let now = Timestamp::now();
        let subnet = input.apply(Subnet {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            cidr: input.cidr,
            network_id: input.network_id,
            name: String::new(),
            description: None,
            subnet_type: input.subnet_type,
            source: Source::Manual,
        })?;
        let tags = app.db.ids(input.tags.as_slice());
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(input.network_id).await?;
        let viewer = &write.viewer.clone();
        tags::check(&write.db, viewer, "tags", &tags).await?;
        write.insert::<Entity>(vec![subnet.clone()]).await?;
        tags::replace(&mut write, TagOwner::Subnet, subnet.id, &[], &tags).await?;
        write.commit().await?;
        Ok(FullSubnet { subnet, tags: tags.ids().to_vec() })
    };
    app.db.again(make).await
}

/// Replaces a subnet. Its range may only change so that the addresses in it stay in it.
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
        let viewer = &write.viewer.clone();
        require_same("network_id", before.network_id, input.network_id)?;
        let after = input.apply(before.clone())?;
        let tags = app.db.ids(input.tags.as_slice());
        tags::check(&write.db, viewer, "tags", &tags).await?;
        if before.cidr != after.cidr {
            check_addresses(&write, &after).await?;
        }
        let tags_before = tags::ids_of_one(app, &write.db, TagOwner::Subnet, id).await?;
        let after = Subnet { updated_at: later(before.updated_at), ..after };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        tags::replace(&mut write, TagOwner::Subnet, id, &tags_before, &tags).await?;
        write.commit().await?;
        Ok(FullSubnet { subnet: after, tags: tags.ids().to_vec() })
    };
    app.db.again(replace).await
}

/// Refuses a range that leaves out addresses that are in the subnet.
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

    /// A subnet with addresses in it stays: hosts would lose them.
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
