//! `SshCommandSending`: rewrites or refuses a remote operation.
//!
//! - **Fires** before every remote command or file operation.
//! - **Sees** the operation and what it is for.
//! - **Answers** a new command, a new path, a new content.
//! - **Rule** [`Rule::Rewrite`]: each link sees the operation as the earlier
//!   ones left it.
//! - **Veto** refuses the operation. The chain ends.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** the kind and the intent are read-only.
//! - **Source** document 004, "sshCommandSending".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite_some};
use std::ops::ControlFlow;

/// Rewrites or refuses a remote operation.
#[derive(Debug)]
pub struct SshCommandSending;

impl Hook for SshCommandSending {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        rewrite_some(&mut request.command, &mut so_far.command, answer.command);
        rewrite_some(&mut request.path, &mut so_far.path, answer.path);
        rewrite_some(&mut request.content, &mut so_far.content, answer.content);
        ControlFlow::Continue(())
    }
}
