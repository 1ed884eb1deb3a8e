//! What no value can say about itself: names are unique, and so are addresses.

use std::collections::HashMap;

use serde_json::Value;

use crate::config::{
    address::Address,
    document::Document,
    format::Format,
    path::Path,
    problem::{Complaint, Problem},
};

/// Finds what contradicts something else in `document`. It takes the raw document, so that it
/// also finds something in one with other problems.
pub(super) fn check(document: &Document) -> Vec<Problem> {
    let mut problems = Vec::new();
    duplicate_names(document, &mut problems);
    duplicate_addresses(document, &mut problems);
    problems
}

fn duplicate_names(document: &Document, problems: &mut Vec<Problem>) {
    let mut first: HashMap<String, Path> = HashMap::new();
    for (path, name) in names(document.value()) {
        match first.get(&name) {
            None => {
                first.insert(name, path);
            }
            Some(earlier) => {
                let line = document.key_place(earlier).line;
                let message =
                    format!("the name `{name}` is already that of {earlier} on line {line}");
                let complaint = Complaint::new(message).suggest("names are unique; choose another");
                problems.push(document.problem(&path, complaint));
            }
        }
    }
}

/// The names of all middleware. One under `builtin` is named by its key.
fn names(config: &Value) -> Vec<(Path, String)> {
    let root = Path::root();
    let mut lists = vec![];
    for key in ["hooks", "middleware"] {
        lists.push((root.key(key), config.get(key)));
    }
    for (pattern, agent) in members(config, "agents") {
        lists.push((root.key("agents").key(pattern).key("middleware"), agent.get("middleware")));
    }
    for (name, list) in members(config, "sets") {
        lists.push((root.key("sets").key(name), Some(list)));
    }
    let builtins = members(config, "builtin");
    let builtins = builtins.map(|(kind, _)| (root.key("builtin").key(kind), kind.clone()));
    let mut names: Vec<_> = builtins.collect();
    for (path, list) in lists {
        for (index, middleware) in list.and_then(Value::as_array).into_iter().flatten().enumerate()
        {
            let name = middleware.get("name").and_then(Value::as_str);
            names.extend(name.map(|name| (path.index(index).key("name"), name.to_owned())));
        }
    }
    names
}

fn members<'a>(config: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    config.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn duplicate_addresses(document: &Document, problems: &mut Vec<Problem>) {
    let listen = document.value().get("listen").and_then(|listen| listen.get("grpc"));
    let path = Path::root().key("listen").key("grpc");
    let mut seen: Vec<Address> = Vec::new();
    for (index, value) in listen.and_then(Value::as_array).into_iter().flatten().enumerate() {
        let Ok(address) = Address::read(value) else { continue };
        // Every port 0 becomes another free port.
        let is_any = matches!(address, Address::Tcp { port: 0, .. });
        if !is_any && seen.contains(&address) {
            let complaint = Complaint::new(format!("`{address}` is in the list twice"));
            problems.push(
                document.problem(&path.index(index), complaint.suggest("remove one of the two")),
            );
        }
        seen.push(address);
    }
}
