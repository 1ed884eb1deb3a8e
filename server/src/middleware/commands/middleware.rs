//! The guard: what it says at each hook.

use super::{
    Action, Allowed, Checker, CommandsConfig, Finding, Severity, Unasked, rewrite::rewritten, tool,
};
use crate::{
    config::Complaint,
    engine::{Context, Next},
    hooks::{HookId, HookSet, WrapToolCall},
    middleware::{Middleware, Reply, Wrapped},
};
use async_trait::async_trait;
use globset::{Glob, GlobSet, GlobSetBuilder};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use sidehook_proto::{Outcome, v1};
use std::{fmt::Write, sync::Arc};

/// Denies dangerous commands, or has a person asked about them.
#[derive(Debug)]
pub struct Commands {
    config: CommandsConfig,
    checker: Checker,
    tools: Option<GlobSet>,
}

/// What is to be done about a command, and why.
struct Verdict {
    action: Action,
    reason: String,
}

impl Commands {
    /// Makes the guard.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the configuration, each with its key and its place in it.
    pub fn new(config: CommandsConfig) -> Result<Self, Vec<(&'static str, usize, Complaint)>> {
        let mut problems = Vec::new();
        let mut allowed = Vec::new();
        for (index, entry) in config.allow.iter().enumerate() {
            match Allowed::new(entry) {
                Ok(entry) => allowed.push(entry),
                Err(complaint) => problems.push(("allow", index, complaint)),
            }
        }
        let mut tools = GlobSetBuilder::new();
        for (index, name) in config.tools.iter().flatten().enumerate() {
            match Glob::new(name) {
                Ok(glob) => {
                    tools.add(glob);
                }
                Err(error) => {
                    let text = format!("`{name}` is not a glob: {}", error.kind());
                    problems.push(("tools", index, Complaint::new(text)));
                }
            }
        }
        let tools = tools.build().map_err(|error| {
            vec![(
                "tools",
                0,
                Complaint::new(format!("the globs do not compile: {}", error.kind())),
            )]
        })?;
        if !problems.is_empty() {
            return Err(problems);
        }
        let tools = config.tools.is_some().then_some(tools);
        Ok(Self { config, checker: Checker::new(allowed), tools })
    }

    /// The strictest that follows from what was found.
    fn verdict(&self, found: &[Finding]) -> Option<Verdict> {
        let mut strictest: Option<(Action, &Finding)> = None;
        for finding in found {
            let tier = self.config.action(finding.tier);
            let action = match finding.severity {
                Severity::Dangerous => tier,
                Severity::Caution => tier.min(self.config.caution),
            };
            if action > strictest.map_or(Action::Allow, |(strictest, _)| strictest) {
                strictest = Some((action, finding));
            }
        }
        let (action, finding) = strictest?;
        let own = self.config.reasons.of(finding.tier);
        let own = own.filter(|_| finding.severity == Severity::Dangerous);
        let reason = match own {
            Some(reason) => reason.to_owned(),
            None => format!("{} ({})", finding.reason, finding.rule),
        };
        Some(Verdict { action, reason })
    }

    /// The arguments of a call to a tool that is looked at.
    fn arguments(&self, tool: &str, json: &str) -> Option<Map<String, Value>> {
        let looked_at = self.tools.as_ref().is_none_or(|tools| tools.is_match(tool));
        // A call without an object for its arguments has none by a name.
        looked_at.then(|| serde_json::from_str(json).ok())?
    }

    /// What is said where nobody can be asked: why it is refused, if it is.
    fn refusal(&self, found: &[Finding]) -> Option<String> {
        let verdict = self.verdict(found)?;
        let refused = verdict.action == Action::Deny || self.config.unasked == Unasked::Veto;
        refused.then_some(verdict.reason)
    }
}

#[async_trait]
impl Middleware for Commands {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::BeforeToolCall, HookId::WrapToolCall, HookId::SshCommandSending])
    }

    fn needs_answer(&self, _: HookId) -> bool {
        false
    }

    /// It sees the arguments as every other link left them.
    fn is_innermost(&self) -> bool {
        true
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        let Some(call) = &request.tool_call else { return Ok(Outcome::none()) };
        let Some(arguments) = self.arguments(&call.name, &call.arguments_json) else {
            return Ok(Outcome::none());
        };
        let names = &self.config.arguments;
        let safer = tool::safer(&arguments, names, &self.config.rewrite);
        let mut answer = v1::BeforeToolCallAnswer::default();
        if let Some(safer) = &safer {
            answer.updated_arguments_json = Some(Value::Object(safer.clone()).to_string());
        }
        let arguments = safer.as_ref().unwrap_or(&arguments);
        let Some(verdict) = self.verdict(&tool::findings(arguments, names, &self.checker)) else {
            return Ok(answer.into());
        };
        let decision = match verdict.action {
            Action::Deny => v1::ToolDecision::Deny,
            Action::Ask | Action::Allow => v1::ToolDecision::Ask,
        };
        if decision == v1::ToolDecision::Ask {
            let digest = digest(&tool::judged(arguments, names)).into();
            // Without the state, the call counts as changed afterwards, which is stricter.
            let _ = context.own().set(&asked(&call.id), digest).await;
        }
        answer.set_decision(decision);
        answer.reason = verdict.reason;
        Ok(answer.into())
    }

    async fn wrap_tool_call(
        &self,
        context: &Context<'_>,
        invocation: Arc<v1::ToolInvocation>,
        next: &Next<'_, WrapToolCall>,
    ) -> Wrapped<v1::ToolResult> {
        let call = invocation.tool_call.clone().unwrap_or_default();
        let json = match invocation.args_json.as_str() {
            "" => call.arguments_json.as_str(),
            parsed => parsed,
        };
        let names = &self.config.arguments;
        if let Some(arguments) = self.arguments(&call.name, json) {
            let found = tool::findings(&arguments, names, &self.checker);
            let asked = context.own().get(&asked(&call.id)).await.ok().flatten();
            let same = asked == Some(digest(&tool::judged(&arguments, names)).into());
            let denied = || self.verdict(&found).is_some_and(|found| found.action == Action::Deny);
            if let Some(reason) = self.refusal(&found).filter(|_| !same || denied()) {
                let error = Some(reason);
                return Ok(Arc::new(v1::ToolResult { error, ..v1::ToolResult::default() }));
            }
        }
        next.run(invocation).await
    }

    async fn ssh_command_sending(
        &self,
        _: &Context<'_>,
        request: &v1::SshCommandSendingRequest,
    ) -> Reply<v1::SshCommandSendingAnswer> {
        let Some(command) = &request.command else { return Ok(Outcome::none()) };
        let safer = rewritten(command, &self.config.rewrite);
        let found = self.checker.text(safer.as_ref().unwrap_or(command));
        match self.refusal(&found) {
            Some(reason) => Ok(Outcome::veto(reason)),
            None => {
                let answer = v1::SshCommandSendingAnswer { command: safer, ..Default::default() };
                Ok(answer.into())
            }
        }
    }
}

/// Under which key it is kept that a call is asked about.
fn asked(call: &str) -> String {
    format!("asked:{call}")
}

/// What tells commands apart without keeping them.
fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(16).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
