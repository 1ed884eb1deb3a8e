//! Recorded runs of real agents, played through a sidecar as a runtime would.
//!
//! What is expected is computed from the recording itself, by code that shares nothing with the
//! product.

use crate::support::{Sidecar, soon, workspace};
use futures::{StreamExt, stream};
use prost::Message as _;
use regex::Regex;
use serde_json::{Value, json};
use sidehook_client::Client;
use sidehook_proto::v1::{self, message::Content};
use sidehook_server::{
    config::EMBEDDED,
    replay::{Happened, Recorded, Seen, play},
};
use std::{path::PathBuf, sync::LazyLock};

/// As many runs as one sidecar of a small pod has at once.
const AT_ONCE: usize = 8;

/// Asks a person before money goes back, and listens to every hook, so that no
/// client may skip one.
const REFUND_RULES: &str = "middleware:
  - { name: audit, kind: audit, file: AUDIT }
  - name: refund-guard
    kind: rules
    rules:
      - hook: before_tool_call
        when: tool_call.name == 'cancel_reservation'
        then: { ask: A cancellation may be refunded }
      - hook: before_tool_call
        when: tool_call.name == 'send_certificate' && tool_call.arguments.amount > 100
        then: { deny: The amount is a person's decision }
";

/// Whether the refund rules hold for a recorded call.
fn is_refund(call: &Value) -> bool {
    let function = &call["function"];
    let arguments: Value = serde_json::from_str(function["arguments"].as_str().unwrap()).unwrap();
    match function["name"].as_str().unwrap() {
        "cancel_reservation" => true,
        "send_certificate" => arguments["amount"].as_f64().unwrap() > 100.0,
        _ => false,
    }
}

/// What one run came to.
struct Played {
    seen: Seen,
    /// The requests that reached the model.
    requests: Vec<v1::ChatRequest>,
    /// The calls that reached the tools.
    invocations: Vec<v1::ToolInvocation>,
}

async fn played(client: &Client, run: &Recorded) -> Played {
    let (mut requests, mut invocations) = (Vec::new(), Vec::new());
    let context = v1::HookContext { agent_name: "airline".into(), ..v1::HookContext::default() };
    let seen = play(client, run, context, |happened| match happened {
        Happened::Model(call) => requests.push(call.request.unwrap()),
        Happened::Tool(invocation) => invocations.push(*invocation),
        Happened::Hook { .. } => {}
    });
    let seen = seen.await.unwrap_or_else(|error| panic!("{}: {error}", run.id));
    Played { seen, requests, invocations }
}

/// Plays every run of a recording, checks each, and returns how many there were and how many
/// tool calls were refused.
async fn check(text: &str) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let audit = folder.path().join("audit.jsonl");
    let rules = REFUND_RULES.replace("AUDIT", audit.to_str().unwrap());
    let yaml = EMBEDDED.replacen("middleware:\n", &rules, 1);
    let sidecar = Sidecar::with(&yaml).start().await;
    let client = Client::connect(&sidecar.address.to_string()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let runs = Recorded::read_all(text).unwrap();
    let client = &client;
    let plays = stream::iter(runs.iter().zip(&lines)).map(|(run, line)| async move {
        let played = played(client, run).await;
        let messages = line["messages"].as_array().unwrap();
        check_run(&run.id, &played, messages);
        (played.seen.refused, played.seen.hooks)
    });
    let seen: Vec<(usize, usize)> = soon(plays.buffer_unordered(AT_ONCE).collect()).await;
    assert!(sidecar.inner.runs().is_empty(), "every run has ended");
    sidecar.inner.flush().await;
    let text = std::fs::read_to_string(audit).unwrap();
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let calls = seen.iter().map(|(_, hooks)| hooks).sum::<usize>();
    assert_eq!(records.len(), calls, "a record a call");
    let refused = seen.iter().map(|(refused, _)| refused).sum();
    let by_guard = |it: &&Value| it.get("decision").is_some() && it["decided_by"] == "refund-guard";
    assert_eq!(records.iter().filter(by_guard).count(), refused, "a decision a refusal");
    (seen.len(), refused)
}

fn check_run(id: &str, played: &Played, recorded: &[Value]) {
    assert_eq!(played.seen.tripwire, None, "{id}");
    check_history(id, &played.seen.messages, recorded);
    check_tools(id, &played.invocations, recorded);
    let turns = recorded.iter().filter(|it| it["role"] == "assistant").count();
    assert_eq!(played.requests.len(), turns, "{id}");
    for request in &played.requests {
        check_pairs(id, &request.messages);
        for (reached, kept) in request.messages.iter().zip(&played.seen.messages) {
            check_masked(id, reached, kept);
        }
    }
}

fn text_of(message: &v1::Message) -> &str {
    match &message.content {
        Some(Content::Text(text)) => text,
        Some(Content::Parts(_)) => panic!("the recordings have no parts"),
        None => "",
    }
}

fn calls_of(message: &Value) -> Vec<Value> {
    message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// The runtime keeps the conversation as it was recorded, but for what a refused call returned.
fn check_history(id: &str, kept: &[v1::Message], recorded: &[Value]) {
    assert_eq!(kept.len(), recorded.len(), "{id}");
    let mut refused = Vec::new();
    for (kept, recorded) in kept.iter().zip(recorded) {
        let calls = calls_of(recorded);
        if recorded["role"] == "assistant" {
            refused = calls.iter().filter(|it| is_refund(it)).map(|it| it["id"].clone()).collect();
        }
        assert_eq!(json!(kept.role), recorded["role"], "{id}");
        let arguments: Vec<_> = kept.tool_calls.iter().map(|it| json!(it.arguments_json)).collect();
        let expected: Vec<_> = calls.iter().map(|it| it["function"]["arguments"].clone()).collect();
        assert_eq!(arguments, expected, "{id}");
        if recorded["role"] == "tool" {
            assert_eq!(json!(kept.tool_call_id), recorded["tool_call_id"], "{id}");
        }
        if refused.contains(&json!(kept.tool_call_id)) {
            assert!(text_of(kept).contains("refund") || text_of(kept).contains("decision"), "{id}");
        } else {
            let expected = recorded.get("content").and_then(Value::as_str).unwrap_or_default();
            assert_eq!(text_of(kept), expected, "{id}");
        }
    }
}

/// The tools get the recorded arguments, byte for byte, but for the calls that are refused.
fn check_tools(id: &str, invocations: &[v1::ToolInvocation], recorded: &[Value]) {
    let calls = recorded.iter().flat_map(calls_of).filter(|call| !is_refund(call));
    let expected: Vec<_> =
        calls.map(|call| (call["id"].clone(), call["function"]["arguments"].clone())).collect();
    let made: Vec<_> = invocations
        .iter()
        .map(|it| (json!(it.tool_call.as_ref().unwrap().id), json!(it.args_json)))
        .collect();
    assert_eq!(made, expected, "{id}");
}

/// Every tool call of a request is answered before the next turn, and nothing else is.
fn check_pairs(id: &str, messages: &[v1::Message]) {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        if message.role == "tool" {
            let at = open.iter().position(|call| *call == message.tool_call_id);
            open.remove(at.unwrap_or_else(|| panic!("{id}: no call of {}", message.tool_call_id)));
        } else {
            assert_eq!(open, Vec::<&str>::new(), "{id}: calls without a result");
            open = message.tool_calls.iter().map(|call| call.id.as_str()).collect();
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "{id}: calls without a result");
}

/// What reaches the model holds no address, card number or date of birth, and is what the runtime keeps,
/// byte for byte, where there is nothing of the kind.
fn check_masked(id: &str, reached: &v1::Message, kept: &v1::Message) {
    let texts = |message: &v1::Message| {
        let arguments = message.tool_calls.iter().map(|call| call.arguments_json.as_str());
        let all: Vec<_> = arguments.chain([text_of(message)]).collect();
        all.join("\n")
    };
    let (after, before) = (texts(reached), texts(kept));
    assert_eq!(personal(&after), Vec::<String>::new(), "{id}");
    if personal(&before).is_empty() {
        assert_eq!(reached.encode_to_vec(), kept.encode_to_vec(), "{id}: {before}\n{after}");
    } else {
        assert_ne!(after, before, "{id}");
        let ids = |message: &v1::Message| {
            let calls = message.tool_calls.iter().map(|call| call.id.clone());
            (message.role.clone(), message.tool_call_id.clone(), calls.collect::<Vec<_>>())
        };
        assert_eq!(ids(reached), ids(kept), "{id}");
    }
}

/// The e-mail addresses, card numbers and dates of birth of a text.
fn personal(text: &str) -> Vec<String> {
    static ADDRESS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}").unwrap());
    static DIGITS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b\d(?:[ -]?\d){12,18}\b").unwrap());
    static BIRTH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?i)\b(?:dob|born|birth)[ :"-]{1,6}\d{4}-\d{2}-\d{2}\b"#).unwrap()
    });
    let is_card = |digits: &&str| luhn(digits) && digits.starts_with(['3', '4', '5', '6']);
    let addresses = ADDRESS.find_iter(text).map(|found| found.as_str());
    let cards = DIGITS.find_iter(text).map(|found| found.as_str()).filter(is_card);
    let births = BIRTH.find_iter(text).map(|found| found.as_str());
    addresses.chain(cards).chain(births).map(str::to_owned).collect()
}

/// Whether the digits of a text pass the check of card numbers.
fn luhn(text: &str) -> bool {
    let digits = text.chars().rev().filter_map(|digit| digit.to_digit(10));
    let weighed = digits.enumerate().map(|(at, digit)| match at % 2 {
        0 => digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    });
    weighed.sum::<u32>() % 10 == 0
}

/// How many calls of a recording the refund rules hold for.
fn refunds(text: &str) -> usize {
    let runs = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let messages = runs.flat_map(|run| run["messages"].as_array().unwrap().clone());
    messages.flat_map(|message| calls_of(&message)).filter(is_refund).count()
}

#[test]
fn the_search_of_this_test_finds_what_it_is_for() {
    let text = "a@b.example, 4111 1111 1111 1111, 4111 1111 1111 1112, a***@****.com, HAT001, \
                dob: 1970-06-06, flies 2024-05-06";
    assert_eq!(personal(text), ["a@b.example", "4111 1111 1111 1111", "dob: 1970-06-06"]);
}

#[tokio::test]
async fn a_made_up_recording_is_masked_and_guarded() {
    let text = include_str!("../fixtures/agent-runs.jsonl");
    assert_eq!((refunds(text), check(text).await), (2, (3, 2)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_recorded_run_of_the_airline_is_masked_and_guarded() {
    let file = std::env::var_os("SIDEHOOK_AGENT_RUNS")
        .map_or_else(|| workspace().join("../shared/data/agent-runs/airline.jsonl"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(&file) else {
        #[expect(clippy::print_stderr, reason = "says that nothing was tested")]
        {
            eprintln!("skipped: there are no recorded runs at {}", file.display());
        }
        return;
    };
    let expected = refunds(&text);
    assert!(expected > 0, "a rule that never fires tests nothing");
    assert_eq!(check(&text).await, (text.lines().count(), expected));
}
