//! Rules as middleware: the untyped way for most hooks, and their own types for
//! those whose messages or arguments are replaced.

use super::{
    Rules,
    actions::{self, Actions},
    replace,
};
use crate::{
    engine::{Context, Fault, Next, StreamUse, WrapError},
    hooks::{HookId, HookSet, Wrap, WrapModelCall, WrapToolCall},
    middleware::{AnyAnswer, AnyRequest, Middleware, Reply, Wrapped, any, texts},
};
use async_trait::async_trait;
use serde_json::Map;
use sidehook_proto::{Fields, Outcome, v1};
use std::sync::Arc;

#[async_trait]
impl Middleware for Rules {
    fn hooks(&self) -> HookSet {
        self.hooks
    }

    /// A rule that replaces in answers cannot do so once their text was shown.
    fn holds_stream(&self) -> bool {
        self.replaces_at(HookId::AfterModel)
    }

    fn stream_use(&self, hook: HookId) -> StreamUse {
        let rewrites = hook == HookId::WrapToolCall && self.replaces_at(hook);
        if rewrites { StreamUse::Holds } else { StreamUse::Untouched }
    }

    fn needs_answer(&self, hook: HookId) -> bool {
        hook == HookId::WrapToolCall && self.replaces_at(hook)
    }

    async fn any(
        &self,
        context: &Context<'_>,
        request: &dyn AnyRequest,
    ) -> Result<Outcome<AnyAnswer>, Fault> {
        let holding = self.holding(context, || request.fields())?;
        if let Some(ending) = actions::ending(&holding) {
            return Ok(ending);
        }
        actions::speak(&holding, context);
        Ok(Outcome::Answer(actions::answer(&holding, context.hook(), || request.fields())))
    }

    async fn before_model(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeModelRequest,
    ) -> Reply<v1::BeforeModelAnswer> {
        let holding = self.holding(context, || request.fields())?;
        self.spoken(context, &holding, || {
            let messages =
                rewritten(&holding, |rewrite| texts::messages(&request.messages, rewrite));
            v1::BeforeModelAnswer {
                messages: messages.map(|messages| v1::MessageList { messages }),
            }
        })
    }

    async fn after_model(
        &self,
        context: &Context<'_>,
        request: &v1::AfterModelRequest,
    ) -> Reply<v1::AfterModelAnswer> {
        let holding = self.holding(context, || request.fields())?;
        self.spoken(context, &holding, || {
            let empty = v1::ChatResponse::default();
            let before = request.response.as_ref().unwrap_or(&empty);
            let Some(after) = rewritten(&holding, |rewrite| texts::response(before, rewrite))
            else {
                return v1::AfterModelAnswer::default();
            };
            let content = match after.content {
                Some(v1::chat_response::Content::Text(text)) => Some(text),
                _ => None,
            };
            let calls = (after.tool_calls != before.tool_calls).then_some(after.tool_calls);
            let tool_calls = calls.map(|tool_calls| v1::ToolCallList { tool_calls });
            v1::AfterModelAnswer { content, tool_calls }
        })
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        let holding = self.holding(context, || request.fields())?;
        if let Some(ending) = actions::ending(&holding) {
            return Ok(ending);
        }
        actions::speak(&holding, context);
        let answer = actions::answer(&holding, context.hook(), Map::new);
        let mut answer: v1::BeforeToolCallAnswer = any::typed(answer)?;
        let empty = v1::ToolCall::default();
        let call = request.tool_call.as_ref().unwrap_or(&empty);
        answer.updated_arguments_json =
            rewritten(&holding, |rewrite| texts::document(&call.arguments_json, rewrite));
        Ok(answer.into())
    }

    async fn transform(
        &self,
        context: &Context<'_>,
        request: &v1::TransformRequest,
    ) -> Reply<v1::TransformAnswer> {
        let holding = self.holding(context, || request.fields())?;
        self.spoken(context, &holding, || {
            let messages = request.request.as_ref().map_or(&[][..], |request| &request.messages);
            let messages = rewritten(&holding, |rewrite| texts::messages(messages, rewrite));
            let messages = messages.map(|messages| v1::MessageList { messages });
            v1::TransformAnswer { messages, ..v1::TransformAnswer::default() }
        })
    }

    async fn wrap_model_call(
        &self,
        context: &Context<'_>,
        mut call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        let holding = self.holding(context, || call.fields())?;
        tripped(&holding)?;
        actions::speak(&holding, context);
        let request = call.request.as_ref();
        let request = request
            .and_then(|request| rewritten(&holding, |rewrite| texts::request(request, rewrite)));
        if request.is_some() {
            call = Arc::new(v1::ModelCall { model: call.model.clone(), request });
        }
        next.run(call).await
    }

    async fn wrap_tool_call(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        let holding = self.holding(context, || call.fields())?;
        tripped(&holding)?;
        actions::speak(&holding, context);
        let result = next.run(call).await?;
        let new = rewritten(&holding, |rewrite| texts::tool_result(&result, rewrite));
        Ok(new.map_or(result, Arc::new))
    }

    async fn wrap(
        &self,
        context: &Context<'_>,
        call: Arc<v1::ChatRequest>,
        next: &Next<'_, Wrap>,
    ) -> Wrapped<v1::CallResult> {
        let holding = self.holding(context, || call.fields())?;
        tripped(&holding)?;
        next.run(call).await
    }
}

impl Rules {
    /// Whether a rule replaces text at `hook`.
    fn replaces_at(&self, hook: HookId) -> bool {
        self.rules.iter().any(|rule| rule.hooks.contains(hook) && rule.then.replace.is_some())
    }

    /// What is said at a typed hook: the ending that a rule asks for, or the
    /// answer beside its effects.
    fn spoken<A>(
        &self,
        context: &Context<'_>,
        holding: &[&Actions],
        answer: impl FnOnce() -> A,
    ) -> Reply<A> {
        if let Some(ending) = actions::ending(holding) {
            return Ok(ending);
        }
        actions::speak(holding, context);
        Ok(Outcome::Answer(answer()))
    }
}

/// What `visit` makes of the replacements, if there are any.
fn rewritten<T>(
    holding: &[&Actions],
    visit: impl FnOnce(&mut texts::Rewrite<'_>) -> Option<T>,
) -> Option<T> {
    if !replace::any(holding) {
        return None;
    }
    visit(&mut |text| replace::replace(holding, text))
}

fn tripped(holding: &[&Actions]) -> Result<(), WrapError> {
    match holding.iter().find_map(|actions| actions.trip.as_ref()) {
        Some(reason) => Err(WrapError::trip(reason)),
        None => Ok(()),
    }
}
