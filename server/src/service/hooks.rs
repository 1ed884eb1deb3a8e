//! The hook services: one row per method, all served by the same code.

use super::{Service, wrapped::Frames};
use crate::hooks;
use sidehook_proto::v1::{
    self, call_hooks_server::CallHooks, platform_hooks_server::PlatformHooks,
    run_hooks_server::RunHooks,
};
use tonic::{Request, Response, Status, Streaming};

/// Writes the methods of a service. A method that the contract has and the table
/// does not is a compile error that names it.
macro_rules! serve {
    ($service:ident
        unary { $($method:ident $hook:ident $request:ident $response:ident)* }
        wrapped { $($wrap:ident $wrapped:ident $stream:ident $in:ident $out:ident)* }
    ) => {
        #[tonic::async_trait]
        impl $service for Service {
            $(async fn $method(
                &self,
                request: Request<v1::$request>,
            ) -> Result<Response<v1::$response>, Status> {
                self.0.serve::<hooks::$hook>(request).await
            })*
            $(
                type $stream = Frames<v1::$out>;
                async fn $wrap(
                    &self,
                    request: Request<Streaming<v1::$in>>,
                ) -> Result<Response<Self::$stream>, Status> {
                    Ok(self.0.serve_wrapped::<hooks::$wrapped>(request))
                }
            )*
        }
    };
}

serve! { RunHooks
    unary {
        start_run StartRun StartRunRequest StartRunResponse
        before_run BeforeRun BeforeRunRequest BeforeRunResponse
        before_model BeforeModel BeforeModelRequest BeforeModelResponse
        after_model AfterModel AfterModelRequest AfterModelResponse
        before_tool_call BeforeToolCall BeforeToolCallRequest BeforeToolCallResponse
        decide_approval DecideApproval DecideApprovalRequest DecideApprovalResponse
        after_tool_batch AfterToolBatch AfterToolBatchRequest AfterToolBatchResponse
        before_stop BeforeStop BeforeStopRequest BeforeStopResponse
        before_compaction BeforeCompaction BeforeCompactionRequest BeforeCompactionResponse
        after_compaction AfterCompaction AfterCompactionRequest AfterCompactionResponse
        before_model_switch BeforeModelSwitch BeforeModelSwitchRequest BeforeModelSwitchResponse
        on_notification OnNotification OnNotificationRequest OnNotificationResponse
        after_run AfterRun AfterRunRequest AfterRunResponse
    }
    wrapped {
        wrap_model_call WrapModelCall WrapModelCallStream WrapModelCallRequest WrapModelCallResponse
        wrap_tool_call WrapToolCall WrapToolCallStream WrapToolCallRequest WrapToolCallResponse
    }
}

serve! { CallHooks
    unary {
        transform Transform TransformRequest TransformResponse
        on_event OnEvent OnEventRequest OnEventResponse
    }
    wrapped {
        wrap Wrap WrapStream WrapRequest WrapResponse
    }
}

serve! { PlatformHooks
    unary {
        system_prompt SystemPrompt SystemPromptRequest SystemPromptResponse
        companion_briefing CompanionBriefing CompanionBriefingRequest CompanionBriefingResponse
        companion_performance CompanionPerformance CompanionPerformanceRequest CompanionPerformanceResponse
        companion_speech CompanionSpeech CompanionSpeechRequest CompanionSpeechResponse
        user_message_inbound UserMessageInbound UserMessageInboundRequest UserMessageInboundResponse
        inter_agent_message InterAgentMessage InterAgentMessageRequest InterAgentMessageResponse
        assistant_message_outbound AssistantMessageOutbound AssistantMessageOutboundRequest AssistantMessageOutboundResponse
        todo_added TodoAdded TodoAddedRequest TodoAddedResponse
        notify_scheduled NotifyScheduled NotifyScheduledRequest NotifyScheduledResponse
        notify_delivered NotifyDelivered NotifyDeliveredRequest NotifyDeliveredResponse
        ssh_connection_opening SshConnectionOpening SshConnectionOpeningRequest SshConnectionOpeningResponse
        ssh_command_sending SshCommandSending SshCommandSendingRequest SshCommandSendingResponse
        ssh_command_completed SshCommandCompleted SshCommandCompletedRequest SshCommandCompletedResponse
        session_clearing SessionClearing SessionClearingRequest SessionClearingResponse
        session_clear_completed SessionClearCompleted SessionClearCompletedRequest SessionClearCompletedResponse
        cron_job_firing CronJobFiring CronJobFiringRequest CronJobFiringResponse
        cron_job_completed CronJobCompleted CronJobCompletedRequest CronJobCompletedResponse
    }
    wrapped {}
}
