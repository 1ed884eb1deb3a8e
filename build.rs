//! Compiles `proto/` into Rust without `protoc` and without a network.
//!
//! Beside what prost and tonic generate, `proto/codegen/` derives from the
//! comments what a request must fulfil, so that the documentation of a field
//! and its check are one text.

#[path = "proto/codegen/mod.rs"]
mod codegen;

use prost::Message;
use std::{env, error::Error, fs, path::PathBuf};

const FILES: [&str; 8] = [
    "sidehook/v1/admin.proto",
    "sidehook/v1/call_hooks.proto",
    "sidehook/v1/chat.proto",
    "sidehook/v1/context.proto",
    "sidehook/v1/outcome.proto",
    "sidehook/v1/platform_hooks.proto",
    "sidehook/v1/run_hooks.proto",
    "sidehook/v1/wrap.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(FILES)?;
    let set = compiler.file_descriptor_set();

    fs::write(out.join("contract.rs"), codegen::contract(&set))?;
    fs::write(out.join("sidehook.bin"), set.encode_to_vec())?;
    tonic_prost_build::configure().compile_fds_with_config(set, names())?;
    Ok(())
}

/// Every message knows its full name, which is how it is found among the
/// descriptors.
fn names() -> tonic_prost_build::Config {
    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    config
}
