//! Runs JavaScript with the standard objects, for the tests.

use std::{cell::RefCell, rc::Rc};

use rquickjs::{CatchResultExt as _, Context, Ctx, Runtime};
use serde_json::Value;

use crate::middleware::script::standard::{Level, install};

/// What a test's script may use: `thrown(f)` is the name of what `f` throws.
const PRELUDE: &str = "globalThis.thrown = (f) => { \
    try { return ['no error', f()] } catch (error) { return error.name } };";

/// A context with the standard objects, and the lines of its console.
pub(super) struct Script {
    runtime: Runtime,
    context: Context,
    lines: Rc<RefCell<Vec<(Level, String)>>>,
}

impl Script {
    pub(super) fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let context = Context::full(&runtime).unwrap();
        let lines = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&lines);
        context.with(|ctx| {
            install(&ctx, move |level, line| log.borrow_mut().push((level, line))).unwrap();
            ctx.eval::<(), _>(PRELUDE).unwrap();
        });
        Self { runtime, context, lines }
    }

    /// The runtime, to limit or to measure it.
    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// The value of an expression or of statements, by way of JSON; a promise's when it is settled.
    pub(super) fn value(&self, source: &str) -> Value {
        self.context.with(|ctx| {
            let value = ctx.eval::<rquickjs::Value<'_>, _>(source).catch(&ctx);
            let mut value = value.unwrap_or_else(|error| panic!("{source}: {error}"));
            if let Some(promise) = value.as_promise() {
                let settled = promise.finish::<rquickjs::Value<'_>>().catch(&ctx);
                value = settled.unwrap_or_else(|error| panic!("{source}: {error}"));
            }
            let text = ctx.json_stringify(value).unwrap();
            text.map_or(Value::Null, |text| {
                serde_json::from_str(&text.to_string().unwrap()).unwrap()
            })
        })
    }

    /// What `read` makes of the outcome of running the source.
    pub(super) fn run<T>(
        &self,
        source: &str,
        read: impl for<'js> FnOnce(&Ctx<'js>, rquickjs::Result<rquickjs::Value<'js>>) -> T,
    ) -> T {
        self.context.with(|ctx| read(&ctx, ctx.eval(source)))
    }

    /// What was written to the console since the last call.
    pub(super) fn lines(&self) -> Vec<(Level, String)> {
        self.lines.take()
    }
}

/// Each expression, in a script of its own, has the value that stands beside it as JSON.
pub(super) fn assert_values(cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(Script::new().value(source), expected, "{source}");
    }
}
