//! A script around a call: its `next` makes real calls, and its sinks see
//! streamed text.

use super::{
    answer::{self, Returned},
    input,
    middleware::{ScriptMiddleware, add},
    sink::ScriptSink,
    thread::event::{self, Asked, Caller, Event, Said, Target},
};
use crate::{
    engine::{Context, Fault, Inner, Next, WrapError},
    hooks::Wrapped,
};
use futures::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use serde_json::json;
use sidehook_proto::{Payloads, ScriptForm, ScriptReader, Written, parse_answer};
use std::{
    collections::HashMap,
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::sync::mpsc;

/// Which use of `next` came to what, and its weight.
type Came<R> = (u32, usize, Result<Arc<R>, WrapError>);

/// Lets a script answer around a call.
pub(super) async fn run<W>(
    middleware: &ScriptMiddleware,
    context: &Context<'_>,
    call: Arc<W::Call>,
    next: &Next<'_, W>,
) -> Result<Arc<W::Result>, WrapError>
where
    W: Wrapped,
    W::Call: ScriptForm,
    W::Result: ScriptForm,
    W::Delta: ScriptForm,
{
    let written =
        input::around(middleware.script.marks(), context, &*call, W::STAGE, next.is_relayed());
    let Written { text, payloads, marked } = written;
    let (caller, mut asked) = mpsc::unbounded_channel();
    let undone = Arc::new(AtomicUsize::new(0));
    let done = |weight| undone.fetch_sub(weight, Ordering::Relaxed);
    let caller = Caller::Wrapped(caller, Arc::clone(&undone));
    let target = Target::Hook(W::ID);
    let mut waiting = middleware.begin(context, target, (text, marked), caller)?;
    let (id, worker) = (waiting.id, Arc::clone(&waiting.worker));
    let mut around =
        Around { middleware, payloads, results: HashMap::new(), inner: HashMap::new() };
    let mut inside: FuturesUnordered<BoxFuture<'_, Came<W::Result>>> = FuturesUnordered::new();
    loop {
        let asked = tokio::select! {
            biased;
            asked = asked.recv() => asked.ok_or_else(|| Fault::unreachable("did not answer"))?,
            Some((invocation, weight, result)) = inside.next(), if !inside.is_empty() => {
                done(weight);
                let result = around.came(invocation, result)?;
                worker.tell(Event::Returned { id, invocation, result })?;
                continue;
            }
        };
        let weight = asked.weight();
        match asked {
            Asked::Next { invocation, text, has_sink } => {
                let handed = around.handed::<W>(&call, text)?;
                let worker = &worker;
                inside.push(Box::pin(async move {
                    let result = if has_sink {
                        let of = (W::ID, id, invocation);
                        let sink = ScriptSink::new(&middleware.script, worker, of);
                        next.run_through(handed, Box::new(sink)).await
                    } else {
                        next.run(handed).await
                    };
                    (invocation, weight, result)
                }));
            }
            Asked::Emit(delta) => {
                let delta = around.read::<W::Delta>(&delta, "streamed a piece")?;
                next.emit(vec![delta]).await?;
                done(weight);
            }
            Asked::Taken(taken, said) => {
                let _gone = taken.send(said);
            }
            Asked::Done(Said { answer, effects }) => {
                waiting.answered = true;
                add(context, effects);
                return around.answer::<W>(&answer?);
            }
        }
    }
}

/// What a script has handed out and got back around one call.
struct Around<'a, R> {
    middleware: &'a ScriptMiddleware,
    payloads: Payloads,
    /// The results that the script got, by the text in which it got them.
    results: HashMap<String, Arc<R>>,
    /// Why uses of `next` gave no result.
    inner: HashMap<u32, Inner>,
}

impl<R: ScriptForm + Send + Sync + 'static> Around<'_, R> {
    /// What the script hands to `next`.
    fn handed<W>(
        &mut self,
        call: &Arc<W::Call>,
        text: Option<String>,
    ) -> Result<Arc<W::Call>, Fault>
    where
        W: Wrapped<Result = R>,
        W::Call: ScriptForm,
    {
        match text {
            None => Ok(Arc::clone(call)),
            Some(text) => Ok(Arc::new(self.read(&text, "handed on a call")?)),
        }
    }

    /// A use of `next` came back: what the script is told.
    fn came(
        &mut self,
        invocation: u32,
        result: Result<Arc<R>, WrapError>,
    ) -> Result<event::Returned, WrapError> {
        match result {
            Ok(result) => {
                let Written { text, payloads, marked } = input::result(&self.payloads, &*result);
                self.payloads.merge(payloads);
                self.results.insert(text.clone(), result);
                Ok(event::Returned::Result { text, marked })
            }
            Err(WrapError::Inner(inner)) => {
                let failure = match (inner.as_failure(), inner.as_tripwire()) {
                    (Some(failure), _) => json!({
                        "type": failure.r#type,
                        "code": failure.code,
                        "message": failure.message,
                        "middleware": failure.middleware,
                        "retryable": failure.retryable,
                    }),
                    (None, Some(tripwire)) => json!({ "tripwire": {
                        "reason": tripwire.reason,
                        "middleware": tripwire.middleware,
                        "info": serde_json::from_str::<serde_json::Value>(&tripwire.info_json).ok(),
                    }}),
                    (None, None) => json!({}),
                };
                self.inner.insert(invocation, inner);
                Ok(event::Returned::Nothing(failure.to_string()))
            }
            // What the script handed on is wrong, which is its own fault.
            Err(own) => Err(own),
        }
    }

    /// What the script's answer means.
    fn answer<W>(&mut self, said: &str) -> Result<Arc<R>, WrapError>
    where
        W: Wrapped<Result = R>,
    {
        let program = &self.middleware.script.recipe().program;
        match answer::returned(said, W::ID, program)? {
            Returned::Value(text) => match self.results.get(text) {
                Some(result) => Ok(Arc::clone(result)),
                None => Ok(Arc::new(self.read(text, "answered")?)),
            },
            Returned::Tripwire(tripwire) => Err(WrapError::Tripwire(tripwire)),
            Returned::Inner(invocation) => match self.inner.get(&invocation) {
                Some(inner) => Err(WrapError::Inner(inner.clone())),
                None => Err(Fault::threw("threw an error of another call").into()),
            },
            Returned::Nothing => Err(Fault::malformed(
                "answered with undefined; return what `next` gives, or a result of your own",
            )
            .into()),
            Returned::Veto(_) => {
                Err(Fault::malformed(format!("refused at `{}`, which cannot be refused", W::ID))
                    .into())
            }
        }
    }

    /// Reads a message that the script wrote.
    fn read<M: ScriptForm>(&mut self, text: &str, did: &str) -> Result<M, Fault> {
        let misfit =
            |problem: &dyn Display| Fault::malformed(format!("{did} that does not fit: {problem}"));
        let value = parse_answer(text).map_err(|error| misfit(&error))?;
        self.payloads.recall(&value);
        M::read(value, &ScriptReader::new(&self.payloads)).map_err(|error| misfit(&error))
    }
}
