//! Arbitrary messages.

use crate::v1::{
    BeforeToolCallAnswer, ChatRequest, ChatResponse, ContentPart, ContentParts, Media, Message,
    ToolCall, ToolDefinition, ToolResult, Usage, chat_response, content_part::Kind, message,
    tool_result::Output,
};
use proptest::{collection::vec, option, prelude::*, sample::select};

/// Numbers whose literals do not share a double with those of others.
const NUMBERS: [&str; 12] = [
    "0",
    "-0",
    "1",
    "1.0",
    "10e-1",
    "0.1234567890123456789",
    "9007199254740993",
    "1e400",
    "1e-400",
    "-1.5e300",
    "123456789012345678901234567890",
    "1E2",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => any::<String>(),
        1 => select(&["", "{}", "null", "\u{0}payload", "a\u{2028}\"\\\n\u{1f}", "$", "1", "\u{fffd}"][..])
            .prop_map(str::to_owned),
    ]
}

/// Keys that may need escapes, and no two that are the same.
fn key() -> impl Strategy<Value = String> {
    select(&["a", "b", "2", "10", "ä", "\\u0061b", "__proto__", "type", "\\u0000", "x y"][..])
        .prop_map(str::to_owned)
}

/// JSON as somebody else's software writes it.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        select(&NUMBERS[..]).prop_map(str::to_owned),
        select(&["null", "true", "false"][..]).prop_map(str::to_owned),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
        select(&[r#""\u0041""#, r#""\ud83d\ude00""#, r#""\ud800""#, r#""\/""#][..])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let members = vec((key(), select(&["", " ", "\n\t"][..]), inner.clone()), 0..4);
        prop_oneof![
            vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            members.prop_map(|mut members| {
                members.sort_by(|one, other| other.0.cmp(&one.0));
                members.dedup_by(|one, other| one.0 == other.0);
                let members = members
                    .iter()
                    .map(|(key, space, value)| format!("{space}\"{key}\"{space}:{space}{value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }),
        ]
    })
}

/// Any payload: none, JSON, or what is no JSON.
pub(super) fn payload() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(String::new()),
        4 => json().prop_filter("cannot be told from null or zero", |text| {
            !["1e400", "1e-400"].contains(&text.as_str())
        }),
        1 => select(&["{\"a\":", "nonsense", "{}", " {} ", "[1,]", "{\"\\u0000payload\":0,\"value\":1}"][..])
            .prop_map(str::to_owned),
    ]
}

fn some_payload() -> impl Strategy<Value = String> {
    payload().prop_filter("there is none", |text| !text.is_empty())
}

fn media() -> impl Strategy<Value = Media> {
    (text(), vec(any::<u8>(), 0..20), text(), text())
        .prop_map(|(url, data, media_type, name)| Media { url, data, media_type, name })
}

fn part() -> impl Strategy<Value = ContentPart> {
    let kind = prop_oneof![
        Just(None),
        text().prop_map(|it| Some(Kind::Text(it))),
        text().prop_map(|it| Some(Kind::Reasoning(it))),
        media().prop_map(|it| Some(Kind::Image(it))),
        media().prop_map(|it| Some(Kind::Audio(it))),
        media().prop_map(|it| Some(Kind::File(it))),
        // An empty object is what a part of no kind looks like.
        some_payload()
            .prop_filter("is a part of no kind", |text| text.split_whitespace().collect::<String>()
                != "{}")
            .prop_map(|it| Some(Kind::OtherJson(it))),
    ];
    (kind, payload()).prop_map(|(kind, extra_json)| ContentPart { kind, extra_json })
}

fn parts() -> impl Strategy<Value = ContentParts> {
    vec(part(), 0..4).prop_map(|parts| ContentParts { parts })
}

fn tool_call() -> impl Strategy<Value = ToolCall> {
    (text(), text(), payload(), payload()).prop_map(|(id, name, arguments_json, extra_json)| {
        ToolCall { id, name, arguments_json, extra_json }
    })
}

/// An empty text is what a message without content looks like, so which of the
/// two it is depends on whether there are tool calls.
pub(super) fn message() -> impl Strategy<Value = Message> {
    let content = prop_oneof![
        text().prop_map(message::Content::Text),
        parts().prop_map(message::Content::Parts),
    ];
    (text(), content, vec(tool_call(), 0..3), text(), text(), payload()).prop_map(
        |(role, content, tool_calls, tool_call_id, name, extra_json)| {
            let is_nothing =
                content == message::Content::Text(String::new()) && !tool_calls.is_empty();
            let content = (!is_nothing).then_some(content);
            Message { role, content, tool_calls, tool_call_id, name, extra_json }
        },
    )
}

fn tool() -> impl Strategy<Value = ToolDefinition> {
    (text(), text(), payload(), payload()).prop_map(
        |(name, description, parameters_json, extra_json)| ToolDefinition {
            name,
            description,
            parameters_json,
            extra_json,
        },
    )
}

fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("JSON has no other", |double| double.is_finite())
}

pub(super) fn chat_request() -> impl Strategy<Value = ChatRequest> {
    let sampling = (option::of(finite()), option::of(finite()), option::of(any::<i32>()));
    let payloads = (payload(), payload(), payload());
    (text(), vec(message(), 0..3), vec(tool(), 0..2), sampling, vec(text(), 0..3), payloads)
        .prop_map(|(model, messages, tools, sampling, stop, payloads)| ChatRequest {
            model,
            messages,
            tools,
            tool_choice_json: payloads.0,
            temperature: sampling.0,
            top_p: sampling.1,
            max_tokens: sampling.2,
            stop,
            response_format_json: payloads.1,
            extra_json: payloads.2,
        })
}

fn usage() -> impl Strategy<Value = Usage> {
    let count = || -9_007_199_254_740_992..=9_007_199_254_740_992_i64;
    (count(), count(), count(), payload()).prop_map(|(input, output, cached, extra_json)| Usage {
        input_token_count: input,
        output_token_count: output,
        cached_token_count: cached,
        extra_json,
    })
}

pub(super) fn chat_response() -> impl Strategy<Value = ChatResponse> {
    let content = prop_oneof![
        Just(None),
        text().prop_map(|text| (!text.is_empty()).then_some(chat_response::Content::Text(text))),
        parts().prop_map(|parts| Some(chat_response::Content::Parts(parts))),
    ];
    let ids = (text(), text(), text());
    (ids, content, vec(tool_call(), 0..3), option::of(usage()), payload()).prop_map(
        |(ids, content, tool_calls, usage, extra_json)| ChatResponse {
            id: ids.0,
            model: ids.1,
            content,
            tool_calls,
            finish_reason: ids.2,
            usage,
            extra_json,
        },
    )
}

pub(super) fn tool_result() -> impl Strategy<Value = ToolResult> {
    let output = prop_oneof![
        Just(None),
        text().prop_map(|it| Some(Output::Text(it))),
        some_payload().prop_map(|it| Some(Output::ResultJson(it))),
        parts().prop_map(|it| Some(Output::Parts(it))),
    ];
    (output, option::of(text()), payload()).prop_map(|(output, error, extra_json)| ToolResult {
        output,
        error,
        extra_json,
    })
}

/// Of an answer, null means "unchanged", so that it cannot be an argument.
pub(super) fn before_tool_call_answer() -> impl Strategy<Value = BeforeToolCallAnswer> {
    let arguments = some_payload().prop_filter("means unchanged", |text| text.trim() != "null");
    let arguments =
        arguments.prop_filter("means unchanged in JavaScript", |text| text.trim() != "1e400");
    (0..=4_i32, text(), option::of(arguments)).prop_map(|(decision, reason, arguments)| {
        BeforeToolCallAnswer {
            decision,
            reason,
            updated_arguments_json: arguments,
            decided_by: String::new(),
        }
    })
}
