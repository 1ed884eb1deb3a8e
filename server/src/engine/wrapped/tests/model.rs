//! The order of frames against a reference that only looks at what happened so
//! far.

use super::super::exchange::Accepted;
use crate::engine::{Exchange, FrameKind};
use proptest::prelude::*;
use sidehook_proto::v1::Relay;

/// What happens in a wrapped call.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    Next { relayed: bool, needed: bool },
    Abandon(i32),
    Finish,
    From(FrameKind),
}

/// What the reference says of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Deliver,
    Stale,
    Illegal,
}

/// Decides `frame` after the events in `past`, which were all legal.
fn reference(past: &[(Event, Verdict)], frame: FrameKind) -> Verdict {
    let happened = |event: Event| past.iter().any(|(past, _)| *past == event);
    let open = happened(Event::From(FrameKind::Open));
    let number = match frame {
        _ if happened(Event::Finish) => return Verdict::Stale,
        FrameKind::Open if open => return Verdict::Illegal,
        FrameKind::Open => return Verdict::Deliver,
        _ if !open => return Verdict::Illegal,
        FrameKind::Delta { invocation, .. }
        | FrameKind::End { invocation, .. }
        | FrameKind::Failed { invocation } => invocation,
    };
    let asked = |(_, (event, _)): &(usize, &(Event, Verdict))| matches!(event, Event::Next { .. });
    let index = i64::from(number) - 1;
    let call =
        usize::try_from(index).ok().and_then(|n| past.iter().enumerate().filter(asked).nth(n));
    let Some((at, (Event::Next { relayed, needed }, _))) = call else { return Verdict::Illegal };
    let past = &past[at..];
    let ended = past.iter().any(|(event, _)| match event {
        Event::From(FrameKind::End { invocation, .. } | FrameKind::Failed { invocation }) => {
            *invocation == number
        }
        _ => false,
    });
    if ended {
        return Verdict::Illegal;
    }
    if past.iter().any(|(event, _)| *event == Event::Abandon(number)) {
        return Verdict::Stale;
    }
    let streamed = past.iter().filter(|(event, _)| {
        matches!(event, Event::From(FrameKind::Delta { invocation, .. }) if *invocation == number)
    });
    let legal = match frame {
        FrameKind::Delta { sequence, .. } => {
            *relayed && usize::try_from(sequence) == Ok(streamed.count())
        }
        FrameKind::End { with_result, .. } => with_result || !needed,
        FrameKind::Open | FrameKind::Failed { .. } => true,
    };
    if legal { Verdict::Deliver } else { Verdict::Illegal }
}

/// Mostly small numbers, so that frames often fit.
fn events() -> impl Strategy<Value = Event> {
    let invocation = prop_oneof![8 => 1..4_i32, 1 => any::<i32>()];
    let sequence = prop_oneof![8 => 0..4_i64, 1 => any::<i64>()];
    prop_oneof![
        2 => Just(Event::From(FrameKind::Open)),
        6 => (any::<bool>(), any::<bool>())
            .prop_map(|(relayed, needed)| Event::Next { relayed, needed }),
        2 => (1..4_i32).prop_map(Event::Abandon),
        1 => Just(Event::Finish),
        8 => (invocation.clone(), sequence).prop_map(|(invocation, sequence)| {
            Event::From(FrameKind::Delta { invocation, sequence })
        }),
        4 => (invocation.clone(), any::<bool>()).prop_map(|(invocation, with_result)| {
            Event::From(FrameKind::End { invocation, with_result })
        }),
        2 => invocation.prop_map(|invocation| Event::From(FrameKind::Failed { invocation })),
    ]
}

/// The verdict of the state machine.
fn play(exchange: &mut Exchange, event: Event) -> Option<(FrameKind, Verdict)> {
    match event {
        Event::Next { relayed, needed } => {
            let relay = if relayed { Relay::Relayed } else { Relay::Held };
            exchange.next(relay, needed);
            None
        }
        Event::Abandon(invocation) => {
            exchange.abandon(invocation);
            None
        }
        Event::Finish => {
            exchange.finish();
            None
        }
        Event::From(frame) => {
            let verdict = match exchange.receive(frame) {
                Ok(Accepted::Deliver) => Verdict::Deliver,
                Ok(Accepted::Stale) => Verdict::Stale,
                Err(error) => {
                    assert!(!error.state.is_empty() && !error.frame.is_empty());
                    Verdict::Illegal
                }
            };
            Some((frame, verdict))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_frames_gets_the_verdict_of_the_reference(
        first in prop_oneof![9 => Just(Event::From(FrameKind::Open)), 1 => events()],
        rest in proptest::collection::vec(events(), 0..40),
    ) {
        let (mut exchange, mut past) = (Exchange::default(), Vec::new());
        for event in std::iter::once(first).chain(rest) {
            let said = play(&mut exchange, event);
            let verdict = said.map_or(Verdict::Deliver, |(frame, verdict)| {
                assert_eq!(verdict, reference(&past, frame), "{event:?} after {past:?}");
                verdict
            });
            if verdict == Verdict::Illegal {
                break;
            }
            past.push((event, verdict));
        }
    }
}
