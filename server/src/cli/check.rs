//! `sidehook check`: finds every mistake of a configuration, and prints the
//! chains that it makes.

use super::{Failed, compile, output};
use crate::{
    engine::Link,
    hooks::{HookId, Order},
};
use std::{path::PathBuf, sync::Arc};

/// Checks a configuration and prints the chain of each hook, in the order in
/// which its links are asked. Mistakes are printed all at once, each with its
/// line, column and path; the exit code is then 64.
#[derive(Debug, clap::Args)]
pub(super) struct Check {
    /// The configuration file; the embedded default when there is none.
    #[arg(value_name = "FILE", env = "SIDEHOOK_CONFIG")]
    file: Option<PathBuf>,
}

impl Check {
    pub(super) fn run(self) -> Result<(), Failed> {
        let compiled = compile(self.file.as_deref())?;
        let mut text = String::new();
        for hook in HookId::ALL {
            let chain = compiled.chains.at(hook);
            if chain.is_empty() {
                continue;
            }
            let info = hook.info();
            let order = if info.order == Order::Reverse { ", in reverse" } else { "" };
            text += &format!("{hook} ({}{order})\n", info.rule.name());
            for link in chain {
                text += &format!("  {}\n", describe(link, hook));
            }
        }
        let observers: Vec<_> =
            compiled.chains.links().iter().filter(|link| link.middleware.observes()).collect();
        if !observers.is_empty() {
            text += "every hook, after it is done\n";
            for link in observers {
                text += &format!("  {} ({})\n", link.name, link.kind);
            }
        }
        if text.is_empty() {
            text += "no middleware: every hook answers \"no opinion\"\n";
        }
        output::print(&format!("{text}\nThe configuration is valid."))?;
        Ok(())
    }
}

fn describe(link: &Arc<Link>, hook: HookId) -> String {
    let mut notes = vec![format!("on fault {}", link.on_fault.at(hook).name())];
    if let Some(set) = &link.set {
        notes.push(format!("set {set}"));
    }
    if !link.agents.patterns().is_empty() {
        notes.push(format!("agents {}", link.agents.patterns().join(", ")));
    }
    if let Some(when) = &link.when {
        notes.push(format!("when {}", when.text()));
    }
    if link.mode != crate::engine::Mode::Enforce {
        notes.push(format!("mode {}", link.mode.name()));
    }
    format!("{} ({}): {}", link.name, link.kind, notes.join("; "))
}
