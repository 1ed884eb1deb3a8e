//! How a case file names the fields of messages and the values of enums.

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};

/// What a payload's field is called beyond its JSON value.
const PAYLOAD: (&str, &str) = ("_json", "Json");

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As the field's own type.
    Plain,
    /// A payload: the value that the field's JSON text stands for.
    Payload,
}

/// A field's names, each with how a value under it is written: `agent_name` and `agentName`;
/// `args_json`, `argsJson`, and `args` for the value.
pub(super) fn names(field: &FieldDescriptor) -> Vec<(String, Form)> {
    let mut names =
        vec![(field.name().to_owned(), Form::Plain), (field.json_name().to_owned(), Form::Plain)];
    if is_payload(field) {
        let snake = field.name().strip_suffix(PAYLOAD.0);
        let camel = field.json_name().strip_suffix(PAYLOAD.1);
        let short = [snake, camel].into_iter().flatten();
        names.extend(short.map(|name| (name.to_owned(), Form::Payload)));
    }
    names.dedup();
    names
}

/// The name that messages call a field by.
pub(super) fn called(field: &FieldDescriptor) -> &str {
    let payload = field.name().strip_suffix(PAYLOAD.0).filter(|_| is_payload(field));
    payload.unwrap_or(field.name())
}

/// The field that `key` means in `message`.
pub(super) fn find(message: &MessageDescriptor, key: &str) -> Option<(FieldDescriptor, Form)> {
    message.fields().find_map(|field| {
        let (_, form) = names(&field).into_iter().find(|(name, _)| name == key)?;
        Some((field, form))
    })
}

/// Whether a field holds JSON as text.
pub(super) fn is_payload(field: &FieldDescriptor) -> bool {
    field.kind() == Kind::String && !field.is_list() && field.name().ends_with(PAYLOAD.0)
}

/// A value of an enum without the enum's prefix, in lower case: `deny` for `TOOL_DECISION_DENY`.
pub(super) fn short(values: &EnumDescriptor, name: &str) -> String {
    let prefix = values.default_value().name().trim_end_matches("UNSPECIFIED").to_owned();
    name.strip_prefix(&prefix).unwrap_or(name).to_lowercase()
}

/// The full name of the value that `written` means, in full or short.
pub(super) fn full(values: &EnumDescriptor, written: &str) -> Option<String> {
    let mut all = values.values();
    let found = all.find(|it| it.name() == written || short(values, it.name()) == written)?;
    Some(found.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Contract;
    use std::collections::BTreeMap;

    #[test]
    fn no_key_means_two_fields_or_says_how_to_compare() {
        let pool = prost_reflect::DescriptorPool::decode(sidehook_proto::FILE_DESCRIPTOR_SET);
        for message in pool.unwrap().all_messages() {
            if message.package_name() != "sidehook.v1" {
                continue;
            }
            let mut owners = BTreeMap::new();
            for field in message.fields() {
                for (name, _) in names(&field) {
                    assert!(!["matches", "absent"].contains(&&*name), "{}", field.full_name());
                    let other = owners.insert(name, field.full_name().to_owned());
                    assert_eq!(other, None, "{}", field.full_name());
                }
            }
        }
    }

    #[test]
    fn a_payload_is_found_by_its_text_and_by_its_value() {
        let request = Contract::load().unwrap().message("ChatRequest").unwrap();
        let named = |key| find(&request, key).map(|(field, form)| (field.name().to_owned(), form));
        for (key, form) in [
            ("tool_choice_json", Form::Plain),
            ("toolChoiceJson", Form::Plain),
            ("tool_choice", Form::Payload),
            ("toolChoice", Form::Payload),
        ] {
            assert_eq!(named(key), Some(("tool_choice_json".into(), form)), "{key}");
        }
        assert_eq!(named("choice"), None);
    }
}
