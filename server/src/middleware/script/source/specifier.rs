//! What the name in an `import` stands for.

use super::BUILTIN_MODULES;
use super::near::{did_you_mean, near};
use super::problem::Complaint;

/// What Node.js and its kin have built in, and scripts have not.
const NODE_MODULES: &str = "assert async_hooks buffer bun child_process cluster console crypto \
    dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path \
    perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls \
    trace_events tty url util v8 vm wasi worker_threads zlib";

/// What an import names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Specifier {
    /// A file, as seen from the importing one.
    Relative,
    /// A module that every script has.
    Builtin,
    /// Something that scripts do not have.
    Foreign(Complaint),
}

impl Specifier {
    /// Says what `text` stands for.
    pub(super) fn of(text: &str) -> Self {
        if text == "." || text == ".." || text.starts_with("./") || text.starts_with("../") {
            Self::Relative
        } else if BUILTIN_MODULES.contains(&text) {
            Self::Builtin
        } else {
            Self::Foreign(foreign(text))
        }
    }
}

/// Why `text` cannot be imported, and what can be.
fn foreign(text: &str) -> Complaint {
    let builtin = BUILTIN_MODULES.map(|name| format!("`{name}`")).join(", ");
    let importable =
        format!("what can be imported: {builtin}, and files, whose names begin with `./` or `../`");
    let package = text.split('/').next().unwrap_or_default();
    if text.starts_with("node:") || NODE_MODULES.split(' ').any(|name| name == package) {
        let reason = "a script has no file system, no process and no network";
        return Complaint::new(format!("`{text}` cannot be imported: {reason}")).help(importable);
    }
    if text.starts_with('/') || text.contains(':') {
        let reason = "the name of a file is relative and begins with `./` or `../`";
        return Complaint::new(format!("`{text}` cannot be imported: {reason}")).help(importable);
    }
    let near = near(text, BUILTIN_MODULES.into_iter());
    let help =
        did_you_mean(&near).map_or_else(|| importable.clone(), |q| format!("{q} {importable}"));
    Complaint::new(format!("`{text}` cannot be imported: scripts have no packages")).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> Complaint {
        match Specifier::of(text) {
            Specifier::Foreign(complaint) => complaint,
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn a_file_begins_with_a_dot() {
        for text in [".", "..", "./a", "../a/b.ts"] {
            assert_eq!(Specifier::of(text), Specifier::Relative, "{text}");
        }
    }

    #[test]
    fn a_module_of_node_is_refused_for_what_scripts_lack() {
        for text in ["fs", "fs/promises", "node:net", "node:whatever"] {
            assert!(complaint(text).message.contains("no file system"), "{text}");
        }
    }

    #[test]
    fn a_package_is_refused_and_what_can_be_imported_is_named() {
        let Complaint { message, help } = complaint("lodash");
        assert_eq!(message, "`lodash` cannot be imported: scripts have no packages");
        for name in BUILTIN_MODULES {
            assert!(help.as_deref().unwrap().contains(name), "{name}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_noticed() {
        let help = complaint("sidehok").help.unwrap();
        assert!(help.starts_with("did you mean `sidehook`?"), "{help}");
    }

    #[test]
    fn an_address_or_an_absolute_path_is_told_to_be_relative() {
        for text in ["/etc/passwd", "https://example.com/a.js", "file:///a.ts", "data:,1"] {
            assert!(complaint(text).message.contains("is relative"), "{text}");
        }
    }
}
