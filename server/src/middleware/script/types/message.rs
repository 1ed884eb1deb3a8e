//! Messages as interfaces: how a field's name, type and presence look to scripts.

use super::{BY_HAND, comment};
use prost_reflect::{DescriptorPool, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use std::collections::HashSet;

/// Names that the documents give.
const NAMES: [(&str, &str); 4] = [
    ("AfterRunRequest", "RunEnd"),
    ("AttemptContext", "Attempt"),
    ("BeforeToolCallAnswer", "ToolCallVerdict"),
    ("TransformAnswer", "WireCallRequestPatch"),
];

/// Fields that scripts do not see, or that `types/module.d.ts` has.
const WITHOUT: [(&str, &[&str]); 6] = [
    ("AfterRunRequest", BY_STATUS),
    ("ModelDelta", PLACE),
    ("ToolDelta", PLACE),
    ("CallDelta", PLACE),
    ("BeforeToolCallAnswer", &["decided_by"]),
    ("StartRunAnswer", &["plan"]),
];
const BY_STATUS: &[&str] = &["status", "result", "error"];
const PLACE: &[&str] = &["invocation", "sequence"];

/// Oneofs, as the members that stand for them.
const ONEOFS: [(&str, &str); 3] = [
    (
        "Message.content",
        "    /** What is said: text, or a list of parts. `''` where the provider has no content. */
    content: string | ContentPart[];\n",
    ),
    (
        "ChatResponse.content",
        "    /** What the model says, as text: of a list of parts, their text joined. */
    content: string;
    /** The list of parts, where the content is one. */
    parts?: ContentPart[];\n",
    ),
    (
        "ToolResult.output",
        "    /** What the tool returned: text, or whatever JSON can hold. */
    result?: unknown;
    /** What the tool returned, where it is a list of parts. */
    content?: ContentPart[];
    /** Accepted and ignored: a result keeps the id of its call. */
    callId?: string;
    /** Accepted and ignored: a result keeps the name of its tool. */
    name?: string;\n",
    ),
];

/// Fields that are there although their comment does not require them, as the documents have it.
const ALWAYS: [&str; 6] = [
    "ModelCall.request",
    "ToolOutcome.tool_call",
    "ToolOutcome.result",
    "CallResult.value_json",
    "MiddlewareEvent.hook",
    "UserMessageInboundRequest.sender",
];

/// Fields that are left out when empty.
const OPTIONAL: [&str; 4] = [
    "Message.tool_calls",
    "Message.tool_call_id",
    "Message.name",
    "SshCommandSendingRequest.intent",
];

/// The interfaces of `open` and of what they hold, in the order of the contract.
pub(super) fn interfaces(pool: &DescriptorPool, mut open: Vec<MessageDescriptor>) -> String {
    let (mut seen, mut enums) = (HashSet::new(), HashSet::new());
    while let Some(message) = open.pop() {
        if seen.insert(message.full_name().to_owned()) {
            for field in message.fields() {
                open.extend(within(&field));
                if let Kind::Enum(values) = field.kind() {
                    enums.insert(values.full_name().to_owned());
                }
            }
        }
    }
    let by_hand = |it: &MessageDescriptor| BY_HAND.contains(&it.name());
    let reached = pool.all_messages().filter(|it| seen.contains(it.full_name()) && !by_hand(it));
    let wire = wire_names(pool);
    let mut out: Vec<_> = reached.map(|message| interface(&message, &wire)).collect();
    let reached = pool.all_enums().filter(|it| enums.contains(it.full_name()));
    out.extend(reached.map(|values| union(&values)));
    out.join("\n")
}

/// The message that a field holds, without lists around it.
pub(super) fn within(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let Kind::Message(message) = field.kind() else { return None };
    match listed(&message) {
        Some(items) => within(&items),
        None => Some(message),
    }
}

/// The only field of a message that stands for a list.
fn listed(message: &MessageDescriptor) -> Option<FieldDescriptor> {
    let only = message.fields().next().filter(|_| message.fields().len() == 1)?;
    let is_named_so = message.name().ends_with("List") || message.name() == "ContentParts";
    (is_named_so && only.is_list()).then_some(only)
}

/// The name of what a hook sees.
pub(super) fn seen_at(request: &MessageDescriptor) -> String {
    let by_hand = request.name() == "AfterRunRequest";
    if by_hand { "AfterRunEvent".into() } else { name(request) }
}

/// The name of a message's interface.
pub(super) fn name(message: &MessageDescriptor) -> String {
    let name = message.name();
    if let Some((_, ours)) = NAMES.iter().find(|(theirs, _)| *theirs == name) {
        return (*ours).into();
    }
    match name.strip_suffix("Request").filter(|_| !matches!(name, "ChatRequest")) {
        Some(hook) if is_platform(message) => format!("{hook}Context"),
        Some(hook) => format!("{hook}Event"),
        None => name.into(),
    }
}

fn is_platform(message: &MessageDescriptor) -> bool {
    message.parent_file().name().ends_with("platform_hooks.proto")
}

fn is_hook_request(message: &MessageDescriptor) -> bool {
    message.name().ends_with("Request") && message.get_field_by_name("context").is_some()
}

fn is_left_out(field: &FieldDescriptor) -> bool {
    let message = field.parent_message();
    let without = WITHOUT.iter().find(|(name, _)| *name == message.name());
    without.is_some_and(|(_, fields)| fields.contains(&field.name()))
        || (field.name() == "context" && is_hook_request(message))
}

/// The fields that `types/module.d.ts` has instead of the interface.
pub(super) fn fields_by_hand(pool: &DescriptorPool) -> Vec<FieldDescriptor> {
    let ended = super::message(pool, "AfterRunRequest");
    ended.fields().filter(|field| BY_STATUS.contains(&field.name())).collect()
}

/// Names of fields on the wire that comments may mean.
pub(super) fn wire_names(pool: &DescriptorPool) -> Vec<String> {
    let messages = pool.all_messages().filter(|it| !BY_HAND.contains(&it.name()));
    messages
        .flat_map(|it| it.fields().map(|field| field.name().to_owned()).collect::<Vec<_>>())
        .collect()
}

fn interface(message: &MessageDescriptor, wire: &[String]) -> String {
    let about = comment::at(message.parent_file_descriptor_proto(), message.path());
    let about = comment::in_words_of_scripts(&about, wire).replace("empty for", "null for");
    let extends = match is_hook_request(message) && is_platform(message) {
        true => " extends PlatformContext",
        false => "",
    };
    let mut out = comment::block(2, &[about]);
    out += &format!("  export interface {}{extends} {{\n", name(message));
    let mut oneofs = HashSet::new();
    for field in message.fields().filter(|field| !is_left_out(field)) {
        match field.containing_oneof().filter(|oneof| !oneof.is_synthetic()) {
            Some(oneof) => {
                let key = format!("{}.{}", message.name(), oneof.name());
                if oneofs.insert(key.clone()) {
                    let members = ONEOFS.iter().find(|(name, _)| *name == key);
                    out += members.unwrap_or_else(|| panic!("{key} has no form")).1;
                }
            }
            None => out += &member(&field, wire),
        }
    }
    out + "  }\n"
}

/// Whether scripts find a field.
#[derive(PartialEq)]
enum Presence {
    Always,
    OrNull,
    OrLeftOut,
}

fn member(field: &FieldDescriptor, wire: &[String]) -> String {
    let file = field.parent_message().parent_file();
    let written = comment::at(file.file_descriptor_proto(), field.path());
    let presence = presence(field, &written);
    let mut about = comment::in_words_of_scripts(&written, wire);
    if field.name() == "arguments_json" {
        about += " A text of the model that is no JSON stays a string.";
    }
    let name = comment::script_name(field.name());
    let ty = type_of(field);
    let typed = match presence {
        Presence::Always => format!("{name}: {ty}"),
        Presence::OrNull => {
            about = about.replace("Unset", "Null");
            format!("{name}: {ty} | null")
        }
        Presence::OrLeftOut => format!("{name}?: {ty}"),
    };
    comment::block(4, &[about]) + &format!("    {typed};\n")
}

fn presence(field: &FieldDescriptor, written: &str) -> Presence {
    let message = field.parent_message();
    let key = format!("{}.{}", message.name(), field.name());
    let required = written.starts_with("Required. ");
    if message.name().ends_with("Answer") {
        return Presence::OrLeftOut;
    }
    if ALWAYS.contains(&key.as_str()) || matches!(field.name(), "arguments_json" | "args_json") {
        return Presence::Always;
    }
    if OPTIONAL.contains(&key.as_str()) || field.name().ends_with("_json") {
        return Presence::OrLeftOut;
    }
    if field.is_list() || required {
        return Presence::Always;
    }
    match field.kind() {
        Kind::Enum(_) if !is_platform(message) => Presence::OrLeftOut,
        _ if field.supports_presence() && is_platform(message) => Presence::OrNull,
        _ if field.supports_presence() => Presence::OrLeftOut,
        // Document 000: what is not known of a run is left out.
        Kind::String if message.name() == "HookContext" => Presence::OrLeftOut,
        _ => Presence::Always,
    }
}

/// The type of a field's value.
pub(super) fn type_of(field: &FieldDescriptor) -> String {
    let file = field.parent_message().parent_file();
    let about = comment::at(file.file_descriptor_proto(), field.path());
    let one = match field.kind() {
        Kind::String if field.name().ends_with("_json") => {
            let object = about.contains("JSON object") || about.contains("JSON schema");
            if object { "Record<string, unknown>" } else { "unknown" }.into()
        }
        Kind::String | Kind::Bytes => "string".into(),
        Kind::Bool => "boolean".into(),
        Kind::Message(message) => match listed(&message) {
            Some(items) => type_of(&items),
            None => name(&message),
        },
        Kind::Enum(values) => values.name().into(),
        _ => "number".into(),
    };
    if field.is_list() { format!("{one}[]") } else { one }
}

/// An enum as a union of names.
fn union(values: &EnumDescriptor) -> String {
    let about = comment::at(values.parent_file_descriptor_proto(), values.path());
    let about = about.trim_end_matches(" Frozen.").trim_end_matches(" May grow.");
    let all: Vec<_> = values.values().collect();
    let prefix = all[0].name().trim_end_matches("UNSPECIFIED");
    let mut out = comment::block(2, &[about.into()]);
    out += &format!("  export type {} =\n", values.name());
    for value in &all[1..] {
        let name = value.name().trim_start_matches(prefix).to_lowercase();
        // Document 004 spells these in camel case.
        let camel = values.name() == "InitiatorKind";
        let name = if camel { comment::script_name(&name) } else { name };
        let about = comment::at(values.parent_file_descriptor_proto(), value.path());
        out += &comment::block(4, &[about]);
        out += &format!("    | '{name}'\n");
    }
    out.trim_end().to_owned() + ";\n"
}
