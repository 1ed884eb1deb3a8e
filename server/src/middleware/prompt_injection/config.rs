//! The keys of `prompt_injection`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// From this score on a text counts as an attack. On the data of the training
/// about one harmless text in a hundred reaches it.
pub const DEFAULT_THRESHOLD: f32 = 0.5;

/// Finds texts that try to take over the agent.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PromptInjectionConfig {
    /// What happens when such a text is found.
    pub action: Action,
    /// Which texts are looked at.
    #[schemars(length(min = 1))]
    pub check: Vec<Place>,
    /// From which score on a text counts, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub threshold: f32,
    /// What `block` does with what a tool returned.
    pub in_tool_result: InToolResult,
}

impl Default for PromptInjectionConfig {
    fn default() -> Self {
        Self {
            action: Action::Block,
            check: vec![Place::Input, Place::ToolResults],
            threshold: DEFAULT_THRESHOLD,
            in_tool_result: InToolResult::Replace,
        }
    }
}

/// What happens when an attack is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A run ends, a message is refused, a text that a tool returned is replaced.
    #[default]
    Block,
    /// From then on every tool call of the run asks a person.
    Ask,
    /// The text is put between delimiters that it cannot close, with a notice.
    Annotate,
    /// It is only reported.
    Audit,
}

/// Where texts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The input of a run, and what is queued into it (`before_run`).
    Input,
    /// What users and other agents write (`user_message_inbound`,
    /// `inter_agent_message`).
    Messages,
    /// What tools return (`wrap_tool_call`).
    ToolResults,
    /// What tools returned, as it stands in the conversation (`before_model`),
    /// for runtimes that do not wrap tool calls.
    History,
}

/// What `block` does with what a tool returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InToolResult {
    /// The text is replaced by a notice, and the run goes on.
    #[default]
    Replace,
    /// The run ends.
    Trip,
}
