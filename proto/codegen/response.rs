//! What every response and every answer shares.

use super::names::{field, rust_name, snake, type_name};
use prost_types::{
    DescriptorProto,
    field_descriptor_proto::{Label, Type},
};
use std::fmt::Write;

pub(super) fn response(out: &mut String, name: &str, message: &DescriptorProto, answer: &str) {
    let (veto, effects) = (field(message, "veto").is_some(), field(message, "effects").is_some());
    let module = format!("v1::{}::Outcome", snake(name));
    let veto_to = if veto {
        format!("Outcome::Veto(veto) => Some({module}::Veto(veto)),")
    } else {
        "Outcome::Veto(_) => None,".into()
    };
    let veto_from =
        if veto { format!("{module}::Veto(veto) => Outcome::Veto(veto),") } else { String::new() };
    let effects_to = if effects { "effects," } else { "" };
    let effects_from =
        if effects { "self.effects.unwrap_or_default()" } else { "v1::Effects::default()" };
    let rest = if field(message, "answered_by").is_some() { ", ..Self::default()" } else { "" };
    let unused = if effects { "" } else { "let _ = effects;" };
    let _ = writeln!(
        out,
        "impl HookResponse for v1::{name} {{ type Answer = v1::{answer}; const CAN_VETO: bool = {veto}; const HAS_EFFECTS: bool = {effects};
         fn from_parts(outcome: Outcome<Self::Answer>, effects: Option<v1::Effects>, report: Option<v1::ChainReport>) -> Self {{ {unused}
         let outcome = match outcome {{ Outcome::Answer(answer) => Some({module}::Answer(answer)), {veto_to}
         Outcome::Tripwire(tripwire) => Some({module}::Tripwire(tripwire)), Outcome::Failure(failure) => Some({module}::Failure(failure)) }};
         Self {{ outcome, {effects_to} report {rest} }} }}
         fn into_parts(self) -> (Option<Outcome<Self::Answer>>, v1::Effects, Option<v1::ChainReport>) {{
         let outcome = self.outcome.map(|outcome| match outcome {{ {module}::Answer(answer) => Outcome::Answer(answer), {veto_from}
         {module}::Tripwire(tripwire) => Outcome::Tripwire(tripwire), {module}::Failure(failure) => Outcome::Failure(failure) }});
         (outcome, {effects_from}, self.report) }} }}"
    );
}

pub(super) fn changed_fields(out: &mut String, name: &str, message: &DescriptorProto) {
    let mut fields: Vec<_> = message
        .field
        .iter()
        .filter(|field| !super::contract::FILLED_BY_CHAIN.contains(&field.name()))
        .collect();
    fields.sort_by_key(|field| field.name());
    let mut body = String::new();
    for field in fields {
        let rust = rust_name(field.name());
        let set = match (field.label() == Label::Repeated, field.r#type()) {
            (true, _) => format!("!self.{rust}.is_empty()"),
            (_, Type::Message) => format!("self.{rust}.is_some()"),
            _ if field.proto3_optional() => format!("self.{rust}.is_some()"),
            (_, Type::String) => format!("!self.{rust}.is_empty()"),
            (_, Type::Bool) => format!("self.{rust}"),
            _ => format!("self.{rust} != 0"),
        };
        let _ = write!(body, "if {set} {{ fields.push({:?}); }}", field.name());
    }
    let decision = field(message, "decision").map_or_else(String::new, |decision| {
        let ty = type_name(decision);
        format!(
            "fn decision(&self) -> Option<&'static str> {{ (self.decision != 0).then(|| self.decision().as_str_name()).map(|name| name.trim_start_matches({:?})) }}",
            format!("{}_", snake(ty).to_uppercase())
        )
    });
    let decided_by = field(message, "decided_by")
        .map_or("", |_| "fn decided_by(&self) -> &str { &self.decided_by }");
    let _ = writeln!(
        out,
        "impl Answer for v1::{name} {{ fn changed_fields(&self) -> Vec<&'static str> {{ let mut fields = Vec::new(); {body} fields }} {decision} {decided_by} }}"
    );
}
