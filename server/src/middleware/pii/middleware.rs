//! `pii`: masks personal data on its way to the model, or stops the run.
//!
//! It stands innermost of all around a model call, so that it also masks what
//! other middleware adds to a request, while they see the real values.
//!
//! Source: document 000, "Built-in Middleware".

use super::{Counts, Entity, Masker, Scanner, StreamMasker, Style};
use crate::{
    engine::{Context, Fault, Next, Sink, StreamUse, WrapError},
    hooks::{HookId, HookSet, WrapModelCall},
    middleware::{Middleware, Reply, Wrapped, texts},
};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sidehook_proto::{Outcome, v1};
use std::sync::Arc;

/// Masks or blocks personal data.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PiiConfig {
    /// What is looked for. Absent means everything.
    #[schemars(length(min = 1))]
    pub detect: Option<Vec<Entity>>,
    /// What happens to what is found.
    pub mode: PiiMode,
    /// Whether the model's answers are masked as well, also while they stream.
    pub answers: bool,
}

/// What happens to personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PiiMode {
    /// It is replaced by a form that still shows its kind, such as
    /// `****-****-****-0366`.
    #[default]
    Mask,
    /// It is replaced by the name of its kind, such as `[REDACTED_EMAIL]`.
    Redact,
    /// The run ends, or the message is refused.
    Block,
}

/// Masks or blocks personal data.
#[derive(Debug)]
pub struct Pii {
    masker: Masker,
    blocks: bool,
    answers: bool,
}

/// What reaches the model without a model call of its own to mask.
const INBOUND: [HookId; 5] = [
    HookId::WrapModelCall,
    HookId::Transform,
    HookId::UserMessageInbound,
    HookId::InterAgentMessage,
    HookId::SshCommandCompleted,
];

impl Pii {
    /// Compiles the detectors.
    #[must_use]
    pub fn new(config: &PiiConfig) -> Self {
        let entities = config.detect.as_deref().unwrap_or(&Entity::ALL);
        let style = if config.mode == PiiMode::Redact { Style::Redact } else { Style::Mask };
        Self {
            masker: Masker::new(Scanner::new(entities), style),
            blocks: config.mode == PiiMode::Block,
            answers: config.answers,
        }
    }

    /// Visits texts: what they become, if anything was found, and what was.
    fn visit<T>(
        &self,
        visit: impl FnOnce(&mut texts::Rewrite<'_>) -> Option<T>,
    ) -> (Option<T>, Counts) {
        let mut counts = Counts::default();
        let masked = visit(&mut |text| {
            let (masked, found) = self.masker.mask_text(text);
            counts.merge(&found);
            (found.total() > 0).then(|| masked.into_owned())
        });
        (masked, counts)
    }

    /// A text of a platform's hook: its new value, or the refusal.
    fn text<A>(&self, text: &str, answer: impl FnOnce(String) -> A) -> Reply<A>
    where
        A: sidehook_proto::Answer,
    {
        match self.visit(|rewrite| texts::document(text, rewrite)) {
            (None, _) => Ok(Outcome::none()),
            (Some(_), counts) if self.blocks => Ok(Outcome::veto(reason(&counts))),
            (Some(masked), _) => Ok(answer(masked).into()),
        }
    }
}

#[async_trait]
impl Middleware for Pii {
    fn hooks(&self) -> HookSet {
        let mut hooks = HookSet::of(&INBOUND);
        if self.blocks {
            hooks.insert(HookId::BeforeRun);
        }
        if self.answers {
            hooks.insert(HookId::AssistantMessageOutbound);
        }
        hooks
    }

    fn stream_use(&self, _: HookId) -> StreamUse {
        match (self.answers, self.blocks) {
            (false, _) => StreamUse::Untouched,
            (true, false) => StreamUse::Rewrites,
            // Nothing may be shown before the verdict.
            (true, true) => StreamUse::Holds,
        }
    }

    fn needs_answer(&self, _: HookId) -> bool {
        self.answers
    }

    fn is_innermost(&self) -> bool {
        true
    }

    async fn before_run(
        &self,
        _: &Context<'_>,
        request: &v1::BeforeRunRequest,
    ) -> Reply<v1::BeforeRunAnswer> {
        let (found, mut counts) = self.visit(|rewrite| rewrite(&request.input));
        let (also, more) = self.visit(|rewrite| texts::messages(&request.messages, rewrite));
        counts.merge(&more);
        if found.is_none() && also.is_none() {
            return Ok(Outcome::none());
        }
        Ok(Outcome::Tripwire(tripwire(&counts)))
    }

    async fn wrap_model_call(
        &self,
        _: &Context<'_>,
        mut call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        let request = call.request.as_ref();
        let (masked, counts) =
            self.visit(|rewrite| request.and_then(|request| texts::request(request, rewrite)));
        if masked.is_some() {
            if self.blocks {
                return Err(WrapError::Tripwire(tripwire(&counts)));
            }
            call = Arc::new(v1::ModelCall { model: call.model.clone(), request: masked });
        }
        if !self.answers {
            return next.run(call).await;
        }
        let response = if self.blocks {
            next.run(call).await?
        } else {
            next.run_through(call, Box::new(MaskedStream::new(self.masker))).await?
        };
        match self.visit(|rewrite| texts::response(&response, rewrite)) {
            (None, _) => Ok(response),
            (Some(_), counts) if self.blocks => Err(WrapError::Tripwire(tripwire(&counts))),
            (Some(masked), _) => Ok(Arc::new(masked)),
        }
    }

    async fn transform(
        &self,
        _: &Context<'_>,
        request: &v1::TransformRequest,
    ) -> Reply<v1::TransformAnswer> {
        let messages = request.request.as_ref().map_or(&[][..], |request| &request.messages);
        match self.visit(|rewrite| texts::messages(messages, rewrite)) {
            (None, _) => Ok(Outcome::none()),
            (Some(_), counts) if self.blocks => Ok(Outcome::Tripwire(tripwire(&counts))),
            (Some(messages), _) => {
                let messages = Some(v1::MessageList { messages });
                Ok(v1::TransformAnswer { messages, ..v1::TransformAnswer::default() }.into())
            }
        }
    }

    async fn user_message_inbound(
        &self,
        _: &Context<'_>,
        request: &v1::UserMessageInboundRequest,
    ) -> Reply<v1::UserMessageInboundAnswer> {
        self.text(&request.text, |text| v1::UserMessageInboundAnswer { text: Some(text) })
    }

    async fn inter_agent_message(
        &self,
        _: &Context<'_>,
        request: &v1::InterAgentMessageRequest,
    ) -> Reply<v1::InterAgentMessageAnswer> {
        self.text(&request.text, |text| v1::InterAgentMessageAnswer { text: Some(text) })
    }

    async fn assistant_message_outbound(
        &self,
        _: &Context<'_>,
        request: &v1::AssistantMessageOutboundRequest,
    ) -> Reply<v1::AssistantMessageOutboundAnswer> {
        self.text(&request.text, |text| v1::AssistantMessageOutboundAnswer { text: Some(text) })
    }

    async fn ssh_command_completed(
        &self,
        _: &Context<'_>,
        request: &v1::SshCommandCompletedRequest,
    ) -> Reply<v1::SshCommandCompletedAnswer> {
        let masked = |text: &Option<String>| {
            self.visit(|rewrite| texts::document(text.as_deref()?, rewrite))
        };
        let (output, mut counts) = masked(&request.output);
        let (error_output, more) = masked(&request.error_output);
        counts.merge(&more);
        if self.blocks && counts.total() > 0 {
            return Ok(Outcome::veto(reason(&counts)));
        }
        Ok(v1::SshCommandCompletedAnswer { output, error_output }.into())
    }
}

/// Says what was found, without quoting it.
fn reason(counts: &Counts) -> String {
    let found = counts.iter().map(|(entity, count)| format!("{count} × {entity}"));
    format!("personal data: {}", found.collect::<Vec<_>>().join(", "))
}

fn tripwire(counts: &Counts) -> v1::Tripwire {
    let found: serde_json::Map<_, _> =
        counts.iter().map(|(entity, count)| (entity.name().into(), count.into())).collect();
    v1::Tripwire {
        reason: reason(counts),
        info_json: serde_json::Value::Object(found).to_string(),
        ..v1::Tripwire::default()
    }
}

/// Masks an answer while it streams. Its text and what the model thinks are two
/// streams of their own.
#[derive(Debug)]
struct MaskedStream {
    masker: Masker,
    text: StreamMasker,
    reasoning: StreamMasker,
}

impl MaskedStream {
    fn new(masker: Masker) -> Self {
        Self { masker, text: StreamMasker::new(masker), reasoning: StreamMasker::new(masker) }
    }
}

#[async_trait]
impl Sink<v1::ModelDelta> for MaskedStream {
    async fn push(&mut self, mut delta: v1::ModelDelta) -> Result<Vec<v1::ModelDelta>, Fault> {
        delta.text = self.text.push(&delta.text);
        delta.reasoning = self.reasoning.push(&delta.reasoning);
        let mask = &mut |text: &str| {
            let (masked, counts) = self.masker.mask_text(text);
            (counts.total() > 0).then(|| masked.into_owned())
        };
        if let Some(masked) = texts::document(&delta.extra_json, mask) {
            delta.extra_json = masked;
        }
        Ok(some(delta))
    }

    async fn finish(&mut self) -> Result<Vec<v1::ModelDelta>, Fault> {
        let (text, reasoning) = (self.text.finish(), self.reasoning.finish());
        Ok(some(v1::ModelDelta { text, reasoning, ..v1::ModelDelta::default() }))
    }
}

/// The piece, unless it says nothing.
fn some(delta: v1::ModelDelta) -> Vec<v1::ModelDelta> {
    let empty = delta.text.is_empty() && delta.reasoning.is_empty() && delta.extra_json.is_empty();
    if empty { Vec::new() } else { vec![delta] }
}

#[cfg(test)]
#[path = "middleware_tests.rs"]
mod tests;
