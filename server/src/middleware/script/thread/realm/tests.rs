//! What a runtime refuses to load.

use super::super::{clock::Clock, open::Shared, realm::LoadError, signs::Signs};
use super::{Realm, Recipe};
use crate::middleware::script::{
    limits::{STACK_BESIDE, ScriptLimits},
    source::Program,
};
use std::{collections::BTreeSet, fs, sync::Arc, thread};

/// What comes of loading this many files, each of which imports the next, on a stack of the
/// size that a script's thread has.
fn load_chain(length: usize) -> Result<usize, LoadError> {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..length {
        let next = match number + 1 == length {
            true => "export default { beforeRun() {} };".into(),
            false => format!("export {{ default }} from './{}.js';", number + 1),
        };
        fs::write(folder.path().join(format!("{number}.js")), next).unwrap();
    }
    let (path, watched) = (folder.path(), &mut BTreeSet::new());
    let program = Program::load(&path.join("0.js"), path, path, watched).unwrap();
    let limits = ScriptLimits::default();
    let recipe = Recipe { name: "script".into(), program: program.into(), limits };
    let thread = thread::Builder::new().stack_size(limits.stack + STACK_BESIDE).spawn(move || {
        let clock = Clock::new(limits.time, &Arc::new(Signs::new()));
        let realm = Realm::open(&recipe, &Arc::new(Shared::new(clock, limits.output)))?;
        realm.load(&recipe).map(|found| found.len())
    });
    thread.unwrap().join().unwrap()
}

#[test]
fn a_long_chain_of_imports_is_refused_before_the_stack_is_used_up() {
    assert!(matches!(load_chain(20), Ok(1)));
    let refused = load_chain(2000).unwrap_err();
    let LoadError::Threw(text) = refused else { panic!("{refused:?}") };
    assert!(text.contains("too many modules import each other"), "{text}");
}
