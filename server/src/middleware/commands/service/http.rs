//! Requests that delete.

use super::verbs::api_deletes;
use crate::middleware::commands::{
    arguments::Arguments,
    finding::{Findings, Severity::Dangerous},
};

/// Ends of paths behind which a `POST` deletes or closes something.
const PATHS: [&str; 14] = [
    "/dodelete",
    "/delete",
    "/_delete_by_query",
    "/_close",
    "/delete-batch",
    "/delete_series",
    "/clear",
    "/wipeout",
    "/dowipeoutworkspace",
    "/purge",
    "/destroy",
    "/_forcemerge",
    "/quitquitquit",
    "/_shutdown",
];

pub(super) fn judge(program: &str, arguments: Arguments<'_>, found: &mut Findings) {
    let deletes = match program {
        "curl" | "wget" => api_deletes(arguments),
        _ => arguments.words().any(|word| word == "DELETE"),
    };
    let posts =
        arguments.any(&["POST", "-XPOST", "PUT", "-XPUT", "-d", "--data", "--request=POST"]);
    let path = || {
        arguments.words().any(|word| {
            let path = word.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
            PATHS.iter().any(|end| path.ends_with(end))
        })
    };
    if deletes || (posts && path()) {
        found.service(Dangerous, "http-delete", "It sends a request that deletes");
    }
}
