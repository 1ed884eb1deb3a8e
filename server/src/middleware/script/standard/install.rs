//! Puts the standard objects on a context's global object.

use std::sync::Arc;

use rquickjs::{Ctx, Function, Result, context::EvalOptions};

use super::{Level, console, units};

/// Defines the standard objects on the global object of `ctx`.
///
/// What a script writes to its console goes to `log`, one call for each line.
/// Call it before any script runs: it captures what the engine has at that time.
///
/// # Errors
///
/// If the runtime's limits do not leave room for the objects.
pub(crate) fn install<'js>(
    ctx: &Ctx<'js>,
    log: impl Fn(Level, String) + Send + Sync + 'static,
) -> Result<()> {
    let log: console::Log = Arc::new(log);
    let load = Function::new(ctx.clone(), move |ctx: Ctx<'js>, unit: String| {
        units::load(&ctx, &unit, &log)
    })?;
    let mut options = EvalOptions::default();
    options.filename = Some("sidehook:standard/install.js".into());
    let define: Function<'js> = ctx.eval_with_options(include_str!("install.js"), options)?;
    define.call((load,))
}
