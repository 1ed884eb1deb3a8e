//! The shell's grammar, as far as it takes to know which commands a text runs.
//!
//! ```text
//! list     = pipeline { (";" | "&" | "&&" | "||" | newline) pipeline }
//! pipeline = stage { ("|" | "|&") stage }
//! stage    = "(" list ")" | "{" list "}" | name "()" stage | simple
//! simple   = { assignment } { word | redirect }
//! word     = { text | quoted | "$" expansion | "$(" list ")" | "`" list "`" }
//! ```
//!
//! Keywords such as `if`, `do` and `done` are skipped: what stands between them
//! runs or may run, and that is all that counts. Variables that are assigned in
//! the text are replaced; a word with an unknown part says that it is dynamic.

mod cursor;
mod dollar;
mod escapes;
mod heredoc;
mod keyword;
mod output;
mod parser;
mod script;
mod simple;
mod variables;
mod word;

pub(super) use output::{output, static_output};
pub(super) use parser::parse;
pub(super) use script::{Pipeline, Redirect, RedirectKind, Script, Stage};
pub(super) use variables::Variables;
pub(super) use word::Word;
