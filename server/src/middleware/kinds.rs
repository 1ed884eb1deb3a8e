//! The kinds of middleware that a configuration may name: one row each.

use super::{
    Audit, AuditConfig, Commands, CommandsConfig, Middleware, Rules, RulesConfig, cache, fallback,
    pii, prompt_injection, retry,
    script::{self, ScriptConfig},
    secrets::{Secrets, SecretsConfig},
};
use crate::config::{Complaint, Document, KindSchema, Kinds, Path, Problem, Sources};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};
use std::{sync::Arc, time::Duration};

/// What is written of a kind's own keys, and where.
#[derive(Debug)]
pub struct Written<'a> {
    /// The file.
    pub document: &'a Document,
    /// The middleware's entry.
    pub path: &'a Path,
    /// The middleware's name.
    pub name: &'a str,
    /// The kind's own keys.
    pub settings: &'a Map<String, Value>,
}

/// What an entry of the configuration gives: one middleware mostly.
#[derive(Debug, Default)]
pub struct Made {
    /// Its middleware, in order.
    pub parts: Vec<Part>,
}

/// One middleware of an entry.
#[derive(Debug)]
pub struct Part {
    /// What its name has beside the entry's, where an entry gives several.
    pub name: Option<String>,
    /// Its priority, where it says one itself.
    pub priority: Option<i32>,
    /// How long it may take, where it says so itself; zero for no limit.
    pub timeout: Option<Duration>,
    /// The middleware.
    pub middleware: Arc<dyn Middleware>,
}

impl From<Arc<dyn Middleware>> for Made {
    fn from(middleware: Arc<dyn Middleware>) -> Self {
        let part = Part { name: None, priority: None, timeout: None, middleware };
        Self { parts: vec![part] }
    }
}

/// Why a middleware cannot be made: everything that is wrong with its keys.
pub type Misfit = Vec<Problem>;

/// Makes a middleware of what is written of it.
pub type Build = fn(&Written<'_>, &mut Sources) -> Result<Made, Misfit>;

/// A kind of middleware.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Where it stands under `builtin`, the closest to the model first; `None`
    /// when it may not stand there.
    pub builtin: Option<u8>,
    /// Describes its own keys.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Makes middleware of it. Files and folders that it reads are noted.
    pub build: Build,
}

/// Every kind, by name.
pub const KINDS: [Kind; 10] = [
    Kind {
        name: "audit",
        summary: "Writes one content-free record per hook call, as a JSON line.",
        builtin: None,
        schema: AuditConfig::json_schema,
        build: audit,
    },
    Kind {
        name: "cache",
        summary: "Answers calls to models from memory, and joins equal ones.",
        builtin: None,
        schema: cache::CacheConfig::json_schema,
        build: cache::build,
    },
    Kind {
        name: "commands",
        summary: "Denies dangerous shell commands, or has a person asked about them.",
        builtin: None,
        schema: CommandsConfig::json_schema,
        build: commands,
    },
    Kind {
        name: "fallback",
        summary: "Asks other models, in order, when one fails.",
        builtin: None,
        schema: fallback::FallbackConfig::json_schema,
        build: fallback::build,
    },
    Kind {
        name: "pii",
        summary: "Masks personal data on its way to the model, or stops the run.",
        builtin: Some(0),
        schema: pii::PiiConfig::json_schema,
        build: pii::build,
    },
    Kind {
        name: "prompt_injection",
        summary: "Stops, marks or reports texts that try to take over the agent.",
        builtin: Some(2),
        schema: prompt_injection::PromptInjectionConfig::json_schema,
        build: prompt_injection,
    },
    Kind {
        name: "retry",
        summary: "Makes calls that failed again, with growing delays.",
        builtin: None,
        schema: retry::RetryConfig::json_schema,
        build: retry::build,
    },
    Kind {
        name: "rules",
        summary: "Declarative guards: a hook, a condition, and what follows.",
        builtin: None,
        schema: RulesConfig::json_schema,
        build: rules,
    },
    Kind {
        name: "script",
        summary: "Middleware in TypeScript or JavaScript, from a file or a folder.",
        builtin: None,
        schema: ScriptConfig::json_schema,
        build: script::build,
    },
    Kind {
        name: "secrets",
        summary: "Masks keys, tokens and passwords on their way to the model.",
        builtin: Some(1),
        schema: SecretsConfig::json_schema,
        build: secrets,
    },
];

/// What the configuration needs to know of the kinds.
#[must_use]
pub fn schemas() -> Kinds {
    let schema = |kind: Kind| KindSchema {
        name: kind.name,
        summary: kind.summary,
        builtin: kind.builtin.is_some(),
        schema: kind.schema,
    };
    KINDS.into_iter().map(schema).collect()
}

fn audit(written: &Written<'_>, _: &mut Sources) -> Result<Made, Misfit> {
    let config: AuditConfig = written.read()?;
    let audit = Audit::open(&config).map_err(|error| {
        let file = config.file.unwrap_or_default();
        let complaint = Complaint::new(format!("cannot open `{}`: {error}", file.display()));
        vec![written.document.problem(&written.path.key("file"), complaint)]
    })?;
    Ok(made(audit))
}

fn commands(written: &Written<'_>, _: &mut Sources) -> Result<Made, Misfit> {
    let commands = Commands::new(written.read()?).map_err(|problems| {
        let placed = problems.into_iter().map(|(key, index, complaint)| {
            written.document.problem(&written.path.key(key).index(index), complaint)
        });
        placed.collect::<Vec<_>>()
    })?;
    Ok(made(commands))
}

fn prompt_injection(written: &Written<'_>, _: &mut Sources) -> Result<Made, Misfit> {
    let config: prompt_injection::PromptInjectionConfig = written.read()?;
    let problem = |key: &str, complaint: String| {
        vec![written.document.problem(&written.path.key(key), Complaint::new(complaint))]
    };
    if !(0.0..=1.0).contains(&config.threshold) {
        return Err(problem("threshold", "must be from 0 to 1".to_owned()));
    }
    if config.check.is_empty() {
        return Err(problem("check", "must name at least one place".to_owned()));
    }
    let made = prompt_injection::PromptInjection::new(&config);
    made.map(self::made).map_err(|error| problem("kind", error.to_string()))
}

fn rules(written: &Written<'_>, _: &mut Sources) -> Result<Made, Misfit> {
    let config: RulesConfig = written.read()?;
    let rules = Rules::new(&config).map_err(|problems| {
        let placed = problems.into_iter().map(|(path, complaint)| {
            let path = path.iter().fold(written.path.clone(), |path, step| match step.parse() {
                Ok(index) => path.index(index),
                Err(_) => path.key(step),
            });
            written.document.problem(&path, complaint)
        });
        placed.collect::<Vec<_>>()
    })?;
    Ok(made(rules))
}

fn secrets(written: &Written<'_>, sources: &mut Sources) -> Result<Made, Misfit> {
    let config: SecretsConfig = written.read()?;
    let made_of = Secrets::new(&config, written.base(), sources);
    let secrets = made_of.map_err(|(key, inner, complaint)| {
        let path = written.path.key(key);
        let path = inner.iter().fold(path, |path, key| path.key(key));
        vec![written.document.problem(&path, complaint)]
    })?;
    Ok(made(secrets))
}

fn made(middleware: impl Middleware) -> Made {
    Made::from(Arc::new(middleware) as Arc<dyn Middleware>)
}

impl Written<'_> {
    /// The folder of the configuration's file, beside which other files are sought.
    pub(super) fn base(&self) -> &std::path::Path {
        let parent = std::path::Path::new(self.document.file()).parent();
        parent.filter(|base| !base.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."))
    }

    pub(super) fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, Misfit> {
        self.document.read(self.path, self.settings).map_err(|problem| vec![problem])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_kind_has_a_key_that_every_middleware_has() {
        assert_eq!(schemas().conflicts(), Vec::<String>::new());
    }

    #[test]
    fn kinds_are_in_the_order_of_their_names() {
        assert!(KINDS.is_sorted_by_key(|kind| kind.name));
    }
}
