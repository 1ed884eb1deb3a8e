//! Generates from the descriptors what every request and response shares:
//! checks of requests, and access to the outcome of responses.
//!
//! Runs in the build script, where a broken contract may as well panic.
//!
//! What a request must fulfil stands in its comments: `Required.` as the first
//! word, `at most N bytes`, `a JSON object`, `a JSON value`.

#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "runs at build time, over our own names"
)]

use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorSet,
    field_descriptor_proto::{Label, Type},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// What comes from a model's provider is passed on as it is, however broken,
/// so nothing inside these is checked.
const UNCHECKED: [&str; 4] = ["Message", "ChatRequest", "ChatResponse", "ToolOutcome"];

/// Fields of answers that the chain fills, not a middleware.
const FILLED_BY_CHAIN: [&str; 2] = ["decided_by", "plan"];

/// A message of the contract with the comments of its fields.
struct Described<'a> {
    message: &'a DescriptorProto,
    /// By field number, and by `1000 + index` for a oneof.
    comments: BTreeMap<i32, String>,
}

/// The text of `contract.rs`.
pub(crate) fn contract(set: &FileDescriptorSet) -> String {
    let messages = described(set);
    let mut out = String::new();
    let in_requests = reachable(&messages, &[]);
    for (name, message) in &messages {
        if in_requests.contains(name) {
            fields(&mut out, name, message.message);
        }
        if name.ends_with("Request") || reachable(&messages, &UNCHECKED).contains(*name) {
            validate(&mut out, &messages, name, message);
        }
        if name.ends_with("Request")
            && message.message.field.iter().any(|field| field.name() == "context")
            && messages.contains_key(name.replace("Request", "Answer").as_str())
        {
            let response = name.replace("Request", "Response");
            let _ = writeln!(
                out,
                "impl HookRequest for v1::{name} {{ type Response = v1::{response}; fn context(&self) -> Option<&v1::HookContext> {{ self.context.as_ref() }} \
                 fn take_context(&mut self) -> v1::HookContext {{ self.context.take().unwrap_or_default() }} }}"
            );
        }
        if let Some(answer) = field(message.message, "answer") {
            response(&mut out, name, message.message, type_name(answer));
        }
        if name.ends_with("Answer") {
            changed_fields(&mut out, name, message.message);
        }
    }
    out
}

fn described(set: &FileDescriptorSet) -> BTreeMap<&str, Described<'_>> {
    let mut messages = BTreeMap::new();
    for file in set.file.iter().filter(|file| file.package() == "sidehook.v1") {
        let places = file.source_code_info.iter().flat_map(|info| &info.location);
        let mut comments: BTreeMap<(i32, i32), BTreeMap<i32, String>> = BTreeMap::new();
        for place in places {
            // 4 is `message_type`; inside it, 2 is `field` and 8 is `oneof_decl`.
            if let [4, message, kind @ (2 | 8), index] = place.path[..] {
                let text = place.leading_comments().replace('\n', " ");
                comments.entry((message, kind)).or_default().insert(index, text);
            }
        }
        for (index, message) in (0..).zip(&file.message_type) {
            let mut by_number = BTreeMap::new();
            for (at, text) in comments.remove(&(index, 2)).unwrap_or_default() {
                by_number.insert(message.field[at as usize].number(), text);
            }
            for (at, text) in comments.remove(&(index, 8)).unwrap_or_default() {
                by_number.insert(1000 + at, text);
            }
            messages.insert(message.name(), Described { message, comments: by_number });
        }
    }
    messages
}

/// The messages inside requests, and the requests themselves, without `except`
/// and what only they hold.
fn reachable<'a>(
    messages: &BTreeMap<&'a str, Described<'a>>,
    except: &[&str],
) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&str> =
        messages.keys().copied().filter(|name| name.ends_with("Request")).collect();
    while let Some(name) = open.pop() {
        let Some((name, message)) = messages.get_key_value(name) else { continue };
        if except.contains(name) || !seen.insert(*name) {
            continue;
        }
        open.extend(
            message
                .message
                .field
                .iter()
                .filter(|field| field.r#type() == Type::Message)
                .map(type_name),
        );
    }
    seen
}

fn validate(
    out: &mut String,
    messages: &BTreeMap<&str, Described<'_>>,
    name: &str,
    described: &Described<'_>,
) {
    let mut body = String::new();
    for field in &described.message.field {
        if field.oneof_index.is_some() && !field.proto3_optional() {
            continue;
        }
        let comment = described.comments.get(&field.number()).map_or("", String::as_str);
        field_checks(&mut body, messages, field, comment.trim());
    }
    for (index, oneof) in (0..).zip(&described.message.oneof_decl) {
        let arms: Vec<_> = described
            .message
            .field
            .iter()
            .filter(|f| f.oneof_index == Some(index) && !f.proto3_optional())
            .collect();
        if arms.is_empty() {
            continue;
        }
        let comment = described.comments.get(&(1000 + index)).map_or("", String::as_str);
        oneof_checks(&mut body, messages, name, oneof.name(), &arms, comment.trim());
    }
    let _ = writeln!(
        out,
        "impl Validate for v1::{name} {{ fn validate(&self) -> Result<(), InvalidField> {{ {body} Ok(()) }} }}"
    );
}

fn field_checks(
    body: &mut String,
    messages: &BTreeMap<&str, Described<'_>>,
    field: &FieldDescriptorProto,
    comment: &str,
) {
    let (name, required) = (field.name(), comment.starts_with("Required."));
    let rust = rust_name(name);
    let (repeated, optional) = (field.label() == Label::Repeated, field.proto3_optional());
    match field.r#type() {
        Type::String if repeated => {}
        Type::String => {
            let value = if optional {
                format!("self.{rust}.as_deref().unwrap_or_default()")
            } else {
                format!("self.{rust}.as_str()")
            };
            if required {
                let _ = write!(body, "required({name:?}, !{value}.is_empty())?;");
            }
            if let Some(limit) = byte_limit(comment) {
                let _ = write!(body, "at_most({name:?}, {value}, {limit})?;");
            }
            if name.ends_with("_json") {
                let check =
                    if comment.contains("JSON object") { "json_object" } else { "json_value" };
                let _ = write!(body, "{check}({name:?}, {value})?;");
            }
        }
        Type::Enum if !repeated => {
            let ty = type_name(field);
            let _ = write!(
                body,
                "known({name:?}, self.{rust}, v1::{ty}::try_from(self.{rust}).is_ok())?;"
            );
            if required {
                let _ = write!(body, "required({name:?}, self.{rust} != 0)?;");
            }
        }
        Type::Message => {
            if required && !repeated {
                let _ = write!(body, "required({name:?}, self.{rust}.is_some())?;");
            }
            if !checked(messages, field) {
            } else if repeated {
                let _ = write!(body, "each({name:?}, &self.{rust})?;");
            } else {
                let _ = write!(body, "within({name:?}, self.{rust}.as_ref())?;");
            }
        }
        _ if required => {
            let _ = write!(body, "required({name:?}, self.{rust} != 0)?;");
        }
        _ => {}
    }
}

fn oneof_checks(
    body: &mut String,
    messages: &BTreeMap<&str, Described<'_>>,
    message: &str,
    oneof: &str,
    arms: &[&FieldDescriptorProto],
    comment: &str,
) {
    if comment.starts_with("Required.") {
        let _ = write!(body, "required({oneof:?}, self.{oneof}.is_some())?;");
    }
    let path = format!("v1::{}::{}", snake(message), camel(oneof));
    for arm in arms {
        let variant = format!("{path}::{}", camel(arm.name()));
        if arm.r#type() == Type::Message && checked(messages, arm) {
            let _ = write!(
                body,
                "if let Some({variant}(inner)) = &self.{oneof} {{ within({:?}, Some(inner))?; }}",
                arm.name()
            );
        }
        if arm.name().ends_with("_json") {
            let _ = write!(
                body,
                "if let Some({variant}(inner)) = &self.{oneof} {{ json_value({:?}, inner)?; }}",
                arm.name()
            );
        }
    }
}

/// Reads a message as fields. The context is not one of them: it is taken out of
/// a request before anybody reads it.
fn fields(out: &mut String, name: &str, message: &DescriptorProto) {
    let (mut body, mut names) = (String::new(), String::new());
    for field in &message.field {
        let (wire, rust) = (field.name(), rust_name(field.name()));
        if wire == "context" || field.r#type() == Type::Bytes {
            continue;
        }
        let short = wire.strip_suffix("_json").unwrap_or(wire);
        let _ = write!(names, "{short:?},");
        let value = |of: &str| match field.r#type() {
            Type::String if short != wire => format!("parsed(&{of})"),
            Type::Enum => {
                let ty = type_name(field);
                format!(
                    "v1::{ty}::try_from({of}.clone()).map_or_else(|_| {of}.to_value(), |it| it.as_str_name().into())"
                )
            }
            _ => format!("{of}.to_value()"),
        };
        let insert = |of: &str| format!("fields.insert({short:?}.into(), {});", value(of));
        let is_optional = field.proto3_optional()
            || (field.r#type() == Type::Message && field.label() != Label::Repeated);
        let statement = match field.oneof_index {
            Some(index) if !field.proto3_optional() => {
                let oneof = message.oneof_decl[index as usize].name();
                let arm = format!("v1::{}::{}::{}", snake(name), camel(oneof), camel(wire));
                format!("if let Some({arm}(inner)) = &self.{oneof} {{ {} }}", insert("inner"))
            }
            _ if is_optional => {
                format!("if let Some(inner) = &self.{rust} {{ {} }}", insert("inner"))
            }
            _ => insert(&format!("self.{rust}")),
        };
        body += &statement;
    }
    let _ = writeln!(
        out,
        "impl Fields for v1::{name} {{ const NAMES: &'static [&'static str] = &[{names}]; fn fields(&self) -> serde_json::Map<String, serde_json::Value> {{ \
         let mut fields = serde_json::Map::new(); {body} fields }} }}"
    );
}

fn response(out: &mut String, name: &str, message: &DescriptorProto, answer: &str) {
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

fn changed_fields(out: &mut String, name: &str, message: &DescriptorProto) {
    let mut fields: Vec<_> =
        message.field.iter().filter(|field| !FILLED_BY_CHAIN.contains(&field.name())).collect();
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

fn checked(messages: &BTreeMap<&str, Described<'_>>, field: &FieldDescriptorProto) -> bool {
    let name = type_name(field);
    messages.contains_key(name) && !UNCHECKED.contains(&name)
}

fn field<'a>(message: &'a DescriptorProto, name: &str) -> Option<&'a FieldDescriptorProto> {
    message.field.iter().find(|field| field.name() == name)
}

fn type_name(field: &FieldDescriptorProto) -> &str {
    field.type_name().rsplit('.').next().unwrap_or_default()
}

fn byte_limit(comment: &str) -> Option<usize> {
    let (_, rest) = comment.split_once("at most ")?;
    let (number, _) = rest.split_once(" bytes")?;
    number.replace(',', "").parse().ok()
}

fn rust_name(name: &str) -> String {
    if name == "type" { "r#type".into() } else { name.into() }
}

fn camel(snake: &str) -> String {
    snake.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn snake(camel: &str) -> String {
    let mut out = String::new();
    for letter in camel.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
