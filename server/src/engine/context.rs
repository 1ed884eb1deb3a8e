//! What a middleware sees of the call that it is asked about, and through which
//! it speaks beside its answer.

use super::Variables;
use crate::{
    hooks::HookId,
    runs::{RunState, Scope, StateError},
};
use parking_lot::Mutex;
use serde_json::Value;
use sidehook_proto::v1;
use std::{
    fmt,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

/// One call of a hook: what is the same for all its links.
pub struct Call {
    /// The hook.
    pub hook: HookId,
    /// Who asks and on whose behalf.
    pub context: v1::HookContext,
    /// The run's state.
    pub state: Arc<dyn RunState>,
    /// When the caller stops waiting.
    pub deadline: Option<tokio::time::Instant>,
    /// What the hook adds to the context: which attempt it is, or what is known
    /// before one is chosen.
    pub variables: Variables,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("hook", &self.hook).finish_non_exhaustive()
    }
}

/// What one middleware sees of one call.
///
/// Source: document 000, "The Run Context"; document 001, "ctx.state and
/// ctx.own".
pub struct Context<'a> {
    call: &'a Call,
    middleware: &'a str,
    effects: Mutex<Option<Box<v1::Effects>>>,
    /// Whether the call still listens. Made when state is asked for, so that a
    /// link that uses none pays nothing.
    listening: OnceLock<Arc<AtomicBool>>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("middleware", &self.middleware).finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// What `middleware` sees of `call`.
    #[must_use]
    pub fn new(call: &'a Call, middleware: &'a str) -> Self {
        Self { call, middleware, effects: Mutex::default(), listening: OnceLock::new() }
    }

    /// The hook.
    #[must_use]
    pub fn hook(&self) -> HookId {
        self.call.hook
    }

    /// Who asks and on whose behalf: the run, the agent, the user, the
    /// iteration.
    #[must_use]
    pub fn run(&self) -> &v1::HookContext {
        &self.call.context
    }

    /// The name that the middleware has in the configuration.
    #[must_use]
    pub fn middleware(&self) -> &str {
        self.middleware
    }

    /// When the caller stops waiting, if it said so.
    #[must_use]
    pub fn deadline(&self) -> Option<tokio::time::Instant> {
        self.call.deadline
    }

    /// What the hook adds to the context: which attempt it is, or what is known
    /// before one is chosen.
    #[must_use]
    pub fn variables(&self) -> &Variables {
        &self.call.variables
    }

    /// Adds a system message for the next model call, saved to the thread.
    pub fn add_context(&self, text: impl Into<String>) {
        let context = v1::AddedContext { text: text.into(), middleware: self.middleware.into() };
        self.effects.lock().get_or_insert_default().added_context.push(context);
    }

    /// Ends the run before its next model call, as completed. The first reason
    /// counts.
    pub fn stop(&self, reason: impl Into<String>) {
        let stop = || v1::Stop { reason: reason.into(), middleware: self.middleware.into() };
        self.effects.lock().get_or_insert_default().stop.get_or_insert_with(stop);
    }

    /// Writes an entry to the thread's log.
    pub fn log_event(&self, event: impl Into<String>, note: &Value) {
        self.log_event_text(event.into(), note.to_string());
    }

    /// As [`Context::log_event`], with a note that is JSON text already.
    pub(crate) fn log_event_text(&self, event: String, note_json: String) {
        let entry = v1::LogEvent { event, note_json, middleware: self.middleware.into() };
        self.effects.lock().get_or_insert_default().log_events.push(entry);
    }

    /// Passes on effects that come from elsewhere, in this middleware's name.
    pub fn extend_effects(&self, mut effects: v1::Effects) {
        let mut own = self.effects.lock();
        let own = own.get_or_insert_default();
        own.added_context.append(&mut effects.added_context);
        own.log_events.append(&mut effects.log_events);
        own.stop = own.stop.take().or(effects.stop);
    }

    /// The state that the run's middleware share.
    #[must_use]
    pub fn state(&self) -> State {
        self.scoped(Scope::Run)
    }

    /// The state of the logical model call, shared by the middleware that see
    /// it. Without a `request_id` it is the run's.
    #[must_use]
    pub fn call_state(&self) -> State {
        let request = &self.call.context.request_id;
        if request.is_empty() {
            self.state()
        } else {
            self.scoped(Scope::Call(request.as_str().into()))
        }
    }

    /// This middleware's own scratch space within the run.
    #[must_use]
    pub fn own(&self) -> State {
        self.scoped(Scope::Own(self.middleware.into()))
    }

    pub(super) fn take_effects(&self) -> Option<Box<v1::Effects>> {
        self.effects.lock().take()
    }

    fn scoped(&self, scope: Scope) -> State {
        let listening = self.listening.get_or_init(|| Arc::new(AtomicBool::new(true)));
        State { run: Arc::clone(&self.call.state), scope, listening: Arc::clone(listening) }
    }
}

impl Drop for Context<'_> {
    /// A middleware that was dropped, because it timed out or its caller went
    /// away, writes no state any more, even from a task that it left behind.
    fn drop(&mut self) {
        if let Some(listening) = self.listening.get() {
            listening.store(false, Ordering::Release);
        }
    }
}

/// A part of a run's state. Every operation is atomic.
///
/// Outlives the call only in name: writes after it ended are discarded.
#[derive(Clone)]
pub struct State {
    run: Arc<dyn RunState>,
    scope: Scope,
    listening: Arc<AtomicBool>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("scope", &self.scope).finish_non_exhaustive()
    }
}

impl State {
    /// Reads a value.
    ///
    /// # Errors
    ///
    /// The store does not answer, or the call is over.
    pub async fn get(&self, key: &str) -> Result<Option<Value>, StateError> {
        self.run.get(self.open()?, key).await
    }

    /// Writes a value.
    ///
    /// # Errors
    ///
    /// The store does not answer, the call is over, or a bound is reached.
    pub async fn set(&self, key: &str, value: Value) -> Result<(), StateError> {
        self.run.set(self.open()?, key, value).await
    }

    /// Removes a value and returns it.
    ///
    /// # Errors
    ///
    /// As for [`State::get`].
    pub async fn remove(&self, key: &str) -> Result<Option<Value>, StateError> {
        self.run.remove(self.open()?, key).await
    }

    /// Adds to a number, an absent one counting as 0, and returns the sum.
    ///
    /// # Errors
    ///
    /// As for [`State::set`]; also when the value is no integer.
    pub async fn add(&self, key: &str, amount: i64) -> Result<i64, StateError> {
        self.run.add(self.open()?, key, amount).await
    }

    /// Writes `new` if the value is `expected`, and says whether it did. `None`
    /// is an absent value.
    ///
    /// # Errors
    ///
    /// As for [`State::set`].
    pub async fn compare_and_set(
        &self,
        key: &str,
        expected: Option<&Value>,
        new: Option<Value>,
    ) -> Result<bool, StateError> {
        self.run.compare_and_set(self.open()?, key, expected, new).await
    }

    /// Watches whether the run is open, without keeping its state.
    #[must_use]
    pub fn watch(&self) -> RunWatch {
        RunWatch(Arc::downgrade(&self.run))
    }

    fn open(&self) -> Result<&Scope, StateError> {
        if self.listening.load(Ordering::Acquire) {
            Ok(&self.scope)
        } else {
            Err(StateError::CallOver)
        }
    }
}

/// Tells whether a run is open, for what is kept beside its state.
#[derive(Debug, Clone)]
pub struct RunWatch(Weak<dyn RunState>);

impl RunWatch {
    /// Whether the run is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// What tells open runs apart. A run that has ended may leave its address to
    /// a later one.
    #[must_use]
    pub fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }
}
