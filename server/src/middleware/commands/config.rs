//! What may be written of `kind: commands`.

use super::Tier;
use schemars::JsonSchema;
use serde::Deserialize;

/// Denies dangerous shell commands, or has a person asked about them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CommandsConfig {
    /// What happens to a command that destroys the machine or people's files.
    pub host: Action,
    /// What happens to a command that loses work under version control.
    pub git: Action,
    /// What happens to a command that deletes what a database, a cluster, a cloud or a registry
    /// holds.
    pub service: Action,
    /// What happens to a command of any tier that may be meant but deserves a second look. Where
    /// its tier's action is milder, that one counts.
    pub caution: Action,
    /// What happens where a command is to be asked about and nobody can be asked: before a remote
    /// command, and when a tool call's arguments changed after it was decided.
    pub unasked: Unasked,
    /// The tools whose calls are looked at, by name or glob. Absent: every tool.
    #[schemars(length(min = 1))]
    pub tools: Option<Vec<String>>,
    /// The arguments that hold a command: a text, a list of a program and its arguments, or a list
    /// of texts. A dot leads into an object: `input.command`.
    #[schemars(length(min = 1))]
    pub arguments: Vec<String>,
    /// Commands that pass, word by word. A word may be a glob, and a last `**` stands for any
    /// words: `git push --force origin feature/*`.
    pub allow: Vec<String>,
    /// Commands that get a safer form.
    pub rewrite: Vec<Rewrite>,
    /// Texts that are said in place of the rules' own reasons.
    pub reasons: Reasons,
}

/// What happens to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Nothing.
    Allow,
    /// A person is asked.
    Ask,
    /// It is refused.
    Deny,
}

/// What happens where nobody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unasked {
    /// The command is refused.
    #[default]
    Veto,
    /// The command passes.
    Ignore,
}

/// A command that gets a safer form.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    /// Required. How the command starts: `apt-get install`.
    #[schemars(length(min = 1))]
    pub command: String,
    /// Required. What stands there instead: `apt-get install -y`.
    #[schemars(length(min = 1))]
    pub with: String,
}

/// Texts that are said of dangerous commands in place of the rules' own reasons.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reasons {
    /// For the tier `host`.
    pub host: Option<String>,
    /// For the tier `git`.
    pub git: Option<String>,
    /// For the tier `service`.
    pub service: Option<String>,
}

impl Default for CommandsConfig {
    fn default() -> Self {
        Self {
            host: Action::Deny,
            git: Action::Ask,
            service: Action::Ask,
            caution: Action::Ask,
            unasked: Unasked::Veto,
            tools: None,
            arguments: ["command", "cmd", "script"].map(str::to_owned).to_vec(),
            allow: Vec::new(),
            rewrite: Vec::new(),
            reasons: Reasons::default(),
        }
    }
}

impl CommandsConfig {
    pub(super) fn action(&self, tier: Tier) -> Action {
        match tier {
            Tier::Host => self.host,
            Tier::Git => self.git,
            Tier::Service => self.service,
        }
    }
}

impl Reasons {
    pub(super) fn of(&self, tier: Tier) -> Option<&str> {
        match tier {
            Tier::Host => self.host.as_deref(),
            Tier::Git => self.git.as_deref(),
            Tier::Service => self.service.as_deref(),
        }
    }
}
