//! Hooks without their types, for middleware that treats them alike: a request
//! as fields, an answer as fields.

use super::Middleware;
use crate::{
    engine::{Context, Fault},
    hooks::{HookId, Named},
};
use prost::Message;
use prost_reflect::{DescriptorPool, DeserializeOptions, DynamicMessage};
use prost_types::FileDescriptorSet;
use serde_json::{Map, Value};
use sidehook_proto::{Answer, FILE_DESCRIPTOR_SET, Fields, Outcome};
use std::sync::OnceLock;

/// The fields of an answer by their names on the wire. None is no opinion.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnyAnswer(pub Map<String, Value>);

/// A unary hook's request without its type.
pub trait AnyRequest: Sync {
    /// The hook.
    fn hook(&self) -> HookId;

    /// The fields by their names on the wire. A field `x_json` appears as `x`,
    /// parsed, unless it is empty.
    fn fields(&self) -> Map<String, Value>;
}

struct Typed<'a, H: Named>(&'a H::Request);

impl<H: Named> AnyRequest for Typed<'_, H> {
    fn hook(&self) -> HookId {
        H::ID
    }

    fn fields(&self) -> Map<String, Value> {
        self.0.fields()
    }
}

/// Asks the untyped method of a middleware and gives the answer its type.
pub(super) async fn ask<H: Named, M: Middleware + ?Sized>(
    middleware: &M,
    context: &Context<'_>,
    request: &H::Request,
) -> Result<Outcome<H::Answer>, Fault> {
    Ok(match middleware.any(context, &Typed::<H>(request)).await? {
        Outcome::Answer(answer) => Outcome::Answer(typed(answer)?),
        Outcome::Veto(veto) => Outcome::Veto(veto),
        Outcome::Tripwire(tripwire) => Outcome::Tripwire(tripwire),
        Outcome::Failure(failure) => Outcome::Failure(failure),
    })
}

/// Gives an answer its type.
pub(crate) fn typed<A: Answer>(answer: AnyAnswer) -> Result<A, Fault> {
    if answer.0.is_empty() {
        return Ok(A::default());
    }
    let descriptor = pool()
        .get_message_by_name(&A::full_name())
        .ok_or_else(|| Fault::malformed("gave an answer of an unknown type"))?;
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    DynamicMessage::deserialize_with_options(descriptor, Value::Object(answer.0), &options)
        .map_err(|error| Fault::malformed(format!("gave an answer that does not fit: {error}")))?
        .transcode_to()
        .map_err(|error| Fault::malformed(format!("gave an answer that does not fit: {error}")))
}

fn pool() -> &'static DescriptorPool {
    static POOL: OnceLock<DescriptorPool> = OnceLock::new();
    POOL.get_or_init(|| {
        let mut set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap_or_default();
        // Comments and places are most of it, and nobody asks for them here.
        for file in &mut set.file {
            file.source_code_info = None;
        }
        DescriptorPool::from_file_descriptor_set(set).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sidehook_proto::v1;

    #[test]
    fn json_fields_are_parsed_bit_for_bit() {
        let request = v1::BeforeToolCallRequest {
            tool_call: Some(v1::ToolCall {
                name: "refund".into(),
                arguments_json: r#"{"id":9007199254740993}"#.into(),
                ..v1::ToolCall::default()
            }),
            ..v1::BeforeToolCallRequest::default()
        };
        let fields = request.fields();
        assert_eq!(fields["tool_call"]["arguments"].to_string(), r#"{"id":9007199254740993}"#);
        assert_eq!(fields["resumed"], json!(false));
    }

    #[test]
    fn an_answer_of_fields_gets_its_type() {
        let Value::Object(fields) = json!({"decision": "TOOL_DECISION_DENY", "reason": "no"})
        else {
            panic!()
        };
        let answer: v1::BeforeToolCallAnswer = typed(AnyAnswer(fields)).unwrap();
        assert_eq!((answer.decision(), answer.reason.as_str()), (v1::ToolDecision::Deny, "no"));
        let Value::Object(fields) = json!({"verdict": "deny"}) else { panic!() };
        let fault = typed::<v1::BeforeToolCallAnswer>(AnyAnswer(fields)).unwrap_err();
        assert!(fault.to_string().contains("verdict"), "{fault}");
    }
}
