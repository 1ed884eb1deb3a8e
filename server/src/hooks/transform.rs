//! `Transform`: patches a request to a model.
//!
//! - **Fires** once an attempt of a logical call.
//! - **Sees** the request as merged by every earlier link's patch.
//! - **Answers** a patch: replace or append messages and tools, set parameters.
//! - **Rule** [`Rule::Rewrite`]: patches merge in order.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** the model and the response format cannot be patched; a tool that
//!   is added must have a new name.
//! - **Source** document 001, "transform".

use super::{Hook, Rule};
use crate::engine::Variables;
use sidehook_proto::v1::{ChatRequest, MessageList, ToolDefinitionList, TransformAnswer};
use std::{collections::HashSet, ops::ControlFlow};

/// Patches a request to a model.
#[derive(Debug)]
pub struct Transform;

impl Hook for Transform {
    const RULE: Rule = Rule::Rewrite;
    const STAGE: &'static str = "attempt";

    fn check(request: &Self::Request, answer: &mut Self::Answer) -> Result<(), String> {
        let replaced = answer.tools.as_ref().map(|list| list.tools.as_slice());
        let present = request.request.as_ref().map_or(&[][..], |request| &request.tools);
        let mut names: HashSet<&str> =
            replaced.unwrap_or(present).iter().map(|tool| tool.name.as_str()).collect();
        match answer.add_tools.iter().find(|tool| !names.insert(&tool.name)) {
            Some(tool) => Err(format!("added the tool `{}`, which is already there", tool.name)),
            None => Ok(()),
        }
    }

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        apply(request.request.get_or_insert_default(), &answer);
        merge(so_far, answer);
        ControlFlow::Continue(())
    }

    fn variables(request: &Self::Request) -> Variables {
        let attempt = request.attempt.clone().unwrap_or_default();
        vec![
            ("requested_provider", attempt.requested_provider.into()),
            ("requested_model", attempt.requested_model.into()),
            ("is_fallback_attempt", attempt.is_fallback_attempt.into()),
            ("fallback_index", i64::from(attempt.fallback_index).into()),
            ("attempt", i64::from(attempt.attempt).into()),
        ]
    }
}

/// What the next link sees.
fn apply(request: &mut ChatRequest, patch: &TransformAnswer) {
    let patch = patch.clone();
    if let Some(list) = patch.messages {
        request.messages = list.messages;
    }
    request.messages.extend(patch.add_messages);
    if let Some(list) = patch.tools {
        request.tools = list.tools;
    }
    request.tools.extend(patch.add_tools);
    if let Some(choice) = patch.tool_choice_json {
        request.tool_choice_json = choice;
    }
    request.temperature = patch.temperature.or(request.temperature);
    request.top_p = patch.top_p.or(request.top_p);
    request.max_tokens = patch.max_tokens.or(request.max_tokens);
    if let Some(list) = patch.stop {
        request.stop = list.stop;
    }
    if let Some(extra) = patch.extra_json {
        request.extra_json = extra;
    }
}

/// One patch that does what `so_far` and then `patch` do. A list that is
/// replaced forgets what was appended before.
fn merge(so_far: &mut TransformAnswer, patch: TransformAnswer) {
    if patch.messages.is_some() {
        so_far.messages = patch.messages;
        so_far.add_messages.clear();
    }
    match &mut so_far.messages {
        Some(MessageList { messages }) => messages.extend(patch.add_messages),
        None => so_far.add_messages.extend(patch.add_messages),
    }
    if patch.tools.is_some() {
        so_far.tools = patch.tools;
        so_far.add_tools.clear();
    }
    match &mut so_far.tools {
        Some(ToolDefinitionList { tools }) => tools.extend(patch.add_tools),
        None => so_far.add_tools.extend(patch.add_tools),
    }
    so_far.tool_choice_json = patch.tool_choice_json.or(so_far.tool_choice_json.take());
    so_far.temperature = patch.temperature.or(so_far.temperature);
    so_far.top_p = patch.top_p.or(so_far.top_p);
    so_far.max_tokens = patch.max_tokens.or(so_far.max_tokens);
    so_far.stop = patch.stop.or(so_far.stop.take());
    so_far.extra_json = patch.extra_json.or(so_far.extra_json.take());
}
