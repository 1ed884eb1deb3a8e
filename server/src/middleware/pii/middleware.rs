//! `pii`: masks personal data on its way to the model, or stops the run.
//!
//! It stands innermost of all around a model call, so that it also masks what
//! other middleware adds to a request, while they see the real values.
//!
//! Source: document 000, "Built-in Middleware".

use super::config::{PiiConfig, PiiMode};
use super::remembered::Remembered;
use super::sinks::{MaskedStream, RestoredStream};
use super::visit::restore_json;
use super::{Counts, Masker, Masking, Tokens};
use crate::{
    engine::{Context, Next, StreamUse, WrapError},
    hooks::{HookId, HookSet, Wrap, WrapModelCall, WrapToolCall},
    middleware::{
        Finder, Middleware, Reply, Wrapped,
        texts::{self, Rewrite},
    },
};
use async_trait::async_trait;
use sidehook_proto::{Outcome, v1};
use std::sync::Arc;

/// Masks or blocks personal data.
#[derive(Debug)]
pub struct Pii {
    /// For texts of any origin.
    pub(super) masker: Masker,
    /// For what a person typed, which may be nothing but a number.
    pub(super) typed: Masker,
    /// For the arguments of tool calls.
    pub(super) arguments: Masker,
    pub(super) blocks: bool,
    answers: bool,
    /// Whether answers get values back.
    restores: bool,
    pub(super) remembered: Remembered,
    /// The names of the configuration's own kinds.
    pub(super) names: Vec<String>,
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
    /// Of these maskers.
    pub(super) fn of(config: &PiiConfig, masker: Masker, typed: Masker, arguments: Masker) -> Self {
        let blocks = config.mode == PiiMode::Block;
        Self {
            restores: masker.gives_tokens() && !blocks,
            blocks,
            answers: config.answers,
            remembered: Remembered::new(),
            names: config.custom.iter().map(|custom| custom.name.clone()).collect(),
            masker,
            typed,
            arguments,
        }
    }

    /// A text of a platform's hook: its new value, or the refusal.
    async fn text<A>(
        &self,
        context: &Context<'_>,
        text: &str,
        answer: impl FnOnce(String) -> A + Send,
    ) -> Reply<A>
    where
        A: sidehook_proto::Answer,
    {
        // Only a person's message may be nothing but a number of theirs.
        let typed = context.hook() == HookId::UserMessageInbound;
        let visit = |masking: &mut Masking| match typed {
            true => self.typed_text(text, masking),
            false => self.any_text(text, masking),
        };
        match self.masked(context, visit).await? {
            (None, _) => Ok(Outcome::none()),
            (Some(_), found) if self.blocks => Ok(Outcome::veto(self.reason(&found.counts))),
            (Some(masked), _) => Ok(answer(masked).into()),
        }
    }

    /// Says what was found, without quoting it.
    fn reason(&self, counts: &Counts) -> String {
        let found = self.found(counts).map(|(name, count)| format!("{count} × {name}"));
        format!("personal data: {}", found.collect::<Vec<_>>().join(", "))
    }

    fn tripwire(&self, counts: &Counts) -> v1::Tripwire {
        let found: serde_json::Map<_, _> =
            self.found(counts).map(|(name, count)| (name.into(), count.into())).collect();
        v1::Tripwire {
            reason: self.reason(counts),
            info_json: serde_json::Value::Object(found).to_string(),
            ..v1::Tripwire::default()
        }
    }

    /// How often which kind was found, by its name in the configuration.
    fn found<'a>(&'a self, counts: &'a Counts) -> impl Iterator<Item = (&'a str, usize)> {
        counts.iter().map(|(entity, count)| (self.name_of(entity), count))
    }

    /// An answer of the model with its values back.
    fn restored(tokens: &Tokens, response: Arc<v1::ChatResponse>) -> Arc<v1::ChatResponse> {
        let restore: &mut Rewrite<'_> = &mut |text| tokens.restore(text);
        match texts::response(&response, restore) {
            Some(restored) => Arc::new(restored),
            None => response,
        }
    }

    /// Masks an answer, while it streams and when it is there.
    async fn masked_answer(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        let response = if self.blocks {
            next.run(call).await?
        } else {
            next.run_through(call, Box::new(MaskedStream::new(self.masker.clone()))).await?
        };
        match self.masked(context, |masking| self.response(&response, masking)).await? {
            (None, _) => Ok(response),
            (Some(_), found) if self.blocks => {
                Err(WrapError::Tripwire(self.tripwire(&found.counts)))
            }
            (Some(masked), _) => Ok(Arc::new(masked)),
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
        if self.answers || self.restores {
            hooks.insert(HookId::AssistantMessageOutbound);
        }
        if self.restores {
            hooks.insert(HookId::Wrap);
            hooks.insert(HookId::BeforeToolCall);
        }
        if self.gives_arguments_back() {
            hooks.insert(HookId::WrapToolCall);
        }
        hooks
    }

    fn finder(&self) -> Option<&dyn Finder> {
        Some(self)
    }

    fn stream_use(&self, hook: HookId) -> StreamUse {
        match (self.answers, self.blocks) {
            _ if hook == HookId::WrapToolCall => StreamUse::Untouched,
            _ if self.restores => StreamUse::Rewrites,
            (false, _) => StreamUse::Untouched,
            (true, false) => StreamUse::Rewrites,
            // Nothing may be shown before the verdict.
            (true, true) => StreamUse::Holds,
        }
    }

    fn needs_answer(&self, hook: HookId) -> bool {
        hook != HookId::WrapToolCall && (self.answers || self.restores)
    }

    fn is_innermost(&self) -> bool {
        true
    }

    async fn before_run(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeRunRequest,
    ) -> Reply<v1::BeforeRunAnswer> {
        let visit = |masking: &mut Masking| {
            let input = self.typed_text(&request.input, masking).is_some();
            let messages = self.messages(&request.messages, masking).is_some();
            (input || messages).then_some(())
        };
        match self.masked(context, visit).await? {
            (None, _) => Ok(Outcome::none()),
            (Some(()), found) => Ok(Outcome::Tripwire(self.tripwire(&found.counts))),
        }
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        mut call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        let request = call.request.as_ref();
        let visit = |masking: &mut Masking| self.request(request?, masking);
        let (masked, found) = self.masked(context, visit).await?;
        if masked.is_some() {
            if self.blocks {
                return Err(WrapError::Tripwire(self.tripwire(&found.counts)));
            }
            call = Arc::new(v1::ModelCall { model: call.model.clone(), request: masked });
        }
        if self.answers {
            return self.masked_answer(context, call, next).await;
        }
        if !self.restores {
            return next.run(call).await;
        }
        let tokens = Arc::new(found.tokens);
        let sink = Box::new(RestoredStream::new(&tokens));
        Ok(Self::restored(&tokens, next.run_through(call, sink).await?))
    }

    async fn wrap(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ChatRequest>,
        next: &Next<'_, Wrap>,
    ) -> Wrapped<v1::CallResult> {
        let tokens = Arc::new(self.tokens(context).await?);
        let sink = Box::new(RestoredStream::new(&tokens));
        let result = next.run_through(call, sink).await?;
        // Those that the attempts gave out are there by now.
        let tokens = self.tokens(context).await?;
        Ok(match restore_json(&tokens, &result.value_json) {
            Some(value_json) => Arc::new(v1::CallResult { value_json, ..(*result).clone() }),
            None => result,
        })
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        let tokens = self.tokens(context).await?;
        let arguments = request.tool_call.as_ref().map_or("", |call| &call.arguments_json);
        let updated_arguments_json = restore_json(&tokens, arguments);
        if updated_arguments_json.is_none() {
            return Ok(Outcome::none());
        }
        let answer = v1::BeforeToolCallAnswer { updated_arguments_json, ..Default::default() };
        Ok(answer.into())
    }

    async fn wrap_tool_call(
        &self,
        context: &Context<'_>,
        mut call: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        let tokens = self.tokens(context).await?;
        if let Some(args_json) = restore_json(&tokens, &call.args_json) {
            call = Arc::new(v1::ToolInvocation { args_json, ..(*call).clone() });
        }
        next.run(call).await
    }

    async fn transform(
        &self,
        context: &Context<'_>,
        request: &v1::TransformRequest,
    ) -> Reply<v1::TransformAnswer> {
        let messages = request.request.as_ref().map_or(&[][..], |request| &request.messages);
        match self.masked(context, |masking| self.messages(messages, masking)).await? {
            (None, _) => Ok(Outcome::none()),
            (Some(_), found) if self.blocks => Ok(Outcome::Tripwire(self.tripwire(&found.counts))),
            (Some(messages), _) => {
                let messages = Some(v1::MessageList { messages });
                Ok(v1::TransformAnswer { messages, ..v1::TransformAnswer::default() }.into())
            }
        }
    }

    async fn user_message_inbound(
        &self,
        context: &Context<'_>,
        request: &v1::UserMessageInboundRequest,
    ) -> Reply<v1::UserMessageInboundAnswer> {
        let answer = |text| v1::UserMessageInboundAnswer { text: Some(text) };
        self.text(context, &request.text, answer).await
    }

    async fn inter_agent_message(
        &self,
        context: &Context<'_>,
        request: &v1::InterAgentMessageRequest,
    ) -> Reply<v1::InterAgentMessageAnswer> {
        let answer = |text| v1::InterAgentMessageAnswer { text: Some(text) };
        self.text(context, &request.text, answer).await
    }

    async fn assistant_message_outbound(
        &self,
        context: &Context<'_>,
        request: &v1::AssistantMessageOutboundRequest,
    ) -> Reply<v1::AssistantMessageOutboundAnswer> {
        let answer = |text| v1::AssistantMessageOutboundAnswer { text: Some(text) };
        if self.answers {
            return self.text(context, &request.text, answer).await;
        }
        let tokens = self.tokens(context).await?;
        Ok(tokens.restore(&request.text).map_or(Outcome::none(), |text| answer(text).into()))
    }

    async fn ssh_command_completed(
        &self,
        context: &Context<'_>,
        request: &v1::SshCommandCompletedRequest,
    ) -> Reply<v1::SshCommandCompletedAnswer> {
        let visit = |masking: &mut Masking| {
            let mut look = |text: &Option<String>| self.any_text(text.as_deref()?, masking);
            let (output, error_output) = (look(&request.output), look(&request.error_output));
            let found = output.is_some() || error_output.is_some();
            found.then_some(v1::SshCommandCompletedAnswer { output, error_output })
        };
        match self.masked(context, visit).await? {
            (None, _) => Ok(v1::SshCommandCompletedAnswer::default().into()),
            (Some(_), found) if self.blocks => Ok(Outcome::veto(self.reason(&found.counts))),
            (Some(answer), _) => Ok(answer.into()),
        }
    }
}

#[cfg(test)]
#[path = "middleware_tests.rs"]
mod tests;
