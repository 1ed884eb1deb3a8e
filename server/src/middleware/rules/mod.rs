//! `rules`: declarative guards. A rule names a hook, a condition and what
//! follows.
//!
//! Every rule of a hook is looked at in order. Of several decisions the
//! strictest counts; replacements thread through; a veto or a tripwire ends it
//! at once. A condition that cannot be evaluated is a fault of the middleware,
//! never a pass.

mod actions;
mod config;
mod fields;
mod replace;
mod typed;

#[cfg(test)]
mod tests;

pub use config::{Misplaced, RulesConfig};

use crate::{
    engine::{
        Condition, Context, Fault,
        condition::{self, from_json},
    },
    hooks::{HookId, HookSet},
};
use actions::Actions;
use cel::{Value, common::value::CowVal, context::VariableResolver};
use serde_json::Map;
use std::sync::OnceLock;

/// Rules, compiled.
#[derive(Debug)]
pub struct Rules {
    rules: Vec<Rule>,
    hooks: HookSet,
}

/// One rule, compiled.
#[derive(Debug)]
struct Rule {
    hooks: HookSet,
    when: Option<Condition>,
    then: Actions,
}

impl Rules {
    /// Compiles rules.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, each with its place in the configuration.
    pub fn new(config: &RulesConfig) -> Result<Self, Vec<Misplaced>> {
        let (rules, problems): (Vec<_>, Vec<_>) = config
            .rules
            .iter()
            .enumerate()
            .map(|(index, rule)| rule.compile().map_err(|found| config::inside(index, found)))
            .partition(Result::is_ok);
        let problems: Vec<_> = problems.into_iter().filter_map(Result::err).flatten().collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let rules: Vec<_> = rules.into_iter().filter_map(Result::ok).collect();
        let hooks = rules.iter().flat_map(|rule| rule.hooks.iter()).collect();
        Ok(Self { rules, hooks })
    }

    /// The actions of the rules that hold at a hook, in order.
    fn holding<'a>(
        &'a self,
        context: &Context<'_>,
        fields: impl Fn() -> Map<String, serde_json::Value> + Send + Sync,
    ) -> Result<Vec<&'a Actions>, Fault> {
        let variables = Variables { context, fields: OnceLock::new(), read: fields };
        let mut holding = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.hooks.contains(context.hook())) {
            let holds = match &rule.when {
                None => true,
                Some(when) => when.holds_for(&variables).map_err(|error| {
                    Fault::threw(format!("could not evaluate `{}`: {error}", when.text()))
                })?,
            };
            if holds {
                holding.push(&rule.then);
            }
        }
        Ok(holding)
    }
}

/// What the condition of a rule sees: the context's fields, the hook, and the
/// request's fields, which are read when one is asked for. A field that the
/// request leaves out is null.
struct Variables<'a, F> {
    context: &'a Context<'a>,
    fields: OnceLock<Map<String, serde_json::Value>>,
    read: F,
}

impl<F: Fn() -> Map<String, serde_json::Value> + Send + Sync> VariableResolver
    for Variables<'_, F>
{
    fn resolve<'b>(&'b self, name: &str) -> Option<CowVal<'b, 'b>> {
        let hook = self.context.hook();
        let field = || {
            let fields = self.fields.get_or_init(&self.read);
            let unset = || variables_at(hook).iter().any(|field| field == name);
            fields.get(name).map(from_json).or_else(|| unset().then_some(Value::Null))
        };
        let value = match name {
            "hook" => Value::from(hook.name()),
            _ => condition::context_variable(self.context.run(), name).or_else(field)?,
        };
        condition::owned(value)
    }
}

/// The names that the condition of a rule may use at `hook`, beside the
/// context's.
fn variables_at(hook: HookId) -> Vec<String> {
    fields::of_request(hook)
}
