//! Checks new arguments of a tool call against the tool's JSON schema.

use jsonschema::Validator;
use moka::sync::Cache;
use serde_json::Value;
use sidehook_proto::v1::ToolDefinition;
use std::sync::{Arc, OnceLock};

/// So many compiled schemas are kept; an agent rarely has more tools.
const MAX_COMPILED: u64 = 512;

/// Checks `arguments`, if there are any, against the schema of `tool`, if there
/// is one.
///
/// # Errors
///
/// The arguments are not a JSON object, or do not fit the schema. A schema that
/// is not one, or that refers to another document, constrains nothing.
pub(super) fn check(tool: Option<&ToolDefinition>, arguments: Option<&str>) -> Result<(), String> {
    let Some(arguments) = arguments else { return Ok(()) };
    let arguments: Value = serde_json::from_str(arguments)
        .map_err(|error| format!("gave arguments that are not JSON: {error}"))?;
    if !arguments.is_object() {
        return Err("gave arguments that are not a JSON object".into());
    }
    let schema = tool.map_or("", |tool| tool.parameters_json.as_str());
    let Some(validator) = (!schema.is_empty()).then(|| compiled(schema)).flatten() else {
        return Ok(());
    };
    validator.validate(&arguments).map_err(|error| {
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { "/".into() } else { place };
        format!("gave arguments that do not fit the tool's schema at {place}: {error}")
    })
}

fn compiled(schema: &str) -> Option<Arc<Validator>> {
    static COMPILED: OnceLock<Cache<String, Option<Arc<Validator>>>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| Cache::new(MAX_COMPILED));
    compiled.get_with_by_ref(schema, || {
        let schema: Value = serde_json::from_str(schema).ok()?;
        jsonschema::validator_for(&schema).ok().map(Arc::new)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_that(arguments: &str, expected: &str) {
        let tool = ToolDefinition {
            parameters_json:
                r#"{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}"#
                    .into(),
            ..ToolDefinition::default()
        };
        let problem = check(Some(&tool), Some(arguments)).err().unwrap_or_else(|| "fits".into());
        assert!(problem.contains(expected), "{problem}");
    }

    #[test]
    fn arguments_fit_the_schema_or_say_where_they_do_not() {
        check_that(r#"{"id":9007199254740993}"#, "fits");
        check_that(r#"{"id":"7"}"#, "at /id");
        check_that("{}", "\"id\" is a required property");
        check_that("[1]", "not a JSON object");
        check_that("{", "not JSON");
    }

    #[test]
    fn a_broken_schema_constrains_nothing() {
        let tool =
            ToolDefinition { parameters_json: r#"{"type":7}"#.into(), ..ToolDefinition::default() };
        assert_eq!(check(Some(&tool), Some("{}")), Ok(()));
    }
}
