//! Runs programs in QuickJS.

use std::borrow::Cow;
use std::sync::Arc;

use rquickjs::{
    CatchResultExt, CaughtError, Context, Ctx, Function, Module, Object, Runtime, Value,
};

use super::super::{Frame, Program, ProgramModules};

/// A built-in module that exports who imports it.
pub(super) fn who_imports(specifier: &str, importer: &str) -> Option<(String, Cow<'static, str>)> {
    let source = format!("export const importer = {importer:?};").into();
    (specifier == "sidehook").then(|| (format!("sidehook:for/{importer}"), source))
}

/// Runs `program`, and gives its exports to `look`.
pub(super) fn run<T>(
    program: Program,
    look: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> T,
) -> Result<T, Failure> {
    let program = Arc::new(program);
    let modules = ProgramModules::new(Arc::clone(&program), who_imports);
    let runtime = Runtime::new().unwrap();
    runtime.set_loader(modules.clone(), modules);
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let failure = |error: CaughtError<'_>| Failure::of(&program, &error);
        let code = program.code(program.entry()).unwrap();
        let module = Module::declare(ctx.clone(), program.entry(), code).catch(&ctx);
        let (module, done) = module.map_err(failure)?.eval().catch(&ctx).map_err(failure)?;
        done.finish::<()>().catch(&ctx).map_err(failure)?;
        Ok(look(&ctx, &module.namespace().unwrap()))
    })
}

/// The value of the export `value`, as JSON.
pub(super) fn value(program: Program) -> String {
    let json = run(program, |ctx, exports| {
        let value: Value<'_> = exports.get("value").unwrap();
        ctx.json_stringify(value).unwrap().unwrap().to_string().unwrap()
    });
    json.unwrap()
}

/// What the export `fail` of `program` throws when it is called.
pub(super) fn failure(program: Program) -> Failure {
    let program = Arc::new(program);
    let modules = ProgramModules::new(Arc::clone(&program), who_imports);
    let runtime = Runtime::new().unwrap();
    runtime.set_loader(modules.clone(), modules);
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let code = program.code(program.entry()).unwrap();
        let module = Module::declare(ctx.clone(), program.entry(), code).unwrap();
        let (module, done) = module.eval().unwrap();
        done.finish::<()>().unwrap();
        let fail: Function<'_> = module.get("fail").unwrap();
        let thrown = fail.call::<_, Value<'_>>(()).catch(&ctx).unwrap_err();
        Failure::of(&program, &thrown)
    })
}

/// An error of a script.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) trace: Vec<Frame>,
}

impl Failure {
    fn of(program: &Program, error: &CaughtError<'_>) -> Self {
        let CaughtError::Exception(exception) = error else {
            return Self { message: error.to_string(), trace: vec![] };
        };
        let message = exception.message().unwrap_or_default();
        let trace = program.trace(&message, &exception.stack().unwrap_or_default());
        Self { message, trace }
    }

    pub(super) fn shown(&self) -> Vec<String> {
        self.trace.iter().map(ToString::to_string).collect()
    }
}
