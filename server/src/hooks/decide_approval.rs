//! `DecideApproval`: answers a call that asks for approval, as a person would.
//!
//! - **Fires** when a call asks, before anybody is asked.
//! - **Sees** the call, its tool and why it asks.
//! - **Answers** approve, with new arguments or without, or decline.
//! - **Rule** [`Rule::First`]: the first link that decides ends the chain.
//! - **Veto** is to decline.
//! - **Faults** end the run with a failure, unless the link says otherwise.
//! - **Limits** new arguments are a JSON object that fits the tool's schema.
//! - **Source** document 000, "Tool calls before the permissions".

use super::tool_schema;
use super::{Hook, Rule};
use sidehook_proto::{Outcome, v1};
use std::ops::ControlFlow;

/// Answers a call that asks for approval, as a person would.
#[derive(Debug)]
pub struct DecideApproval;

impl Hook for DecideApproval {
    const RULE: Rule = Rule::First;

    fn check(request: &Self::Request, answer: &mut Self::Answer) -> Result<(), String> {
        let decision = v1::ApprovalDecision::try_from(answer.decision)
            .map_err(|_unknown| format!("gave the unknown decision {}", answer.decision))?;
        if answer.updated_arguments_json.is_some() && decision != v1::ApprovalDecision::Approve {
            return Err("gave new arguments without an approval".into());
        }
        tool_schema::check(request.tool.as_ref(), answer.updated_arguments_json.as_deref())
    }

    fn refuse(reason: String, _: &str) -> Option<Outcome<Self::Answer>> {
        Some(Outcome::Answer(v1::DecideApprovalAnswer {
            decision: v1::ApprovalDecision::Decline.into(),
            reason,
            updated_arguments_json: None,
        }))
    }

    fn fold(
        _: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        if answer.decision == 0 {
            return ControlFlow::Continue(());
        }
        *so_far = answer;
        ControlFlow::Break(())
    }
}
