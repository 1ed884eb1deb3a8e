//! Packages, and the registries that others take them from.

use crate::middleware::commands::{
    arguments::Arguments,
    finding::{
        Findings,
        Severity::{Caution, Dangerous},
    },
};

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let verb = arguments.word(0);
    let second = arguments.word(1);
    let publishes = match program {
        "npm" | "pnpm" | "bun" => matches!(verb, "unpublish" | "deprecate"),
        "yarn" => {
            verb == "unpublish" || (verb == "npm" && matches!(second, "unpublish" | "deprecate"))
        }
        "cargo" | "gem" => verb == "yank",
        "nuget" | "dotnet" => arguments.words().any(|word| word == "delete"),
        _ => false,
    };
    // `npm unpublish` without a name needs to be told one.
    if publishes && (!second.is_empty() || program == "yarn") {
        return found.service(
            Dangerous,
            "unpublish",
            "It takes a package away from those who use it",
        );
    }
    let uploads = match program {
        "poetry" => verb == "publish",
        "twine" => verb == "upload",
        "gradle" | "gradlew" => arguments.words().any(|word| word.starts_with("publish")),
        "mvn" => arguments.words().any(|word| word == "deploy" || word.starts_with("release:")),
        _ => false,
    };
    if uploads {
        return found.service(Caution, "publish", "It publishes a package");
    }
    let removes = match program {
        "apt" | "apt-get" | "yum" | "dnf" | "zypper" | "snap" => {
            matches!(verb, "remove" | "purge" | "autoremove" | "erase")
        }
        "pacman" => arguments.options().any(|text| text.starts_with("-R")),
        "apk" => verb == "del",
        "dpkg" => arguments.any(&["-r", "-P", "--remove", "--purge"]),
        "rpm" => arguments.any(&["-e", "--erase"]),
        "pip" | "pip3" | "brew" => matches!(verb, "uninstall" | "remove"),
        "uv" => verb == "pip" && second == "uninstall",
        "conda" => matches!(verb, "remove" | "uninstall") && arguments.has("--all"),
        _ => false,
    };
    if removes {
        found.service(Caution, "uninstall", "It removes packages");
    }
}
