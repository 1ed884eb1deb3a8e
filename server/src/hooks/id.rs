//! The 35 hooks by name: one hook has one name, in four spellings that all
//! derive from one table.

use std::{fmt, str::FromStr};

/// Makes [`HookId`] from the table below. The rest of the program never lists
/// all hooks again, except for `unary_hooks!` in `hooks/mod.rs`, which ties each name
/// to its type.
macro_rules! hook_ids {
    ($($service:ident { $($snake:ident $camel:ident)* })*) => {
        /// One point in an agent's work where middleware may speak.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum HookId {
            $($(#[doc = concat!("`sidehook.v1.", stringify!($service), "/", stringify!($camel), "`.")] $camel,)*)*
        }

        impl HookId {
            /// Every hook, in the order of the documents.
            pub const ALL: [Self; 35] = [$($(Self::$camel,)*)*];

            /// The name in snake case, as in files, configuration and metrics.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$camel => stringify!($snake),)*)* }
            }

            /// The name of the RPC.
            #[must_use]
            pub const fn method(self) -> &'static str {
                match self { $($(Self::$camel => stringify!($camel),)*)* }
            }

            /// The full name of the service.
            #[must_use]
            pub const fn service(self) -> &'static str {
                match self { $($(Self::$camel => concat!("sidehook.v1.", stringify!($service)),)*)* }
            }
        }
    };
}

hook_ids! {
    RunHooks {
        start_run StartRun
        before_run BeforeRun
        before_model BeforeModel
        wrap_model_call WrapModelCall
        after_model AfterModel
        before_tool_call BeforeToolCall
        decide_approval DecideApproval
        wrap_tool_call WrapToolCall
        after_tool_batch AfterToolBatch
        before_stop BeforeStop
        before_compaction BeforeCompaction
        after_compaction AfterCompaction
        before_model_switch BeforeModelSwitch
        on_notification OnNotification
        after_run AfterRun
    }
    CallHooks {
        transform Transform
        wrap Wrap
        on_event OnEvent
    }
    PlatformHooks {
        system_prompt SystemPrompt
        companion_briefing CompanionBriefing
        companion_performance CompanionPerformance
        companion_speech CompanionSpeech
        user_message_inbound UserMessageInbound
        inter_agent_message InterAgentMessage
        assistant_message_outbound AssistantMessageOutbound
        todo_added TodoAdded
        notify_scheduled NotifyScheduled
        notify_delivered NotifyDelivered
        ssh_connection_opening SshConnectionOpening
        ssh_command_sending SshCommandSending
        ssh_command_completed SshCommandCompleted
        session_clearing SessionClearing
        session_clear_completed SessionClearCompleted
        cron_job_firing CronJobFiring
        cron_job_completed CronJobCompleted
    }
}

impl HookId {
    /// The name in lower camel case, as in scripts.
    #[must_use]
    pub fn script_name(self) -> String {
        let method = self.method();
        method
            .char_indices()
            .map(|(at, c)| if at == 0 { c.to_ascii_lowercase() } else { c })
            .collect()
    }

    /// Whether it is one of the hooks of a platform, document 004's.
    #[must_use]
    pub fn is_platform(self) -> bool {
        self >= Self::SystemPrompt
    }

    /// The path of the RPC without the leading slash, as in spans.
    #[must_use]
    pub fn path(self) -> String {
        format!("{}/{}", self.service(), self.method())
    }

    /// Finds a hook by any of its four spellings.
    #[must_use]
    pub fn find(spelling: &str) -> Option<Self> {
        let spelling = spelling.trim_start_matches('/');
        Self::ALL.into_iter().find(|hook| {
            spelling == hook.name()
                || spelling == hook.method()
                || spelling == hook.script_name()
                || spelling == hook.path()
        })
    }
}

impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Says that a text names no hook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no hook is named `{0}`")]
pub struct UnknownHook(pub String);

impl FromStr for HookId {
    type Err = UnknownHook;

    fn from_str(name: &str) -> Result<Self, UnknownHook> {
        Self::ALL
            .into_iter()
            .find(|hook| hook.name() == name)
            .ok_or_else(|| UnknownHook(name.into()))
    }
}

/// A set of hooks.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct HookSet(u64);

impl HookSet {
    /// Every hook.
    pub const ALL: Self = Self((1 << HookId::ALL.len()) - 1);

    /// The set of `hooks`.
    #[must_use]
    pub fn of(hooks: &[HookId]) -> Self {
        hooks.iter().copied().collect()
    }

    /// Whether `hook` is in the set.
    #[must_use]
    pub const fn contains(self, hook: HookId) -> bool {
        self.0 & (1 << hook as u8) != 0
    }

    /// Adds `hook`.
    pub const fn insert(&mut self, hook: HookId) {
        self.0 |= 1 << hook as u8;
    }

    /// The hooks that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The hooks, in the order of [`HookId::ALL`].
    pub fn iter(self) -> impl Iterator<Item = HookId> {
        HookId::ALL.into_iter().filter(move |hook| self.contains(*hook))
    }
}

impl FromIterator<HookId> for HookSet {
    fn from_iter<I: IntoIterator<Item = HookId>>(hooks: I) -> Self {
        hooks.into_iter().fold(Self::default(), |mut set, hook| {
            set.insert(hook);
            set
        })
    }
}

impl fmt::Debug for HookSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(HookId::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_has_four_spellings() {
        let hook = HookId::BeforeToolCall;
        let spellings = [
            "BeforeToolCall",
            "before_tool_call",
            "beforeToolCall",
            "sidehook.v1.RunHooks/BeforeToolCall",
        ];
        for spelling in spellings {
            assert_eq!(HookId::find(spelling), Some(hook), "{spelling}");
        }
        assert_eq!(HookId::find("before-tool-call"), None);
    }

    #[test]
    fn the_snake_name_is_the_method_in_snake_case() {
        for hook in HookId::ALL {
            let camel: String = hook
                .name()
                .split('_')
                .flat_map(|word| {
                    let mut letters = word.chars();
                    letters
                        .next()
                        .map(|first| first.to_ascii_uppercase())
                        .into_iter()
                        .chain(letters)
                })
                .collect();
            assert_eq!(camel, hook.method());
        }
    }

    #[test]
    fn the_platform_hooks_are_those_of_their_service() {
        for hook in HookId::ALL {
            assert_eq!(hook.is_platform(), hook.service().ends_with(".PlatformHooks"), "{hook}");
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set = HookSet::of(&[HookId::CronJobCompleted, HookId::StartRun]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [HookId::StartRun, HookId::CronJobCompleted]);
        assert_eq!(HookSet::ALL.iter().count(), 35);
    }
}
