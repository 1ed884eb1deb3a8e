//! The JavaScript of each standard object, and its native functions.

use rquickjs::{Ctx, Exception, Object, Result, convert::List};

use super::{bytes, console, crypto, reflect, url};

/// The source of a unit and its native functions, for `install.js` to put together.
///
/// It does not compile the source itself: what a native function lets the engine evaluate or call
/// begins with a whole new limit of stack, deep in a script's as it may be.
pub(super) fn load<'js>(
    ctx: &Ctx<'js>,
    unit: &str,
    log: &console::Log,
) -> Result<List<(&'static str, Object<'js>)>> {
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
    Ok(List((source, native)))
}
