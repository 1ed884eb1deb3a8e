//! A script's runtime: its limits, its globals, and its middleware once the file
//! was evaluated.

use super::{native, open::Shared, run::settle_jobs};
use crate::middleware::script::{
    found::{self, Found},
    limits::ScriptLimits,
    source::{Program, ProgramModules},
    standard,
};
use rquickjs::{
    CatchResultExt, CaughtError, Context, Ctx, Error, Function, Module, Object, Runtime, Value,
    promise::PromiseState,
};
use std::{rc::Rc, sync::Arc};

/// The JavaScript half, in the order in which it is evaluated.
const PARTS: [&str; 7] = [
    include_str!("../js/api.js"),
    include_str!("../js/timers.js"),
    include_str!("../js/context.js"),
    include_str!("../js/fill.js"),
    include_str!("../js/calls.js"),
    include_str!("../js/host.js"),
    include_str!("../js/discover.js"),
];

/// The name under which a script's modules find what they import from
/// `sidehook`. No string names it, and it goes with the script's runtime.
const API: &str = "sidehook:api";

/// What a script's runtime is made of.
#[derive(Debug, Clone)]
pub(crate) struct Recipe {
    /// The name that the script's log lines carry.
    pub(crate) name: Arc<str>,
    /// The script.
    pub(crate) program: Arc<Program>,
    /// What bounds it.
    pub(crate) limits: ScriptLimits,
}

/// The functions that the event loop calls.
pub(super) struct Entry<'js> {
    pub(super) dispatch: Function<'js>,
    pub(super) returned: Function<'js>,
    pub(super) rejected: Function<'js>,
    pub(super) stream: Function<'js>,
    pub(super) cancelled: Function<'js>,
    pub(super) fire: Function<'js>,
    pub(super) forget: Function<'js>,
    pub(super) drop: Function<'js>,
    pub(super) has_room: Function<'js>,
    failure: Function<'js>,
    discover: Function<'js>,
}

/// Why a script does not load.
#[derive(Debug)]
pub(crate) enum LoadError {
    /// It threw: a letter and JSON, as of an answer.
    Threw(String),
    /// It ran for too long, or never came to an end.
    Unfinished,
    /// Its runtime cannot be made.
    Engine(String),
}

/// A runtime within its limits.
pub(super) fn runtime(recipe: &Recipe, shared: &Rc<Shared>) -> Result<Runtime, Error> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(recipe.limits.memory);
    runtime.set_max_stack_size(recipe.limits.stack);
    let clock = Rc::clone(shared);
    runtime.set_interrupt_handler(Some(Box::new(move || {
        let interrupts = clock.clock.interrupts();
        if interrupts {
            drop(clock.reserve.take());
        }
        interrupts
    })));
    let modules =
        ProgramModules::new(Arc::clone(&recipe.program), |specifier: &str, importer: &str| {
            (specifier == "sidehook")
                .then(|| (format!("sidehook:for/{importer}"), api_module(importer).into()))
        });
    runtime.set_loader(modules.clone(), modules);
    let name = Arc::clone(&recipe.name);
    runtime.set_host_promise_rejection_tracker(Some(Box::new(move |_, _, reason, handled| {
        if !handled {
            let reason = reason.as_exception().and_then(|it| it.message());
            let reason = crate::redaction::redacted(reason.unwrap_or_default());
            tracing::debug!(middleware = &*name, reason, "a promise was rejected");
        }
    })));
    Ok(runtime)
}

/// A context with everything that a script finds.
pub(super) fn context(runtime: &Runtime) -> Result<Context, Error> {
    Context::full(runtime)
}

impl<'js> Entry<'js> {
    /// Puts everything on `globalThis` that a script finds there.
    pub(super) fn install(
        ctx: &Ctx<'js>,
        recipe: &Recipe,
        shared: &Rc<Shared>,
    ) -> Result<Self, Error> {
        let name = Arc::clone(&recipe.name);
        standard::install(ctx, move |level, text| log(&name, level, &text))?;
        let native = native::object(ctx, shared)?;
        let kit = Object::new(ctx.clone())?;
        for part in PARTS {
            let part: Function<'js> = ctx.eval(part)?;
            part.call::<_, ()>((native.clone(), kit.clone()))?;
        }
        ctx.globals()
            .prop(API, rquickjs::object::Property::from(kit.get::<_, Value<'js>>("api")?))?;
        Ok(Self {
            dispatch: kit.get("dispatch")?,
            returned: kit.get("returned")?,
            rejected: kit.get("rejected")?,
            stream: kit.get("stream")?,
            cancelled: kit.get("cancelled")?,
            fire: kit.get("fire")?,
            forget: kit.get("forget")?,
            drop: kit.get("drop")?,
            has_room: kit.get("hasRoom")?,
            failure: kit.get("failure")?,
            discover: kit.get("discover")?,
        })
    }

    /// Evaluates the script, and finds its middleware.
    pub(super) fn load(
        &self,
        ctx: &Ctx<'js>,
        recipe: &Recipe,
        shared: &Rc<Shared>,
    ) -> Result<Vec<Found>, LoadError> {
        let thrown = |error| match shared.clock.was_interrupted() {
            true => LoadError::Unfinished,
            false => self.thrown(ctx, error),
        };
        let program = &recipe.program;
        shared.clock.start(None);
        let code = program.code(program.entry()).unwrap_or_default();
        let module = Module::declare(ctx.clone(), program.entry(), code).catch(ctx);
        let (module, done) = module.and_then(|it| it.eval().catch(ctx)).map_err(thrown)?;
        if !settle_jobs(ctx, shared) {
            return Err(LoadError::Unfinished);
        }
        match done.state() {
            PromiseState::Pending => return Err(LoadError::Unfinished),
            PromiseState::Resolved | PromiseState::Rejected => {
                if let Some(result) = done.result::<Value<'js>>() {
                    result.catch(ctx).map_err(thrown)?;
                }
            }
        }
        let namespace = module.namespace().catch(ctx).map_err(thrown)?;
        let text: String = self.discover.call((namespace,)).catch(ctx).map_err(thrown)?;
        found::read(&text).map_err(|error| LoadError::Engine(error.to_string()))
    }

    /// What was thrown, as an answer's text says it.
    fn thrown(&self, ctx: &Ctx<'js>, error: CaughtError<'js>) -> LoadError {
        let value = match error {
            CaughtError::Error(error) => return LoadError::Engine(error.to_string()),
            CaughtError::Exception(exception) => exception.into_object().into_value(),
            CaughtError::Value(value) => value,
        };
        match self.failure.call::<_, String>((value,)).catch(ctx) {
            Ok(text) => LoadError::Threw(text),
            Err(error) => LoadError::Engine(error.to_string()),
        }
    }
}

/// The source of the module `sidehook` as `importer` sees it.
pub(super) fn api_module(importer: &str) -> String {
    let importer = serde_json::Value::from(importer);
    format!(
        "const api = globalThis[\"{API}\"]({importer});\n\
         export const {{ tripwire, isTripwire, createStateKey, LLMError }} = api;\n"
    )
}

fn log(name: &str, level: standard::Level, text: &str) {
    use standard::Level;
    let (middleware, text) = (name, crate::redaction::redacted(text.to_owned()));
    match level {
        Level::Trace => tracing::trace!(target: "sidehook::script", middleware, "{text}"),
        Level::Debug => tracing::debug!(target: "sidehook::script", middleware, "{text}"),
        Level::Info => tracing::info!(target: "sidehook::script", middleware, "{text}"),
        Level::Warn => tracing::warn!(target: "sidehook::script", middleware, "{text}"),
        Level::Error => tracing::error!(target: "sidehook::script", middleware, "{text}"),
    }
}
