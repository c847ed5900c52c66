//! Why a neighbor is believed to be who it is, over GraphQL.

use std::sync::Arc;

use async_graphql::{Context, Object, Result, SimpleObject};
use toposcope_topology::explanation::sentence::StepTaken;
use toposcope_types::{HostTier, Id, Method, PortTier};

use crate::{
    graphql::loader,
    hosts::{self, Host},
    if_entries::{self, IfEntry},
};

/// Why a neighbor is believed to be who it is, or is not known.
#[derive(Clone, Debug)]
pub struct Explanation(pub(super) Arc<toposcope_topology::explanation::Explanation>);

/// Why a neighbor is believed to be who it is, or is not known.
#[Object]
impl Explanation {
    /// All of it in plain words.
    async fn sentence(&self) -> &str {
        &self.0.sentence
    }

    /// How the neighbor was heard.
    async fn method(&self) -> Method {
        self.0.method
    }

    /// By which evidence the device was found.
    async fn host_tier(&self) -> Option<HostTier> {
        self.0.host_tier
    }

    /// On which value the device was found.
    async fn host_value(&self) -> Option<&str> {
        self.0.host_value.as_deref()
    }

    /// By which evidence the port was found.
    async fn port_tier(&self) -> Option<PortTier> {
        self.0.port_tier
    }

    /// On which value the port was found.
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

    /// What was tried, in order: the evidence, its value, who answers to it, and what came of it.
    async fn steps(&self) -> Vec<ExplanationStep> {
        self.0.steps.iter().map(ExplanationStep::new).collect()
    }
}

/// One kind of evidence that was tried.
#[derive(Clone, Debug, SimpleObject)]
pub struct ExplanationStep {
    /// The evidence for a device; empty where a port was looked for.
    host_tier: Option<HostTier>,
    /// The evidence for a port; empty where a device was looked for.
    port_tier: Option<PortTier>,
    /// What was looked for.
    value: String,
    /// The ids of those that answer to it: devices, or ports; of many, the first hundred. More than
    /// one are candidates that this evidence does not separate.
    candidates: Vec<Id>,
    /// How many answer to it.
    candidate_count: usize,
    /// What came of it, in plain words.
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
