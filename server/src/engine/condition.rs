//! `when`: a CEL expression over the context that says whether a link applies.

mod matches;

use crate::hooks::HookId;
use cel::{
    Env, Program, Value,
    common::{
        ast::{Expr, IdedExpr},
        value::{CowVal, Val},
    },
    context::VariableResolver,
};
use sidehook_proto::v1;
use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    sync::{Arc, OnceLock},
};

/// What a hook adds to the variables of a condition.
pub type Variables = Vec<(&'static str, Value)>;

/// A compiled condition.
pub struct Condition {
    text: String,
    program: Program,
}

/// Why a condition does not compile, or cannot be evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConditionError(pub String);

impl Condition {
    /// Compiles a CEL expression.
    ///
    /// # Errors
    ///
    /// The expression does not parse.
    pub fn compile(text: &str) -> Result<Self, ConditionError> {
        let program =
            environment().compile(text).map_err(|error| ConditionError(error.to_string()))?;
        matches::check(program.expression())?;
        Ok(Self { text: text.into(), program })
    }

    /// The expression, as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the condition holds at `hook` for a context.
    ///
    /// # Errors
    ///
    /// A variable is not there at this hook, the types do not fit, or the value
    /// is no boolean.
    pub fn holds(
        &self,
        context: &v1::HookContext,
        hook: HookId,
        stage: &'static str,
        more: &Variables,
    ) -> Result<bool, ConditionError> {
        self.holds_for(&Scope { context, hook, stage, more })
    }

    /// Whether the condition holds for the variables of `scope`.
    ///
    /// # Errors
    ///
    /// As for [`Condition::holds`].
    pub fn holds_for(&self, scope: &dyn VariableResolver) -> Result<bool, ConditionError> {
        let mut cel = cel::Context::with_env(Arc::clone(environment()));
        cel.set_variable_resolver(scope);
        match self.program.execute(&cel) {
            Ok(Value::Bool(holds)) => Ok(holds),
            Ok(other) => Err(ConditionError(format!("gives {other:?} instead of true or false"))),
            Err(error) => Err(ConditionError(error.to_string())),
        }
    }

    /// The variables that the expression reads, sorted, without those that its
    /// own macros bind.
    #[must_use]
    pub fn variables(&self) -> BTreeSet<String> {
        let mut free = BTreeSet::new();
        collect(self.program.expression(), &mut Vec::new(), &mut free);
        free
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Condition").field(&self.text).finish()
    }
}

/// Names that CEL itself gives to its types.
const CEL_TYPES: [&str; 11] =
    ["bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type", "dyn"];

/// Collects the variables of `expression` that are not in `bound`.
fn collect(expression: &IdedExpr, bound: &mut Vec<String>, free: &mut BTreeSet<String>) {
    match &expression.expr {
        Expr::Ident(name) => {
            let is_type = CEL_TYPES.contains(&name.as_str());
            if !bound.contains(name) && !name.starts_with('@') && !is_type {
                free.insert(name.clone());
            }
        }
        Expr::Comprehension(each) => {
            collect(&each.iter_range, bound, free);
            collect(&each.accu_init, bound, free);
            let outer = bound.len();
            bound.extend([each.iter_var.clone(), each.accu_var.clone()]);
            bound.extend(each.iter_var2.clone());
            for part in [&each.loop_cond, &each.loop_step, &each.result] {
                collect(part, bound, free);
            }
            bound.truncate(outer);
        }
        _ => {
            for part in matches::inside(expression) {
                collect(part, bound, free);
            }
        }
    }
}

/// The variables that every condition has.
pub(crate) const CONTEXT_VARIABLES: [&str; 19] = [
    "hook",
    "run_id",
    "request_id",
    "thread_id",
    "session_id",
    "agent_id",
    "agent_name",
    "user_id",
    "channel_type",
    "channel_id",
    "topic_id",
    "conversation_id",
    "parent_run_id",
    "permission_mode",
    "iteration",
    "hop_count",
    "is_verified_person",
    "initiator_kind",
    "deps",
];

/// The variables that only some hooks add: `Transform` and `Wrap`.
pub(crate) const HOOK_VARIABLES: [&str; 8] = [
    "stage",
    "requested_provider",
    "requested_model",
    "is_fallback_attempt",
    "fallback_index",
    "attempt",
    "primary_provider",
    "primary_model",
];

/// The standard functions and macros, made once. The standard `matches`
/// compiles its pattern in every call, which takes a hundred times as long as
/// the rest of a hook; ours remembers it.
fn environment() -> &'static Arc<Env> {
    static ENVIRONMENT: OnceLock<Arc<Env>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut env = Env::stdlib();
        matches::add_to(&mut env);
        Arc::new(env)
    })
}

/// The variables of a condition: fields of the context under their own names,
/// `hook`, `stage`, and what the hook adds.
struct Scope<'a> {
    context: &'a v1::HookContext,
    hook: HookId,
    stage: &'static str,
    more: &'a Variables,
}

impl VariableResolver for Scope<'_> {
    fn resolve<'b>(&'b self, variable: &str) -> Option<CowVal<'b, 'b>> {
        let value = match variable {
            "hook" => self.hook.name().into(),
            "stage" => self.stage.into(),
            _ => context_variable(self.context, variable).or_else(|| {
                self.more.iter().find(|(name, _)| *name == variable).map(|(_, v)| v.clone())
            })?,
        };
        owned(value)
    }
}

/// A CEL value as the interpreter wants it.
pub(crate) fn owned<'b>(value: Value) -> Option<CowVal<'b, 'b>> {
    let value: Box<dyn Val> = value.try_into().ok()?;
    Some(CowVal::Owned(value))
}

/// A field of the context, by its own name.
#[must_use]
pub(crate) fn context_variable(context: &v1::HookContext, name: &str) -> Option<Value> {
    let text = match name {
        "run_id" => &context.run_id,
        "request_id" => &context.request_id,
        "thread_id" => &context.thread_id,
        "session_id" => &context.session_id,
        "agent_id" => &context.agent_id,
        "agent_name" => &context.agent_name,
        "user_id" => &context.user_id,
        "channel_type" => &context.channel_type,
        "channel_id" => &context.channel_id,
        "topic_id" => &context.topic_id,
        "conversation_id" => &context.conversation_id,
        "parent_run_id" => &context.parent_run_id,
        "permission_mode" => &context.permission_mode,
        "iteration" => return Some(Value::Int(context.iteration.into())),
        "hop_count" => return Some(Value::Int(context.hop_count.into())),
        "is_verified_person" => {
            let verified = context.initiator.is_some_and(|initiator| initiator.is_verified_person);
            return Some(verified.into());
        }
        "initiator_kind" => {
            let kind = context.initiator.map(|initiator| initiator.kind()).unwrap_or_default();
            let name = kind.as_str_name().trim_start_matches("INITIATOR_KIND_");
            return Some(name.to_ascii_lowercase().into());
        }
        "deps" => {
            let deps =
                serde_json::from_str::<serde_json::Value>(&context.deps_json).unwrap_or_default();
            return Some(from_json(&deps));
        }
        _ => return None,
    };
    Some(text.as_str().into())
}

/// A JSON value as CEL sees it. Integers stay exact; the serializer that CEL
/// brings does not know numbers of arbitrary precision.
pub(crate) fn from_json(json: &serde_json::Value) -> Value {
    use serde_json::Value as Json;
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::String(text) => text.as_str().into(),
        Json::Number(number) => number
            .as_i64()
            .map(Value::Int)
            .or_else(|| number.as_u64().map(Value::UInt))
            .unwrap_or_else(|| Value::Float(number.as_f64().unwrap_or(f64::NAN))),
        Json::Array(items) => Value::List(Arc::new(items.iter().map(from_json).collect())),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), from_json(value)));
            fields.collect::<HashMap<String, Value>>().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<bool, &str>) {
        let context = v1::HookContext {
            run_id: "r".into(),
            agent_name: "support-eu".into(),
            iteration: 3,
            deps_json: r#"{"tenant":{"id":9007199254740993}}"#.into(),
            ..v1::HookContext::default()
        };
        let more = vec![("attempt", Value::Int(2))];
        let holds = Condition::compile(text)
            .and_then(|condition| condition.holds(&context, HookId::Transform, "attempt", &more));
        match (holds, expected) {
            (Ok(holds), Ok(expected)) => assert_eq!(holds, expected, "{text}"),
            (Err(error), Err(expected)) => assert!(error.0.contains(expected), "{error}"),
            (other, _) => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_condition_reads_the_context_and_what_the_hook_adds() {
        check("iteration < 5 && agent_name.matches('^support')", Ok(true));
        check("iteration > 5", Ok(false));
        check("stage == 'attempt' && attempt > 1 && hook == 'transform'", Ok(true));
        check("initiator_kind == 'user'", Ok(false));
        check("deps.tenant.id == 9007199254740993", Ok(true));
    }

    #[test]
    fn a_condition_that_cannot_be_evaluated_says_why() {
        check("is_fallback_attempt", Err("is_fallback_attempt"));
        check("iteration", Err("instead of true or false"));
        check("iteration <", Err(""));
        check("agent_name.matches('(')", Err("no regular expression"));
    }
}
