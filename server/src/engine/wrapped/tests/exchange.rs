//! The order of frames, legal and illegal, as a table.

use super::super::exchange::Accepted;
use crate::engine::{Exchange, FrameKind};
use sidehook_proto::v1::Relay;

/// Plays a sequence of frames and compares what the last one comes to:
/// `deliver`, `stale`, nothing, or why it is illegal.
///
/// From the runtime: `open`, `delta1.0` (invocation and sequence), `end1`,
/// `bare1` (an end without a result), `failed1`, `close`. From Sidehook: `next`,
/// `relayed`, `held`, `blind` (the answer is not needed), `abandon1`, `finish`.
#[track_caller]
fn check(frames: &str, expected: &str) {
    let mut exchange = Exchange::default();
    let said: Vec<String> = frames.split(' ').map(|frame| play(&mut exchange, frame)).collect();
    let (last, before) = said.split_last().unwrap();
    assert_eq!(last, expected, "{frames}");
    assert!(before.iter().all(|said| ["", "deliver", "stale"].contains(&&**said)), "{said:?}");
}

fn play(exchange: &mut Exchange, frame: &str) -> String {
    let kind = frame.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let numbers = frame.strip_prefix(kind).unwrap();
    let (number, sequence) = numbers.split_once('.').unwrap_or((numbers, "0"));
    let sequence = sequence.parse().unwrap();
    let invocation = number.parse().unwrap_or_default();
    let received = match kind {
        "next" => return next(exchange, Relay::Direct, true),
        "relayed" => return next(exchange, Relay::Relayed, true),
        "held" => return next(exchange, Relay::Held, true),
        "blind" => return next(exchange, Relay::Direct, false),
        "abandon" => return tell(|| exchange.abandon(invocation)),
        "finish" => return tell(|| exchange.finish()),
        "close" => return exchange.half_close().err().map(|e| e.to_string()).unwrap_or_default(),
        "open" => exchange.receive(FrameKind::Open),
        "delta" => exchange.receive(FrameKind::Delta { invocation, sequence }),
        "end" => exchange.receive(FrameKind::End { invocation, with_result: true }),
        "bare" => exchange.receive(FrameKind::End { invocation, with_result: false }),
        "failed" => exchange.receive(FrameKind::Failed { invocation }),
        other => panic!("no frame is named {other}"),
    };
    match received {
        Ok(Accepted::Deliver) => "deliver".into(),
        Ok(Accepted::Stale) => "stale".into(),
        Err(error) => error.to_string(),
    }
}

fn next(exchange: &mut Exchange, relay: Relay, answer_needed: bool) -> String {
    exchange.next(relay, answer_needed);
    String::new()
}

fn tell(act: impl FnOnce()) -> String {
    act();
    String::new()
}

#[test]
fn a_call_opens_once_and_first() {
    check("open", "deliver");
    check("open open", "`open` while the call is already open");
    check("delta1.0", "`delta` 0 of invocation 1 while the call is not open");
    check("end1", "`end` of invocation 1 while the call is not open");
    check("failed1", "`failed` of invocation 1 while the call is not open");
}

#[test]
fn an_invocation_streams_and_ends_once() {
    check("open relayed delta1.0 delta1.1 end1", "deliver");
    check("open relayed failed1", "deliver");
    check("open next end1 end1", "`end` of invocation 1 while the invocation has ended");
    check("open next failed1 end1", "`end` of invocation 1 while the invocation has ended");
    check("open next end1 failed1", "`failed` of invocation 1 while the invocation has ended");
    check("open relayed end1 delta1.0", "`delta` 0 of invocation 1 while the invocation has ended");
}

#[test]
fn only_what_next_asked_for_may_come() {
    let unasked = "no `next` asked for it";
    check("open delta1.0", &format!("`delta` 0 of invocation 1 while {unasked}"));
    check("open end1", &format!("`end` of invocation 1 while {unasked}"));
    check("open next end2", &format!("`end` of invocation 2 while {unasked}"));
    check("open next end0", &format!("`end` of invocation 0 while {unasked}"));
    check("open next failed-1", &format!("`failed` of invocation -1 while {unasked}"));
}

#[test]
fn deltas_come_only_while_relayed_and_without_gaps() {
    check("open next delta1.0", "`delta` 0 of invocation 1 while its relay is `RELAY_DIRECT`");
    check("open held delta1.0", "`delta` 0 of invocation 1 while its relay is `RELAY_HELD`");
    check("open relayed delta1.1", "`delta` 1 of invocation 1 while the next sequence is 0");
    check(
        "open relayed delta1.0 delta1.0",
        "`delta` 0 of invocation 1 while the next sequence is 1",
    );
    check("open relayed relayed delta1.0 delta2.0 delta1.1", "deliver");
}

#[test]
fn a_needed_answer_must_come() {
    check("open blind bare1", "deliver");
    check("open blind end1", "deliver");
    check(
        "open next bare1",
        "`end` of invocation 1 while `next` said that the answer is needed, and there is none",
    );
}

#[test]
fn frames_of_an_abandoned_invocation_are_stale_until_it_ends() {
    check("open relayed abandon1 delta1.0", "stale");
    check("open relayed abandon1 delta1.7 end1", "stale");
    check("open next abandon1 bare1", "stale");
    check("open next abandon1 failed1", "stale");
    check("open next abandon1 end1 end1", "`end` of invocation 1 while the invocation has ended");
    check("open next end1 abandon1 end1", "`end` of invocation 1 while the invocation has ended");
}

#[test]
fn what_crosses_finished_on_its_way_is_stale() {
    check("open relayed finish delta1.5", "stale");
    check("open finish end7", "stale");
    check("open finish open", "stale");
}

#[test]
fn a_half_close_is_legal_when_nothing_is_missing() {
    check("close", "half-close while the call is not open");
    check("open close", "");
    check("open next close", "half-close while invocation 1 has not ended");
    check("open next next end1 close", "half-close while invocation 2 has not ended");
    check("open next end1 close", "");
    check("open next abandon1 close", "");
    check("open next finish close", "");
}
