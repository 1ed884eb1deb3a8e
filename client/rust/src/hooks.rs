//! The unary hooks, one method each.
//!
//! `start_run` and `after_run` open and end a run, so they stand in `run.rs`; the wrapped calls
//! stand in `wrap/`.

use crate::{Decision, HookError, Reply, Run, hook::Hook};
use sidehook_proto::v1;

/// Each row is `method: "Rpc", Request => Response as what the method gives`.
macro_rules! hooks {
    ($($service:literal {
        $($(#[$doc:meta])* $method:ident: $rpc:literal,
            $request:ident => $response:ident as $given:ident<$answer:ident>;)*
    })*) => {
        /// The hooks with a method here.
        pub(crate) const TABLE: &[Hook] = &[$($(Hook {
            name: stringify!($method),
            path: concat!("/sidehook.v1.", $service, "/", $rpc),
        },)*)*];

        impl Run {
            $($(
                $(#[$doc])*
                ///
                /// The request's `context` is replaced by the run's; a `hook_call_id` in it is
                /// kept.
                ///
                /// # Errors
                ///
                /// See [`HookError`].
                ///
                /// # Cancel safety
                ///
                /// Dropping the future cancels the call; middleware may have run by then.
                pub async fn $method(
                    &self,
                    mut request: v1::$request,
                ) -> Result<$given<v1::$answer>, HookError> {
                    const HOOK: Hook = Hook {
                        name: stringify!($method),
                        path: concat!("/sidehook.v1.", $service, "/", $rpc),
                    };
                    request.context = Some(self.context_for(request.context.take()));
                    self.ask::<_, v1::$response, _>(&HOOK, request).await
                }
            )*)*
        }
    };
}

hooks! {
    "RunHooks" {
        /// Checks the input of a new run, before it is saved or sent, and each message that is
        /// queued into a live run.
        before_run: "BeforeRun",
            BeforeRunRequest => BeforeRunResponse as Reply<BeforeRunAnswer>;
        /// Changes the conversation before a model turn, for this turn and every later one.
        before_model: "BeforeModel",
            BeforeModelRequest => BeforeModelResponse as Reply<BeforeModelAnswer>;
        /// Sees each answer of the model before the run uses it.
        after_model: "AfterModel",
            AfterModelRequest => AfterModelResponse as Reply<AfterModelAnswer>;
        /// Decides whether a tool call may run, and with which arguments. Call it before the
        /// permissions decide: an `allow` never overrides their ask or deny.
        before_tool_call: "BeforeToolCall",
            BeforeToolCallRequest => BeforeToolCallResponse as Reply<BeforeToolCallAnswer>;
        /// Answers a call that asks for approval, as a person would. No decision leaves it to
        /// the people who would be asked.
        decide_approval: "DecideApproval",
            DecideApprovalRequest => DecideApprovalResponse as Reply<DecideApprovalAnswer>;
        /// Tells that every tool call of a step has its result, before the next model call.
        after_tool_batch: "AfterToolBatch",
            AfterToolBatchRequest => AfterToolBatchResponse as Reply<AfterToolBatchAnswer>;
        /// Asks whether the agent should really stop with its final answer.
        before_stop: "BeforeStop",
            BeforeStopRequest => BeforeStopResponse as Reply<BeforeStopAnswer>;
        /// Asks whether a compaction may run.
        before_compaction: "BeforeCompaction",
            BeforeCompactionRequest => BeforeCompactionResponse as Reply<BeforeCompactionAnswer>;
        /// Tells that a compaction ran.
        after_compaction: "AfterCompaction",
            AfterCompactionRequest => AfterCompactionResponse as Reply<AfterCompactionAnswer>;
        /// Asks whether a handoff may move the run to another model.
        before_model_switch: "BeforeModelSwitch",
            BeforeModelSwitchRequest => BeforeModelSwitchResponse as Reply<BeforeModelSwitchAnswer>;
        /// Tells that the run needs a person.
        on_notification: "OnNotification",
            OnNotificationRequest => OnNotificationResponse as Reply<OnNotificationAnswer>;
    }
    "CallHooks" {
        /// Patches a request to a model, once an attempt.
        transform: "Transform",
            TransformRequest => TransformResponse as Reply<TransformAnswer>;
        /// Tells of an event of the LLM client.
        on_event: "OnEvent",
            OnEventRequest => OnEventResponse as Reply<OnEventAnswer>;
    }
    "PlatformHooks" {
        /// Rewrites what the agent is told, every turn, after the prompt is composed.
        system_prompt: "SystemPrompt",
            SystemPromptRequest => SystemPromptResponse as Reply<SystemPromptAnswer>;
        /// Edits the instructions for speaking aloud, once a turn.
        companion_briefing: "CompanionBriefing",
            CompanionBriefingRequest => CompanionBriefingResponse as Reply<CompanionBriefingAnswer>;
        /// Edits a reply's animation plan.
        companion_performance: "CompanionPerformance",
            CompanionPerformanceRequest => CompanionPerformanceResponse
            as Reply<CompanionPerformanceAnswer>;
        /// Rewrites what the voice provider reads for one group of sentences. On the path to
        /// first sound, so it deserves a short deadline.
        companion_speech: "CompanionSpeech",
            CompanionSpeechRequest => CompanionSpeechResponse as Reply<CompanionSpeechAnswer>;
        /// Rewrites a person's message. Vetoed: it is dropped.
        user_message_inbound: "UserMessageInbound",
            UserMessageInboundRequest => UserMessageInboundResponse
            as Decision<UserMessageInboundAnswer>;
        /// Rewrites a message from one agent to another. Vetoed: it is not delivered.
        inter_agent_message: "InterAgentMessage",
            InterAgentMessageRequest => InterAgentMessageResponse
            as Decision<InterAgentMessageAnswer>;
        /// Rewrites a reply, right before it reaches a person. Vetoed: it is not sent.
        assistant_message_outbound: "AssistantMessageOutbound",
            AssistantMessageOutboundRequest => AssistantMessageOutboundResponse
            as Decision<AssistantMessageOutboundAnswer>;
        /// Rewrites, splits or drops the todos that an agent adds. Vetoed: none is added.
        todo_added: "TodoAdded",
            TodoAddedRequest => TodoAddedResponse as Decision<TodoAddedAnswer>;
        /// Rewrites a timer that an agent sets to wake itself. Vetoed: it is not set.
        notify_scheduled: "NotifyScheduled",
            NotifyScheduledRequest => NotifyScheduledResponse as Decision<NotifyScheduledAnswer>;
        /// Rewrites the note of a timer that fires. Vetoed: it is dropped.
        notify_delivered: "NotifyDelivered",
            NotifyDeliveredRequest => NotifyDeliveredResponse as Decision<NotifyDeliveredAnswer>;
        /// Observes a connection to a server, once per server and turn. Vetoed: it is not
        /// opened.
        ssh_connection_opening: "SshConnectionOpening",
            SshConnectionOpeningRequest => SshConnectionOpeningResponse
            as Decision<SshConnectionOpeningAnswer>;
        /// Rewrites a remote command or file operation. Vetoed: it does not run.
        ssh_command_sending: "SshCommandSending",
            SshCommandSendingRequest => SshCommandSendingResponse
            as Decision<SshCommandSendingAnswer>;
        /// Rewrites what the model sees of a remote operation. Vetoed: it sees nothing of it.
        ssh_command_completed: "SshCommandCompleted",
            SshCommandCompletedRequest => SshCommandCompletedResponse
            as Decision<SshCommandCompletedAnswer>;
        /// Tells that a chat is about to be cleared.
        session_clearing: "SessionClearing",
            SessionClearingRequest => SessionClearingResponse as Reply<SessionClearingAnswer>;
        /// Tells that a chat was cleared.
        session_clear_completed: "SessionClearCompleted",
            SessionClearCompletedRequest => SessionClearCompletedResponse
            as Reply<SessionClearCompletedAnswer>;
        /// Rewrites the prompt of a schedule or heartbeat. Vetoed: the run is cancelled.
        cron_job_firing: "CronJobFiring",
            CronJobFiringRequest => CronJobFiringResponse as Decision<CronJobFiringAnswer>;
        /// Tells that a scheduled run has closed.
        cron_job_completed: "CronJobCompleted",
            CronJobCompletedRequest => CronJobCompletedResponse as Reply<CronJobCompletedAnswer>;
    }
}
