//! What services are told through a socket.

use crate::middleware::commands::{
    finding::{Findings, Severity::Caution},
    syntax::Word,
};

/// Judges what a program sends to a service.
pub(crate) fn spoken(program: &str, arguments: &[Word], text: &str, found: &mut Findings) {
    const VERBS: [&str; 7] = ["disable", "shutdown", "clear", "del", "delete", "set", "update"];
    let balancer = arguments.iter().any(|word| word.text.contains("haproxy"));
    let first =
        |line: &str| line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let changes = text.split([';', '\n']).any(|line| VERBS.contains(&first(line).as_str()));
    if changes && (balancer || program == "nsupdate") {
        found.service(Caution, "service-told", "It takes something of a service out of use");
    }
}
