//! `AfterModel`: sees each answer of the model before the run uses it.
//!
//! - **Fires** after each answer.
//! - **Sees** the answer and the conversation that it answers.
//! - **Answers** a new text, new tool calls; an empty list makes it the final
//!   answer.
//! - **Rule** [`Rule::Rewrite`]: in reverse, so that the link nearest the model
//!   sees it first.
//! - **Veto** does not exist.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** text that was already streamed cannot be taken back; a link
//!   that holds the stream prevents that.
//! - **Source** document 000, "afterModel".

use super::{Hook, Order, Rule};
use sidehook_proto::v1::chat_response::Content;
use std::ops::ControlFlow;

/// Sees each answer of the model before the run uses it.
#[derive(Debug)]
pub struct AfterModel;

impl Hook for AfterModel {
    const RULE: Rule = Rule::Rewrite;
    const ORDER: Order = Order::Reverse;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        let response = request.response.get_or_insert_default();
        if let Some(content) = answer.content {
            response.content = Some(Content::Text(content.clone()));
            so_far.content = Some(content);
        }
        if let Some(list) = answer.tool_calls {
            response.tool_calls.clone_from(&list.tool_calls);
            so_far.tool_calls = Some(list);
        }
        ControlFlow::Continue(())
    }
}
