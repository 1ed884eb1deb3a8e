//! The messages of the contract with their comments.

use super::names::type_name;
use prost_types::{DescriptorProto, FileDescriptorSet, field_descriptor_proto::Type};
use std::collections::{BTreeMap, BTreeSet};

/// A message of the contract with the comments of its fields.
pub(super) struct Described<'a> {
    pub(super) message: &'a DescriptorProto,
    /// By field number, and by `1000 + index` for a oneof.
    pub(super) comments: BTreeMap<i32, String>,
    /// Whether it is one of the hooks of an agent platform.
    pub(super) is_of_platform: bool,
}

pub(super) fn described(set: &FileDescriptorSet) -> BTreeMap<&str, Described<'_>> {
    let mut messages = BTreeMap::new();
    for file in set.file.iter().filter(|file| file.package() == "sidehook.v1") {
        let is_of_platform = file.name().ends_with("platform_hooks.proto");
        let places = file.source_code_info.iter().flat_map(|info| &info.location);
        let mut comments: BTreeMap<(i32, i32), BTreeMap<i32, String>> = BTreeMap::new();
        for place in places {
            // 4 is `message_type`; inside it, 2 is `field` and 8 is `oneof_decl`.
            if let [4, message, kind @ (2 | 8), index] = place.path[..] {
                let text = place.leading_comments().replace('\n', " ");
                comments.entry((message, kind)).or_default().insert(index, text);
            }
        }
        for (index, message) in (0..).zip(&file.message_type) {
            let mut by_number = BTreeMap::new();
            for (at, text) in comments.remove(&(index, 2)).unwrap_or_default() {
                by_number.insert(message.field[at as usize].number(), text);
            }
            for (at, text) in comments.remove(&(index, 8)).unwrap_or_default() {
                by_number.insert(1000 + at, text);
            }
            messages
                .insert(message.name(), Described { message, comments: by_number, is_of_platform });
        }
    }
    messages
}

/// The messages inside requests, and the requests themselves, without `except`
/// and what only they hold.
pub(super) fn reachable<'a>(
    messages: &BTreeMap<&'a str, Described<'a>>,
    except: &[&str],
) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&str> =
        messages.keys().copied().filter(|name| name.ends_with("Request")).collect();
    while let Some(name) = open.pop() {
        let Some((name, message)) = messages.get_key_value(name) else { continue };
        if except.contains(name) || !seen.insert(*name) {
            continue;
        }
        open.extend(
            message
                .message
                .field
                .iter()
                .filter(|field| field.r#type() == Type::Message)
                .map(type_name),
        );
    }
    seen
}
