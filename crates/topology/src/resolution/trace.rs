//! What was tried on the way to an answer, kept only for those who ask why.

use toposcope_types::{HostTier, Id, PortTier};

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
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
    pub count: usize,
    /// The first hundred of them.
    pub first: Vec<Id>,
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
    pub fn of(candidates: impl IntoIterator<Item = Id>) -> Self {
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
pub struct Step {
    pub tier: Tier,
    /// What was looked for.
    pub value: String,
    pub outcome: Outcome,
}

/// The steps taken, where somebody wants to know them.
#[derive(Debug)]
pub struct Trace<'a>(Option<&'a mut Vec<Step>>);

impl<'a> Trace<'a> {
    /// Nobody asks.
    pub const fn forgotten() -> Self {
        Self(None)
    }

    /// They are added to a list.
    pub const fn kept(steps: &'a mut Vec<Step>) -> Self {
        Self(Some(steps))
    }

    /// Whether somebody wants to know them.
    pub(crate) const fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    pub fn push(&mut self, step: impl FnOnce() -> (Tier, String, Outcome)) {
        if let Some(steps) = &mut self.0 {
            let (tier, value, outcome) = step();
            steps.push(Step { tier, value, outcome });
        }
    }
}
