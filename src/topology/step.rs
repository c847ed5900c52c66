//! What was tried on the way to an answer, kept only for those who ask why.

use async_graphql::Enum;
use sea_orm::{DeriveActiveEnum, EnumIter};

use crate::types::Id;

/// By which evidence a device was found, from the strongest to the weakest.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enum, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "i32", db_type = "Integer")]
pub enum HostTier {
    /// A person said so.
    #[sea_orm(num_value = 0)]
    Pin,
    /// A person taught who calls itself so.
    #[sea_orm(num_value = 1)]
    Alias,
    /// The chassis id is the recorded one of the device.
    #[sea_orm(num_value = 2)]
    ChassisId,
    /// The MAC address of the chassis id is on an interface or a port of the device.
    #[sea_orm(num_value = 3)]
    ChassisMac,
    /// The network address of the chassis id is one of the device.
    #[sea_orm(num_value = 4)]
    ChassisAddress,
    /// The chassis id is the name of the device.
    #[sea_orm(num_value = 5)]
    ChassisName,
    /// The address by which the neighbor is managed is one of the device.
    #[sea_orm(num_value = 6)]
    ManagementAddress,
    /// The neighbor calls itself as the device is called.
    #[sea_orm(num_value = 7)]
    SystemName,
    /// The MAC address in the forwarding table is on an interface or a port of the device.
    #[sea_orm(num_value = 8)]
    ForwardingTable,
}

/// What a neighbor says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Chassis,
    Address,
    Name,
}

impl HostTier {
    /// What of a neighbor it is about.
    pub(super) const fn said(self) -> Said {
        match self {
            Self::ManagementAddress => Said::Address,
            Self::SystemName => Said::Name,
            _ => Said::Chassis,
        }
    }
}

/// By which evidence a port was found, from the strongest to the weakest.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Enum, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "i32", db_type = "Integer")]
pub enum PortTier {
    /// A person said so.
    #[sea_orm(num_value = 0)]
    Pin,
    /// A person taught who calls itself so.
    #[sea_orm(num_value = 1)]
    Alias,
    /// The port id is the name of the port (ifName).
    #[sea_orm(num_value = 2)]
    Name,
    /// The port id is the description of the port (ifDescr).
    #[sea_orm(num_value = 3)]
    Description,
    /// The port id is what people wrote on the port (ifAlias).
    #[sea_orm(num_value = 4)]
    AliasText,
    /// The port id is the name in a longer or shorter form.
    #[sea_orm(num_value = 5)]
    NormalisedName,
    /// The port id is the number of the port (ifIndex).
    #[sea_orm(num_value = 6)]
    IfIndex,
    /// What the neighbor says of its port is written on the port.
    #[sea_orm(num_value = 7)]
    PortDescription,
    /// The port id is the MAC address of this port alone.
    #[sea_orm(num_value = 8)]
    Mac,
    /// The port id is the address that is reached through the port.
    #[sea_orm(num_value = 9)]
    Address,
    /// The port id is the number that the name of this port alone ends with.
    #[sea_orm(num_value = 10)]
    Number,
    /// The port says itself that it hears the other side.
    #[sea_orm(num_value = 11)]
    Reciprocal,
}

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    Host(HostTier),
    Port(PortTier),
}

/// How many candidates of one kind of evidence are kept: thousands may carry one name, and
/// thousands hear it.
const KEPT: usize = 100;

/// Those that answer to a kind of evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// How many they are.
    pub(super) count: usize,
    /// The first hundred of them.
    pub(super) first: Vec<Id>,
}

impl FromIterator<Id> for Candidates {
    fn from_iter<I: IntoIterator<Item = Id>>(ids: I) -> Self {
        let mut ids = ids.into_iter();
        let first: Vec<Id> = ids.by_ref().take(KEPT).collect();
        Self { count: first.len() + ids.count(), first }
    }
}

/// What came of trying a kind of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It can name no single device: an address of a group, of a virtual router, or of one link.
    CannotName,
    /// It is not what its kind says, such as a MAC address that is none, or it is empty.
    Malformed,
    /// Nothing answers to it.
    Nothing,
    /// Only the port's own device answers to it.
    OwnDevice,
    /// Only the port's own device answers to it, but what was said more exactly is not of it.
    LikeOwn,
    /// These answer to it, none of them among those that stronger evidence leaves.
    RuledOut(Candidates),
    /// These answer to it, but are VLANs or bridges, whose address a socket may share.
    Bridging(Candidates),
    /// The first answers to it, but something else that was said names the second.
    Disputed(Id, Id),
    /// Exactly one answers to it.
    One(Id),
    /// Several answer to it.
    Several(Candidates),
}

impl Outcome {
    pub(super) fn of(candidates: impl IntoIterator<Item = Id>) -> Self {
        let candidates: Candidates = candidates.into_iter().collect();
        match candidates.first.as_slice() {
            [] => Self::Nothing,
            [one] => Self::One(*one),
            _ => Self::Several(candidates),
        }
    }
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) tier: Tier,
    /// What was looked for.
    pub(super) value: String,
    pub(super) outcome: Outcome,
}

/// The steps taken, where somebody wants to know them.
#[derive(Debug)]
pub(super) struct Steps<'a>(Option<&'a mut Vec<Step>>);

impl<'a> Steps<'a> {
    /// Nobody asks.
    pub(super) const fn forgotten() -> Self {
        Self(None)
    }

    /// They are added to a list.
    pub(super) const fn kept(steps: &'a mut Vec<Step>) -> Self {
        Self(Some(steps))
    }

    /// Whether somebody wants to know them.
    pub(super) const fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn push(&mut self, step: impl FnOnce() -> (Tier, String, Outcome)) {
        if let Some(steps) = &mut self.0 {
            let (tier, value, outcome) = step();
            steps.push(Step { tier, value, outcome });
        }
    }
}
