//! A middleware given as data, and chains of it.

use crate::{
    engine::{Chains, Context, Fault, Link, OnFault},
    hooks::{HookId, HookSet, Order},
    middleware::{AnyAnswer, AnyRequest, Middleware},
};
use async_trait::async_trait;
use serde_json::{Map, Value, json};
use sidehook_proto::{Outcome, v1};
use std::{sync::Arc, time::Duration};

/// What a link says when it is asked.
#[derive(Debug, Clone)]
pub(in crate::engine) enum Says {
    /// The fields of an answer, by their names on the wire.
    Fields(Value),
    /// An answer made of the fields that it saw.
    Seeing(fn(&Map<String, Value>) -> Value),
    /// The text at `from` in what it saw, with `more` behind it, as `field`.
    Appends { from: &'static str, field: &'static str, more: String },
    /// A veto.
    Vetoes(String),
    /// A tripwire.
    Trips(&'static str),
    /// A fault.
    Faults(Cause),
    /// After so long, something else.
    After(Duration, Box<Says>),
}

impl From<Value> for Says {
    fn from(fields: Value) -> Self {
        Self::Fields(fields)
    }
}

/// Why a link fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Cause {
    Throws,
    Panics,
    PanicsBeforeItsFirstAwait,
    TimesOut,
    IsMalformed,
    IsUnreachable,
    ReturnsFailure,
}

impl Cause {
    pub(in crate::engine) const ALL: [Self; 7] = [
        Self::Throws,
        Self::Panics,
        Self::PanicsBeforeItsFirstAwait,
        Self::TimesOut,
        Self::IsMalformed,
        Self::IsUnreachable,
        Self::ReturnsFailure,
    ];

    /// The type and code of the failure that it becomes.
    pub(in crate::engine) fn class(self) -> &'static str {
        match self {
            Self::Throws | Self::Panics | Self::PanicsBeforeItsFirstAwait => {
                "invalid_params/middleware_threw"
            }
            Self::TimesOut => "timeout/middleware_timeout",
            Self::IsMalformed => "invalid_params/malformed_answer",
            Self::IsUnreachable => "network/middleware_unreachable",
            Self::ReturnsFailure => "rate_limited/slow_down",
        }
    }

    pub(in crate::engine) async fn act(self) -> Result<Outcome<AnyAnswer>, Fault> {
        match self {
            Self::Throws => Err(Fault::threw("threw")),
            Self::Panics => {
                tokio::task::yield_now().await;
                panic!("late")
            }
            Self::PanicsBeforeItsFirstAwait => panic!("early"),
            Self::TimesOut => std::future::pending().await,
            Self::IsMalformed => Ok(Outcome::Answer(fields(json!({"no_such_field": 1})))),
            Self::IsUnreachable => Err(Fault::unreachable("could not be reached")),
            Self::ReturnsFailure => Ok(Outcome::Failure(v1::Failure {
                r#type: "rate_limited".into(),
                code: "slow_down".into(),
                retryable: true,
                ..v1::Failure::default()
            })),
        }
    }
}

/// What a link asks the run to do beside its answer.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine) enum Effect {
    AddsContext(&'static str),
    Stops(&'static str),
    Logs(&'static str),
}

/// Whether a link applies.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine) enum Gate {
    Says(bool),
    Faults(Cause),
}

/// A middleware given as data.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Scripted {
    pub(in crate::engine) says: Says,
    pub(in crate::engine) effects: Vec<Effect>,
    pub(in crate::engine) gate: Option<Gate>,
    pub(in crate::engine) innermost: bool,
    pub(in crate::engine) observes: bool,
}

impl Scripted {
    pub(in crate::engine) fn new(says: impl Into<Says>) -> Self {
        let says = says.into();
        Self { says, effects: Vec::new(), gate: None, innermost: false, observes: false }
    }

    pub(in crate::engine) fn link(self, name: &str) -> Link {
        Link::new(name, "scripted", Arc::new(self))
    }
}

#[async_trait]
impl Middleware for Scripted {
    fn hooks(&self) -> HookSet {
        HookSet::ALL
    }

    fn is_innermost(&self) -> bool {
        self.innermost
    }

    fn observes(&self) -> bool {
        self.observes
    }

    fn gates(&self) -> bool {
        self.gate.is_some()
    }

    async fn enabled(&self, _: &Context<'_>, _: &str) -> Result<bool, Fault> {
        match self.gate {
            None => Ok(true),
            Some(Gate::Says(applies)) => Ok(applies),
            Some(Gate::Faults(cause)) => cause.act().await.map(|_| true),
        }
    }

    async fn any(
        &self,
        context: &Context<'_>,
        request: &dyn AnyRequest,
    ) -> Result<Outcome<AnyAnswer>, Fault> {
        for effect in &self.effects {
            match effect {
                Effect::AddsContext(text) => context.add_context(*text),
                Effect::Stops(reason) => context.stop(*reason),
                Effect::Logs(event) => context.log_event(*event, &json!({"n": 1})),
            }
        }
        speak(&self.says, request).await
    }
}

async fn speak(says: &Says, request: &dyn AnyRequest) -> Result<Outcome<AnyAnswer>, Fault> {
    let mut says = says;
    while let Says::After(time, then) = says {
        tokio::time::sleep(*time).await;
        says = then;
    }
    Ok(match says {
        Says::Fields(answer) => Outcome::Answer(fields(answer.clone())),
        Says::Seeing(answer) => Outcome::Answer(fields(answer(&request.fields()))),
        Says::Appends { from, field, more } => {
            let seen = Value::Object(request.fields());
            let text = seen.pointer(from).and_then(Value::as_str).unwrap_or_default();
            Outcome::Answer(fields(json!({*field: format!("{text}{more}")})))
        }
        Says::Vetoes(reason) => Outcome::veto(reason),
        Says::Trips(reason) => Outcome::trip(*reason),
        Says::Faults(cause) => cause.act().await?,
        Says::After(..) => Outcome::none(),
    })
}

fn fields(answer: Value) -> AnyAnswer {
    let Value::Object(fields) = answer else { panic!("an answer has fields, not {answer}") };
    AnyAnswer(fields)
}

/// Links that say `says`, named `a`, `b`, `c`, …
pub(in crate::engine) fn links<S: Into<Says>>(says: impl IntoIterator<Item = S>) -> Vec<Link> {
    says.into_iter()
        .zip('a'..='z')
        .map(|(says, name)| Scripted::new(says).link(&name.to_string()))
        .collect()
}

/// A chain of [`links`].
pub(in crate::engine) fn chain<S: Into<Says>>(says: impl IntoIterator<Item = S>) -> Chains {
    Chains::new(links(says), FIVE_SECONDS)
}

/// As [`chain`], for `hook` to ask `a` first.
pub(in crate::engine) fn chain_at(hook: HookId, mut links: Vec<Link>) -> Chains {
    if hook.info().order == Order::Reverse {
        links.reverse();
    }
    Chains::new(links, FIVE_SECONDS)
}

/// A chain of one link `a` that fails at `hook`, under `policy`, and `b` behind
/// it.
pub(in crate::engine) fn faulty(hook: HookId, cause: Cause, policy: Option<OnFault>) -> Chains {
    let mut links = links([Says::Faults(cause), json!({}).into()]);
    links[0].on_fault.every = policy;
    chain_at(hook, links)
}

pub(in crate::engine) const FIVE_SECONDS: Duration = Duration::from_secs(5);
