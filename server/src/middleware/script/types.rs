//! Keeps `examples/middleware/sidehook.d.ts` equal to the contract: half of it is made from the
//! descriptors, and the other half stands in `types/*.d.ts`.

mod comment;
mod hook;
mod message;

use crate::hooks::HookId;
use prost_reflect::{DescriptorPool, MessageDescriptor};
use std::{env, fs, path::Path};

const HEAD: &str = "\
/**
 * Types of everything that a middleware script can use.
 *
 * Scripts run without a DOM and without Node.js: compile with `lib: [\"ES2023\"]` and `types: []`.
 */

// Made from the contract and server/src/middleware/script/types by
// `UPDATE=1 cargo test -p sidehook-server script::types`.
";

const MODULE: &str = include_str!("types/module.d.ts");
const HOST: &str = include_str!("types/host.d.ts");
const GLOBALS: &str = include_str!("types/globals.d.ts");

/// Other names of the module, so that middleware of other runtimes runs as it is.
const ALIASES: [&str; 2] = ["@cogitator-ai/core", "vern-llm"];

/// Messages that stand in `types/module.d.ts`.
const BY_HAND: [&str; 3] = ["ContentPart", "Media", "CallEvent"];

/// Messages that scripts see beside what the hooks' requests and answers hold.
const ROOTS: [&str; 14] = [
    "HookContext",
    "AttemptContext",
    "PreDispatch",
    "ModelCall",
    "ModelDelta",
    "ToolInvocation",
    "ToolDelta",
    "ToolResult",
    "ChatRequest",
    "ChatResponse",
    "CallDelta",
    "CallResult",
    "CallEvent",
    "TransformAnswer",
];

fn pool() -> DescriptorPool {
    DescriptorPool::decode(sidehook_proto::FILE_DESCRIPTOR_SET).unwrap()
}

fn message(pool: &DescriptorPool, name: &str) -> MessageDescriptor {
    let message = pool.get_message_by_name(&format!("sidehook.v1.{name}"));
    message.unwrap_or_else(|| panic!("there is no message {name}"))
}

/// The file.
fn types(pool: &DescriptorPool) -> String {
    let mut reached = ROOTS.map(|name| message(pool, name)).into();
    let hooks = hook::services(pool, &mut reached);
    let messages = message::interfaces(pool, reached);
    let module = MODULE.replace("  //+ hooks\n", &hooks).replace("  //+ messages\n", &messages);
    let aliases = ALIASES
        .map(|name| format!("declare module '{name}' {{\n  export * from 'sidehook';\n}}\n"));
    [HEAD, &module, HOST, &aliases.join("\n"), GLOBALS].join("\n")
}

#[test]
fn the_types_are_made_of_the_contract() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/middleware/sidehook.d.ts");
    let text = types(&pool());
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let written = fs::read_to_string(file).unwrap_or_default();
    let mut lines = (1..).zip(text.lines().zip(written.lines()));
    let first = lines.find(|(_, (new, old))| new != old);
    assert!(text == written, "sidehook.d.ts differs, first at {first:?}; run it with UPDATE=1");
}

#[test]
fn every_hook_is_typed() {
    let text = types(&pool());
    for hook in HookId::ALL {
        let method = format!("    {}?(", hook.script_name());
        assert_eq!(text.matches(&method).count(), 1, "{hook}");
    }
}

#[test]
fn what_is_written_by_hand_names_every_field_that_it_stands_for() {
    let pool = pool();
    let named = BY_HAND.iter().flat_map(|name| message(&pool, name).fields().collect::<Vec<_>>());
    let moved = message::fields_by_hand(&pool);
    for field in named.chain(moved) {
        let name = match field.name() {
            // A part of another kind is the object itself.
            "other_json" => "OtherPart".into(),
            // Kinds of events keep their names.
            name if field.parent_message().name() == "CallEvent" && !name.ends_with("_json") => {
                format!("'{name}'")
            }
            name => comment::script_name(name),
        };
        assert!(MODULE.contains(&name), "{} is missing", field.full_name());
    }
}
