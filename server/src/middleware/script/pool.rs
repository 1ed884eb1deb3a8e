//! The scripts that run, so that a reload of the configuration keeps those that
//! did not change, with everything that they remember.

use super::{
    handle::Script,
    limits::ScriptLimits,
    thread::realm::{LoadError, Recipe},
};
use parking_lot::Mutex;
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock, Weak},
};

/// What makes two scripts the same.
type Key = (Arc<str>, [u8; 32], ScriptLimits);

/// The script that a recipe makes: the one that runs already, or a new one.
pub(super) fn running(recipe: Recipe) -> Result<Arc<Script>, LoadError> {
    static RUNNING: OnceLock<Mutex<HashMap<Key, Weak<Script>>>> = OnceLock::new();
    let running = RUNNING.get_or_init(Mutex::default);
    let key = (Arc::clone(&recipe.name), *recipe.program.digest(), recipe.limits);
    if let Some(script) = running.lock().get(&key).and_then(Weak::upgrade) {
        return Ok(script);
    }
    let script = Arc::new(Script::start(recipe)?);
    let mut running = running.lock();
    running.retain(|_, script| script.strong_count() > 0);
    running.insert(key, Arc::downgrade(&script));
    Ok(script)
}
