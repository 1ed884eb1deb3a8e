//! What a check finds.

/// What a command endangers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The machine, or the files of the people who use it.
    Host,
    /// Work under version control.
    Git,
    /// Databases, containers, clouds and registries.
    Service,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It may be meant, but deserves a second look.
    Caution,
    /// What it destroys is gone.
    Dangerous,
}

/// A dangerous command. It never quotes the command, which may hold secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// What it endangers.
    pub tier: Tier,
    /// How bad it is.
    pub severity: Severity,
    /// The rule that found it.
    pub rule: &'static str,
    /// Why, for people.
    pub reason: &'static str,
}

/// What is found so far.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

/// How many are kept: more say nothing more.
const MOST: usize = 32;

impl Findings {
    /// Notes a finding, unless it is known.
    pub(super) fn push(&mut self, finding: Finding) {
        if self.0.len() < MOST && !self.0.contains(&finding) {
            self.0.push(finding);
        }
    }

    pub(super) fn host(&mut self, severity: Severity, rule: &'static str, reason: &'static str) {
        self.push(Finding { tier: Tier::Host, severity, rule, reason });
    }

    pub(super) fn git(&mut self, severity: Severity, rule: &'static str, reason: &'static str) {
        self.push(Finding { tier: Tier::Git, severity, rule, reason });
    }

    pub(super) fn service(&mut self, severity: Severity, rule: &'static str, reason: &'static str) {
        self.push(Finding { tier: Tier::Service, severity, rule, reason });
    }

    /// All of it.
    #[must_use]
    pub(super) fn into_vec(self) -> Vec<Finding> {
        self.0
    }
}
