//! The kinds of middleware that a configuration may name: one row each.

use super::{Audit, AuditConfig, Middleware, Rules, RulesConfig, pii};
use crate::config::{Complaint, Document, KindSchema, Kinds, Path, Problem};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What is written of a kind's own keys, and where.
#[derive(Debug)]
pub struct Written<'a> {
    /// The file.
    pub document: &'a Document,
    /// The middleware's entry.
    pub path: &'a Path,
    /// The kind's own keys.
    pub settings: &'a Map<String, Value>,
}

/// Why a middleware cannot be made: everything that is wrong with its keys.
pub type Misfit = Vec<Problem>;

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
    /// Makes a middleware of it.
    pub build: fn(&Written<'_>) -> Result<Arc<dyn Middleware>, Misfit>,
}

/// Every kind, by name.
pub const KINDS: [Kind; 3] = [
    Kind {
        name: "audit",
        summary: "Writes one content-free record per hook call, as a JSON line.",
        builtin: None,
        schema: AuditConfig::json_schema,
        build: audit,
    },
    Kind {
        name: "pii",
        summary: "Masks personal data on its way to the model, or stops the run.",
        builtin: Some(0),
        schema: pii::PiiConfig::json_schema,
        build: pii,
    },
    Kind {
        name: "rules",
        summary: "Declarative guards: a hook, a condition, and what follows.",
        builtin: None,
        schema: RulesConfig::json_schema,
        build: rules,
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

fn audit(written: &Written<'_>) -> Result<Arc<dyn Middleware>, Misfit> {
    let config: AuditConfig = written.read()?;
    let audit = Audit::open(&config).map_err(|error| {
        let file = config.file.unwrap_or_default();
        let complaint = Complaint::new(format!("cannot open `{}`: {error}", file.display()));
        vec![written.document.problem(&written.path.key("file"), complaint)]
    })?;
    Ok(Arc::new(audit))
}

fn pii(written: &Written<'_>) -> Result<Arc<dyn Middleware>, Misfit> {
    Ok(Arc::new(pii::Pii::new(&written.read()?)))
}

fn rules(written: &Written<'_>) -> Result<Arc<dyn Middleware>, Misfit> {
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
    Ok(Arc::new(rules))
}

impl Written<'_> {
    fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, Misfit> {
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
