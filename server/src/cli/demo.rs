//! `sidehook demo`: a recorded agent run through a sidecar in this process.

use super::{Failed, block_on, compile, output};
use crate::{
    config::{Address, Compiled},
    replay::{Happened, Recorded, play},
    runs::MemoryStore,
    service::{Listener, Server, Sidecar},
};
use sidehook_client::Client;
use sidehook_proto::v1::{self, StepOutcome, message};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// Recorded runs that ship with the binary, made up for the demo.
const BUNDLED: &str = include_str!("demo_runs.jsonl");

/// Plays a recorded agent run through a sidecar in this process, on a real
/// socket, and prints hook by hook what changed.
#[derive(Debug, clap::Args)]
pub(super) struct Demo {
    /// The bundled run; `sidehook demo --list` names them.
    #[arg(value_name = "RUN", default_value = "order-status")]
    run: String,

    /// Lists the bundled runs.
    #[arg(long)]
    list: bool,

    /// Plays with this configuration instead of the embedded default.
    #[arg(long, short, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Demo {
    pub(super) fn run(self) -> Result<(), Failed> {
        let runs = Recorded::read_all(BUNDLED).map_err(|error| Failed::new(error.to_string()))?;
        let names = || runs.iter().map(|run| run.id.as_str()).collect::<Vec<_>>();
        if self.list {
            return Ok(output::print(&names().join("\n"))?);
        }
        let Some(recorded) = runs.iter().find(|run| run.id == self.run) else {
            let message =
                format!("no run is named `{}`; there are {}", self.run, names().join(", "));
            return Err(Failed::usage(message));
        };
        let compiled = compile(self.config.as_deref())?;
        block_on(show(compiled, recorded))
    }
}

async fn show(compiled: Compiled, recorded: &Recorded) -> Result<(), Failed> {
    let Compiled { chains, hash, limits, bounds, state, .. } = compiled;
    let sidecar = Sidecar::new(limits, bounds, Arc::new(MemoryStore::new(state)));
    sidecar.install(chains, &hash);
    let any_port = Address::Tcp { host: "127.0.0.1".into(), port: 0 };
    let listener = Listener::bind(&any_port).await?;
    let address = listener.address()?;
    let server = Server::start(sidecar, vec![listener])
        .await
        .map_err(|error| Failed::new(error.to_string()))?;
    let client = Client::connect(&format!("http://{address}"))
        .map_err(|error| Failed::new(error.to_string()))?;

    output::print(&format!("run {}\n\n  {:COLUMN$}{}\n", recorded.id, "user", recorded.input()))?;
    let context = v1::HookContext {
        agent_name: "demo".into(),
        user_id: "user-1".into(),
        explain: true,
        ..v1::HookContext::default()
    };
    let mut lines = String::new();
    let seen = play(&client, recorded, context, |happened| lines += &describe(&happened))
        .await
        .map_err(|error| Failed::new(error.to_string()))?;
    output::print(&lines)?;
    let ended = match &seen.tripwire {
        Some(tripwire) => format!("tripped by {}: {}", tripwire.middleware, tripwire.reason),
        None => "completed".into(),
    };
    output::print(&format!(
        "run {}: {ended}; {} hook calls, {} tool calls refused",
        recorded.id, seen.hooks, seen.refused
    ))?;
    drop(client);
    server.stop(Duration::from_secs(1)).await;
    Ok(())
}

/// So wide is the column of hooks.
const COLUMN: usize = 18;

fn describe(happened: &Happened) -> String {
    match happened {
        Happened::Hook { hook, what, called, report } => {
            let steps = report.iter().flat_map(|report| &report.steps);
            let steps: String = steps.filter_map(step).collect();
            let skipped = if *called { "" } else { " (nobody listens)" };
            format!("  {hook:COLUMN$}{what}{skipped}\n{steps}")
        }
        Happened::Model(call) => {
            let last = call.request.as_ref().and_then(|request| request.messages.last());
            let text = match last.and_then(|message| message.content.as_ref()) {
                Some(message::Content::Text(text)) => text.as_str(),
                _ => "",
            };
            said("the model reads", text)
        }
        Happened::Tool(invocation) => {
            let call = invocation.tool_call.clone().unwrap_or_default();
            said(&format!("{} gets", call.name), &call.arguments_json)
        }
    }
}

/// What somebody outside reads, indented under its hook.
fn said(who: &str, text: &str) -> String {
    let text = text.replace('\n', &format!("\n  {:COLUMN$}    ", ""));
    format!("  {:COLUMN$}▸ {who}: {text}\n", "")
}

/// A line for a link that did something.
fn step(step: &v1::Step) -> Option<String> {
    if step.outcome() == StepOutcome::NoOpinion {
        return None;
    }
    let outcome = step.outcome().as_str_name().trim_start_matches("STEP_OUTCOME_").to_lowercase();
    let fields = if step.changed_fields.is_empty() {
        String::new()
    } else {
        format!(" ({})", step.changed_fields.join(", "))
    };
    Some(format!("  {:COLUMN$}· {} [{}] {outcome}{fields}\n", "", step.middleware, step.kind))
}
