//! Asks a chain about a request, and says as JSON what it came to.

use crate::{
    engine::{Call, Chains, Detail, Step, run},
    hooks::{self, Hook, HookId},
    runs::{MemoryStore, RunState, StateBounds, StateStore},
};
use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage, SerializeOptions};
use serde_json::{Value, json};
use sidehook_proto::{FILE_DESCRIPTOR_SET, Outcome, v1};
use std::sync::{Arc, LazyLock};

/// What a chain came to.
#[derive(Debug)]
pub(in crate::engine) struct Told {
    /// The answer's fields, or one of `vetoed`, `tripped` and `failed`.
    pub(in crate::engine) said: Value,
    pub(in crate::engine) effects: v1::Effects,
    pub(in crate::engine) steps: Vec<Step>,
    /// The request as the links left it.
    pub(in crate::engine) request: Value,
}

impl Told {
    /// Asserts what was said and what the links did.
    #[track_caller]
    pub(in crate::engine) fn check(&self, said: &Value, steps: &str) {
        assert_eq!((&self.said, &*self.steps()), (said, steps));
    }

    /// The steps as text, for example `a answered, b no_opinion`.
    pub(in crate::engine) fn steps(&self) -> String {
        let steps = self.steps.iter().map(|step| {
            let outcome = step.outcome.as_str_name().trim_start_matches("STEP_OUTCOME_");
            format!("{} {}", step.middleware, outcome.to_ascii_lowercase())
        });
        steps.collect::<Vec<_>>().join(", ")
    }
}

/// Asks the links of `H` in `chains` about a request given as JSON.
pub(in crate::engine) async fn ask<H: Hook>(chains: &Chains, request: Value) -> Told {
    ask_in::<H>(chains, request, v1::HookContext::default(), state()).await
}

/// As [`ask`], in a context and with a state.
pub(in crate::engine) async fn ask_in<H: Hook>(
    chains: &Chains,
    request: Value,
    context: v1::HookContext,
    state: Arc<dyn RunState>,
) -> Told {
    let mut request: H::Request = message(request);
    let variables = H::variables(&request);
    let call = Call { hook: H::ID, context, state, deadline: None, variables };
    let links = chains.select(H::ID, &call.context);
    let timeout = chains.timeout(H::ID);
    let ran = run::<H>(&links, &call, &mut request, timeout, Detail::Steps).await;
    let said = match ran.outcome {
        Outcome::Answer(answer) => json_of(&answer),
        Outcome::Veto(veto) => json!({"vetoed": format!("{}: {}", veto.middleware, veto.reason)}),
        Outcome::Tripwire(trip) => {
            json!({"tripped": format!("{}: {}", trip.middleware, trip.reason)})
        }
        Outcome::Failure(failure) => {
            let class = format!("{}: {}/{}", failure.middleware, failure.r#type, failure.code);
            json!({"failed": class})
        }
    };
    Told { said, effects: ran.effects, steps: ran.steps.0, request: json_of(&request) }
}

/// An empty state.
pub(in crate::engine) fn state() -> Arc<dyn RunState> {
    MemoryStore::new(StateBounds { value_bytes: 1 << 10, run_bytes: 1 << 16 }).open("r")
}

static POOL: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(FILE_DESCRIPTOR_SET).unwrap());

/// A message given as JSON, with the names on the wire.
pub(in crate::engine) fn message<M: Message + Name + Default>(json: Value) -> M {
    let descriptor = POOL.get_message_by_name(&M::full_name()).unwrap();
    DynamicMessage::deserialize(descriptor, json).unwrap().transcode_to().unwrap()
}

/// Whether a message has a field of that name on the wire.
pub(in crate::engine) fn has_field<M: Name>(name: &str) -> bool {
    POOL.get_message_by_name(&M::full_name()).unwrap().get_field_by_name(name).is_some()
}

/// A message as JSON, with the names on the wire and without what is unset.
pub(in crate::engine) fn json_of<M: Message + Name>(message: &M) -> Value {
    let descriptor = POOL.get_message_by_name(&M::full_name()).unwrap();
    let mut dynamic = DynamicMessage::new(descriptor);
    dynamic.transcode_from(message).unwrap();
    let options = SerializeOptions::new().use_proto_field_name(true);
    dynamic.serialize_with_options(serde_json::value::Serializer, &options).unwrap()
}

/// As [`ask`], for a unary hook by its name.
pub(in crate::engine) async fn ask_named(hook: HookId, chains: &Chains) -> Told {
    let nothing = json!({});
    match hook {
        HookId::StartRun => ask::<hooks::StartRun>(chains, nothing).await,
        HookId::BeforeRun => ask::<hooks::BeforeRun>(chains, nothing).await,
        HookId::BeforeModel => ask::<hooks::BeforeModel>(chains, nothing).await,
        HookId::AfterModel => ask::<hooks::AfterModel>(chains, nothing).await,
        HookId::BeforeToolCall => ask::<hooks::BeforeToolCall>(chains, nothing).await,
        HookId::DecideApproval => ask::<hooks::DecideApproval>(chains, nothing).await,
        HookId::AfterToolBatch => ask::<hooks::AfterToolBatch>(chains, nothing).await,
        HookId::BeforeStop => ask::<hooks::BeforeStop>(chains, nothing).await,
        HookId::BeforeCompaction => ask::<hooks::BeforeCompaction>(chains, nothing).await,
        HookId::AfterCompaction => ask::<hooks::AfterCompaction>(chains, nothing).await,
        HookId::BeforeModelSwitch => ask::<hooks::BeforeModelSwitch>(chains, nothing).await,
        HookId::OnNotification => ask::<hooks::OnNotification>(chains, nothing).await,
        HookId::AfterRun => ask::<hooks::AfterRun>(chains, nothing).await,
        HookId::Transform => ask::<hooks::Transform>(chains, nothing).await,
        HookId::OnEvent => ask::<hooks::OnEvent>(chains, nothing).await,
        _ => platform(hook, chains).await,
    }
}

async fn platform(hook: HookId, chains: &Chains) -> Told {
    let nothing = json!({});
    match hook {
        HookId::SystemPrompt => ask::<hooks::SystemPrompt>(chains, nothing).await,
        HookId::CompanionBriefing => ask::<hooks::CompanionBriefing>(chains, nothing).await,
        HookId::CompanionPerformance => ask::<hooks::CompanionPerformance>(chains, nothing).await,
        HookId::CompanionSpeech => ask::<hooks::CompanionSpeech>(chains, nothing).await,
        HookId::UserMessageInbound => ask::<hooks::UserMessageInbound>(chains, nothing).await,
        HookId::InterAgentMessage => ask::<hooks::InterAgentMessage>(chains, nothing).await,
        HookId::AssistantMessageOutbound => {
            ask::<hooks::AssistantMessageOutbound>(chains, nothing).await
        }
        HookId::TodoAdded => ask::<hooks::TodoAdded>(chains, nothing).await,
        HookId::NotifyScheduled => ask::<hooks::NotifyScheduled>(chains, nothing).await,
        HookId::NotifyDelivered => ask::<hooks::NotifyDelivered>(chains, nothing).await,
        HookId::SshConnectionOpening => ask::<hooks::SshConnectionOpening>(chains, nothing).await,
        HookId::SshCommandSending => ask::<hooks::SshCommandSending>(chains, nothing).await,
        HookId::SshCommandCompleted => ask::<hooks::SshCommandCompleted>(chains, nothing).await,
        HookId::SessionClearing => ask::<hooks::SessionClearing>(chains, nothing).await,
        HookId::SessionClearCompleted => ask::<hooks::SessionClearCompleted>(chains, nothing).await,
        HookId::CronJobFiring => ask::<hooks::CronJobFiring>(chains, nothing).await,
        HookId::CronJobCompleted => ask::<hooks::CronJobCompleted>(chains, nothing).await,
        other => panic!("{other} is no unary hook"),
    }
}

/// The unary hooks.
pub(in crate::engine) fn unary() -> impl Iterator<Item = HookId> {
    let onion = [HookId::WrapModelCall, HookId::WrapToolCall, HookId::Wrap];
    HookId::ALL.into_iter().filter(move |hook| !onion.contains(hook))
}
