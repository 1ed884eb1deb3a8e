//! Tests of the standard objects, each run by a script in a runtime of its own.

mod clone;
mod console;
mod crypto;
mod encoding;
mod hostile;
mod install;
mod script;
mod search_params;
mod url;
