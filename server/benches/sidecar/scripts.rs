//! The rows of scripts: what a link costs, how long a file takes to load, and
//! how much memory it holds.

use super::{
    Error,
    compare::{compare, middle},
    echo,
    host::Host,
    load::{Call, Unary},
    methods::UserMessageInbound,
    options::Options,
    process::{self, MIB},
    table::{Table, Targets},
};
use sidehook_server::{config, engine::Chains};
use std::{fs, path::Path, time::Instant};
use tempfile::TempDir;

/// Reads the text and rewrites it, to one of the same length.
const REWRITES: &str = "\
globalThis.middleware.userMessageInbound = (context) =>
  (context.text.startsWith('T') ? 'U' : 'T') + context.text.slice(1);
";

/// So many scripts are loaded to see what one of them holds.
const MANY: u32 = 50;

/// Scripts that read and rewrite a message of 1 KB.
pub(crate) async fn links(options: &Options, table: &mut Table) -> Result<(), Error> {
    let one = link(options, table, "1 script link", 1, 30.0).await?;
    link(options, table, "8 script links", 8, 8.0 * one.unwrap_or(30.0)).await?;
    Ok(())
}

/// One row; returns what the links add to the p50, in microseconds.
async fn link(
    options: &Options,
    table: &mut Table,
    name: &str,
    count: usize,
    limit: f64,
) -> Result<Option<f64>, Error> {
    if !options.wants(name) {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    let sidecar = Host::sidecar(chains(folder.path(), count)?)?;
    let answer = Unary::<UserMessageInbound>::new(sidecar.connect().await?, 0).make().await?;
    let echo = echo::unary::<UserMessageInbound>(answer)?;
    let before = super::host::processor_time("script")?;
    let compared = compare(options, (&echo, &sidecar), Unary::<UserMessageInbound>::new).await?;
    let used = super::host::processor_time("script")?.saturating_sub(before).as_secs_f64();
    table.compared(name, &compared, Targets::default())?;
    let added = (compared.p50.subject - compared.p50.baseline) * 1e6;
    table.alone(name, "added to the echo's p50", (added, limit), "µs")?;
    let each = used / compared.calls_of_subject / f64::from(u32::try_from(count)?);
    table.alone(name, "script CPU per link and call", (each * 1e6, 50.0), "µs")?;
    Ok(Some(added))
}

fn chains(folder: &Path, count: usize) -> Result<Chains, Error> {
    let mut text = String::from("version: 1\nmiddleware:\n");
    for number in 0..count {
        fs::write(folder.join(format!("s{number}.ts")), REWRITES)?;
        text += &format!("  - {{name: s{number}, kind: script, file: s{number}.ts}}\n");
    }
    let file = folder.join("sidehook.yaml");
    Ok(config::compile(&file.to_string_lossy(), &text)?.chains)
}

/// How long a file takes to load, and what it holds when it is idle.
pub(crate) async fn files(options: &Options, table: &mut Table) -> Result<(), Error> {
    if options.wants("script, load") {
        let mut times = Vec::new();
        for _ in 0..options.starts {
            let folder = tempfile::tempdir()?;
            fs::write(folder.path().join("s0.ts"), long())?;
            let started = Instant::now();
            let text = "version: 1\nmiddleware: [{name: s0, kind: script, file: s0.ts}]";
            let file = folder.path().join("sidehook.yaml");
            let compiled = config::compile(&file.to_string_lossy(), text)?;
            times.push(started.elapsed().as_secs_f64() * 1e3);
            drop(compiled);
        }
        table.alone(
            "script, load",
            "200 lines of TypeScript, median",
            (middle(times), 20.0),
            "ms",
        )?;
    }
    if options.wants("script, memory") {
        // The first also pays for what every process with a script needs once.
        let (one, many) = (idle(1).await?, idle(1 + MANY).await?);
        let each = (many - one) / f64::from(MANY) / 1024.0;
        table.alone("script, memory", "per idle script", (each, 400.0), "KiB")?;
    }
    Ok(())
}

/// The resident memory of a process with so many scripts.
async fn idle(count: u32) -> Result<f64, Error> {
    let folder: TempDir = tempfile::tempdir()?;
    let mut text = String::from("version: 1\nmiddleware:\n  - {name: pii, kind: pii}\n");
    for number in 0..count {
        // Each is another file, so that none is shared.
        fs::write(folder.path().join(format!("s{number}.ts")), format!("// {number}\n{REWRITES}"))?;
        text += &format!("  - {{name: s{number}, kind: script, file: s{number}.ts}}\n");
    }
    let file = folder.path().join("sidehook.yaml");
    fs::write(&file, text)?;
    let resident = process::idle(&["--config", &file.to_string_lossy()]).await?;
    Ok(resident * MIB)
}

/// TypeScript of 200 lines.
fn long() -> String {
    let mut text = String::from("interface Rule { pattern: RegExp; reason: string }\n");
    text += "const rules: Rule[] = [\n";
    for number in 0..192 {
        text += &format!("  {{ pattern: /secret-{number}[a-z]+/i, reason: 'rule {number}' }},\n");
    }
    text += "];\nexport default {\n  name: 'long',\n  beforeRun({ input }: { input: string }) {\n";
    text += "    const rule = rules.find((it: Rule) => it.pattern.test(input));\n";
    text += "    return rule && { context: rule.reason };\n  },\n};\n";
    text
}
