//! What follows when rules hold, as an answer without its type.

use super::{fields, replace};
use crate::{engine::Context, hooks::HookId, middleware::AnyAnswer};
use regex::Regex;
use serde_json::{Map, Value, json};
use sidehook_proto::{Outcome, v1};

/// What follows when a rule holds.
#[derive(Debug, Default)]
pub(super) struct Actions {
    pub(super) deny: Option<String>,
    pub(super) defer: Option<String>,
    pub(super) ask: Option<String>,
    pub(super) allow: Option<String>,
    pub(super) trip: Option<String>,
    pub(super) veto: Option<String>,
    pub(super) skip: bool,
    pub(super) replace: Option<(Regex, String)>,
    pub(super) add_context: Option<String>,
    pub(super) stop: Option<String>,
    pub(super) continue_with: Option<String>,
}

/// The tripwire or the veto that ends the evaluation, if a rule asks for one.
pub(super) fn ending<A>(holding: &[&Actions]) -> Option<Outcome<A>> {
    holding.iter().find_map(|actions| {
        let trip = actions
            .trip
            .clone()
            .map(|reason| Outcome::Tripwire(v1::Tripwire { reason, ..v1::Tripwire::default() }));
        trip.or_else(|| {
            let reason = actions.veto.clone()?;
            Some(Outcome::Veto(v1::Veto { reason, middleware: String::new() }))
        })
    })
}

/// Adds context and stops the run, as the rules ask. At the start of a run the
/// context belongs into the answer.
pub(super) fn speak(holding: &[&Actions], context: &Context<'_>) {
    for actions in holding {
        if let (Some(text), false) = (&actions.add_context, starts(context.hook())) {
            context.add_context(text);
        }
        if let Some(reason) = &actions.stop {
            context.stop(reason);
        }
    }
}

/// The answer of the rules that hold, by the names of its fields.
pub(super) fn answer(
    holding: &[&Actions],
    hook: HookId,
    request: impl FnOnce() -> Map<String, Value>,
) -> AnyAnswer {
    let mut answer = Map::new();
    let firsts =
        |of: fn(&Actions) -> Option<&String>| holding.iter().find_map(|actions| of(actions));
    match hook {
        HookId::BeforeToolCall => {
            if let Some((decision, reason)) = decision(holding) {
                answer.insert("decision".into(), decision.as_str_name().into());
                answer.insert("reason".into(), reason.into());
            }
        }
        HookId::DecideApproval => {
            let decline = firsts(|actions| actions.deny.as_ref()).map(|why| (why, "DECLINE"));
            let approve = || firsts(|actions| actions.allow.as_ref()).map(|why| (why, "APPROVE"));
            if let Some((reason, decision)) = decline.or_else(approve) {
                answer.insert("decision".into(), format!("APPROVAL_DECISION_{decision}").into());
                answer.insert("reason".into(), reason.as_str().into());
            }
        }
        HookId::BeforeModelSwitch => {
            if let Some(reason) = firsts(|actions| actions.deny.as_ref()) {
                answer.insert("block".into(), reason.as_str().into());
            }
        }
        HookId::BeforeCompaction if holding.iter().any(|actions| actions.skip) => {
            answer.insert("skip".into(), true.into());
        }
        HookId::BeforeStop => {
            let texts: Vec<_> =
                holding.iter().filter_map(|actions| actions.continue_with.as_deref()).collect();
            if !texts.is_empty() {
                answer.insert("continue_with".into(), texts.join("\n\n").into());
            }
        }
        hook if starts(hook) => {
            let texts: Vec<_> =
                holding.iter().filter_map(|actions| actions.add_context.as_deref()).collect();
            if !texts.is_empty() {
                answer.insert("added_context".into(), json!(texts));
            }
        }
        hook if !fields::texts(hook).is_empty() && replace::any(holding) => {
            replaced(holding, hook, &request(), &mut answer);
        }
        _ => {}
    }
    AnyAnswer(answer)
}

/// The strictest decision of the rules that hold, with its reason.
fn decision<'a>(holding: &[&'a Actions]) -> Option<(v1::ToolDecision, &'a str)> {
    use v1::ToolDecision::{Allow, Ask, Defer, Deny};
    let given = holding.iter().flat_map(|actions| {
        let each = [
            (Deny, &actions.deny),
            (Defer, &actions.defer),
            (Ask, &actions.ask),
            (Allow, &actions.allow),
        ];
        each.into_iter().filter_map(|(decision, why)| Some((decision, why.as_deref()?)))
    });
    // The first of the strictest gives the reason.
    given.reduce(|best, next| if next.0 as i32 > best.0 as i32 { next } else { best })
}

/// The hook's texts after the replacements, where they change.
fn replaced(
    holding: &[&Actions],
    hook: HookId,
    request: &Map<String, Value>,
    answer: &mut Map<String, Value>,
) {
    for &field in fields::texts(hook) {
        match request.get(field) {
            Some(Value::String(text)) => {
                if let Some(text) = replace::replace(holding, text) {
                    answer.insert(field.into(), text.into());
                }
            }
            Some(Value::Array(texts)) => {
                let texts: Vec<_> = texts.iter().filter_map(Value::as_str).collect();
                let new = texts.iter().map(|text| replace::replace(holding, text));
                let new: Vec<_> = new.collect();
                if new.iter().any(Option::is_some) {
                    let list =
                        new.into_iter().zip(texts).map(|(new, old)| new.unwrap_or(old.into()));
                    answer.insert(field.into(), json!({ "texts": list.collect::<Vec<_>>() }));
                }
            }
            _ => {}
        }
    }
}

/// Whether a hook stands at the start of a run, where context belongs into the
/// answer.
fn starts(hook: HookId) -> bool {
    matches!(hook, HookId::StartRun | HookId::BeforeRun)
}
