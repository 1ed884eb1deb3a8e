//! What the hooks around calls to models have in common for a cache.

use super::{CacheScope, key, tool_calls};
use crate::{
    engine::Context,
    hooks::{Wrap, WrapModelCall, Wrapped},
};
use serde_json::{Value, json};
use sidehook_proto::v1;

/// A hook around calls whose answers can be kept.
pub(super) trait Cached: Wrapped {
    /// What counts of a call.
    fn request(context: &Context<'_>, call: &Self::Call, ignored: &[String]) -> Value;

    /// Whether an answer calls tools.
    fn calls_tools(result: &Self::Result) -> bool;

    /// What an answer is when it comes from memory.
    fn hit(result: Self::Result) -> Self::Result;

    /// An answer as it is streamed when nobody knows its pieces.
    fn streamed(result: &Self::Result) -> Vec<Self::Delta>;
}

/// Who shares answers with the caller, or `None` for nobody.
pub(super) fn sharing(scope: CacheScope, context: &v1::HookContext) -> Option<Value> {
    match scope {
        CacheScope::Global => Some(json!({})),
        CacheScope::Agent if context.agent_id.is_empty() => {
            Some(json!({ "agent_name": context.agent_name }))
        }
        CacheScope::Agent => Some(json!({ "agent_id": context.agent_id })),
        CacheScope::User => {
            (!context.user_id.is_empty()).then(|| json!({ "user_id": context.user_id }))
        }
    }
}

impl Cached for WrapModelCall {
    fn request(_: &Context<'_>, call: &v1::ModelCall, ignored: &[String]) -> Value {
        let request = call.request.as_ref().map(|request| key::request(request, ignored));
        json!({ "model": call.model, "request": request })
    }

    fn calls_tools(result: &v1::ChatResponse) -> bool {
        tool_calls::in_response(result)
    }

    fn hit(result: v1::ChatResponse) -> v1::ChatResponse {
        result
    }

    fn streamed(result: &v1::ChatResponse) -> Vec<v1::ModelDelta> {
        use v1::{chat_response::Content, content_part::Kind};
        let text = |text: &String| v1::ModelDelta { text: text.clone(), ..Default::default() };
        match &result.content {
            Some(Content::Text(content)) if !content.is_empty() => vec![text(content)],
            Some(Content::Parts(parts)) => {
                let piece = |part: &v1::ContentPart| match &part.kind {
                    Some(Kind::Text(content)) => Some(text(content)),
                    Some(Kind::Reasoning(reasoning)) => Some(v1::ModelDelta {
                        reasoning: reasoning.clone(),
                        ..v1::ModelDelta::default()
                    }),
                    _ => None,
                };
                parts.parts.iter().filter_map(piece).collect()
            }
            Some(Content::Text(_)) | None => Vec::new(),
        }
    }
}

impl Cached for Wrap {
    fn request(context: &Context<'_>, request: &v1::ChatRequest, ignored: &[String]) -> Value {
        // The request need not name a model; the client's primary target does.
        let target = context.variables().iter().map(|(name, value)| format!("{name} {value:?}"));
        let target: Vec<String> = target.collect();
        json!({ "target": target, "request": key::request(request, ignored) })
    }

    fn calls_tools(result: &v1::CallResult) -> bool {
        tool_calls::in_json(&result.value_json)
    }

    /// Document 001: "Hit: `next()` resolves immediately with `meta: undefined`".
    fn hit(result: v1::CallResult) -> v1::CallResult {
        v1::CallResult { meta: None, ..result }
    }

    fn streamed(result: &v1::CallResult) -> Vec<v1::CallDelta> {
        // Another value than a text has no form in which it is streamed.
        let text = serde_json::from_str::<String>(&result.value_json).ok();
        let text = text.filter(|text| !text.is_empty());
        text.map(|text| v1::CallDelta { text, ..v1::CallDelta::default() }).into_iter().collect()
    }
}
