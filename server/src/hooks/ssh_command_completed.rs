//! `SshCommandCompleted`: rewrites or withholds what the model sees of a remote
//! operation.
//!
//! - **Fires** after every remote command or file operation.
//! - **Sees** the operation and its output.
//! - **Answers** a new output, a new error output.
//! - **Rule** [`Rule::Rewrite`]: each link sees the output as the earlier ones
//!   left it.
//! - **Veto** withholds the output; the command already ran.
//! - **Faults** skip the link; the value goes on unchanged.
//! - **Limits** a reason has at most 500 characters.
//! - **Source** document 004, "sshCommandCompleted".

use super::{FaultDefault, Hook, Rule, VetoUse, rewrite_some};
use std::ops::ControlFlow;

/// Rewrites or withholds what the model sees of a remote operation.
#[derive(Debug)]
pub struct SshCommandCompleted;

impl Hook for SshCommandCompleted {
    const RULE: Rule = Rule::Rewrite;
    const VETO: VetoUse = VetoUse::Cancels;
    const FAULTS: FaultDefault = FaultDefault::Skip;

    fn fold(
        request: &mut Self::Request,
        so_far: &mut Self::Answer,
        answer: Self::Answer,
        _: &str,
    ) -> ControlFlow<()> {
        rewrite_some(&mut request.output, &mut so_far.output, answer.output);
        rewrite_some(&mut request.error_output, &mut so_far.error_output, answer.error_output);
        ControlFlow::Continue(())
    }
}
