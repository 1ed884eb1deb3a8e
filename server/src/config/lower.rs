//! From what is written to what is meant: chains, bounds and addresses, or
//! everything that is wrong.

use super::{
    Address, Complaint, ConfigFile, Document, Path, Problem, Problems, Sources,
    file::{self, Entry},
    read,
    read::read_document,
};
use crate::{
    engine::{AgentScope, Chains, Condition, Layer, Link, Mode, OnFault, Policies, condition},
    hooks::{HookId, HookSet},
    middleware::{KINDS, Kind, Part, Written, schemas},
    runs::{Bounds, StateBounds},
    service::Limits,
};
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
    sync::Arc,
    time,
};

/// The configuration that runs when no file is given.
pub const EMBEDDED: &str = include_str!("default.yaml");

/// What a configuration means.
#[derive(Debug)]
pub struct Compiled {
    /// The chains.
    pub chains: Chains,
    /// A digest of the text that it came from, and of what its middleware read.
    pub hash: String,
    /// Files and folders beside the configuration file whose change also means a
    /// reload.
    pub watched: Vec<PathBuf>,
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
    /// How often a change is looked for; `None` is never.
    pub reload: Option<time::Duration>,
}

/// Compiles a configuration; `name` is the file that `text` came from.
///
/// # Errors
///
/// Everything that is wrong, each with its place.
pub fn compile(name: &str, text: &str) -> Result<Compiled, Problems> {
    compile_from(name, text, &mut Sources::default())
}

/// As [`compile`]. What the middleware reads is noted in `sources`, also when
/// something is wrong.
///
/// # Errors
///
/// Everything that is wrong, each with its place.
pub fn compile_from(name: &str, text: &str, sources: &mut Sources) -> Result<Compiled, Problems> {
    lower(read(name, text, &schemas())?, text, sources)
}

/// Compiles the configuration that is all of `document`, which may be a part of another file.
///
/// # Errors
///
/// Everything that is wrong, each with its place.
pub(crate) fn compile_document(document: Document) -> Result<Compiled, Problems> {
    let text = document.value().to_string();
    lower(read_document(document, &schemas())?, &text, &mut Sources::default())
}

fn lower(
    ConfigFile { config, document }: ConfigFile,
    text: &str,
    sources: &mut Sources,
) -> Result<Compiled, Problems> {
    let mut entries = config.entries();
    // The order under `builtin` is fixed, whatever is written: those come last.
    entries.sort_by_key(|entry| match entry.layer {
        file::Layer::Builtin => kind_of(entry).and_then(|kind| kind.builtin).map_or(1, |at| 2 + at),
        _ => 0,
    });
    let mut building = Building { document: &document, problems: Vec::new(), sources };
    let links = entries.iter().flat_map(|entry| links(entry, &mut building)).collect();
    if let Some(problems) = Problems::of(building.problems) {
        return Err(problems);
    }
    let runs = &config.runs;
    Ok(Compiled {
        chains: Chains::new(links, config.limits.timeout.limit().unwrap_or_default())
            .with_sets(config.sets.keys().map(|name| name.as_str().to_owned())),
        hash: digest(text, sources),
        watched: sources.watched().cloned().collect(),
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
        reload: config.reload.interval.limit(),
    })
}

/// What comes together while links are built.
struct Building<'a> {
    document: &'a Document,
    problems: Vec<Problem>,
    sources: &'a mut Sources,
}

fn kind_of(entry: &Entry<'_>) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == entry.middleware.keys.kind)
}

/// The links that an entry means; none when something is wrong with it.
fn links(entry: &Entry<'_>, building: &mut Building<'_>) -> Vec<Link> {
    let keys = &entry.middleware.keys;
    let before = building.problems.len();
    let Some(kind) = kind_of(entry) else { return Vec::new() };
    let written = Written {
        document: building.document,
        path: &entry.path,
        name: keys.name.as_str(),
        settings: &entry.middleware.settings,
    };
    let made =
        (kind.build)(&written, building.sources).map_err(|found| building.problems.extend(found));
    let (document, problems) = (building.document, &mut building.problems);
    // The checks that need no middleware are made in any case, so that all
    // problems are shown at once.
    let when = when(keys, &entry.path, document, problems);
    let agents = agents(entry, document, problems);
    let (Ok(made), Some(agents)) = (made, agents) else { return Vec::new() };
    let implemented = made.parts.iter().flat_map(|part| part.middleware.hooks().iter()).collect();
    if let Some(only) = &keys.only_hooks {
        unheard(only.0, implemented, &entry.path, document, problems);
    }
    let within = keys.only_hooks.as_ref().map_or(implemented, |only| implemented.and(only.0));
    let on_fault = policies(keys, within, &entry.path, document, problems);
    if problems.len() > before {
        return Vec::new();
    }
    let link = |part: Part| {
        let name = match &part.name {
            Some(name) => format!("{}/{name}", keys.name.as_str()),
            None => keys.name.as_str().into(),
        };
        let mut link = Link::new(&name, kind.name, part.middleware);
        link.layer = layer(entry);
        link.priority = keys.priority.or(part.priority).unwrap_or_default();
        link.agents = agents.clone();
        link.set = match entry.layer {
            file::Layer::Set(name) => Some(name.as_str().into()),
            _ => None,
        };
        link.hooks = link.hooks.and(within);
        link.on_fault = on_fault.clone();
        let timeout = keys.timeout.map(|timeout| timeout.limit().unwrap_or_default());
        link.timeout = timeout.or(part.timeout);
        link.when.clone_from(&when);
        link.mode = if keys.enabled { keys.mode } else { Mode::Off };
        link
    };
    made.parts.into_iter().map(link).collect()
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
) -> Option<Arc<Condition>> {
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
    Some(Arc::new(condition))
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

/// A digest that tells contents apart; nobody's safety depends on it.
pub(super) fn digest(text: &str, sources: &Sources) -> String {
    let mut hasher = DefaultHasher::new();
    (text, sources.digests()).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
#[path = "lower_tests.rs"]
mod tests;
