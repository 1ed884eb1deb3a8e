//! What a script keeps from one call to the next.

use super::{
    javascript::{read, through},
    strategy,
};
use crate::{
    Marks, Payloads, ScriptWriter, parse_answer,
    script_form::{inspect::number_literals, numbers::Exact},
    v1::{BeforeToolCallAnswer, ToolCall},
};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

/// A script that is called again and again.
#[derive(Default)]
struct Script(Marks);

impl Script {
    /// Hands over a call with these arguments. What the script may keep of them,
    /// and the payloads of the call.
    fn called(&self, arguments: &str) -> (Value, Payloads) {
        let mut out = ScriptWriter::marking(&self.0);
        out.message(&ToolCall { arguments_json: arguments.into(), ..ToolCall::default() });
        let written = out.finish();
        let mut seen = parse_answer(&through(&written.text)).unwrap();
        (seen["arguments"].take(), written.payloads)
    }
}

/// The arguments that the script answers a call with.
fn answered(payloads: &mut Payloads, arguments: &Value) -> Result<String, String> {
    let text = through(&json!({ "updatedArguments": arguments }).to_string());
    payloads.recall(&parse_answer(&text).unwrap());
    let answer = read::<BeforeToolCallAnswer>(&text, payloads);
    let answer = answer.map_err(|error| error.to_string())?;
    Ok(answer.updated_arguments_json.unwrap())
}

#[track_caller]
fn is_forgotten(answer: Result<String, String>) {
    let error = answer.unwrap_err();
    assert!(error.contains("which cannot be told any more"), "{error}");
}

#[test]
fn it_is_the_text_that_it_came_as() {
    let script = Script::default();
    let (kept, _) = script.called(r#"{ "id": 9007199254740993 }"#);
    let (_, mut later) = script.called("{}");
    assert_eq!(answered(&mut later, &kept), Ok(r#"{ "id": 9007199254740993 }"#.into()));
    assert_eq!(
        answered(&mut later, &json!({ "them": [kept] })),
        Ok(r#"{"them":[{ "id": 9007199254740993 }]}"#.into())
    );
}

#[test]
fn it_is_not_taken_for_what_looks_the_same_in_the_present_call() {
    let script = Script::default();
    let (kept, _) = script.called(r#"{"id":9007199254740993}"#);
    for other in [r#"{"id":9007199254740992}"#, r#"{"id":9007199254740992.5}"#] {
        let (own, mut later) = script.called(other);
        assert_eq!(answered(&mut later, &kept), Ok(r#"{"id":9007199254740993}"#.into()));
        assert_eq!(answered(&mut later, &own), Ok(other.into()));
        assert_eq!(
            answered(&mut later, &json!({ "kept": kept, "own": own })),
            Ok(format!(r#"{{"kept":{{"id":9007199254740993}},"own":{other}}}"#))
        );
    }
}

#[test]
fn it_keeps_its_numbers_when_something_else_in_it_changes() {
    let script = Script::default();
    let (mut kept, _) = script.called(r#"{"id":9007199254740993,"to":"bob","big":1e400}"#);
    let (_, mut later) = script.called(r#"{"id":9007199254740992.5}"#);
    kept["value"]["to"] = json!("eve");
    assert_eq!(
        answered(&mut later, &kept),
        Ok(r#"{"id":9007199254740993,"to":"eve","big":1e+400}"#.into())
    );
}

#[test]
fn its_numbers_do_not_disturb_the_present_call() {
    let script = Script::default();
    let (kept, _) = script.called(r#"{"id":9007199254740993}"#);
    let (_, mut later) = script.called(r#"{"id":9007199254740992.5}"#);
    let new = json!({ "n": 9_007_199_254_740_992_i64, "kept": kept });
    assert_eq!(
        answered(&mut later, &new),
        Ok(r#"{"n":9007199254740992.5,"kept":{"id":9007199254740993}}"#.into())
    );
}

#[test]
fn what_is_forgotten_is_refused() {
    let script = Script::default();
    let (mut oldest, _) = script.called(r#"{"id":9007199254740993}"#);
    let (second, _) = script.called(r#"{"id":9007199254740995}"#);
    for _ in 0..4095 {
        script.called(r#"{"id":9007199254740997}"#);
    }
    let (_, mut later) = script.called("{}");
    is_forgotten(answered(&mut later, &oldest));
    is_forgotten(answered(&mut later, &json!({ "them": [oldest] })));
    oldest["value"]["changed"] = json!(true);
    is_forgotten(answered(&mut later, &oldest));
    assert_eq!(answered(&mut later, &second), Ok(r#"{"id":9007199254740995}"#.into()));
}

#[test]
fn long_texts_are_forgotten_sooner_but_not_within_their_call() {
    let script = Script::default();
    let text = format!(r#"{{"id":9007199254740993,"text":"{}"}}"#, "x".repeat(5 << 20));
    let (first, mut payloads) = script.called(&text);
    let (second, mut later) = script.called(&text);
    assert_eq!(answered(&mut payloads, &first).as_ref(), Ok(&text));
    is_forgotten(answered(&mut later, &first));
    assert_eq!(answered(&mut later, &second), Ok(text));
}

#[test]
fn two_scripts_do_not_share_their_marks() {
    let (one, other) = (Script::default(), Script::default());
    let (kept, _) = one.called(r#"{"id":9007199254740993}"#);
    let (_, mut payloads) = other.called("{}");
    is_forgotten(answered(&mut payloads, &kept));
}

/// The numbers of a text, in no order.
fn numbers(text: &str) -> Vec<String> {
    let mut all: Vec<_> =
        number_literals(text).map(|literal| format!("{:?}", Exact::of(literal))).collect();
    all.sort();
    all
}

/// An object with a number that JavaScript cannot hold.
fn lossy() -> impl Strategy<Value = String> {
    const NUMBERS: [&str; 4] = ["9007199254740993", "0.1234567890123456789", "1e400", "1e-400"];
    const RESTS: [&str; 5] = ["null", "[1, 2.50]", r#"{"a":{"b":[]}}"#, r#""text""#, "0"];
    (select(&NUMBERS[..]), select(&RESTS[..]))
        .prop_map(|(number, rest)| format!(r#"{{ "n" : {number}, "rest": {rest} }}"#))
}

proptest! {
    #[test]
    fn a_kept_payload_is_always_itself(
        text in lossy(),
        between in strategy::payload(),
    ) {
        let script = Script::default();
        let (mut kept, _) = script.called(&text);
        // Looks the same to JavaScript, but is not.
        let double = text
            .replace("9007199254740993", "9007199254740992")
            .replace("0.1234567890123456789", "0.12345678901234568")
            .replace("1e400", "1e401");
        for other in [&double, &between] {
            let (_, mut later) = script.called(other);
            prop_assert_eq!(answered(&mut later, &kept), Ok(text.clone()));
        }
        let (_, mut later) = script.called(&double);
        kept["value"]["new"] = json!("x");
        let changed = answered(&mut later, &kept).map_err(TestCaseError::fail)?;
        prop_assert_eq!(numbers(&changed), numbers(&text));
    }
}
