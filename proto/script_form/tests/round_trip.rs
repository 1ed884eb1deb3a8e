//! Whatever a script does not touch comes back as it was.

use super::{javascript::unchanged, strategy};
use crate::ScriptValue;
use proptest::prelude::*;

#[track_caller]
fn check<T: ScriptValue + PartialEq + std::fmt::Debug>(value: &T) -> Result<(), TestCaseError> {
    let back = unchanged(value).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(&back, value);
    Ok(())
}

proptest! {
    #[test]
    fn a_message_comes_back(message in strategy::message()) {
        check(&message)?;
    }

    #[test]
    fn a_request_to_a_model_comes_back(request in strategy::chat_request()) {
        check(&request)?;
    }

    #[test]
    fn a_models_answer_comes_back(response in strategy::chat_response()) {
        check(&response)?;
    }

    #[test]
    fn a_tools_result_comes_back(result in strategy::tool_result()) {
        check(&result)?;
    }

    #[test]
    fn a_hooks_answer_comes_back(answer in strategy::before_tool_call_answer()) {
        check(&answer)?;
    }
}
