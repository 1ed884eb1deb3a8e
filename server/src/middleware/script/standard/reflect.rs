//! Tells `clone.js` and `inspect.js` what JavaScript alone cannot know about a value.

#![expect(clippy::needless_pass_by_value, reason = "the engine gives arguments by value")]

use rquickjs::{Ctx, Function, Object, Result, Value, promise::PromiseState};

/// Defines what the two call.
pub(super) fn define(native: &Object<'_>) -> Result<()> {
    let ctx = native.ctx();
    native.set("isProxy", Function::new(ctx.clone(), is_proxy)?)?;
    native.set("unproxy", Function::new(ctx.clone(), unproxy)?)?;
    native.set("promiseState", Function::new(ctx.clone(), promise_state)?)
}

fn is_proxy(value: Value<'_>) -> bool {
    value.is_proxy()
}

/// What stands behind the proxies, without running their traps; null if one was revoked.
fn unproxy<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Value<'js> {
    let mut value = value;
    while let Some(proxy) = value.as_proxy() {
        match proxy.target() {
            Ok(target) => value = target.into_value(),
            Err(_) => {
                ctx.catch();
                return Value::new_null(ctx);
            }
        }
    }
    value
}

fn promise_state(value: Value<'_>) -> Option<&'static str> {
    Some(match value.as_promise()?.state() {
        PromiseState::Pending => "pending",
        PromiseState::Resolved => "fulfilled",
        PromiseState::Rejected => "rejected",
    })
}
