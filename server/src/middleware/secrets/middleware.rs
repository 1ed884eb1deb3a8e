//! `secrets`: masks keys, tokens and passwords on their way to the model and
//! back, or stops the run.
//!
//! It stands innermost around a model call, so that it also masks what other
//! middleware adds to a request.

use super::config::Wrong;
use super::{Counts, Masker, Rules, Scanner, SecretsConfig, SecretsMode, StreamMasker};
use crate::{
    config::{Complaint, Sources},
    engine::{Context, Fault, Next, Sink, StreamUse, WrapError},
    hooks::{HookId, HookSet, WrapModelCall, WrapToolCall},
    middleware::{
        Finder, Found, Mask, Middleware, Reply, Wrapped,
        texts::{self, Visitor},
    },
};
use async_trait::async_trait;
use sidehook_proto::{Outcome, v1};
use std::{path::Path, sync::Arc};

/// Masks or blocks keys, tokens and passwords.
#[derive(Debug)]
pub struct Secrets {
    masker: Masker,
    blocks: bool,
    answers: bool,
    tools: bool,
}

/// What reaches the model.
const INBOUND: [HookId; 5] = [
    HookId::WrapModelCall,
    HookId::Transform,
    HookId::UserMessageInbound,
    HookId::InterAgentMessage,
    HookId::SshCommandCompleted,
];

/// Masks the texts that it visits, and counts.
struct Masking<'a> {
    masker: &'a Masker,
    counts: Counts,
}

impl Visitor for Masking<'_> {
    fn text(&mut self, text: &str) -> Option<String> {
        let (masked, found) = self.masker.mask_text(text);
        self.counts.merge(&found);
        (found.total() > 0).then(|| masked.into_owned())
    }

    fn member(&mut self, name: &str, text: &str) -> Option<String> {
        let (masked, found) = self.masker.mask_member(name, text);
        self.counts.merge(&found);
        (found.total() > 0).then(|| masked.into_owned())
    }
}

impl Secrets {
    /// Compiles the rules, if no other has.
    ///
    /// # Errors
    ///
    /// Names the key of the configuration that is wrong, and says why.
    pub(crate) fn new(
        config: &SecretsConfig,
        base: &Path,
        sources: &mut Sources,
    ) -> Result<Self, Wrong> {
        let style = config.style(base, sources)?;
        let rules = Rules::shared().map_err(|error| ("kind", None, Complaint::new(error)))?;
        Ok(Self {
            masker: Masker::new(Scanner::new(rules), style),
            blocks: config.mode == SecretsMode::Block,
            answers: config.answers,
            tools: config.tools,
        })
    }

    /// Visits texts: what they become, if anything was found, and what was.
    fn visit<T>(&self, visit: impl FnOnce(&mut Masking<'_>) -> Option<T>) -> (Option<T>, Counts) {
        let mut masking = Masking { masker: &self.masker, counts: Counts::default() };
        let masked = visit(&mut masking);
        (masked, masking.counts)
    }

    /// A text of a platform's hook: its new value, or the refusal.
    fn text<A>(&self, text: &str, answer: impl FnOnce(String) -> A) -> Reply<A>
    where
        A: sidehook_proto::Answer,
    {
        match self.visit(|masking| texts::document(text, masking)) {
            (None, _) => Ok(Outcome::none()),
            (Some(_), counts) if self.blocks => Ok(Outcome::veto(reason(&counts))),
            (Some(masked), _) => Ok(answer(masked).into()),
        }
    }
}

#[async_trait]
impl Finder for Secrets {
    async fn find(&self, member: &str, text: &str) -> Result<Vec<Found>, Fault> {
        let found = self.masker.find_member(member, text).into_iter();
        Ok(found.map(|(span, service)| Found { span, kind: service.to_owned() }).collect())
    }

    fn mask(&self) -> Mask<'_> {
        Box::new(|member, text| {
            let (masked, counts) = self.masker.mask_member(member, text);
            (counts.total() > 0).then(|| masked.into_owned())
        })
    }
}

#[async_trait]
impl Middleware for Secrets {
    fn hooks(&self) -> HookSet {
        let mut hooks = HookSet::of(&INBOUND);
        if self.blocks {
            hooks.insert(HookId::BeforeRun);
        }
        if self.answers {
            hooks.insert(HookId::AssistantMessageOutbound);
        }
        if self.tools {
            hooks.insert(HookId::WrapToolCall);
        }
        hooks
    }

    fn finder(&self) -> Option<&dyn Finder> {
        Some(self)
    }

    fn stream_use(&self, hook: HookId) -> StreamUse {
        match (hook, self.answers) {
            // A tool's result is masked as a whole.
            (HookId::WrapToolCall, _) => StreamUse::Holds,
            (_, false) => StreamUse::Untouched,
            (_, true) if self.blocks => StreamUse::Holds,
            (_, true) => StreamUse::Rewrites,
        }
    }

    fn needs_answer(&self, hook: HookId) -> bool {
        self.answers || hook == HookId::WrapToolCall
    }

    fn is_innermost(&self) -> bool {
        true
    }

    async fn before_run(
        &self,
        _: &Context<'_>,
        request: &v1::BeforeRunRequest,
    ) -> Reply<v1::BeforeRunAnswer> {
        let (found, mut counts) = self.visit(|masking| masking.text(&request.input));
        let (also, more) = self.visit(|masking| texts::messages(&request.messages, masking));
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
            self.visit(|masking| request.and_then(|request| texts::request(request, masking)));
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
            next.run_through(call, Box::new(MaskedStream::new(&self.masker))).await?
        };
        match self.visit(|masking| texts::response(&response, masking)) {
            (None, _) => Ok(response),
            (Some(_), counts) if self.blocks => Err(WrapError::Tripwire(tripwire(&counts))),
            (Some(masked), _) => Ok(Arc::new(masked)),
        }
    }

    async fn wrap_tool_call(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        let result = next.run(call).await?;
        match self.visit(|masking| texts::tool_result(&result, masking)) {
            (None, _) => Ok(result),
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
        match self.visit(|masking| texts::messages(messages, masking)) {
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
            self.visit(|masking| texts::document(text.as_deref()?, masking))
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
    let found = counts.iter().map(|(service, count)| format!("{count} × {service}"));
    format!("secrets: {}", found.collect::<Vec<_>>().join(", "))
}

fn tripwire(counts: &Counts) -> v1::Tripwire {
    let found: serde_json::Map<_, _> =
        counts.iter().map(|(service, count)| (service.to_owned(), count.into())).collect();
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
    fn new(masker: &Masker) -> Self {
        Self {
            masker: masker.clone(),
            text: StreamMasker::new(masker.clone()),
            reasoning: StreamMasker::new(masker.clone()),
        }
    }
}

#[async_trait]
impl Sink<v1::ModelDelta> for MaskedStream {
    async fn push(&mut self, mut delta: v1::ModelDelta) -> Result<Vec<v1::ModelDelta>, Fault> {
        delta.text = self.text.push(&delta.text);
        delta.reasoning = self.reasoning.push(&delta.reasoning);
        let mut masking = Masking { masker: &self.masker, counts: Counts::default() };
        if let Some(masked) = texts::document(&delta.extra_json, &mut masking) {
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
