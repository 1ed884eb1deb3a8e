//! Infrastructure as code.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
};

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let words: Vec<_> = arguments.words().collect();
    let automatic = arguments.options().any(|text| {
        matches!(
            text,
            "-auto-approve"
                | "--auto-approve"
                | "-y"
                | "--yes"
                | "-auto-approve=true"
                | "-f"
                | "--force"
                | "--terragrunt-non-interactive"
        )
    });
    match (program, words.as_slice()) {
        ("terragrunt", ["run-all" | "run", "destroy", ..]) | (_, ["destroy", ..]) => {
            found.service(Dangerous, "destroy", "It destroys what a deployment has made");
        }
        (_, ["apply", ..]) if arguments.any(&["-destroy", "--destroy"]) => {
            found.service(Dangerous, "destroy", "It destroys what a deployment has made");
        }
        (_, ["apply" | "up" | "deploy", ..]) if automatic => {
            found.service(Caution, "apply", "It changes a deployment without a question");
        }
        (_, ["state", "rm" | "delete" | "push" | "mv", ..]) | (_, ["stack", "rm", ..]) => {
            found.service(
                Dangerous,
                "forget-state",
                "It makes a deployment forget what it has made",
            );
        }
        (_, ["workspace", "delete", ..])
            if arguments.words().count() > 2 || !arguments.long("lock-timeout") =>
        {
            found.service(
                Dangerous,
                "forget-state",
                "It makes a deployment forget what it has made",
            );
        }
        (_, ["force-unlock" | "taint" | "untaint" | "cancel", ..]) => {
            found.service(Caution, "state", "It changes what a deployment believes");
        }
        _ => {}
    }
}
