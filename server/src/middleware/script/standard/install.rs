//! Puts the standard objects on a context's global object.

use std::rc::Rc;

use rquickjs::{Ctx, Function, Object, Result};

use super::{Level, console, units};

/// Defines the standard objects on the global object of `ctx`.
///
/// What a script writes to its console goes to `log`, one call for each line.
/// Call it before any script runs: it captures what the engine has at that time.
///
/// # Errors
///
/// If the runtime's limits do not leave room for the objects.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, log: impl Fn(Level, String) + 'static) -> Result<()> {
    let log: console::Log = Rc::new(log);
    let load =
        Function::new(ctx.clone(), move |ctx: Ctx<'js>, unit: String, captured: Object<'js>| {
            units::load(&ctx, &unit, captured, &log)
        })?;
    let define: Function<'js> = units::compile(ctx, "install", include_str!("install.js"))?;
    define.call((load,))
}
