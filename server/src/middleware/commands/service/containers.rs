//! Containers and what runs them.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
};

const DATA: &str = "It deletes containers, images or volumes with their data";

pub(super) fn docker(arguments: Arguments<'_>, found: &mut Findings) {
    let words: Vec<_> = arguments.words().collect();
    let force = arguments.short('f') || arguments.long("force");
    let all = arguments.short('a') || arguments.long("all");
    match words.as_slice() {
        ["compose", ..] => compose(arguments, found),
        ["volume", "rm" | "remove" | "prune", ..] | ["system", "prune", ..]
            if words.first() == Some(&"volume") || all || force || arguments.long("volumes") =>
        {
            found.service(Dangerous, "container-data", DATA);
        }
        ["swarm", "leave", ..]
        | ["stack" | "service" | "secret" | "config" | "node", "rm" | "remove", ..] => {
            found.service(Dangerous, "container-data", DATA);
        }
        ["image" | "container" | "builder" | "buildx" | "network", "prune", ..] if force || all => {
            found.service(Caution, "container-prune", DATA);
        }
        ["network" | "context" | "plugin" | "machine", "rm" | "remove", ..] => {
            found.service(Caution, "container-remove", "It removes something that containers use");
        }
        ["rm" | "rmi", ..] | ["container" | "image", "rm" | "remove", ..] => {
            let many = arguments.operands().any(|word| word.dynamic);
            if force || many || arguments.short('v') {
                found.service(Dangerous, "container-remove", DATA);
            }
        }
        ["kill", ..] => found.service(Caution, "container-stop", "It stops containers"),
        ["stop", ..] if arguments.operands().any(|word| word.dynamic) => {
            found.service(Caution, "container-stop", "It stops containers");
        }
        ["run" | "create" | "exec", ..] if privileged(arguments) => {
            let reason = "It gives a container power over the machine";
            found.service(Dangerous, "container-privileged", reason);
        }
        _ => {}
    }
}

fn privileged(arguments: Arguments<'_>) -> bool {
    arguments.texts().any(|text| {
        matches!(
            text,
            "--privileged"
                | "--pid=host"
                | "--cap-add=ALL"
                | "--cap-add=SYS_ADMIN"
                | "--privileged=true"
        ) || text.starts_with("/:/")
            || text.starts_with("--volume=/:/")
            || text.starts_with("-v/:/")
            || text.starts_with("/var/run/docker.sock:")
    })
}

pub(super) fn compose(arguments: Arguments<'_>, found: &mut Findings) {
    let verb = |names: &[&str]| arguments.words().any(|word| names.contains(&word));
    let volumes = arguments.short('v')
        || arguments.long("volumes")
        || arguments.texts().any(|text| text.starts_with("--rmi"));
    let force = arguments.short('f') || arguments.long("force");
    if verb(&["down"]) && volumes {
        found.service(Dangerous, "container-data", DATA);
    } else if verb(&["rm"]) && (force || volumes) {
        found.service(Caution, "container-remove", DATA);
    } else if verb(&["kill"]) {
        found.service(Caution, "container-stop", "It stops containers");
    }
}

pub(super) fn kubernetes(arguments: Arguments<'_>, found: &mut Findings) {
    const READS: [&str; 5] = ["get", "describe", "logs", "explain", "top"];
    let verbs = || arguments.words().take(5);
    let verb = |name: &str| verbs().any(|word| word == name);
    let force = arguments.long("force") || arguments.has("--grace-period=0");
    if verbs().next().is_some_and(|word| READS.contains(&word)) {
        return;
    }
    let any = |names: &[&str]| verbs().any(|word| names.contains(&word));
    let disrupts = any(&["drain", "cordon", "taint", "scale", "autoscale", "evict"])
        || (verb("rollout") && any(&["undo", "pause", "resume", "restart"]));
    if verb("delete") {
        found.service(Dangerous, "cluster-delete", "It deletes something of a cluster");
    } else if any(&["replace", "apply", "patch"]) && (force || arguments.long("prune")) {
        found.service(Dangerous, "cluster-replace", "It deletes what it replaces in a cluster");
    } else if disrupts {
        found.service(Caution, "cluster-disrupt", "It takes something of a cluster out of use");
    } else if verb("set")
        && any(&["image", "env", "selector", "serviceaccount", "subject", "resources"])
    {
        found.service(Caution, "cluster-change", "It changes what runs in a cluster");
    }
}

pub(super) fn helm(arguments: Arguments<'_>, found: &mut Findings) {
    match arguments.word(0) {
        "uninstall" | "delete" | "del" | "un" => {
            found.service(
                Dangerous,
                "release-delete",
                "It deletes a release with all that it runs",
            );
        }
        "rollback" => found.service(Caution, "release-rollback", "It takes a release back"),
        "upgrade" if arguments.any(&["--force", "--reset-values", "--cleanup-on-fail"]) => {
            found.service(Dangerous, "release-replace", "It deletes what it replaces");
        }
        "repo" if matches!(arguments.word(1), "remove" | "rm") => {
            found.service(Caution, "release-repository", "It forgets a repository");
        }
        _ => {}
    }
}
