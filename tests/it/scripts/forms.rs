//! The three forms of a script's middleware, and what their answers mean.

use super::{Scripted, folder};
use serde_json::json;
use sidehook_server::hooks::HookId;

#[tokio::test]
async fn an_exported_object_is_middleware() {
    let script = Scripted::new(
        "import type { RunMiddleware } from '@cogitator-ai/core';
         export const shout: RunMiddleware = {
           name: 'shout',
           afterModel: ({ response }) => ({ content: response.content.toUpperCase() }),
         };",
    )
    .await;
    let answer = script.answer("after_model", json!({"response": {"text": "hello"}})).await;
    assert_eq!(answer, json!({"content": "HELLO"}));
}

#[tokio::test]
async fn an_object_that_is_not_exported_is_middleware_when_nothing_is() {
    let script = Scripted::new(
        "const shout: RunMiddleware = { name: 'shout', beforeStop: async () => ({ continueWith: 'on' }) };",
    )
    .await;
    assert_eq!(script.answer("before_stop", json!({})).await, json!({"continue_with": "on"}));
}

#[tokio::test]
async fn a_handler_on_the_global_object_gets_the_context_and_tools() {
    let script = Scripted::new(
        "globalThis.middleware.userMessageInbound = async (context, tools) => {
           if (tools.initiator.kind !== 'channelSender' || tools.initiator.isVerifiedPerson) return 'wrong';
           return context.text.includes('spam') ? tools.cancel('no ' + context.sessionId) : context.text;
         };",
    )
    .await;
    let request = |text: &str| {
        json!({
            "context": {"run_id": "r", "session_id": "s", "initiator": {"kind": "INITIATOR_KIND_CHANNEL_SENDER"}},
            "text": text,
        })
    };
    let answer = script.answer("user_message_inbound", request("hello")).await;
    assert_eq!(answer, json!({"text": "hello"}));
    let response = script.ask("user_message_inbound", request("spam")).await;
    assert_eq!(response["veto"], json!({"reason": "no s", "middleware": "guard"}));
}

#[tokio::test]
async fn a_veto_reason_is_cut_at_500_characters() {
    let script = Scripted::new(
        "globalThis.middleware.cronJobFiring = (context, tools) => tools.cancel('é'.repeat(600));",
    )
    .await;
    let response = script.ask("cron_job_firing", json!({"prompt": "p"})).await;
    assert_eq!(response["veto"]["reason"].as_str().unwrap().chars().count(), 500);
}

#[tokio::test]
async fn a_list_of_objects_is_several_links_with_names_of_their_own() {
    let files = [(
        "tags.ts",
        "export default [
           { name: 'last', priority: 5, transform: (r) => ({ addMessages: [{ role: 'user', content: 'last' }] }) },
           { name: 'first', transform: (r) => ({ addMessages: [{ role: 'user', content: 'first' }] }) },
           { name: 'again', enabled: false, transform: () => ({ temperature: 9 }) },
         ];",
    )];
    let yaml = "middleware: [{name: tags, kind: script, file: tags.ts}]";
    let script = Scripted::with(&files, yaml).await;
    let request = json!({"context": {"run_id": "r", "explain": true}, "request": {"model": "m"}});
    let response = script.ask("transform", request).await;
    let texts: Vec<_> = response["answer"]["add_messages"].as_array().unwrap().iter().collect();
    assert_eq!(texts.iter().map(|m| &m["text"]).collect::<Vec<_>>(), ["first", "last"]);
    let steps: Vec<_> = response["report"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["middleware"].as_str().unwrap(), step["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(
        steps,
        [
            ("tags/first", "STEP_OUTCOME_ANSWERED"),
            ("tags/again", "STEP_OUTCOME_NOT_ENABLED"),
            ("tags/last", "STEP_OUTCOME_ANSWERED"),
        ]
    );
}

#[tokio::test]
async fn a_folder_is_every_middleware_in_it_in_the_order_of_names() {
    let of = |text: &str| {
        format!(
            "import {{ tag }} from './lib/tag.js';\nexport default {{ beforeRun: () => tag('{text}') }};"
        )
    };
    let (a, b) = (of("a"), of("b"));
    let files = [
        ("guards/b.ts", b.as_str()),
        ("guards/a.ts", a.as_str()),
        ("guards/lib/tag.ts", "export const tag = (text: string) => ({ context: `tag ${text}` });"),
        ("guards/types.d.ts", "declare const nothing: string;"),
    ];
    let yaml = "middleware: [{name: guards, kind: script, dir: guards}]";
    let script = Scripted::with(&files, yaml).await;
    let answer = script.answer("before_run", json!({"input": "i"})).await;
    assert_eq!(answer, json!({"added_context": ["tag a", "tag b"]}));
}

#[tokio::test]
async fn undefined_from_a_platform_hook_with_a_field_is_skipped_as_malformed() {
    let script = Scripted::new("globalThis.middleware.systemPrompt = async () => {};").await;
    let request = json!({"context": {"run_id": "r", "explain": true}, "system_prompt": "be kind"});
    let response = script.ask("system_prompt", request).await;
    assert_eq!(response["answer"], json!({}));
    let step = &response["report"]["steps"][0];
    assert_eq!(step["outcome"], "STEP_OUTCOME_FAULT_SKIPPED");
    assert!(step["fault"].to_string().contains("undefined"), "{step}");
}

#[tokio::test]
async fn an_answer_that_does_not_fit_names_the_field() {
    for (code, expected) in [
        ("beforeToolCall: () => ({ decision: 'block' })", "decision"),
        ("beforeToolCall: () => ({ verdict: 'deny' })", "verdict"),
        ("beforeToolCall: () => 'deny'", "a string"),
        ("beforeModel: () => ({ messages: [{ role: 7 }] })", "messages[0].role"),
        ("decideApproval: () => ({ reason: 'r' })", "approved"),
        ("decideApproval: () => 'yes'", "an object of approved, reason, updatedArguments"),
        ("beforeRun: () => ({ contxt: 'x' })", "no field `contxt`; it has context"),
        ("beforeRun: () => ({ context: ['x', 5] })", "context must be a text or several"),
        ("transform: () => ({ model: 'other' })", "model"),
        ("notifyScheduled: () => ({ delaySeconds: NaN })", "delaySeconds"),
        ("todoAdded: () => 'one'", "texts"),
    ] {
        let hook = code.split(':').next().unwrap();
        let hook = HookId::find(hook).unwrap();
        let code = format!("export default {{ {code} }};");
        let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, on_fault: fail}]";
        let script = Scripted::with(&[("guard.ts", &code)], yaml).await;
        let request = match hook {
            HookId::Transform => json!({"request": {"model": "m"}}),
            HookId::BeforeToolCall | HookId::DecideApproval => json!({"tool_call": {"name": "t"}}),
            _ => json!({}),
        };
        let message = script.failure(hook.name(), request).await;
        assert!(message.contains(expected), "{code}: {message}");
    }
}

#[tokio::test]
async fn a_payload_that_no_script_touches_leaves_bit_for_bit() {
    let script = Scripted::new(
        "export default {
           beforeModel({ messages }) { return { messages: [...messages, { role: 'user', content: 'more' }] }; },
           beforeToolCall({ toolCall }) { return { updatedArguments: { ...toolCall.arguments, note: 'n' } }; },
         };",
    )
    .await;
    let arguments = "{ \"id\": 9007199254740993, \"price\": 1.10 }";
    let call = json!({"id": "c", "name": "refund", "arguments_json": arguments});
    let messages = json!([{"role": "assistant", "tool_calls": [call]}]);
    let answer = script.answer("before_model", json!({"messages": messages})).await;
    let sent = &answer["messages"]["messages"];
    assert_eq!(sent[0]["tool_calls"][0]["arguments_json"], arguments);
    assert_eq!(sent[1]["text"], "more");
    let answer = script.answer("before_tool_call", json!({"tool_call": call})).await;
    let updated = answer["updated_arguments_json"].as_str().unwrap();
    assert!(updated.contains("9007199254740993"), "{updated}");
    assert!(updated.contains("\"note\":\"n\""), "{updated}");
}

#[tokio::test]
async fn every_hook_can_be_reached_from_a_script() {
    let names: Vec<_> = HookId::ALL.iter().map(|hook| hook.script_name()).collect();
    let code = format!(
        "const it: Record<string, unknown> = {{}};
         for (const hook of {names:?}) it[hook] = () => {{ throw new Error('reached ' + hook); }};
         export default it;"
    );
    let yaml = "middleware: [{name: guard, kind: script, file: guard.ts, on_fault: fail}]";
    let script = Scripted::with(&[("guard.ts", &code)], yaml).await;
    for (hook, mut request) in crate::support::unary_requests() {
        request["context"] = json!({"run_id": format!("{hook}")});
        let message = script.failure(hook.name(), request).await;
        assert!(message.contains(&format!("reached {}", hook.script_name())), "{hook}: {message}");
    }
    for hook in [HookId::WrapModelCall, HookId::WrapToolCall, HookId::Wrap] {
        let mut exchange = script.runtime().open(hook.name()).await;
        let open = match hook {
            HookId::WrapToolCall => json!({"call": {"tool_call": {"name": "t"}}}),
            HookId::Wrap => json!({"request": {"model": "m"}}),
            _ => json!({"call": {"model": "m"}}),
        };
        exchange.send(json!({ "open": open }));
        let (_, finished) = exchange.finish().await;
        let message = finished["failure"]["message"].to_string();
        assert!(message.contains(&format!("reached {}", hook.script_name())), "{hook}: {message}");
    }
}

#[tokio::test]
async fn scripts_of_other_folders_cannot_be_imported() {
    let folder = folder(&[
        ("guards/a.ts", "import '../secret.js';\nexport default { beforeRun() {} };"),
        ("secret.ts", "export {};"),
    ]);
    let yaml = "version: 1\nmiddleware: [{name: a, kind: script, file: guards/a.ts}]";
    let file = folder.path().join("sidehook.yaml");
    let error = sidehook_server::config::compile(file.to_str().unwrap(), yaml).unwrap_err();
    assert!(error.to_string().contains("a.ts:1:8"), "{error}");
}
