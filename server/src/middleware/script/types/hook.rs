//! The hooks as methods, from their RPCs.

use super::{comment, message};
use crate::hooks::HookId;
use prost_reflect::{DescriptorPool, MessageDescriptor};

/// Hooks that stand in `types/module.d.ts`.
const BY_HAND: [HookId; 5] =
    [HookId::WrapModelCall, HookId::WrapToolCall, HookId::Transform, HookId::Wrap, HookId::OnEvent];

/// Answers that stand in `types/module.d.ts`, since the documents give them another form.
const ANSWERS_BY_HAND: [(HookId, &str); 3] = [
    (HookId::StartRun, "ContextAnswer"),
    (HookId::BeforeRun, "ContextAnswer"),
    (HookId::DecideApproval, "ToolApprovalDecision"),
];

/// The interfaces of the services. What they use is added to `reached`.
pub(super) fn services(pool: &DescriptorPool, reached: &mut Vec<MessageDescriptor>) -> String {
    let mut out = String::new();
    for name in ["RunHooks", "PlatformHooks"] {
        let service = pool.get_service_by_name(&format!("sidehook.v1.{name}")).unwrap();
        let about = comment::at(service.parent_file_descriptor_proto(), service.path());
        let about = about.split(". ").next().unwrap_or_default().trim_start_matches("Serves ");
        let about = capitalised(about).trim_end_matches('.').to_owned() + ".";
        out += &comment::block(2, &[about]);
        out += &format!("  export interface {name} {{\n");
        let of_it = |hook: &HookId| hook.service() == service.full_name();
        for hook in HookId::ALL.into_iter().filter(of_it).filter(|it| !BY_HAND.contains(it)) {
            out += &method(pool, hook, reached);
        }
        out += "  }\n\n";
    }
    out.trim_end().to_owned() + "\n"
}

/// One hook as a method.
fn method(pool: &DescriptorPool, hook: HookId, reached: &mut Vec<MessageDescriptor>) -> String {
    let part = |suffix: &str| message(pool, &format!("{}{suffix}", hook.method()));
    let (request, response, answer) = (part("Request"), part("Response"), part("Answer"));
    let on_platform = hook.service().ends_with("PlatformHooks");
    let veto = response.get_field_by_name("veto");
    let seen = message::seen_at(&request);
    let returns = if on_platform {
        let cancelled = if veto.is_some() { " | Cancellation" } else { "" };
        format!("{}{cancelled}", platform_answer(&answer, reached))
    } else {
        run_answer(hook, &answer, reached)
    };
    let parameters = match (on_platform, veto.is_some()) {
        (false, _) => format!("event: {seen}, context: RunContext"),
        (true, true) => format!("context: {seen}, tools: Tools"),
        (true, false) => format!("context: {seen}"),
    };
    let mut about = vec![described(pool, hook)];
    let file = response.parent_file();
    if let Some(veto) = veto {
        let what = comment::at(file.file_descriptor_proto(), veto.path());
        about.push(what.replace("A middleware refused", "`tools.cancel()`"));
    }
    about.push(returned(pool, &answer));
    reached.push(request);
    let name = hook.script_name();
    let line = format!("    {name}?({parameters}): Eventual<{returns}>;\n");
    let text = if line.trim_end().len() <= 100 {
        line
    } else {
        let each: String = parameters.split(", ").map(|it| format!("      {it},\n")).collect();
        format!("    {name}?(\n{each}    ): Eventual<{returns}>;\n")
    };
    comment::block(4, &about) + &text
}

/// What the hook does, from its RPC.
fn described(pool: &DescriptorPool, hook: HookId) -> String {
    let service = pool.get_service_by_name(hook.service()).unwrap();
    let rpc = service.methods().find(|rpc| rpc.name() == hook.method()).unwrap();
    let text = comment::at(service.parent_file_descriptor_proto(), rpc.path());
    comment::in_words_of_scripts(&text, &message::wire_names(pool))
}

/// What it returns, from the answer's comment.
fn returned(pool: &DescriptorPool, answer: &MessageDescriptor) -> String {
    let text = comment::at(answer.parent_file_descriptor_proto(), answer.path());
    if text.starts_with("Empty:") {
        return String::new();
    }
    let text = comment::in_words_of_scripts(&text, &message::wire_names(pool));
    format!("@returns {}", capitalised(text.trim_start_matches("Says ")))
}

fn run_answer(
    hook: HookId,
    answer: &MessageDescriptor,
    reached: &mut Vec<MessageDescriptor>,
) -> String {
    if let Some((_, name)) = ANSWERS_BY_HAND.iter().find(|(it, _)| *it == hook) {
        return format!("{name} | void");
    }
    if answer.fields().len() == 0 {
        return "void".into();
    }
    reached.push(answer.clone());
    format!("{} | void", message::name(answer))
}

/// Document 004: one field is the value itself, several are an object.
fn platform_answer(answer: &MessageDescriptor, reached: &mut Vec<MessageDescriptor>) -> String {
    let fields: Vec<_> = answer.fields().collect();
    match &fields[..] {
        [] => "void".into(),
        [only] => {
            reached.extend(message::within(only));
            message::type_of(only)
        }
        _ => {
            reached.push(answer.clone());
            message::name(answer)
        }
    }
}

fn capitalised(text: &str) -> String {
    let (first, rest) = text.split_at(text.len().min(1));
    first.to_uppercase() + rest
}
