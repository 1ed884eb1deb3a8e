//! `sidehook hooks`: the table of hooks.

use super::{Failed, output};
use crate::hooks::{HookId, Order};

/// Prints the hooks: their service, how the answers of a chain combine, what a
/// veto does, and what a middleware's fault does where it does not say.
#[derive(Debug, clap::Args)]
pub(super) struct Hooks {}

impl Hooks {
    pub(super) fn run(&self) -> Result<(), Failed> {
        let rows: Vec<_> = HookId::ALL.into_iter().map(row).collect();
        let head = ["hook", "method", "rule", "veto", "fault", "may block"];
        Ok(output::print(&output::table(&head, &rows))?)
    }
}

fn row(hook: HookId) -> Vec<String> {
    let info = hook.info();
    let reverse = if info.order == Order::Reverse { ", reverse" } else { "" };
    vec![
        hook.name().into(),
        hook.path().trim_start_matches("sidehook.v1.").into(),
        format!("{}{reverse}", info.rule.name()),
        info.veto.name().into(),
        info.faults.name().into(),
        if info.can_refuse { "yes" } else { "-" }.into(),
    ]
}
