//! Checks of requests, called by generated code: what a field's comment
//! promises is what is enforced.

use std::fmt;

/// The deepest nesting of arrays and objects that a `*_json` field may have.
///
/// What reads the field later recurses, so the depth is bounded at the door.
pub const MAX_JSON_DEPTH: usize = 128;

/// A request that can be checked against the contract.
pub trait Validate {
    /// Checks the request and everything inside it.
    ///
    /// # Errors
    ///
    /// The first field that breaks the contract.
    fn validate(&self) -> Result<(), InvalidField>;
}

/// Says which field of a request breaks the contract, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidField {
    /// The field's path, for example `context.run_id` or `calls[2].tool_call`.
    pub field: String,
    /// What is wrong, for example `is required`.
    pub problem: String,
}

impl InvalidField {
    /// Says that `field` `problem`.
    #[must_use]
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }

    fn inside(mut self, outer: impl fmt::Display) -> Self {
        self.field = format!("{outer}.{}", self.field);
        self
    }
}

impl fmt::Display for InvalidField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "field `{}` {}", self.field, self.problem)
    }
}

impl std::error::Error for InvalidField {}

pub(crate) fn required(field: &'static str, present: bool) -> Result<(), InvalidField> {
    if present { Ok(()) } else { Err(InvalidField::new(field, "is required")) }
}

pub(crate) fn at_most(field: &'static str, value: &str, limit: usize) -> Result<(), InvalidField> {
    if value.len() <= limit {
        return Ok(());
    }
    Err(InvalidField::new(field, format!("has {} bytes; at most {limit} are allowed", value.len())))
}

pub(crate) fn known(field: &'static str, value: i32, known: bool) -> Result<(), InvalidField> {
    if known {
        return Ok(());
    }
    Err(InvalidField::new(field, format!("has the unknown value {value}")))
}

pub(crate) fn within<M: Validate>(
    field: &'static str,
    inner: Option<&M>,
) -> Result<(), InvalidField> {
    inner.map_or(Ok(()), |inner| inner.validate().map_err(|invalid| invalid.inside(field)))
}

pub(crate) fn each<M: Validate>(field: &'static str, inner: &[M]) -> Result<(), InvalidField> {
    for (index, inner) in inner.iter().enumerate() {
        inner.validate().map_err(|invalid| invalid.inside(format_args!("{field}[{index}]")))?;
    }
    Ok(())
}

pub(crate) fn json_value(field: &'static str, text: &str) -> Result<(), InvalidField> {
    if text.is_empty() {
        return Ok(());
    }
    if is_deeper_than(text, MAX_JSON_DEPTH) {
        return Err(InvalidField::new(
            field,
            format!("is nested deeper than {MAX_JSON_DEPTH} levels"),
        ));
    }
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map(|_| ())
        .map_err(|error| InvalidField::new(field, format!("is not JSON: {error}")))
}

pub(crate) fn json_object(field: &'static str, text: &str) -> Result<(), InvalidField> {
    json_value(field, text)?;
    if text.is_empty() || text.trim_start().starts_with('{') {
        return Ok(());
    }
    Err(InvalidField::new(field, "is not a JSON object"))
}

/// Whether arrays and objects nest deeper than `limit`. Right for valid JSON;
/// for other text it does not matter, as that is refused anyway.
pub(crate) fn is_deeper_than(text: &str, limit: usize) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{BeforeToolCallRequest, HookContext, Initiator, ToolCall};

    fn request(context: HookContext, arguments: &str) -> BeforeToolCallRequest {
        BeforeToolCallRequest {
            context: Some(context),
            tool_call: Some(ToolCall { arguments_json: arguments.into(), ..ToolCall::default() }),
            ..BeforeToolCallRequest::default()
        }
    }

    fn run(id: &str) -> HookContext {
        HookContext { run_id: id.into(), ..HookContext::default() }
    }

    #[track_caller]
    fn check(request: &BeforeToolCallRequest, expected: &str) {
        let problem =
            request.validate().map_or_else(|invalid| invalid.to_string(), |()| "fine".into());
        assert!(problem.starts_with(expected), "{problem}");
    }

    #[test]
    fn an_error_names_the_field_by_its_path() {
        check(&BeforeToolCallRequest::default(), "field `context` is required");
        check(&request(run(""), "{}"), "field `context.run_id` is required");
        check(
            &request(run(&"r".repeat(257)), "{}"),
            "field `context.run_id` has 257 bytes; at most 256",
        );
        check(&request(run("r"), "{"), "field `tool_call.arguments_json` is not JSON: EOF");
        check(&request(run("r"), "[1]"), "field `tool_call.arguments_json` is not a JSON object");
        check(&request(run("r"), ""), "fine");
    }

    #[test]
    fn unknown_enum_values_are_refused() {
        let initiator = Initiator { kind: 99, is_verified_person: false };
        let context = HookContext { initiator: Some(initiator), ..run("r") };
        check(&request(context, "{}"), "field `context.initiator.kind` has the unknown value 99");
    }

    #[test]
    fn deep_json_is_refused_before_it_is_parsed() {
        let deep =
            |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        check(&request(run("r"), &deep(127)), "fine");
        check(
            &request(run("r"), &deep(128)),
            "field `tool_call.arguments_json` is nested deeper than 128",
        );
        check(
            &request(run("r"), &deep(10_000)),
            "field `tool_call.arguments_json` is nested deeper than 128",
        );
        check(&request(run("r"), r#"{"a":"[[[[\"[[["}"#), "fine");
    }
}
