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
    hooks::HookSet,
};
use actions::Actions;
use cel::{
    Value,
    common::value::{CowVal, Val},
    context::VariableResolver,
};
use serde_json::{Map, Value as Json};
use std::{collections::HashMap, sync::OnceLock};

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
        fields: impl Fn() -> Map<String, Json> + Send + Sync,
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
    fields: OnceLock<HashMap<String, Field>>,
    read: F,
}

/// A field of the request, and what conditions see of it. That is made when the
/// first one asks, and lent to all that ask later.
struct Field {
    json: Json,
    value: OnceLock<Option<Box<dyn Val>>>,
}

impl Field {
    fn new(json: Json) -> Self {
        Self { json, value: OnceLock::new() }
    }

    fn value(&self) -> Option<CowVal<'_, '_>> {
        let value = self.value.get_or_init(|| from_json(&self.json).try_into().ok());
        value.as_deref().map(CowVal::Borrowed)
    }
}

impl<F: Fn() -> Map<String, Json> + Send + Sync> VariableResolver for Variables<'_, F> {
    fn resolve<'b>(&'b self, name: &str) -> Option<CowVal<'b, 'b>> {
        let hook = self.context.hook();
        if name == "hook" {
            return condition::owned(hook.name().into());
        }
        if let Some(value) = condition::context_variable(self.context.run(), name) {
            return condition::owned(value);
        }
        let read = || (self.read)().into_iter().map(|(name, json)| (name, Field::new(json)));
        if let Some(field) = self.fields.get_or_init(|| read().collect()).get(name) {
            return field.value();
        }
        let is_unset = hook.fields().contains(&name);
        if is_unset { condition::owned(Value::Null) } else { None }
    }
}
