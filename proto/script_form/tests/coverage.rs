//! Every hook's messages have a form.

use super::javascript::{made, seen};
use crate::{FILE_DESCRIPTOR_SET, HookRequest, HookResponse, ScriptForm, v1};
use prost::{Message, Name};
use serde_json::Value;
use std::collections::BTreeSet;

/// Writes and reads the request and the answer of a hook, and gives its name.
fn unary<R: HookRequest>() -> String
where
    <R::Response as HookResponse>::Answer: ScriptForm,
{
    pair::<R, <R::Response as HookResponse>::Answer>();
    R::NAME.trim_end_matches("Request").into()
}

/// What stands for the request of a hook that wraps a call, and its answer.
fn pair<R, A>()
where
    R: ScriptForm + Default + Name,
    A: ScriptForm + Default + Name,
{
    empty::<R>();
    empty::<A>();
}

#[track_caller]
fn empty<M: ScriptForm + Default + Name>() {
    let written = seen(&M::default());
    let members: Vec<_> = written.as_object().unwrap().keys().map(String::as_str).collect();
    for member in &members {
        assert!(M::MEMBERS.contains(member), "{}.{member}", M::NAME);
    }
    let read: M = made(&written).unwrap();
    assert_eq!(seen(&read), written, "{}", M::NAME);
    assert!(made::<M>(&Value::Null).is_err(), "{}", M::NAME);
}

macro_rules! unary {
    ($($request:ident)*) => { [$(unary::<v1::$request>()),*] };
}

#[test]
fn every_hook_can_be_seen_by_scripts() {
    pair::<v1::ModelCall, v1::WrapModelCallAnswer>();
    pair::<v1::ToolInvocation, v1::WrapToolCallAnswer>();
    pair::<v1::ChatRequest, v1::WrapAnswer>();
    let mut hooks: BTreeSet<String> = unary![
        StartRunRequest BeforeRunRequest BeforeModelRequest AfterModelRequest
        BeforeToolCallRequest DecideApprovalRequest AfterToolBatchRequest BeforeStopRequest
        BeforeCompactionRequest AfterCompactionRequest BeforeModelSwitchRequest
        OnNotificationRequest AfterRunRequest TransformRequest OnEventRequest
        SystemPromptRequest CompanionBriefingRequest CompanionPerformanceRequest
        CompanionSpeechRequest UserMessageInboundRequest InterAgentMessageRequest
        AssistantMessageOutboundRequest TodoAddedRequest NotifyScheduledRequest
        NotifyDeliveredRequest SshConnectionOpeningRequest SshCommandSendingRequest
        SshCommandCompletedRequest SessionClearingRequest SessionClearCompletedRequest
        CronJobFiringRequest CronJobCompletedRequest
    ]
    .into();
    hooks.extend(["WrapModelCall", "WrapToolCall", "Wrap"].map(str::to_owned));
    assert_eq!(hooks, methods());
}

/// The methods of all services but the operator's.
fn methods() -> BTreeSet<String> {
    let set = prost_types::FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
    let services = set.file.into_iter().flat_map(|file| file.service);
    services
        .filter(|service| service.name() != "Admin")
        .flat_map(|service| service.method)
        .map(|method| method.name().to_owned())
        .collect()
}

#[test]
fn so_can_the_rest_of_what_scripts_are_given() {
    empty::<v1::HookContext>();
    empty::<v1::PreDispatch>();
    empty::<v1::AttemptContext>();
    empty::<v1::ChatResponse>();
    empty::<v1::ToolResult>();
    empty::<v1::CallResult>();
    empty::<v1::CallError>();
    empty::<v1::ModelDelta>();
    empty::<v1::ToolDelta>();
    empty::<v1::CallDelta>();
}
