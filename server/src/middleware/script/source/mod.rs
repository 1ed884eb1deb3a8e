//! From TypeScript and JavaScript files to modules that QuickJS can load.

mod calls;
mod compile;
mod depth;
mod diagnostics;
mod exports;
mod imports;
mod json;
mod language;
mod load;
mod mappings;
mod modules;
mod names;
mod near;
mod position;
mod problem;
mod program;
mod read;
mod resolve;
mod specifier;
mod trace;

#[cfg(test)]
mod tests;

pub(crate) use modules::ProgramModules;
pub(crate) use problem::SourceProblem;
pub(crate) use program::Program;
pub(crate) use trace::Frame;

/// The modules that a script can import without a file; all three are the same module.
pub(crate) const BUILTIN_MODULES: [&str; 3] = ["sidehook", "@cogitator-ai/core", "vern-llm"];
