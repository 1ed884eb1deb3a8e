//! `BeforeToolCall`: may this tool call run, and with which arguments?
//!
//! - **Fires** once a call, right before the permissions decide it, and again
//!   when a call that waited is resumed.
//! - **Sees** the call as the model made it, with the arguments of earlier
//!   links.
//! - **Answers** allow, ask, defer or deny, and optionally new arguments.
//! - **Rule** [`Rule::Strictest`]: deny > defer > ask > allow; every link is
//!   asked, also after a deny; the last new arguments count.
//! - **Veto** is deny: the model reads the reason, and the run goes on.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** new arguments are a JSON object that fits the tool's schema;
//!   the tool cannot be changed.
//! - **Source** document 000, "Tool calls before the permissions".

use super::tool_schema;
use super::{Hook, Rule};
use sidehook_proto::{Outcome, v1};
use std::ops::ControlFlow;

/// Decides whether a tool call may run.
#[derive(Debug)]
pub struct BeforeToolCall;

impl Hook for BeforeToolCall {
    const RULE: Rule = Rule::Strictest;

    fn check(request: &Self::Request, answer: &mut Self::Answer) -> Result<(), String> {
        if v1::ToolDecision::try_from(answer.decision).is_err() {
            return Err(format!("gave the unknown decision {}", answer.decision));
        }
        tool_schema::check(request.tool.as_ref(), answer.updated_arguments_json.as_deref())
    }

    fn refuse(reason: String, by: &str) -> Option<Outcome<Self::Answer>> {
        Some(Outcome::Answer(v1::BeforeToolCallAnswer {
            decision: v1::ToolDecision::Deny.into(),
            reason,
            decided_by: by.into(),
            ..v1::BeforeToolCallAnswer::default()
        }))
    }

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        by: &str,
    ) -> ControlFlow<()> {
        if let Some(arguments) = answer.updated_arguments_json {
            request.tool_call.get_or_insert_default().arguments_json.clone_from(&arguments);
            so_far.updated_arguments_json = Some(arguments);
        }
        // The numbers of the decisions stand in the order of their strictness.
        if so_far.decision < answer.decision {
            so_far.decision = answer.decision;
            so_far.reason = answer.reason;
            so_far.decided_by =
                if answer.decided_by.is_empty() { by.into() } else { answer.decided_by };
        }
        ControlFlow::Continue(())
    }
}
