//! The evidence tried during a resolution, kept only when the caller asks for an explanation.

use toposcope_types::{HostTier, Id, PortTier};

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Evidence for a device.
    Host(HostTier),
    /// Evidence for a port.
    Port(PortTier),
}

/// The maximum number of candidates kept for one kind of evidence: thousands of devices may carry
/// one name, and thousands of ports may hear it.
const KEPT: usize = 100;

/// The devices or ports that match a kind of evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The total number of matches.
    pub count: usize,
    /// The first hundred matches.
    pub first: Vec<Id>,
}

impl FromIterator<Id> for Candidates {
    fn from_iter<I: IntoIterator<Item = Id>>(ids: I) -> Self {
        let mut ids = ids.into_iter();
        let first: Vec<Id> = ids.by_ref().take(KEPT).collect();
        Self { count: first.len() + ids.count(), first }
    }
}

/// The outcome of trying a kind of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The value names no single device: an address of a group, a virtual router or one link.
    CannotName,
    /// The value is empty or malformed for its kind, such as an invalid MAC address.
    Malformed,
    /// Nothing matches the value.
    Nothing,
    /// Only the port's own device matches the value.
    OwnDevice,
    /// Only the port's own device matches the value, but a more specific value does not match it.
    LikeOwn,
    /// These match the value, but stronger evidence leaves none of them.
    RuledOut(Candidates),
    /// These share the first label of the name, but what else is known of them says that they are
    /// other devices.
    Contradicted(Candidates),
    /// These VLANs or bridges match the value, but may share their address with a socket.
    Bridging(Candidates),
    /// The first matches the value, but another announced value names the second.
    Disputed(Id, Id),
    /// Exactly one matches the value.
    One(Id),
    /// Several match the value.
    Several(Candidates),
}

impl Outcome {
    /// Returns the outcome of these candidates: none, one, or several.
    pub fn of(candidates: impl IntoIterator<Item = Id>) -> Self {
        let candidates: Candidates = candidates.into_iter().collect();
        match candidates.first.as_slice() {
            [] => Self::Nothing,
            [one] => Self::One(*one),
            _ => Self::Several(candidates),
        }
    }
}

/// A piece of evidence that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The kind of evidence.
    pub tier: Tier,
    /// The value searched for.
    pub value: String,
    /// The result.
    pub outcome: Outcome,
}

/// A recorder for the steps of a resolution, active only if the caller wants them.
#[derive(Debug)]
pub struct Trace<'a>(Option<&'a mut Vec<Step>>);

impl<'a> Trace<'a> {
    /// Creates a trace that discards the steps.
    pub const fn forgotten() -> Self {
        Self(None)
    }

    /// Creates a trace that appends the steps to a list.
    pub const fn kept(steps: &'a mut Vec<Step>) -> Self {
        Self(Some(steps))
    }

    /// Returns whether the trace keeps the steps.
    pub(crate) const fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Adds a step, if steps are kept.
    pub fn push(&mut self, step: impl FnOnce() -> (Tier, String, Outcome)) {
        if let Some(steps) = &mut self.0 {
            let (tier, value, outcome) = step();
            steps.push(Step { tier, value, outcome });
        }
    }
}
