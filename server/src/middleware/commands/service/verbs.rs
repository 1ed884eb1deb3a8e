//! Clients of services that say what they do with a verb: `aws ec2
//! terminate-instances`, `gcloud sql instances delete`.

use super::words::{DESTROYS, DISABLES, NOUNS, PROGRAMS, READS};
use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{self, Caution, Dangerous},
    },
};

/// How far from the program a verb may stand.
const FARTHEST: usize = 7;

/// Judges a client of a service.
pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let program = program.strip_suffix(".sh").unwrap_or(program);
    if program == "java" {
        return jenkins(arguments, found);
    }
    if PROGRAMS.contains(&program) {
        by_verb(program, arguments, found);
        special(program, arguments, found);
    }
}

/// `java -jar jenkins-cli.jar` has its verb behind its own options.
fn jenkins(arguments: Arguments<'_>, found: &mut Findings) {
    let jar = arguments.0.iter().position(|word| word.text.ends_with("jenkins-cli.jar"));
    if let Some(rest) = jar.and_then(|at| arguments.0.get(at.saturating_add(1)..)) {
        by_verb("jenkins-cli", Arguments(rest), found);
    }
}

fn by_verb(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    if arguments.any(&["help"]) {
        return;
    }
    let mut words = arguments.words().take(FARTHEST).peekable();
    while let Some(word) = words.next() {
        let word = word.to_ascii_lowercase();
        // An address or a path is an operand.
        if word.contains(['/', '.', '@', '=']) || word.contains("::") {
            continue;
        }
        match verb(program, &word) {
            Verb::Reads if NOUNS.contains(&word.as_str()) => {}
            Verb::Reads => return,
            Verb::Loses(severity) => {
                // Without an object, the client refuses or asks.
                let named = words.peek().is_some() || arguments.options().next().is_some();
                let severity = if named { severity } else { Caution };
                let (rule, reason) = match severity {
                    Dangerous => ("service-delete", "It deletes something of a service"),
                    Caution => ("service-disable", "It takes something of a service out of use"),
                };
                return found.service(severity, rule, reason);
            }
            Verb::None => {}
        }
    }
}

enum Verb {
    Reads,
    Loses(Severity),
    None,
}

fn verb(program: &str, word: &str) -> Verb {
    if program == "heroku"
        && word.split_once(':').is_some_and(|(_, verb)| matches!(verb, "stop" | "restart"))
    {
        return Verb::Loses(Caution);
    }
    let mut parts = word.split(['-', ':', '_']).peekable();
    let first = parts.peek().copied().unwrap_or_default();
    // `kv:key` and `apps` are nouns; `list-users` and `get` are verbs.
    if READS.contains(&first) && !(first == "test" && parts.clone().count() == 1 && word != "test")
    {
        let again = parts.clone().any(|part| part == "delete");
        return if again && first == "batch" { Verb::Loses(Dangerous) } else { Verb::Reads };
    }
    if parts.clone().any(|part| DESTROYS.contains(&part)) {
        return Verb::Loses(Dangerous);
    }
    if parts.any(|part| DISABLES.contains(&part)) { Verb::Loses(Caution) } else { Verb::None }
}

/// What some clients do without a verb that says so.
fn special(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let option = |starts: &[&str]| {
        arguments.options().any(|text| starts.iter().any(|start| text.starts_with(start)))
    };
    let mirrors = match program {
        "rclone" => matches!(arguments.word(0), "sync" | "move" | "moveto" | "bisync"),
        "aws" => arguments.word(0) == "s3" && arguments.has("sync") && option(&["--delete"]),
        "azcopy" => {
            arguments.word(0) == "sync"
                && option(&["--delete-destination"])
                && !option(&["--delete-destination=false"])
        }
        "gsutil" => {
            arguments.words().any(|word| word == "rsync")
                && (arguments.short('d') || arguments.short('D'))
        }
        "gcloud" => arguments.has("rsync") && option(&["--delete-unmatched"]),
        "mc" | "s3cmd" | "s5cmd" => {
            arguments.words().any(|word| matches!(word, "mirror" | "sync"))
                && option(&["--remove", "--delete"])
        }
        _ => false,
    };
    if mirrors {
        found.service(
            Dangerous,
            "service-mirror",
            "It deletes what one side has and the other has not",
        );
    }
    let options: &[&str] = match program {
        "kafka-topics" | "kafka-acls" | "kafka-consumer-groups" | "kafka-configs" => {
            &["--delete", "--remove", "--reset-offsets", "--delete-offsets"]
        }
        "restic" => &["--prune", "--unsafe-allow-remove-all", "--cleanup"],
        "kafka-delete-records" => &["--offset-json-file"],
        "gh" | "glab" => &["--visibility"],
        "gitlab-runner" => &["--all-runners"],
        _ => &[],
    };
    if !options.is_empty() && option(options) {
        found.service(Dangerous, "service-option", "It deletes or exposes something of a service");
    }
    let rest: &[&str] = match program {
        "aws" => &[
            "put-secret-value",
            "update-secret",
            "put-bucket-policy",
            "put-bucket-lifecycle-configuration",
            "modify-db-instance",
            "schedule-key-deletion",
            "cancel-key-deletion",
        ],
        "gitlab-rake" => &["gitlab:backup:restore"],
        "fastly" => &["activate"],
        "netlify" => &["env:clone"],
        _ => &[],
    };
    if arguments.words().any(|word| rest.contains(&word)) {
        found.service(
            Caution,
            "service-replace",
            "It replaces something of a service that is in use",
        );
    }
    if matches!(program, "gh" | "glab") && api_deletes(arguments) {
        found.service(Dangerous, "service-delete", "It deletes something of a service");
    }
    if program == "aws" && arguments.texts().any(|text| text.contains("\"DELETE\"")) {
        found.service(Dangerous, "service-delete", "It deletes something of a service");
    }
}

/// Whether a call to a web interface deletes.
pub(super) fn api_deletes(arguments: Arguments<'_>) -> bool {
    let method = arguments.value(&["-X", "--request", "--method"]);
    method.is_some_and(|word| word.text.eq_ignore_ascii_case("delete"))
        || arguments.any(&["-XDELETE", "--request=DELETE", "--method=DELETE"])
}
