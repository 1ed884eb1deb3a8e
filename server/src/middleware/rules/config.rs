//! What may be written as a rule, and how it is compiled.

use super::{Rule, actions::Actions, fields};
use crate::{
    config::{Complaint, file::HookName, nearest},
    engine::{Condition, condition},
    hooks::{HookId, HookSet},
};
use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

/// Declarative guards.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesConfig {
    /// Required. The rules, in order.
    pub rules: Vec<RuleConfig>,
}

/// One rule.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// Required. The hook, in snake case, or several.
    pub hook: Hooks,

    /// A CEL expression over the context and the request's fields, for example
    /// `tool_call.name == 'refund' && tool_call.arguments.amount > 100`. A field
    /// `x_json` is `x`, parsed. Absent: always.
    #[serde(default)]
    pub when: Option<String>,

    /// Required. What follows when the condition holds.
    pub then: Then,
}

/// One hook or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Hooks {
    /// One.
    One(HookName),
    /// Several.
    Several(Vec<HookName>),
}

/// What follows when a rule holds. At least one key.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Then {
    /// Refuses the tool call, declines the approval or blocks the switch, with
    /// this reason.
    pub deny: Option<String>,
    /// Pauses the run with the tool call waiting for approval, with this reason.
    pub defer: Option<String>,
    /// Asks a person about the tool call, with this reason.
    pub ask: Option<String>,
    /// Allows the tool call, or approves it, with this reason.
    pub allow: Option<String>,
    /// Ends the run, with this reason.
    pub trip: Option<String>,
    /// Refuses the operation, with this reason.
    pub veto: Option<String>,
    /// Keeps the conversation as it is.
    pub skip: Option<bool>,
    /// Replaces text by a regular expression.
    pub replace: Option<Replace>,
    /// Adds a system message for the next model call; at the start of a run, to
    /// its prompt.
    pub add_context: Option<String>,
    /// Ends the run before its next model call, with this reason.
    pub stop: Option<String>,
    /// Keeps the agent going, with this message.
    pub continue_with: Option<String>,
}

/// A replacement in every text that the hook may change.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replace {
    /// Required. The regular expression, in the syntax of the Rust crate
    /// `regex`. Matching takes time linear in the text.
    pub pattern: String,
    /// Required. What stands in its place; `$1` is the first group.
    pub with: String,
}

/// What is wrong with a rule: where it stands, from the middleware's entry on,
/// and what.
pub type Misplaced = (Vec<String>, Complaint);

fn problem(path: &[&str], message: impl Into<String>) -> Misplaced {
    (path.iter().map(|&key| key.into()).collect(), Complaint::new(message))
}

fn with(problem: Misplaced, suggestion: Option<String>) -> Misplaced {
    (problem.0, problem.1.suggest_if(suggestion))
}

/// The problems of the rule at `index`, placed within the middleware's entry.
pub(super) fn inside(index: usize, problems: Vec<Misplaced>) -> Vec<Misplaced> {
    let placed = problems.into_iter().map(|mut problem| {
        problem.0.splice(0..0, ["rules".to_owned(), index.to_string()]);
        problem
    });
    placed.collect()
}

impl RuleConfig {
    pub(super) fn compile(&self) -> Result<Rule, Vec<Misplaced>> {
        let mut problems = Vec::new();
        let hooks = self.hooks();
        let when = self.condition(hooks, &mut problems);
        let then = self.then.compile(hooks, &mut problems);
        if problems.is_empty() { Ok(Rule { hooks, when, then }) } else { Err(problems) }
    }

    fn hooks(&self) -> HookSet {
        match &self.hook {
            Hooks::One(name) => HookSet::of(&[name.0]),
            Hooks::Several(names) => names.iter().map(|name| name.0).collect(),
        }
    }

    fn condition(&self, hooks: HookSet, problems: &mut Vec<Misplaced>) -> Option<Condition> {
        let text = self.when.as_deref()?;
        let condition = match Condition::compile(text) {
            Ok(condition) => condition,
            Err(error) => {
                problems.push(problem(&["when"], format!("is no CEL expression: {error}")));
                return None;
            }
        };
        for hook in hooks.iter() {
            let known = || hook.fields().iter().copied().chain(condition::CONTEXT_VARIABLES);
            for name in condition.variables() {
                if !known().any(|other| other == name) {
                    let message = format!("`{name}` is not there at `{hook}`");
                    let suggestion = nearest(&name, known());
                    problems.push(with(problem(&["when"], message), suggestion));
                }
            }
        }
        Some(condition)
    }
}

/// Whether an action is possible at a hook.
type Fits = fn(HookId) -> bool;

impl Then {
    fn compile(&self, hooks: HookSet, problems: &mut Vec<Misplaced>) -> Actions {
        let replace =
            self.replace.as_ref().and_then(|replace| match Regex::new(&replace.pattern) {
                Ok(pattern) => Some((pattern, replace.with.clone())),
                Err(error) => {
                    let message = format!("is no regular expression: {error}");
                    problems.push(problem(&["then", "replace", "pattern"], message));
                    None
                }
            });
        if self.keys().is_empty() {
            problems.push(problem(&["then"], "says nothing; name at least one action"));
        }
        for (key, fits) in self.keys() {
            for hook in hooks.iter().filter(|hook| !fits(*hook)) {
                let message = format!("`{key}` is not possible at `{hook}`");
                let possible = HookId::ALL.into_iter().filter(|hook| fits(*hook)).map(HookId::name);
                let suggestion =
                    format!("it is possible at {}", possible.collect::<Vec<_>>().join(", "));
                problems.push(with(problem(&["then", key], message), Some(suggestion)));
            }
        }
        Actions {
            deny: self.deny.clone(),
            defer: self.defer.clone(),
            ask: self.ask.clone(),
            allow: self.allow.clone(),
            trip: self.trip.clone(),
            veto: self.veto.clone(),
            skip: self.skip.unwrap_or_default(),
            replace,
            add_context: self.add_context.clone(),
            stop: self.stop.clone(),
            continue_with: self.continue_with.clone(),
        }
    }

    /// The keys that are written, each with the hooks at which it is possible.
    fn keys(&self) -> Vec<(&'static str, Fits)> {
        let all: [(&'static str, bool, Fits); 11] = [
            ("deny", self.deny.is_some(), fields::may_deny),
            ("defer", self.defer.is_some(), |hook| hook == HookId::BeforeToolCall),
            ("ask", self.ask.is_some(), |hook| hook == HookId::BeforeToolCall),
            ("allow", self.allow.is_some(), fields::may_allow),
            ("trip", self.trip.is_some(), |_| true),
            ("veto", self.veto.is_some(), fields::may_veto),
            ("skip", self.skip.is_some(), |hook| hook == HookId::BeforeCompaction),
            ("replace", self.replace.is_some(), fields::may_replace),
            ("add_context", self.add_context.is_some(), fields::has_effects),
            ("stop", self.stop.is_some(), fields::has_effects),
            ("continue_with", self.continue_with.is_some(), |hook| hook == HookId::BeforeStop),
        ];
        let written = all.into_iter().filter(|(_, written, _)| *written);
        written.map(|(key, _, fits)| (key, fits)).collect()
    }
}
