//! From what is written to what is meant: chains, bounds and addresses, or
//! everything that is wrong.

use super::{
    Address, Complaint, ConfigFile, Document, Path, Problem, Problems,
    file::{self, Entry},
    read,
};
use crate::{
    engine::{AgentScope, Chains, Condition, Layer, Link, Mode, OnFault, Policies, condition},
    hooks::{HookId, HookSet},
    middleware::{KINDS, Kind, Written, schemas},
    runs::{Bounds, StateBounds},
    service::Limits,
};
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    time,
};

/// The configuration that runs when no file is given.
pub const EMBEDDED: &str = include_str!("default.yaml");

/// What a configuration means.
#[derive(Debug)]
pub struct Compiled {
    /// The chains.
    pub chains: Chains,
    /// A digest of the text that it came from.
    pub hash: String,
    /// Where to listen.
    pub listen: Vec<Address>,
    /// What bounds the service.
    pub limits: Limits,
    /// What bounds the runs.
    pub bounds: Bounds,
    /// What bounds a run's state.
    pub state: StateBounds,
    /// How long calls may go on after the process was asked to stop.
    pub drain: time::Duration,
    /// What is logged.
    pub log: file::Log,
}

/// Compiles a configuration; `name` is the file that `text` came from.
///
/// # Errors
///
/// Everything that is wrong, each with its place.
pub fn compile(name: &str, text: &str) -> Result<Compiled, Problems> {
    let ConfigFile { config, document } = read(name, text, &schemas())?;
    let mut problems = Vec::new();
    let mut entries = config.entries();
    // The order under `builtin` is fixed, whatever is written: those come last.
    entries.sort_by_key(|entry| match entry.layer {
        file::Layer::Builtin => kind_of(entry).and_then(|kind| kind.builtin).map_or(1, |at| 2 + at),
        _ => 0,
    });
    let links: Vec<Link> =
        entries.iter().filter_map(|entry| link(entry, &document, &mut problems)).collect();
    if let Some(problems) = Problems::of(problems) {
        return Err(problems);
    }
    let runs = &config.runs;
    Ok(Compiled {
        chains: Chains::new(links, config.limits.timeout.limit().unwrap_or_default())
            .with_sets(config.sets.keys().map(|name| name.as_str().to_owned())),
        hash: digest(text),
        listen: config.listen.grpc,
        limits: Limits {
            message_bytes: config.limits.message_size.as_usize(),
            keep_alive: config.limits.keep_alive.limit(),
            pin: runs.pin.then(|| runs.pin_max_age.into()),
        },
        bounds: Bounds {
            idle_ttl: runs.idle_ttl.into(),
            max_age: runs.max_age.into(),
            max_runs: usize::try_from(runs.max_runs.get()).unwrap_or(usize::MAX),
        },
        state: StateBounds {
            value_bytes: runs.max_value_bytes.as_usize(),
            run_bytes: runs.max_state_bytes.as_usize(),
        },
        drain: config.drain.deadline.into(),
        log: config.log,
    })
}

fn kind_of(entry: &Entry<'_>) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == entry.middleware.keys.kind)
}

/// The link that an entry means; `None` when something is wrong with it.
fn link(entry: &Entry<'_>, document: &Document, problems: &mut Vec<Problem>) -> Option<Link> {
    let (keys, path) = (&entry.middleware.keys, &entry.path);
    let before = problems.len();
    let kind = kind_of(entry)?;
    let settings = &entry.middleware.settings;
    let built = (kind.build)(&Written { document, path, settings });
    let middleware = match built {
        Ok(middleware) => Some(middleware),
        Err(found) => {
            problems.extend(found);
            None
        }
    };
    let when = when(keys, path, document, problems);
    let agents = agents(entry, document, problems);
    let middleware = middleware?;
    let hooks = match &keys.only_hooks {
        None => middleware.hooks(),
        Some(only) => {
            unheard(only.0, middleware.hooks(), path, document, problems);
            middleware.hooks().and(only.0)
        }
    };
    let on_fault = policies(keys, hooks, path, document, problems);
    if problems.len() > before {
        return None;
    }
    let mut link = Link::new(keys.name.as_str(), kind.name, middleware);
    link.layer = layer(entry);
    link.priority = keys.priority;
    link.agents = agents?;
    link.set = match entry.layer {
        file::Layer::Set(name) => Some(name.as_str().into()),
        _ => None,
    };
    link.hooks = hooks;
    link.on_fault = on_fault;
    link.timeout = keys.timeout.map(|timeout| timeout.limit().unwrap_or_default());
    link.when = when;
    link.mode = if keys.enabled { keys.mode } else { Mode::Off };
    Some(link)
}

fn layer(entry: &Entry<'_>) -> Layer {
    match entry.layer {
        file::Layer::Hooks => Layer::Hooks,
        file::Layer::Global => Layer::Global,
        file::Layer::Agent(_) => Layer::Agent,
        file::Layer::Set(_) => Layer::Run,
        file::Layer::Builtin => Layer::Builtin,
    }
}

/// The agents of an entry: those of its list, narrowed down by its own.
fn agents(
    entry: &Entry<'_>,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> Option<AgentScope> {
    let listed = match entry.layer {
        file::Layer::Agent(pattern) => vec![pattern.as_str().to_owned()],
        _ => Vec::new(),
    };
    let own = entry.middleware.keys.agents.iter().flatten().map(|it| it.as_str().to_owned());
    match AgentScope::new(listed, own.collect()) {
        Ok(scope) => Some(scope),
        Err(error) => {
            let path = entry.path.key("agents");
            problems.push(document.problem(&path, Complaint::new(error.to_string())));
            None
        }
    }
}

fn when(
    keys: &file::MiddlewareKeys,
    path: &Path,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> Option<Condition> {
    let mut wrong = |complaint| problems.push(document.problem(&path.key("when"), complaint));
    let condition = match Condition::compile(keys.when.as_deref()?) {
        Ok(condition) => condition,
        Err(error) => {
            wrong(Complaint::new(format!("is no CEL expression: {error}")));
            return None;
        }
    };
    let known = || condition::CONTEXT_VARIABLES.into_iter().chain(condition::HOOK_VARIABLES);
    for name in condition.variables() {
        if !known().any(|other| other == name) {
            let complaint = Complaint::new(format!("no variable is named `{name}`"));
            wrong(complaint.suggest_if(nearest(&name, known())));
        }
    }
    Some(condition)
}

/// Hooks in `only_hooks` that the middleware does not listen to.
fn unheard(
    only: HookSet,
    implemented: HookSet,
    path: &Path,
    document: &Document,
    problems: &mut Vec<Problem>,
) {
    for hook in only.iter().filter(|hook| !implemented.contains(*hook)) {
        let names: Vec<_> = implemented.iter().map(HookId::name).collect();
        let complaint = Complaint::new(format!("it does nothing at `{hook}`"))
            .suggest(format!("its hooks are {}", names.join(", ")));
        problems.push(document.problem(&path.key("only_hooks"), complaint));
    }
}

/// What faults do, where `block` is possible.
fn policies(
    keys: &file::MiddlewareKeys,
    hooks: HookSet,
    path: &Path,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> Policies {
    let path = path.key("on_fault");
    let mut by_hook = BTreeMap::new();
    let every = match &keys.on_fault {
        None => None,
        Some(file::OnFault::Everywhere(policy)) => Some(*policy),
        Some(file::OnFault::ByHook(policies)) => {
            by_hook.extend(policies.iter().map(|(hook, policy)| (hook.0, *policy)));
            None
        }
    };
    let blocking = match every {
        Some(OnFault::Block) => hooks.iter().collect(),
        _ => {
            let blocks = |(_, policy): &(&HookId, &OnFault)| **policy == OnFault::Block;
            by_hook.iter().filter(blocks).map(|(hook, _)| *hook).collect::<Vec<_>>()
        }
    };
    let cannot = blocking.into_iter().filter(|hook| !hook.info().can_refuse);
    let cannot: Vec<_> = cannot.map(HookId::name).collect();
    if !cannot.is_empty() {
        let complaint = Complaint::new(format!(
            "`block` is not possible at {}, where nothing can be refused",
            cannot.join(", ")
        ));
        let suggestion = "name the hooks that it is for, as in `{before_tool_call: block}`";
        problems.push(document.problem(&path, complaint.suggest(suggestion)));
    }
    Policies { every, hooks: by_hook }
}

/// The known name that is most like `name`, if one is.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let scored = known.into_iter().map(|other| (strsim::jaro_winkler(name, other), other));
    let (score, other) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (score > 0.8).then(|| format!("did you mean `{other}`?"))
}

/// A digest that tells texts apart; nobody's safety depends on it.
fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
#[path = "lower_tests.rs"]
mod tests;
