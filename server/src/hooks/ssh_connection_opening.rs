//! `SshConnectionOpening`: observes or refuses a connection to a server.
//!
//! - **Fires** once per server and turn, before the first command connects.
//! - **Sees** the server and how it is reached.
//! - **Answers** nothing.
//! - **Rule** [`Rule::Observe`]: answers are ignored; a veto ends the chain.
//! - **Veto** refuses the agent's work on that server.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** the connection cannot be redirected.
//! - **Source** document 004, "sshConnectionOpening".

use super::{FaultDefault, Hook, Rule, VetoUse};

/// Observes or refuses a connection to a server.
#[derive(Debug)]
pub struct SshConnectionOpening;

impl Hook for SshConnectionOpening {
    const RULE: Rule = Rule::Observe;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;
}
