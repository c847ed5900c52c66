//! Explanations of why a neighbor was resolved to a device or not, over GraphQL.

use std::sync::Arc;

use async_graphql::{Context, Object, Result, SimpleObject};
use toposcope_topology::explanation::sentence::StepTaken;
use toposcope_types::{HostTier, Id, Method, PortTier};

use crate::{
    graphql::loader,
    hosts::{self, Host},
    if_entries::{self, IfEntry},
};

/// The reason why a neighbor was resolved to a device, or why it is unknown.
#[derive(Clone, Debug)]
pub struct Explanation(pub(super) Arc<toposcope_topology::explanation::Explanation>);

/// The reason why a neighbor was resolved to a device, or why it is unknown.
#[Object]
impl Explanation {
    /// The whole explanation in plain words.
    async fn sentence(&self) -> &str {
        &self.0.sentence
    }

    /// The method by which the neighbor was heard.
    async fn method(&self) -> Method {
        self.0.method
    }

    /// The evidence that identified the device.
    async fn host_tier(&self) -> Option<HostTier> {
        self.0.host_tier
    }

    /// The value that identified the device.
    async fn host_value(&self) -> Option<&str> {
        self.0.host_value.as_deref()
    }

    /// The evidence that identified the port.
    async fn port_tier(&self) -> Option<PortTier> {
        self.0.port_tier
    }

    /// The value that identified the port.
    async fn port_value(&self) -> Option<&str> {
        self.0.port_value.as_deref()
    }

    /// The device that was found.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.0.host_id).await
    }

    /// The port that was found.
    async fn if_entry(&self, context: &Context<'_>) -> Result<Option<IfEntry>> {
        loader::by_id::<if_entries::Entity>(context, self.0.if_entry_id).await
    }

    /// The evidence tried, in order: its kind, its value, the candidates that match it, and the
    /// outcome.
    async fn steps(&self) -> Vec<ExplanationStep> {
        self.0.steps.iter().map(ExplanationStep::new).collect()
    }
}

/// A kind of evidence that was tried.
#[derive(Clone, Debug, SimpleObject)]
pub struct ExplanationStep {
    /// The evidence for a device; null if the step looked for a port.
    host_tier: Option<HostTier>,
    /// The evidence for a port; null if the step looked for a device.
    port_tier: Option<PortTier>,
    /// The value that the step looked for.
    value: String,
    /// The ids of the devices or ports that match, at most the first hundred. If there are several,
    /// this evidence does not tell them apart.
    candidates: Vec<Id>,
    /// The number of devices or ports that match.
    candidate_count: usize,
    /// The outcome in plain words.
    sentence: String,
}

impl ExplanationStep {
    fn new(step: &StepTaken) -> Self {
        Self {
            host_tier: step.host_tier,
            port_tier: step.port_tier,
            value: step.value.clone(),
            candidates: step.candidates.clone(),
            candidate_count: step.candidate_count,
            sentence: step.sentence.clone(),
        }
    }
}
