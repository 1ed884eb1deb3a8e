//! Ways to say what is found in a command.

use crate::middleware::commands::{Checker, Severity, Tier};

/// What is found, as `rule` or `rule?` for a caution.
pub(super) fn found(command: &str) -> Vec<String> {
    let found = Checker::default().text(command).into_iter().map(|finding| {
        let mark = if finding.severity == Severity::Caution { "?" } else { "" };
        format!("{}{mark}", finding.rule)
    });
    found.collect()
}

/// Checks that commands are dangerous for `tier`.
#[track_caller]
pub(super) fn check_dangerous(tier: Tier, commands: &[&str]) {
    check(tier, Severity::Dangerous, commands);
}

/// Checks that commands deserve a second look, and are not refused.
#[track_caller]
pub(super) fn check_caution(tier: Tier, commands: &[&str]) {
    check(tier, Severity::Caution, commands);
}

/// Checks that nothing is found in commands.
#[track_caller]
pub(super) fn check_safe(commands: &[&str]) {
    for command in commands {
        assert_eq!(found(command), Vec::<String>::new(), "{command}");
    }
}

#[track_caller]
fn check(tier: Tier, severity: Severity, commands: &[&str]) {
    for command in commands {
        let found = Checker::default().text(command);
        let strictest = found.iter().map(|finding| (finding.severity, finding.tier)).max();
        assert_eq!(strictest, Some((severity, tier)), "{command}: {found:?}");
    }
}
