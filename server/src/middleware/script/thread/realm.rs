//! A script's runtime: its limits, its globals, and its middleware once the file
//! was evaluated.

use super::{
    entry::{self, Entry},
    event::Event,
    native,
    open::Shared,
    outbox::Message,
    reserve::{self, Reserve},
    work::{Health, Work, settle_jobs},
};
use crate::middleware::script::{
    found::{self, Found},
    limits::{MAX_STACK, ScriptLimits},
    source::{Program, ProgramModules},
    standard,
};
use rquickjs::{
    CatchResultExt, CaughtError, Context, Ctx, Error, Function, Module, Object, Runtime, Value,
    promise::PromiseState,
};
use std::{sync::Arc, time::Instant};

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

/// A script's runtime with everything that belongs to it, for whoever works on the
/// script.
pub(super) struct Realm {
    context: Context,
    pub(super) shared: Arc<Shared>,
    pub(super) limits: ScriptLimits,
}

impl Realm {
    /// A runtime with everything on `globalThis` that a script finds there.
    pub(super) fn open(recipe: &Recipe, shared: &Arc<Shared>) -> Result<Self, LoadError> {
        let failed = |error: String| LoadError::Engine(error);
        let runtime = runtime(recipe, shared).map_err(|error| failed(error.to_string()))?;
        let context = Context::full(&runtime).map_err(|error| failed(error.to_string()))?;
        let installed = context.with(|ctx| {
            let installed = install(&ctx, recipe, shared);
            installed.catch(&ctx).map_err(|error| failed(error.to_string()))
        });
        installed?;
        Ok(Self { context, shared: Arc::clone(shared), limits: recipe.limits })
    }

    /// Evaluates the script, and finds its middleware.
    pub(super) fn load(&self, recipe: &Recipe) -> Result<Vec<Found>, LoadError> {
        self.enter(|work| {
            let renewed = Reserve::renew(work.ctx);
            renewed.map_err(|error| LoadError::Engine(error.to_string()))?;
            let found = load(work, recipe);
            self.shared.clock.stop();
            found
        })
        .unwrap_or_else(|| Err(LoadError::Engine("its functions are gone".into())))
    }

    /// Goes into the runtime to work there, one at a time. `None` when there is
    /// nothing in it.
    fn enter<T>(&self, work: impl FnOnce(&Work<'_, '_>) -> T) -> Option<T> {
        self.context.with(|ctx| {
            let functions = ctx.userdata::<entry::Functions<'_>>()?;
            let entry = Entry::of(&functions)?;
            let _reserve = Reserve::bring(&ctx);
            Some(work(&Work { ctx: &ctx, entry, realm: self }))
        })
    }

    /// Hands an event to the script.
    pub(super) fn handle(&self, event: Event) -> Health {
        self.enter(|work| work.handle(event)).unwrap_or(Err("lost its functions"))
    }

    /// Fires the timers that are due.
    pub(super) fn fire(&self) -> Health {
        if self.due().is_none_or(|due| due > Instant::now()) {
            return Ok(());
        }
        self.enter(|work| work.fire()).unwrap_or(Err("lost its functions"))
    }

    /// When its next timer is due.
    pub(super) fn due(&self) -> Option<Instant> {
        self.shared.timers.lock().due()
    }
}

/// A runtime within its limits.
fn runtime(recipe: &Recipe, shared: &Arc<Shared>) -> Result<Runtime, Error> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(recipe.limits.memory);
    let interrupted = Arc::clone(shared);
    runtime.set_interrupt_handler(Some(Box::new(move || {
        // Nobody waits for the end of a stretch that takes so long.
        interrupted.outbox.release().into_iter().for_each(Message::send);
        let interrupts = interrupted.clock.interrupts();
        if interrupts {
            reserve::give_up();
        }
        interrupts
    })));
    let builtins = |specifier: &str, importer: &str| {
        (specifier == "sidehook")
            .then(|| (format!("sidehook:for/{importer}"), api_module(importer).into()))
    };
    let stack = recipe.limits.stack.min(MAX_STACK);
    runtime.set_max_stack_size(stack);
    let modules = ProgramModules::new(Arc::clone(&recipe.program), stack, builtins);
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

/// Puts everything on `globalThis` that a script finds there, and keeps the
/// functions of the JavaScript half.
fn install<'js>(ctx: &Ctx<'js>, recipe: &Recipe, shared: &Arc<Shared>) -> Result<(), Error> {
    let name = Arc::clone(&recipe.name);
    standard::install(ctx, move |level, text| log(&name, level, &text))?;
    let native = native::object(ctx, shared)?;
    let kit = Object::new(ctx.clone())?;
    for part in PARTS {
        let part: Function<'js> = ctx.eval(part)?;
        part.call::<_, ()>((native.clone(), kit.clone()))?;
    }
    ctx.globals().prop(API, rquickjs::object::Property::from(kit.get::<_, Value<'js>>("api")?))?;
    entry::keep(ctx, &kit)?;
    Reserve::install(ctx);
    Ok(())
}

fn load(work: &Work<'_, '_>, recipe: &Recipe) -> Result<Vec<Found>, LoadError> {
    let Work { ctx, entry, realm } = work;
    let (clock, program) = (&realm.shared.clock, &recipe.program);
    let thrown = |error| match clock.was_interrupted() {
        true => LoadError::Unfinished,
        false => thrown_by(work, error),
    };
    clock.start(None);
    let code = program.code(program.entry()).unwrap_or_default();
    let module = Module::declare((*ctx).clone(), program.entry(), code).catch(ctx);
    let (module, done) = module.and_then(|it| it.eval().catch(ctx)).map_err(thrown)?;
    if !settle_jobs(ctx, &realm.shared) {
        return Err(LoadError::Unfinished);
    }
    match done.state() {
        PromiseState::Pending => return Err(LoadError::Unfinished),
        PromiseState::Resolved | PromiseState::Rejected => {
            if let Some(result) = done.result::<Value<'_>>() {
                result.catch(ctx).map_err(thrown)?;
            }
        }
    }
    let namespace = module.namespace().catch(ctx).map_err(thrown)?;
    let text: String = entry.discover.call((namespace,)).catch(ctx).map_err(thrown)?;
    found::read(&text).map_err(|error| LoadError::Engine(error.to_string()))
}

/// What was thrown, as an answer's text says it.
fn thrown_by<'js>(work: &Work<'_, 'js>, error: CaughtError<'js>) -> LoadError {
    let value = match error {
        CaughtError::Error(error) => return LoadError::Engine(error.to_string()),
        CaughtError::Exception(exception) => exception.into_object().into_value(),
        CaughtError::Value(value) => value,
    };
    match work.entry.failure.call::<_, String>((value,)).catch(work.ctx) {
        Ok(text) => LoadError::Threw(text),
        Err(error) => LoadError::Engine(error.to_string()),
    }
}

/// The source of the module `sidehook` as `importer` sees it.
fn api_module(importer: &str) -> String {
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

#[cfg(test)]
mod tests;
