//! What holds for the whole repository, and no compiler checks.

use crate::support::{pool, sidehook, workspace};
use prost::Message;
use prost_types::{DescriptorProto, FileDescriptorProto, FileDescriptorSet};
use regex::Regex;
use sidehook_proto::FILE_DESCRIPTOR_SET;
use sidehook_server::hooks::HookId;
use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};

/// Every file of the repository that people write.
fn files() -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![workspace()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            let made = ["target", "node_modules", ".git", ".venv", "__pycache__"];
            if path.is_dir() && !made.contains(&&*name) {
                open.push(path);
            } else if path.is_file() {
                files.push(path.strip_prefix(workspace()).unwrap().to_owned());
            }
        }
    }
    files.sort();
    assert!(files.len() > 200, "the repository is found");
    files
}

/// Checks the lines of the Rust files under `folder` that match `pattern`, but for the files in
/// `except`.
#[track_caller]
fn check_absent(folder: &str, pattern: &str, except: &[&str]) {
    let pattern = Regex::new(pattern).unwrap();
    let rust = |path: &PathBuf| path.starts_with(folder) && path.extension() == Some("rs".as_ref());
    let files: Vec<_> = files().into_iter().filter(rust).collect();
    assert!(!files.is_empty(), "{folder} is found");
    for path in files.iter().filter(|path| !except.iter().any(|it| path.ends_with(it))) {
        let text = fs::read_to_string(workspace().join(path)).unwrap();
        let found = text.lines().position(|line| pattern.is_match(line));
        assert_eq!(found.map(|line| format!("{}:{}", path.display(), line + 1)), None);
    }
}

#[test]
fn the_engine_knows_neither_tonic_nor_files_nor_sockets() {
    check_absent("server/src/engine", r"tonic::|std::fs|std::net|tokio::(fs|net)", &[]);
}

#[test]
fn a_status_is_made_in_one_file() {
    let constructors = "new|ok|cancelled|unknown|invalid_argument|deadline_exceeded|not_found|\
        already_exists|permission_denied|resource_exhausted|failed_precondition|aborted|\
        out_of_range|unimplemented|internal|unavailable|data_loss|unauthenticated|\
        with_details|with_metadata|with_error_details";
    check_absent("server/src", &format!(r"\bStatus::({constructors})\("), &["service/status.rs"]);
}

#[test]
fn no_file_is_longer_than_600_lines() {
    for path in files().iter().filter(|path| path.extension() == Some("rs".as_ref())) {
        let lines = fs::read_to_string(workspace().join(path)).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines", path.display());
    }
}

#[test]
fn no_file_is_named_after_nothing() {
    let forbidden = ["plugin", "interceptor", "manager", "helper", "util"];
    for path in files() {
        let name = path.file_stem().unwrap().to_string_lossy().to_lowercase();
        let words = name.split(|letter: char| !letter.is_alphanumeric());
        let singular: Vec<_> = words.map(|word| word.trim_end_matches('s')).collect();
        let found = singular.iter().find(|word| forbidden.contains(word));
        assert_eq!(found, None, "{}", path.display());
    }
}

#[test]
fn every_rpc_of_a_hook_service_is_a_hook() {
    let services = ["RunHooks", "CallHooks", "PlatformHooks"];
    let rpcs = services.into_iter().flat_map(|service| {
        let service = pool().get_service_by_name(&format!("sidehook.v1.{service}")).unwrap();
        let path = |rpc: &str| format!("{}/{rpc}", service.full_name());
        service.methods().map(|rpc| path(rpc.name())).collect::<Vec<_>>()
    });
    assert_eq!(rpcs.collect::<BTreeSet<_>>(), HookId::ALL.map(HookId::path).into());
}

#[test]
fn every_hook_has_a_file_with_its_card() {
    let card = ["Fires", "Sees", "Answers", "Rule", "Veto", "Faults", "Limits", "Source"];
    for hook in HookId::ALL {
        let path = workspace().join(format!("server/src/hooks/{hook}.rs"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&format!("//! `{}`: ", hook.method())), "{hook}");
        let docs: Vec<_> = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let keys = docs.iter().filter_map(|line| line.strip_prefix("//! - **"));
        let keys: Vec<_> = keys.map(|line| line.split("**").next().unwrap()).collect();
        assert_eq!(keys, card, "{hook}");
    }
}

/// The files of the contract, each with its comments by the path of what they are about.
fn contract() -> Vec<(FileDescriptorProto, HashMap<Vec<i32>, String>)> {
    let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
    let ours = set.file.into_iter().filter(|file| file.package() == "sidehook.v1");
    ours.map(|file| {
        let places = file.source_code_info.iter().flat_map(|info| &info.location);
        let comments =
            places.map(|place| (place.path.clone(), place.leading_comments().trim().to_owned()));
        let comments = comments.collect();
        (file, comments)
    })
    .collect()
}

fn indexed<T>(items: &[T]) -> impl Iterator<Item = (i32, &T)> {
    (0..).zip(items)
}

/// Every element of a file that needs a comment: its path and its name.
fn elements(file: &FileDescriptorProto) -> Vec<(Vec<i32>, String)> {
    let mut all = Vec::new();
    for (at, service) in indexed(&file.service) {
        all.push((vec![6, at], service.name().to_owned()));
        let rpcs = indexed(&service.method);
        all.extend(rpcs.map(|(rpc, it)| (vec![6, at, 2, rpc], it.name().to_owned())));
    }
    for (at, message) in indexed(&file.message_type) {
        assert!(message.nested_type.is_empty() && message.enum_type.is_empty());
        all.push((vec![4, at], message.name().to_owned()));
        let named = |name: &str| format!("{}.{name}", message.name());
        let fields = indexed(&message.field);
        all.extend(fields.map(|(field, it)| (vec![4, at, 2, field], named(it.name()))));
        let oneofs = indexed(&message.oneof_decl).filter(|(oneof, _)| !is_made(message, *oneof));
        all.extend(oneofs.map(|(oneof, it)| (vec![4, at, 8, oneof], named(it.name()))));
    }
    for (at, values) in indexed(&file.enum_type) {
        all.push((vec![5, at], values.name().to_owned()));
        let each = indexed(&values.value);
        all.extend(each.map(|(value, it)| (vec![5, at, 2, value], it.name().to_owned())));
    }
    all
}

/// Whether a oneof stands for an `optional` field.
fn is_made(message: &DescriptorProto, oneof: i32) -> bool {
    let inside = |field: &&prost_types::FieldDescriptorProto| field.oneof_index == Some(oneof);
    message.field.iter().filter(inside).all(|field| field.proto3_optional())
}

#[test]
fn every_element_of_the_contract_has_a_comment() {
    for (file, comments) in contract() {
        let elements = elements(&file);
        assert!(!elements.is_empty());
        for (path, name) in elements {
            let comment = comments.get(&path).map_or("", String::as_str);
            assert!(comment.ends_with('.'), "{name} in {}: {comment:?}", file.name());
        }
    }
}

#[test]
fn every_field_of_a_request_says_whether_it_is_required() {
    let mut count = 0;
    for (file, comments) in contract() {
        let requests = indexed(&file.message_type).filter(|(_, it)| it.name().ends_with("Request"));
        for (at, message) in requests {
            for (field, it) in indexed(&message.field) {
                let in_oneof = it.oneof_index.filter(|_| !it.proto3_optional());
                let path = in_oneof.map_or(vec![4, at, 2, field], |oneof| vec![4, at, 8, oneof]);
                let comment = &comments[&path];
                let says = comment.starts_with("Required. ") || comment.starts_with("Optional. ");
                assert!(says, "{}.{}: {comment}", message.name(), it.name());
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count} fields are checked");
}

#[test]
fn every_enum_starts_unspecified_and_prefixes_its_values() {
    for values in pool().all_enums().filter(|it| it.package_name() == "sidehook.v1") {
        let zero = values.values().find(|value| value.number() == 0).unwrap();
        assert!(zero.name().ends_with("_UNSPECIFIED"), "{}", zero.name());
        let prefix = zero.name().trim_end_matches("UNSPECIFIED");
        assert!(values.values().all(|value| value.name().starts_with(prefix)), "{prefix}");
    }
}

/// One line per RPC, field and value of an enum, with its number.
fn contract_lines() -> String {
    let mut lines = Vec::new();
    for (file, _) in contract() {
        for service in &file.service {
            for rpc in &service.method {
                let stream = |yes| if yes { "stream " } else { "" };
                let (input, output) =
                    (stream(rpc.client_streaming()), stream(rpc.server_streaming()));
                let types = (rpc.input_type(), rpc.output_type());
                let rpc = format!("{}/{}", service.name(), rpc.name());
                lines.push(format!("rpc {rpc} {input}{} -> {output}{}", types.0, types.1));
            }
        }
    }
    let pool = pool();
    for message in pool.all_messages().filter(|it| it.package_name() == "sidehook.v1") {
        for field in message.fields() {
            let oneof = field.containing_oneof().map(|it| format!(" in {}", it.name()));
            lines.push(format!(
                "field {}.{} = {} {:?} {:?}{}",
                message.name(),
                field.name(),
                field.number(),
                field.cardinality(),
                field.kind(),
                oneof.unwrap_or_default()
            ));
        }
    }
    for values in pool.all_enums().filter(|it| it.package_name() == "sidehook.v1") {
        let each = values.values();
        lines.extend(
            each.map(|it| format!("value {}.{} = {}", values.name(), it.name(), it.number())),
        );
    }
    lines.join("\n") + "\n"
}

/// Compares `text` with a golden file, or rewrites it.
#[track_caller]
fn check_golden(file: &str, text: &str) {
    let path = Path::new(&workspace()).join("tests/golden").join(file);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    let new = |(line, golden): &(&str, &str)| line != golden;
    let first = text.lines().zip(golden.lines()).find(new);
    let hint = "`UPDATE=1 cargo test` rewrites it";
    assert!(text == golden, "tests/golden/{file} differs, first at {first:?}; {hint}");
}

#[test]
fn the_contract_is_the_one_that_was_reviewed() {
    check_golden("contract.txt", &contract_lines());
}

#[test]
fn the_table_of_hooks_is_the_one_that_was_reviewed() {
    check_golden("hooks.txt", &String::from_utf8(sidehook(&["hooks"]).stdout).unwrap());
}
