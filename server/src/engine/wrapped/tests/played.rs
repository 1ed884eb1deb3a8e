//! A wrapped call with both sides given as data: links around it, and a runtime
//! that answers each real call.

use super::{
    acted::{Acted, Does},
    texts::{Frame, Texts},
};
use crate::{
    engine::{
        Call, Chains, Link, Port, Step, Streaming, run_wrapped,
        tests::{asked::state, scripted::FIVE_SECONDS},
    },
    hooks::wrapped::Incoming,
};
use futures::{StreamExt, stream::FuturesUnordered};
use parking_lot::Mutex;
use sidehook_proto::{Outcome, v1};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep},
};

/// How the runtime's real call ends.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// With a result.
    Ends(&'static str),
    /// With a result that is not sent.
    EndsBare,
    /// With an error of this type and code, that may be retried.
    Fails(&'static str, &'static str),
    /// With the tripwire of a nested run.
    Trips(&'static str),
    /// With these pieces, and then an error.
    BreaksOff(Vec<String>),
    /// With these pieces, and then the whole.
    Streams(Vec<String>),
    /// After so long, otherwise.
    After(Duration, Box<Reply>),
}

/// A wrapped call that can be played.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) links: Vec<Link>,
    trace: Arc<Mutex<Vec<String>>>,
    replies: Vec<Reply>,
    streaming: Streaming,
    call: &'static str,
    approved: bool,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Played {
    /// The frames to the runtime.
    pub(super) frames: Vec<String>,
    /// What the chain came to.
    pub(super) outcome: String,
    /// When each link began and ended: `a>` and `<a`.
    pub(super) trace: String,
    pub(super) effects: v1::Effects,
    pub(super) steps: Vec<Step>,
    pub(super) stale: u64,
    pub(super) took: Duration,
}

impl Scene {
    /// Links that do `does`, named `a`, `b`, …, outermost first. A real call
    /// that no reply is given for ends with `real`.
    pub(super) fn of(does: impl IntoIterator<Item = Does>) -> Self {
        let names = ["a", "b", "c", "d", "e"];
        Self::acted(does.into_iter().zip(names).map(|(does, name)| Acted::new(name, does)))
    }

    pub(super) fn acted(acted: impl IntoIterator<Item = Acted>) -> Self {
        let trace = Arc::<Mutex<Vec<String>>>::default();
        let with_trace = |acted| Acted { trace: Arc::clone(&trace), ..acted };
        let links = acted.into_iter().map(with_trace).map(Acted::link).collect();
        Self {
            links,
            trace,
            replies: Vec::new(),
            streaming: Streaming::No,
            call: "{}",
            approved: true,
        }
    }

    /// How the runtime's real calls end, in order; the last is for all further.
    pub(super) fn replies(mut self, replies: impl IntoIterator<Item = Reply>) -> Self {
        self.replies = replies.into_iter().collect();
        self
    }

    /// The text of the call.
    pub(super) fn call(mut self, call: &'static str) -> Self {
        self.call = call;
        self
    }

    /// No person approved the call.
    pub(super) fn unapproved(mut self) -> Self {
        self.approved = false;
        self
    }

    pub(super) fn streaming(mut self, streaming: Streaming) -> Self {
        self.streaming = streaming;
        self
    }

    /// Changes the link at `index`.
    pub(super) fn with(mut self, index: usize, change: impl FnOnce(&mut Link)) -> Self {
        change(&mut self.links[index]);
        self
    }

    /// Plays the call at a hook.
    pub(super) async fn play<W: Texts>(self) -> Played {
        self.counted::<W>().await.1
    }

    /// As [`Scene::play`], with how often each link ran and failed.
    pub(super) async fn counted<W: Texts>(self) -> (Vec<(u64, u64)>, Played) {
        let context = v1::HookContext::default();
        let chains = Chains::new(self.links, FIVE_SECONDS);
        let (links, call) = (chains.select(W::ID, &context), call_of::<W>(context.clone()));
        let (out, mut frames) = mpsc::channel(4);
        let port = Port::<W>::new(out, 1 << 16);
        port.receive(Incoming::Open(W::Open::default())).unwrap();
        let opened = Arc::new(W::call(self.call, self.approved));
        let started = Instant::now();
        let mut log = Vec::new();
        let ran = tokio::select! {
            biased;
            () = serve(&port, &mut frames, &mut log, &self.replies) => unreachable!(),
            ran = run_wrapped(links, &call, opened, self.streaming, FIVE_SECONDS, &port) => ran,
        };
        let took = started.elapsed();
        while let Ok(frame) = frames.try_recv() {
            log.push(text_of(W::frame(frame)));
        }
        let counts = |link: &Arc<Link>| (link.counters.call_count(), link.counters.fault_count());
        let played = Played {
            frames: log,
            outcome: outcome::<W>(ran.outcome, &ran.by),
            trace: self.trace.lock().join(" "),
            effects: ran.effects,
            steps: ran.steps.0,
            stale: port.stale_count(),
            took,
        };
        (chains.links().iter().map(counts).collect(), played)
    }
}

impl Played {
    /// Asserts what the runtime was told, and what the chain came to.
    #[track_caller]
    pub(super) fn check(&self, frames: &str, outcome: &str) {
        assert_eq!((&*self.frames.join(", "), &*self.outcome), (frames, outcome));
    }

    /// The steps as text, for example `a answered [response], b no_opinion`.
    pub(super) fn steps(&self) -> String {
        let steps = self.steps.iter().map(|step| {
            let outcome = step.outcome.as_str_name().trim_start_matches("STEP_OUTCOME_");
            let mut text = format!("{} {}", step.middleware, outcome.to_ascii_lowercase());
            if !step.changed_fields.is_empty() {
                text += &format!(" {:?}", step.changed_fields).replace('"', "");
            }
            text
        });
        steps.collect::<Vec<_>>().join(", ")
    }
}

fn call_of<W: Texts>(context: v1::HookContext) -> Call {
    Call { hook: W::ID, context, state: state(), deadline: None, variables: Vec::new() }
}

fn text_of(frame: Frame) -> String {
    match frame {
        Frame::Next { text, .. } => text,
        Frame::Emit(text) => format!("emit {text}"),
    }
}

fn outcome<W: Texts>(
    outcome: Outcome<<W::Finished as sidehook_proto::HookResponse>::Answer>,
    by: &v1::AnsweredBy,
) -> String {
    match outcome {
        Outcome::Answer(answer) => match W::answered(answer) {
            None => format!("{} as it came", by.invocation),
            Some(text) => format!("{} by {}: {text}", by.invocation, by.middleware),
        },
        Outcome::Tripwire(trip) => {
            assert_eq!((&*trip.code, trip.http_status), ("GUARDRAIL_TRIPPED", 400));
            format!("tripped by {}: {}", trip.middleware, trip.reason)
        }
        Outcome::Failure(failure) => {
            let retryable = if failure.retryable { " retryable" } else { "" };
            let (class, code) = (failure.r#type, failure.code);
            format!("failed by {}: {class}/{code}{retryable}", failure.middleware)
        }
        Outcome::Veto(veto) => panic!("a call cannot be vetoed: {veto:?}"),
    }
}

/// Plays the runtime's side, for ever.
async fn serve<W: Texts>(
    port: &Port<W>,
    frames: &mut mpsc::Receiver<W::Response>,
    log: &mut Vec<String>,
    replies: &[Reply],
) {
    let mut calls = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            Some(frame) = frames.recv() => {
                let frame = W::frame(frame);
                if let Frame::Next { invocation, .. } = frame {
                    let index = usize::try_from(invocation).unwrap() - 1;
                    let reply = replies.get(index).or(replies.last()).cloned();
                    calls.push(answer(port, invocation, reply.unwrap_or(Reply::Ends("real"))));
                }
                log.push(text_of(frame));
            }
            Some(()) = calls.next() => {}
            else => std::future::pending().await,
        }
    }
}

/// Makes a real call.
async fn answer<W: Texts>(port: &Port<W>, invocation: i32, mut reply: Reply) {
    let end = |result| Incoming::End { invocation, result };
    while let Reply::After(time, then) = reply {
        sleep(time).await;
        reply = *then;
    }
    let last = match reply {
        Reply::Ends(text) => end(Some(W::result(text))),
        Reply::EndsBare | Reply::After(..) => end(None),
        Reply::Fails(class, code) => failed(invocation, error(class, code)),
        Reply::Trips(reason) => failed(invocation, tripwire(reason)),
        Reply::BreaksOff(pieces) => {
            stream(port, invocation, &pieces).await;
            failed(invocation, error("network", "E"))
        }
        Reply::Streams(pieces) => {
            stream(port, invocation, &pieces).await;
            end(Some(W::result(&pieces.concat())))
        }
    };
    port.receive(last).unwrap();
}

async fn stream<W: Texts>(port: &Port<W>, invocation: i32, pieces: &[String]) {
    for (sequence, piece) in (0..).zip(pieces) {
        let delta = W::delta(piece);
        port.receive(Incoming::Delta { invocation, sequence, delta }).unwrap();
        tokio::task::yield_now().await;
    }
}

fn failed<W: Texts>(invocation: i32, cause: v1::call_failed::Cause) -> Incoming<W> {
    Incoming::Failed(v1::CallFailed { invocation, cause: Some(cause) })
}

fn error(class: &str, code: &str) -> v1::call_failed::Cause {
    let (r#type, code) = (class.into(), code.into());
    let error = v1::CallError { r#type, code, retryable: true, ..v1::CallError::default() };
    v1::call_failed::Cause::Error(error)
}

fn tripwire(reason: &str) -> v1::call_failed::Cause {
    let (reason, middleware) = (reason.into(), "nested".into());
    v1::call_failed::Cause::Tripwire(v1::Tripwire { reason, middleware, ..Default::default() })
}
