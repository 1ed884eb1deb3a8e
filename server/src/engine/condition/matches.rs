//! `matches` in conditions, with every pattern compiled once.
//!
//! The interpreter's own version compiles the pattern at every evaluation,
//! which costs more than the rest of a hook call.

use super::ConditionError;
use cel::{
    Env, ExecutionError,
    common::{
        ast::{Expr, IdedExpr, LiteralValue},
        types::{CelBool, CelString},
    },
};
use moka::sync::Cache;
use regex::Regex;
use std::sync::{Arc, OnceLock};

/// So many patterns are kept. More come up only when patterns are made from
/// what a request carries.
const MAX_COMPILED: u64 = 1024;

/// Adds `text.matches(pattern)` and `matches(text, pattern)` to an environment.
pub(super) fn add_to(env: &mut Env) {
    // The environment has neither yet, so that neither can be refused.
    let _added = cel::add_overload!(env, fn matches: (CelString<'_>, CelString<'_>) -> Result<CelBool>, id = "matches");
    let _added = cel::add_member_overload!(env, fn matches: (CelString<'_>, CelString<'_>) -> Result<CelBool>);
}

fn matches(text: &CelString<'_>, pattern: &CelString<'_>) -> Result<CelBool, ExecutionError> {
    match compiled(pattern.inner()) {
        Ok(regex) => Ok(CelBool::from(regex.is_match(text.inner()))),
        Err(message) => Err(ExecutionError::FunctionError { function: "matches".into(), message }),
    }
}

/// Shared, not cloned: a clone of a `Regex` starts with empty caches, and fills
/// them anew for every text.
fn compiled(pattern: &str) -> Result<Arc<Regex>, String> {
    static COMPILED: OnceLock<Cache<String, Result<Arc<Regex>, String>>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| Cache::new(MAX_COMPILED));
    compiled.get_with_by_ref(pattern, || {
        Regex::new(pattern).map(Arc::new).map_err(|error| error.to_string())
    })
}

/// Compiles every pattern that an expression writes out.
///
/// # Errors
///
/// The first one that is no regular expression.
pub(super) fn check(expression: &IdedExpr) -> Result<(), ConditionError> {
    let Expr::Call(call) = &expression.expr else {
        return inside(expression).into_iter().try_for_each(check);
    };
    if call.func_name == "matches"
        && let Some(Expr::Literal(LiteralValue::String(pattern))) =
            call.args.last().map(|arg| &arg.expr)
        && let Err(error) = compiled(pattern.inner())
    {
        return Err(ConditionError(format!("`matches` has no regular expression: {error}")));
    }
    inside(expression).into_iter().try_for_each(check)
}

/// The expressions directly inside another.
pub(super) fn inside(expression: &IdedExpr) -> Vec<&IdedExpr> {
    use cel::common::ast::EntryExpr::MapEntry;
    match &expression.expr {
        Expr::Select(select) => vec![&select.operand],
        Expr::Call(call) => call.target.as_deref().into_iter().chain(&call.args).collect(),
        Expr::List(list) => list.elements.iter().collect(),
        Expr::Map(map) => map
            .entries
            .iter()
            .filter_map(|entry| if let MapEntry(entry) = &entry.expr { Some(entry) } else { None })
            .flat_map(|entry| [&entry.key, &entry.value])
            .collect(),
        Expr::Comprehension(each) => {
            vec![&each.iter_range, &each.accu_init, &each.loop_cond, &each.loop_step, &each.result]
        }
        Expr::Ident(_) | Expr::Struct(_) | Expr::Literal(_) | Expr::Unspecified => Vec::new(),
    }
}
