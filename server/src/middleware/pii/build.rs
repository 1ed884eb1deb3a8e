//! Makes `pii` of its configuration, or says everything that is wrong with it.

use super::config::{CustomConfig, PiiConfig, PiiMode};
use super::custom::Custom;
use super::entity::{Entity, MAX_CUSTOM};
use super::mask::Masker;
use super::middleware::Pii;
use super::plan::{Region, region_names};
use super::scanner::Scanner;
use super::style::Style;
use super::wanted::Wanted;
use crate::{
    config::{Complaint, Sources, nearest},
    middleware::{Made, Middleware, Misfit, Written},
};
use std::{collections::HashSet, path::Path, sync::Arc};

/// A key of the configuration, and what is wrong with it.
type Wrong = (Vec<String>, Complaint);

/// Makes the middleware of an entry.
pub(crate) fn build(written: &Written<'_>, sources: &mut Sources) -> Result<Made, Misfit> {
    let config: PiiConfig = written.read()?;
    let pii = Pii::new(&config, written.base(), sources).map_err(|wrong| {
        let placed = wrong.into_iter().map(|(steps, complaint)| {
            let path = steps.iter().fold(written.path.clone(), |path, step| match step.parse() {
                Ok(index) => path.index(index),
                Err(_) => path.key(step),
            });
            written.document.problem(&path, complaint)
        });
        placed.collect::<Vec<_>>()
    })?;
    Ok(Made::from(Arc::new(pii) as Arc<dyn Middleware>))
}

impl Pii {
    /// Compiles the detectors. Files are looked for beside `base`.
    ///
    /// # Errors
    ///
    /// Something that the configuration names is not there or cannot be used.
    pub fn new(config: &PiiConfig, base: &Path, sources: &mut Sources) -> Result<Self, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let regions = regions(config, &mut wrong);
        let custom = customs(&config.custom, &mut wrong);
        let key = config.hash_key.as_ref().and_then(|source| {
            let read = source.read(base, sources);
            let placed = |(key, complaint): (Option<&str>, _)| {
                wrong.push((
                    at(&["hash_key"]).into_iter().chain(key.map(Into::into)).collect(),
                    complaint,
                ));
            };
            read.map_err(placed).ok()
        });
        contradictions(config, &mut wrong);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let listed = config.detect.clone();
        let entities = listed.clone().unwrap_or_else(|| Entity::defaults().collect());
        let wanted = Wanted::new(entities).regions(regions).noise(config.noise).custom(custom);
        let typed = wanted.clone().alone(listed.unwrap_or_default());
        let masker = |wanted: &Wanted, style| {
            Masker::new(Scanner::of(wanted.clone()), style).keyed(key.clone())
        };
        let replace = |masker: Masker| {
            config
                .replace
                .iter()
                .fold(masker, |masker, (entity, by)| masker.with(*entity, by.style()))
        };
        let style = config.mode.style();
        Ok(Self::of(
            config,
            replace(masker(&wanted, style)),
            replace(masker(&typed, style)),
            masker(&wanted, config.tool_arguments.style()),
        ))
    }
}

fn regions(config: &PiiConfig, wrong: &mut Vec<Wrong>) -> Vec<Region> {
    let mut found = Vec::new();
    for (place, name) in config.phone_regions.iter().enumerate() {
        match Region::find(name) {
            Some(region) => found.push(region),
            None => {
                let near = nearest(name, region_names());
                let complaint = Complaint::new(format!("unknown country `{name}`"));
                let near = near.map(|near| format!("did you mean `{near}`?"));
                wrong
                    .push((at(&["phone_regions", &place.to_string()]), complaint.suggest_if(near)));
            }
        }
    }
    found
}

fn customs(configs: &[CustomConfig], wrong: &mut Vec<Wrong>) -> Vec<Custom> {
    let mut names = HashSet::new();
    let mut found = Vec::new();
    for (place, config) in configs.iter().enumerate().take(MAX_CUSTOM) {
        let place = place.to_string();
        let mut complain = |key, message: String| {
            wrong.push((at(&["custom", &place, key]), Complaint::new(message)));
        };
        if !names.insert(&config.name) || config.name.parse::<Entity>().is_ok() {
            complain("name", format!("the name `{}` is taken", config.name));
        }
        let checked = config.checksum.is_none_or(|kind| {
            kind.is_national_id() || matches!(kind, Entity::CreditCard | Entity::BitcoinAddress)
        });
        if !checked {
            complain("checksum", "this kind has no checksum of its own".into());
        }
        match Custom::new(&config.name, &config.pattern, config.checksum, &config.context) {
            Ok(custom) => found.push(custom),
            Err(message) => complain("pattern", message),
        }
    }
    found
}

fn contradictions(config: &PiiConfig, wrong: &mut Vec<Wrong>) {
    let styles = config.replace.values().map(|by| by.style());
    let mut styles = styles.chain([config.mode.style(), config.tool_arguments.style()]);
    if config.hash_key.is_none() && styles.any(|style| style == Style::Hash) {
        let complaint = Complaint::new("`hash` needs a `hash_key`");
        wrong.push((at(&["mode"]), complaint.suggest("for example `hash_key: { env: PII_KEY }`")));
    }
    if config.answers && config.mode == PiiMode::Token {
        let message =
            "with `mode: token` answers get the values back, so that they cannot be masked";
        wrong.push((at(&["answers"]), Complaint::new(message)));
    }
}

fn at(steps: &[&str]) -> Vec<String> {
    steps.iter().map(|step| (*step).to_owned()).collect()
}
