//! Compiles the JavaScript of one standard object, and gives it its native functions.

use rquickjs::{Ctx, Exception, Function, Object, Result, Value, context::EvalOptions};

use super::{bytes, console, crypto, reflect, url};

/// Compiles the unit, and returns what it exports.
pub(super) fn load<'js>(
    ctx: &Ctx<'js>,
    unit: &str,
    captured: Object<'js>,
    log: &console::Log,
) -> Result<Value<'js>> {
    let native = Object::new(ctx.clone())?;
    let source = match unit {
        "bytes" => include_str!("bytes.js"),
        "clone" => {
            reflect::define(&native)?;
            include_str!("clone.js")
        }
        "console" => {
            console::define(&native, log)?;
            include_str!("console.js")
        }
        "crypto" => {
            crypto::define(&native)?;
            include_str!("crypto.js")
        }
        "describe" => {
            reflect::define(&native)?;
            include_str!("describe.js")
        }
        "encoding" => {
            bytes::define(&native)?;
            include_str!("encoding.js")
        }
        "inspect" => {
            reflect::define(&native)?;
            include_str!("inspect.js")
        }
        "kinds" => include_str!("kinds.js"),
        "search_params" => {
            url::define_query(&native)?;
            include_str!("search_params.js")
        }
        "text" => include_str!("text.js"),
        "url" => {
            url::define(&native)?;
            include_str!("url.js")
        }
        _ => return Err(Exception::throw_reference(ctx, &format!("no unit is named {unit:?}"))),
    };
    let factory: Function<'js> = compile(ctx, unit, source)?;
    factory.call((captured, native))
}

/// The function that the source of a unit consists of.
pub(super) fn compile<'js>(ctx: &Ctx<'js>, unit: &str, source: &str) -> Result<Function<'js>> {
    let mut options = EvalOptions::default();
    options.filename = Some(format!("sidehook:standard/{unit}.js"));
    ctx.eval_with_options(source, options)
}
