//! Middleware in TypeScript, through the public door.

mod around;
mod bounds;
mod callers;
mod context;
mod errors;
mod examples;
mod forms;
mod isolation;
mod loops;
mod reload;
mod sinks;
mod standard;
mod streams;
mod tampering;

use crate::support::{Runtime, Sidecar};
use serde_json::Value;
use std::{fs, path::Path};
use tempfile::TempDir;

/// A sidecar with scripts.
pub(super) struct Scripted {
    sidecar: Sidecar,
    _folder: TempDir,
}

impl Scripted {
    /// A sidecar whose only middleware is the script `code`, named `guard`.
    pub(super) async fn new(code: &str) -> Self {
        Self::with(
            &[("guard.ts", code)],
            "middleware: [{name: guard, kind: script, file: guard.ts}]",
        )
        .await
    }

    /// A sidecar with these files and this configuration.
    pub(super) async fn with(files: &[(&str, &str)], yaml: &str) -> Self {
        let folder = folder(files);
        let sidecar = Sidecar::in_folder(folder.path(), yaml).start().await;
        Self { sidecar, _folder: folder }
    }

    pub(super) fn runtime(&self) -> Runtime {
        self.sidecar.runtime()
    }

    /// Asks a hook, and returns the response.
    pub(super) async fn ask(&self, hook: &str, request: Value) -> Value {
        self.runtime().ask(hook, request).await.unwrap()
    }

    /// Asks a hook, and returns the answer.
    #[track_caller]
    pub(super) fn answer(&self, hook: &str, request: Value) -> impl Future<Output = Value> {
        let (runtime, hook) = (self.runtime(), hook.to_owned());
        async move {
            let response = runtime.ask(&hook, request).await.unwrap();
            response.get("answer").unwrap_or_else(|| panic!("{hook}: {response}")).clone()
        }
    }

    /// Asks a hook, and returns the failure's message.
    pub(super) async fn failure(&self, hook: &str, request: Value) -> String {
        let response = self.ask(hook, request).await;
        let message = response["failure"]["message"].as_str();
        message.unwrap_or_else(|| panic!("{hook}: {response}")).into()
    }
}

/// A folder with files.
pub(super) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}
