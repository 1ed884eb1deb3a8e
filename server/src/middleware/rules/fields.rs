//! Which hooks have what a rule can use: the texts that may be replaced, the
//! decisions that may be given.

use crate::hooks::{HookId, VetoUse};

/// The field of an answer that carries a hook's text, where it is one of the
/// same name as the request's. The hooks whose messages or arguments are
/// replaced are not here.
pub(super) fn texts(hook: HookId) -> &'static [&'static str] {
    match hook {
        HookId::SystemPrompt => &["system_prompt"],
        HookId::CompanionSpeech
        | HookId::UserMessageInbound
        | HookId::InterAgentMessage
        | HookId::AssistantMessageOutbound => &["text"],
        HookId::TodoAdded => &["texts"],
        HookId::NotifyScheduled | HookId::NotifyDelivered => &["message"],
        HookId::SshCommandSending => &["command", "content"],
        HookId::SshCommandCompleted => &["output", "error_output"],
        HookId::CronJobFiring => &["prompt"],
        _ => &[],
    }
}

pub(super) fn may_replace(hook: HookId) -> bool {
    let typed = matches!(
        hook,
        HookId::BeforeModel
            | HookId::WrapModelCall
            | HookId::AfterModel
            | HookId::BeforeToolCall
            | HookId::WrapToolCall
            | HookId::Transform
    );
    typed || !texts(hook).is_empty()
}

pub(super) fn may_deny(hook: HookId) -> bool {
    matches!(hook, HookId::BeforeToolCall | HookId::DecideApproval | HookId::BeforeModelSwitch)
}

pub(super) fn may_allow(hook: HookId) -> bool {
    matches!(hook, HookId::BeforeToolCall | HookId::DecideApproval)
}

pub(super) fn may_veto(hook: HookId) -> bool {
    hook.info().veto == VetoUse::Cancels
}

/// Only the hooks around a run have effects.
pub(super) fn has_effects(hook: HookId) -> bool {
    hook.service() == "sidehook.v1.RunHooks"
}
