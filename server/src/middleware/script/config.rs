//! What may be written of a script.

use super::limits::ScriptLimits;
use crate::config::{ByteSize, Duration};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// Middleware in TypeScript or JavaScript.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptConfig {
    /// The file, relative to the configuration's folder: TypeScript (`.ts`, `.mts`) or JavaScript
    /// (`.js`, `.mjs`). Either this or `dir`.
    #[serde(default)]
    pub(crate) file: Option<PathBuf>,

    /// A folder, relative to the configuration's: every middleware in its files, in the order of
    /// their names. Folders within it are for modules that the files import.
    #[serde(default)]
    pub(crate) dir: Option<PathBuf>,

    /// What bounds each file.
    #[serde(default)]
    pub(crate) limits: LimitsConfig,
}

/// What bounds a script. One that goes beyond is a fault of its link, and of nothing else.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LimitsConfig {
    /// Memory for everything that it keeps and makes. Absent: `32MiB`.
    pub(crate) memory: Option<ByteSize>,
    /// Stack, which bounds how deep its functions call each other. Absent: `512KiB`.
    pub(crate) stack: Option<ByteSize>,
    /// How long it may run at a stretch, without waiting for anything. Absent: `5s`.
    pub(crate) time: Option<Duration>,
    /// JSON of one answer, or of one call that it hands on, in characters. Absent: `4MiB`.
    pub(crate) output: Option<ByteSize>,
}

impl LimitsConfig {
    /// The limits, with what is not written filled in.
    pub(super) fn limits(&self) -> ScriptLimits {
        let default = ScriptLimits::default();
        let bytes = |size: Option<ByteSize>, default| size.map_or(default, ByteSize::as_usize);
        ScriptLimits {
            memory: bytes(self.memory, default.memory),
            stack: bytes(self.stack, default.stack),
            time: self.time.map_or(default.time, Into::into),
            output: bytes(self.output, default.output),
        }
    }
}
