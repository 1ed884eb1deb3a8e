//! JSON files as modules.

use serde_json::Value;

use super::problem::{Complaint, SourceProblem};

/// A module whose default export is the value of `text`.
pub(super) fn compile(file: &str, text: &str) -> Result<String, SourceProblem> {
    serde_json::from_str::<Value>(text).map_err(|error| {
        let start: usize =
            text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or_default();
        let complaint = Complaint::new(format!("not JSON: {reason}"));
        complaint.at_byte(file, text, start + error.column().saturating_sub(1))
    })?;
    // As an object literal, a key `__proto__` would set the prototype.
    Ok(format!("export default JSON.parse({});\n", Value::from(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_json_is_reported_where_it_is_wrong() {
        let problem = compile("data.json", "{\n  \"é\": x\n}").unwrap_err();
        assert_eq!(problem.to_string(), "data.json:2:8: not JSON: expected value");
    }

    #[test]
    fn the_text_is_handed_over_as_it_is() {
        let code = compile("data.json", r#"{"__proto__": 1}"#).unwrap();
        assert_eq!(code, "export default JSON.parse(\"{\\\"__proto__\\\": 1}\");\n");
    }
}
