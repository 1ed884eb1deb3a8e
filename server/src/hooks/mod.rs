//! The 35 hooks: one small file each, with a card that says when it fires, what
//! it sees, how answers combine and what a fault does.
//!
//! Adding a hook is four steps, and the compiler or a test names the missing
//! one: the RPC and its messages in `proto/`, a row in `id.rs`, a file here with
//! a row in the table below, and a method of `Middleware`.

mod after_compaction;
mod after_model;
mod after_run;
mod after_tool_batch;
mod assistant_message_outbound;
mod before_compaction;
mod before_model;
mod before_model_switch;
mod before_run;
mod before_stop;
mod before_tool_call;
mod companion_briefing;
mod companion_performance;
mod companion_speech;
mod cron_job_completed;
mod cron_job_firing;
mod decide_approval;
mod id;
mod inter_agent_message;
mod notify_delivered;
mod notify_scheduled;
mod on_event;
mod on_notification;
mod session_clear_completed;
mod session_clearing;
mod ssh_command_completed;
mod ssh_command_sending;
mod ssh_connection_opening;
mod start_run;
mod system_prompt;
mod todo_added;
mod tool_schema;
mod transform;
mod user_message_inbound;
mod wrap;
mod wrap_model_call;
mod wrap_tool_call;
pub mod wrapped;

#[cfg(test)]
mod cards;

pub use after_compaction::AfterCompaction;
pub use after_model::AfterModel;
pub use after_run::AfterRun;
pub use after_tool_batch::AfterToolBatch;
pub use assistant_message_outbound::AssistantMessageOutbound;
pub use before_compaction::BeforeCompaction;
pub use before_model::BeforeModel;
pub use before_model_switch::BeforeModelSwitch;
pub use before_run::BeforeRun;
pub use before_stop::BeforeStop;
pub use before_tool_call::BeforeToolCall;
pub use companion_briefing::CompanionBriefing;
pub use companion_performance::CompanionPerformance;
pub use companion_speech::CompanionSpeech;
pub use cron_job_completed::CronJobCompleted;
pub use cron_job_firing::CronJobFiring;
pub use decide_approval::DecideApproval;
pub use id::{HookId, HookSet, UnknownHook};
pub use inter_agent_message::InterAgentMessage;
pub use notify_delivered::NotifyDelivered;
pub use notify_scheduled::NotifyScheduled;
pub use on_event::OnEvent;
pub use on_notification::OnNotification;
pub use session_clear_completed::SessionClearCompleted;
pub use session_clearing::SessionClearing;
pub use ssh_command_completed::SshCommandCompleted;
pub use ssh_command_sending::SshCommandSending;
pub use ssh_connection_opening::SshConnectionOpening;
pub use start_run::StartRun;
pub use system_prompt::SystemPrompt;
pub use todo_added::TodoAdded;
pub use transform::Transform;
pub use user_message_inbound::UserMessageInbound;
pub use wrap::Wrap;
pub use wrap_model_call::WrapModelCall;
pub use wrap_tool_call::WrapToolCall;
pub use wrapped::Wrapped;

use crate::{
    engine::{Context, Fault, OnFault, Variables},
    middleware::Middleware,
    runs::Admission,
};
use futures::future::BoxFuture;
use sidehook_proto::{Answer, Fields, HookRequest, HookResponse, Outcome, v1};
use std::{ops::ControlFlow, time::Duration};

/// What one middleware says, while it is being asked.
pub type Asked<'a, A> = BoxFuture<'a, Result<Outcome<A>, Fault>>;

/// A unary hook's types on the wire, and how a middleware is asked. Implemented
/// by the table at the end of this file.
pub trait Named: Sized + Send + Sync + 'static {
    /// Its name.
    const ID: HookId;
    /// What is happening. Later links see the edits of earlier ones.
    type Request: HookRequest<Response = Self::Response> + Send + Sync;
    /// What the caller gets.
    type Response: HookResponse<Answer = Self::Answer> + Send + Sync;
    /// What one link answers, and what the chain answers. Its default has no
    /// opinion.
    type Answer: Answer + Send + Sync;

    /// Asks a middleware.
    fn ask<'a>(
        middleware: &'a dyn Middleware,
        context: &'a Context<'a>,
        request: &'a Self::Request,
    ) -> Asked<'a, Self::Answer>;
}

/// One point in an agent's work where middleware may speak.
pub trait Hook: Named {
    /// How answers combine.
    const RULE: Rule;
    /// The order in which the links are asked.
    const ORDER: Order = Order::Forward;
    /// What a veto does.
    const VETO: VetoUse = VetoUse::None;
    /// What a fault does where the link does not say.
    const FAULTS: FaultDefault = FaultDefault::Fail;
    /// How long a link may take; `None` means the configured default.
    const TIMEOUT: Option<Duration> = None;
    /// The `stage` that conditions see.
    const STAGE: &'static str = "";

    /// Puts an answer in order: cuts, drops and defaults what the documents say.
    ///
    /// # Errors
    ///
    /// Why the answer does not fit the hook. That is a fault of the link.
    fn check(_request: &Self::Request, _answer: &mut Self::Answer) -> Result<(), String> {
        Ok(())
    }

    /// Folds an answer of the link named `by` into what the chain says so far,
    /// and into the request for the links that follow. Breaking ends the chain.
    /// By default answers are ignored.
    fn fold(
        _request: &mut Self::Request,
        _so_far: &mut Self::Answer,
        _answer: Self::Answer,
        _by: &str,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The refusal that a fault makes in the author's name under `block`, or
    /// `None` where nothing can be refused.
    fn refuse(reason: String, by: &str) -> Option<Outcome<Self::Answer>> {
        (Self::VETO == VetoUse::Cancels)
            .then(|| Outcome::Veto(v1::Veto { reason, middleware: by.into() }))
    }

    /// How its run is found: a hook opens a run that is new.
    fn admission(_request: &Self::Request) -> Admission {
        Admission::Open
    }

    /// Fills what the chain itself adds to the answer.
    fn complete(_answer: &mut Self::Answer, _plan: impl FnOnce() -> v1::RunPlan) {}

    /// What conditions see beside the context.
    fn variables(_request: &Self::Request) -> Variables {
        Variables::new()
    }
}

/// How the answers of a chain become one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Each link contributes; contributions are appended in order.
    Gather,
    /// The value threads through the links.
    Rewrite,
    /// The strictest answer wins.
    Strictest,
    /// The first answer wins.
    First,
    /// Links nest, the first outermost.
    Onion,
    /// Answers are ignored.
    Observe,
}

impl Rule {
    /// The name in listings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gather => "gather",
            Self::Rewrite => "rewrite",
            Self::Strictest => "strictest",
            Self::First => "first",
            Self::Onion => "onion",
            Self::Observe => "observe",
        }
    }
}

/// The order in which the links of a chain are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Outermost first.
    Forward,
    /// Nearest the model first.
    Reverse,
    /// Nested, outermost first; what must be innermost stands last.
    Onion,
}

/// What a veto does at a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VetoUse {
    /// It does not exist; to give one is a malformed answer.
    None,
    /// It is ignored, and reported as ignored.
    Ignored,
    /// It ends the operation.
    Cancels,
}

impl VetoUse {
    /// The name in listings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "-",
            Self::Ignored => "ignored",
            Self::Cancels => "yes",
        }
    }
}

/// What a fault does where the link does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultDefault {
    /// Ends the chain with a failure.
    Fail,
    /// The link is skipped, and the value goes on unchanged.
    Skip,
    /// It is logged, and the rest still runs.
    Log,
}

impl FaultDefault {
    /// The name in listings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Log => "log",
        }
    }

    /// The policy that it stands for: to log and go on is to skip the link.
    #[must_use]
    pub const fn policy(self) -> OnFault {
        match self {
            Self::Fail => OnFault::Fail,
            Self::Skip | Self::Log => OnFault::Skip,
        }
    }
}

/// What is the same for every call of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookInfo {
    /// How answers combine.
    pub rule: Rule,
    /// The order in which the links are asked.
    pub order: Order,
    /// What a veto does.
    pub veto: VetoUse,
    /// What a fault does where the link does not say.
    pub faults: FaultDefault,
    /// How long a link may take; `None` means the configured default.
    pub timeout: Option<Duration>,
    /// Whether a link may refuse, so that its fault may too.
    pub can_refuse: bool,
}

impl HookInfo {
    fn of<H: Hook>() -> Self {
        Self {
            rule: H::RULE,
            order: H::ORDER,
            veto: H::VETO,
            faults: H::FAULTS,
            timeout: H::TIMEOUT,
            can_refuse: H::refuse(String::new(), "").is_some(),
        }
    }

    /// A link that fails ends the wrapped call, and only the caller's deadline
    /// bounds the whole.
    const ONION: Self = Self {
        rule: Rule::Onion,
        order: Order::Onion,
        veto: VetoUse::None,
        faults: FaultDefault::Fail,
        timeout: None,
        can_refuse: false,
    };
}

/// Replaces a value in the request and in what the chain says, if the answer
/// has a new one.
fn rewrite<T: Clone>(value: &mut T, so_far: &mut Option<T>, answer: Option<T>) {
    if let Some(new) = answer {
        value.clone_from(&new);
        *so_far = Some(new);
    }
}

/// As [`rewrite`], for a value that the request may lack.
fn rewrite_some<T: Clone>(value: &mut Option<T>, so_far: &mut Option<T>, answer: Option<T>) {
    if answer.is_some() {
        value.clone_from(&answer);
        *so_far = answer;
    }
}

/// Ties each unary hook's type to its name, its messages and its method of
/// [`Middleware`]. A row is all that the rest needs to serve it.
macro_rules! name_hooks {
    ($($method:ident $hook:ident $request:ident)*) => {
        $(impl Named for $hook {
            const ID: HookId = HookId::$hook;
            type Request = v1::$request;
            type Response = <v1::$request as HookRequest>::Response;
            type Answer = <Self::Response as HookResponse>::Answer;

            fn ask<'a>(
                middleware: &'a dyn Middleware,
                context: &'a Context<'a>,
                request: &'a Self::Request,
            ) -> Asked<'a, Self::Answer> {
                middleware.$method(context, request)
            }
        })*

        impl HookId {
            /// The fields that a condition sees of the hook's request; around a
            /// call, those of the call.
            #[must_use]
            pub fn fields(self) -> &'static [&'static str] {
                match self {
                    $(Self::$hook => v1::$request::NAMES,)*
                    Self::WrapModelCall => v1::ModelCall::NAMES,
                    Self::WrapToolCall => v1::ToolInvocation::NAMES,
                    Self::Wrap => v1::ChatRequest::NAMES,
                }
            }

            /// What is the same for every call of the hook.
            #[must_use]
            pub fn info(self) -> HookInfo {
                match self {
                    $(Self::$hook => HookInfo::of::<$hook>(),)*
                    Self::WrapModelCall | Self::WrapToolCall | Self::Wrap => HookInfo::ONION,
                }
            }
        }
    };
}

/// The unary hooks: one row each, with its method of [`Middleware`], its type and
/// its request. Hands all rows to the macro `$with`.
macro_rules! unary_hooks {
    ($with:ident) => {
        $with! {
            start_run StartRun StartRunRequest
            before_run BeforeRun BeforeRunRequest
            before_model BeforeModel BeforeModelRequest
            after_model AfterModel AfterModelRequest
            before_tool_call BeforeToolCall BeforeToolCallRequest
            decide_approval DecideApproval DecideApprovalRequest
            after_tool_batch AfterToolBatch AfterToolBatchRequest
            before_stop BeforeStop BeforeStopRequest
            before_compaction BeforeCompaction BeforeCompactionRequest
            after_compaction AfterCompaction AfterCompactionRequest
            before_model_switch BeforeModelSwitch BeforeModelSwitchRequest
            on_notification OnNotification OnNotificationRequest
            after_run AfterRun AfterRunRequest
            transform Transform TransformRequest
            on_event OnEvent OnEventRequest
            system_prompt SystemPrompt SystemPromptRequest
            companion_briefing CompanionBriefing CompanionBriefingRequest
            companion_performance CompanionPerformance CompanionPerformanceRequest
            companion_speech CompanionSpeech CompanionSpeechRequest
            user_message_inbound UserMessageInbound UserMessageInboundRequest
            inter_agent_message InterAgentMessage InterAgentMessageRequest
            assistant_message_outbound AssistantMessageOutbound AssistantMessageOutboundRequest
            todo_added TodoAdded TodoAddedRequest
            notify_scheduled NotifyScheduled NotifyScheduledRequest
            notify_delivered NotifyDelivered NotifyDeliveredRequest
            ssh_connection_opening SshConnectionOpening SshConnectionOpeningRequest
            ssh_command_sending SshCommandSending SshCommandSendingRequest
            ssh_command_completed SshCommandCompleted SshCommandCompletedRequest
            session_clearing SessionClearing SessionClearingRequest
            session_clear_completed SessionClearCompleted SessionClearCompletedRequest
            cron_job_firing CronJobFiring CronJobFiringRequest
            cron_job_completed CronJobCompleted CronJobCompletedRequest
        }
    };
}
pub(crate) use unary_hooks;

unary_hooks!(name_hooks);
