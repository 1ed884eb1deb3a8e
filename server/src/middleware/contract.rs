//! What a middleware is: one method per hook, each with no opinion by default.

use super::{AnyAnswer, AnyRequest, Finder};
use crate::{
    engine::{Context, Fault, Next, StreamUse, WrapError},
    hooks::{self, HookId, HookSet, Wrap, WrapModelCall, WrapToolCall},
};
use async_trait::async_trait;
use sidehook_proto::{Outcome, v1};
use std::{fmt, sync::Arc};

/// What a middleware says at a unary hook: an outcome, or that it failed.
pub type Reply<A> = Result<Outcome<A>, Fault>;

/// What a middleware says around a call: its result, or why there is none.
pub type Wrapped<R> = Result<Arc<R>, WrapError>;

/// Something that is registered to speak at hooks.
///
/// A type implements the methods of the hooks that it lists in
/// [`hooks`](Middleware::hooks); the others are never called. A method may take
/// its time, fail or panic: the chain contains it by the link's timeout and
/// fault policy. One middleware serves all runs at once, so what it remembers
/// of a run belongs into [`Context::state`] or [`Context::own`].
///
/// `server/examples/custom_middleware.rs` is a whole program.
#[async_trait]
pub trait Middleware: fmt::Debug + Send + Sync + 'static {
    /// The hooks that it implements.
    fn hooks(&self) -> HookSet;

    /// What finds things in texts outside of any run, if this is what it does.
    fn finder(&self) -> Option<&dyn Finder> {
        None
    }

    /// Whether the text of a streamed turn must be held until it saw the whole.
    fn holds_stream(&self) -> bool {
        false
    }

    /// What it does with streamed text at a hook around a call.
    fn stream_use(&self, _: HookId) -> StreamUse {
        StreamUse::Untouched
    }

    /// Whether it looks at the result at a hook around a call. When no link
    /// does, the runtime need not send it.
    fn needs_answer(&self, _: HookId) -> bool {
        true
    }

    /// Whether it stands innermost of all at the hooks around a call, so that it
    /// also sees what every other link adds.
    fn is_innermost(&self) -> bool {
        false
    }

    /// Whether it is told of every hook call after it is done, instead of being
    /// asked.
    fn observes(&self) -> bool {
        false
    }

    /// Is told of a hook call that is done, when it observes.
    fn observe(&self, _: &super::Record<'_>) {}

    /// Writes out what it holds back. Called when the process stops.
    async fn flush(&self) {}

    /// Whether [`enabled`](Middleware::enabled) is to be asked.
    fn gates(&self) -> bool {
        false
    }

    /// Whether it applies to this call. An error or a timeout counts as no.
    ///
    /// Source: document 001, "enabled".
    async fn enabled(&self, _: &Context<'_>, _stage: &str) -> Result<bool, Fault> {
        Ok(true)
    }

    /// Speaks at any unary hook whose own method is not implemented. For a
    /// middleware that treats hooks alike, whatever their types.
    async fn any(&self, _: &Context<'_>, _: &dyn AnyRequest) -> Result<Outcome<AnyAnswer>, Fault> {
        Ok(Outcome::none())
    }

    /// Adds text to a run that starts.
    async fn start_run(
        &self,
        context: &Context<'_>,
        request: &v1::StartRunRequest,
    ) -> Reply<v1::StartRunAnswer> {
        super::any::ask::<hooks::StartRun, _>(self, context, request).await
    }

    /// Checks the input of a new run.
    async fn before_run(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeRunRequest,
    ) -> Reply<v1::BeforeRunAnswer> {
        super::any::ask::<hooks::BeforeRun, _>(self, context, request).await
    }

    /// Changes the conversation before a model turn.
    async fn before_model(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeModelRequest,
    ) -> Reply<v1::BeforeModelAnswer> {
        super::any::ask::<hooks::BeforeModel, _>(self, context, request).await
    }

    /// Wraps one call to one model.
    async fn wrap_model_call(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        next.run(call).await
    }

    /// Sees each answer of the model before the run uses it.
    async fn after_model(
        &self,
        context: &Context<'_>,
        request: &v1::AfterModelRequest,
    ) -> Reply<v1::AfterModelAnswer> {
        super::any::ask::<hooks::AfterModel, _>(self, context, request).await
    }

    /// Decides whether a tool call may run, and with which arguments.
    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        super::any::ask::<hooks::BeforeToolCall, _>(self, context, request).await
    }

    /// Answers a call that asks for approval, as a person would.
    async fn decide_approval(
        &self,
        context: &Context<'_>,
        request: &v1::DecideApprovalRequest,
    ) -> Reply<v1::DecideApprovalAnswer> {
        super::any::ask::<hooks::DecideApproval, _>(self, context, request).await
    }

    /// Wraps one tool call that passed approval.
    async fn wrap_tool_call(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        next.run(call).await
    }

    /// Hears that every call of a step has its result.
    async fn after_tool_batch(
        &self,
        context: &Context<'_>,
        request: &v1::AfterToolBatchRequest,
    ) -> Reply<v1::AfterToolBatchAnswer> {
        super::any::ask::<hooks::AfterToolBatch, _>(self, context, request).await
    }

    /// Says whether the agent should really stop.
    async fn before_stop(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeStopRequest,
    ) -> Reply<v1::BeforeStopAnswer> {
        super::any::ask::<hooks::BeforeStop, _>(self, context, request).await
    }

    /// Says whether a compaction may run.
    async fn before_compaction(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeCompactionRequest,
    ) -> Reply<v1::BeforeCompactionAnswer> {
        super::any::ask::<hooks::BeforeCompaction, _>(self, context, request).await
    }

    /// Hears that a compaction ran.
    async fn after_compaction(
        &self,
        context: &Context<'_>,
        request: &v1::AfterCompactionRequest,
    ) -> Reply<v1::AfterCompactionAnswer> {
        super::any::ask::<hooks::AfterCompaction, _>(self, context, request).await
    }

    /// Says whether a handoff may move the run to another model.
    async fn before_model_switch(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeModelSwitchRequest,
    ) -> Reply<v1::BeforeModelSwitchAnswer> {
        super::any::ask::<hooks::BeforeModelSwitch, _>(self, context, request).await
    }

    /// Hears that the run needs a person.
    async fn on_notification(
        &self,
        context: &Context<'_>,
        request: &v1::OnNotificationRequest,
    ) -> Reply<v1::OnNotificationAnswer> {
        super::any::ask::<hooks::OnNotification, _>(self, context, request).await
    }

    /// Hears that a run ended.
    async fn after_run(
        &self,
        context: &Context<'_>,
        request: &v1::AfterRunRequest,
    ) -> Reply<v1::AfterRunAnswer> {
        super::any::ask::<hooks::AfterRun, _>(self, context, request).await
    }

    /// Patches a request to a model.
    async fn transform(
        &self,
        context: &Context<'_>,
        request: &v1::TransformRequest,
    ) -> Reply<v1::TransformAnswer> {
        super::any::ask::<hooks::Transform, _>(self, context, request).await
    }

    /// Wraps one logical call of an LLM client.
    async fn wrap(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ChatRequest>,
        next: &Next<'_, Wrap>,
    ) -> Wrapped<v1::CallResult> {
        next.run(call).await
    }

    /// Hears of an event of an LLM client.
    async fn on_event(
        &self,
        context: &Context<'_>,
        request: &v1::OnEventRequest,
    ) -> Reply<v1::OnEventAnswer> {
        super::any::ask::<hooks::OnEvent, _>(self, context, request).await
    }

    /// Rewrites what the agent is told.
    async fn system_prompt(
        &self,
        context: &Context<'_>,
        request: &v1::SystemPromptRequest,
    ) -> Reply<v1::SystemPromptAnswer> {
        super::any::ask::<hooks::SystemPrompt, _>(self, context, request).await
    }

    /// Edits the instructions for speaking aloud.
    async fn companion_briefing(
        &self,
        context: &Context<'_>,
        request: &v1::CompanionBriefingRequest,
    ) -> Reply<v1::CompanionBriefingAnswer> {
        super::any::ask::<hooks::CompanionBriefing, _>(self, context, request).await
    }

    /// Edits a reply's animation plan.
    async fn companion_performance(
        &self,
        context: &Context<'_>,
        request: &v1::CompanionPerformanceRequest,
    ) -> Reply<v1::CompanionPerformanceAnswer> {
        super::any::ask::<hooks::CompanionPerformance, _>(self, context, request).await
    }

    /// Rewrites what the voice provider reads.
    async fn companion_speech(
        &self,
        context: &Context<'_>,
        request: &v1::CompanionSpeechRequest,
    ) -> Reply<v1::CompanionSpeechAnswer> {
        super::any::ask::<hooks::CompanionSpeech, _>(self, context, request).await
    }

    /// Rewrites or drops a person's message.
    async fn user_message_inbound(
        &self,
        context: &Context<'_>,
        request: &v1::UserMessageInboundRequest,
    ) -> Reply<v1::UserMessageInboundAnswer> {
        super::any::ask::<hooks::UserMessageInbound, _>(self, context, request).await
    }

    /// Rewrites or withholds a message between agents.
    async fn inter_agent_message(
        &self,
        context: &Context<'_>,
        request: &v1::InterAgentMessageRequest,
    ) -> Reply<v1::InterAgentMessageAnswer> {
        super::any::ask::<hooks::InterAgentMessage, _>(self, context, request).await
    }

    /// Rewrites or stops a reply.
    async fn assistant_message_outbound(
        &self,
        context: &Context<'_>,
        request: &v1::AssistantMessageOutboundRequest,
    ) -> Reply<v1::AssistantMessageOutboundAnswer> {
        super::any::ask::<hooks::AssistantMessageOutbound, _>(self, context, request).await
    }

    /// Rewrites or rejects todos.
    async fn todo_added(
        &self,
        context: &Context<'_>,
        request: &v1::TodoAddedRequest,
    ) -> Reply<v1::TodoAddedAnswer> {
        super::any::ask::<hooks::TodoAdded, _>(self, context, request).await
    }

    /// Rewrites or refuses a timer.
    async fn notify_scheduled(
        &self,
        context: &Context<'_>,
        request: &v1::NotifyScheduledRequest,
    ) -> Reply<v1::NotifyScheduledAnswer> {
        super::any::ask::<hooks::NotifyScheduled, _>(self, context, request).await
    }

    /// Rewrites or drops the note of a timer.
    async fn notify_delivered(
        &self,
        context: &Context<'_>,
        request: &v1::NotifyDeliveredRequest,
    ) -> Reply<v1::NotifyDeliveredAnswer> {
        super::any::ask::<hooks::NotifyDelivered, _>(self, context, request).await
    }

    /// Observes or refuses a connection to a server.
    async fn ssh_connection_opening(
        &self,
        context: &Context<'_>,
        request: &v1::SshConnectionOpeningRequest,
    ) -> Reply<v1::SshConnectionOpeningAnswer> {
        super::any::ask::<hooks::SshConnectionOpening, _>(self, context, request).await
    }

    /// Rewrites or refuses a remote operation.
    async fn ssh_command_sending(
        &self,
        context: &Context<'_>,
        request: &v1::SshCommandSendingRequest,
    ) -> Reply<v1::SshCommandSendingAnswer> {
        super::any::ask::<hooks::SshCommandSending, _>(self, context, request).await
    }

    /// Rewrites or withholds the output of a remote operation.
    async fn ssh_command_completed(
        &self,
        context: &Context<'_>,
        request: &v1::SshCommandCompletedRequest,
    ) -> Reply<v1::SshCommandCompletedAnswer> {
        super::any::ask::<hooks::SshCommandCompleted, _>(self, context, request).await
    }

    /// Hears that a chat is about to be cleared.
    async fn session_clearing(
        &self,
        context: &Context<'_>,
        request: &v1::SessionClearingRequest,
    ) -> Reply<v1::SessionClearingAnswer> {
        super::any::ask::<hooks::SessionClearing, _>(self, context, request).await
    }

    /// Hears that a chat was cleared.
    async fn session_clear_completed(
        &self,
        context: &Context<'_>,
        request: &v1::SessionClearCompletedRequest,
    ) -> Reply<v1::SessionClearCompletedAnswer> {
        super::any::ask::<hooks::SessionClearCompleted, _>(self, context, request).await
    }

    /// Rewrites the prompt of a schedule, or cancels its run.
    async fn cron_job_firing(
        &self,
        context: &Context<'_>,
        request: &v1::CronJobFiringRequest,
    ) -> Reply<v1::CronJobFiringAnswer> {
        super::any::ask::<hooks::CronJobFiring, _>(self, context, request).await
    }

    /// Hears that a scheduled run has closed.
    async fn cron_job_completed(
        &self,
        context: &Context<'_>,
        request: &v1::CronJobCompletedRequest,
    ) -> Reply<v1::CronJobCompletedAnswer> {
        super::any::ask::<hooks::CronJobCompleted, _>(self, context, request).await
    }
}
