//! The runtime's side: an agent loop whose model and tools answer from the
//! recording.

use super::recorded::{Recorded, Turn, text_of};
use sidehook_client::{Apply, CallFailure, Client, HookError, Origin, Run};
use sidehook_proto::v1::{self, chat_response, message, tool_result};

/// What the tools of a recorded run look like; without definitions a schema is
/// not checked.
pub type Tools = Vec<v1::ToolDefinition>;

/// What happened at one step, for whoever watches.
#[derive(Debug)]
pub enum Happened {
    /// A hook answered.
    Hook {
        /// Its name in snake case.
        hook: &'static str,
        /// What it did to what the runtime holds, in words.
        what: String,
        /// Whether it was called; a hook that nobody listens to need not be.
        called: bool,
        /// What each link did, when it was explained.
        report: Option<v1::ChainReport>,
    },
    /// The model got a request.
    Model(Box<v1::ModelCall>),
    /// A tool got a call.
    Tool(Box<v1::ToolInvocation>),
}

/// How a run ended, and what the runtime then held.
#[derive(Debug)]
pub struct Seen {
    /// The conversation, as the runtime keeps it.
    pub messages: Vec<v1::Message>,
    /// The tripwire that ended the run, if one did.
    pub tripwire: Option<v1::Tripwire>,
    /// Tool calls that were refused.
    pub refused: usize,
    /// How many hook calls reached the sidecar.
    pub hooks: usize,
}

/// Plays a recorded run through the sidecar of `client` and tells `watch` of
/// every step.
///
/// # Errors
///
/// The sidecar cannot be reached, or a middleware failed. A tripwire is no
/// error: it is how the run ended.
pub async fn play(
    client: &Client,
    recorded: &Recorded,
    context: v1::HookContext,
    watch: impl FnMut(Happened) + Send,
) -> Result<Seen, HookError> {
    let context = v1::HookContext { run_id: recorded.id.clone(), ..context };
    let (run, started) = match client.start_run(context).await {
        Ok(started) => started,
        Err(HookError::Tripped { tripwire, .. }) => return Ok(tripped(*tripwire)),
        Err(error) => return Err(error),
    };
    let mut player = Player {
        run,
        watch,
        messages: recorded.start.clone(),
        turns: recorded.turns.iter().peekable(),
        refused: 0,
        hooks: 0,
    };
    let what = added(&started.answer.added_context);
    for text in started.answer.added_context {
        player.messages.insert(1.min(player.messages.len()), said("system", text));
    }
    player.tell("start_run", what, started.origin, started.report);
    let ended = player.go(recorded).await;
    let (status, tripwire) = match ended {
        Ok(()) => (v1::RunStatus::Completed, None),
        Err(HookError::Tripped { tripwire, report, .. }) => {
            let what = format!("ends the run: {}", tripwire.reason);
            player.tell("tripwire", what, Origin::Sidecar, report.map(|report| *report));
            (v1::RunStatus::Failed, Some(*tripwire))
        }
        Err(error) => return Err(error),
    };
    let output = player.messages.last().map(text_of).unwrap_or_default().to_owned();
    let result = v1::RunResult { output, ..v1::RunResult::default() };
    let over = v1::AfterRunRequest {
        status: status.into(),
        result: (status == v1::RunStatus::Completed).then_some(result),
        ..v1::AfterRunRequest::default()
    };
    let reply = player.run.after_run(over).await?;
    player.tell("after_run", "the run is over".into(), reply.origin, reply.report);
    let Player { messages, refused, hooks, .. } = player;
    Ok(Seen { messages, tripwire, refused, hooks })
}

fn tripped(tripwire: v1::Tripwire) -> Seen {
    Seen { messages: Vec::new(), tripwire: Some(tripwire), refused: 0, hooks: 1 }
}

struct Player<'a, F> {
    run: Run,
    watch: F,
    messages: Vec<v1::Message>,
    turns: std::iter::Peekable<std::slice::Iter<'a, Turn>>,
    refused: usize,
    hooks: usize,
}

impl<F: FnMut(Happened) + Send> Player<'_, F> {
    async fn go(&mut self, recorded: &Recorded) -> Result<(), HookError> {
        let request = v1::BeforeRunRequest {
            input: recorded.input().into(),
            messages: self.messages.clone(),
            ..v1::BeforeRunRequest::default()
        };
        let reply = self.run.before_run(request).await?;
        self.tell("before_run", added(&reply.answer.added_context), reply.origin, reply.report);
        for text in reply.answer.added_context {
            self.messages.push(said("system", text));
        }
        let mut iteration = 0;
        while let Some(turn) = self.turns.next() {
            match turn {
                Turn::Model(answer) => {
                    iteration += 1;
                    self.run.set_iteration(iteration);
                    self.turn(answer).await?;
                }
                Turn::User(message) => self.messages.push((**message).clone()),
                // A result without a call of its own stays as it was recorded.
                Turn::Tool(result) => self.messages.push((**result).clone()),
            }
        }
        Ok(())
    }

    /// One turn of the model, with the calls that it makes.
    async fn turn(&mut self, recorded: &v1::ChatResponse) -> Result<(), HookError> {
        let asked = v1::BeforeModelRequest {
            messages: self.messages.clone(),
            model: "recorded".into(),
            ..v1::BeforeModelRequest::default()
        };
        let reply = self.run.before_model(asked).await?;
        let changed = reply.answer.messages.is_some();
        reply.answer.apply_to(&mut self.messages);
        self.tell(
            "before_model",
            changed_or_not(changed, "the conversation"),
            reply.origin,
            reply.report,
        );

        let mut answer = self.model(recorded).await?;

        let looked = v1::AfterModelRequest {
            response: Some(answer.clone()),
            messages: self.messages.clone(),
            model: "recorded".into(),
            ..v1::AfterModelRequest::default()
        };
        let reply = self.run.after_model(looked).await?;
        let changed = reply.answer != v1::AfterModelAnswer::default();
        reply.answer.apply_to(&mut answer);
        self.tell("after_model", changed_or_not(changed, "the answer"), reply.origin, reply.report);

        let calls = answer.tool_calls.clone();
        self.messages.push(message_of(answer));
        if calls.is_empty() {
            return self.stop().await;
        }
        self.batch(calls).await
    }

    async fn model(&mut self, recorded: &v1::ChatResponse) -> Result<v1::ChatResponse, HookError> {
        let request =
            v1::ChatRequest { messages: self.messages.clone(), ..v1::ChatRequest::default() };
        let call = v1::ModelCall { model: "recorded".into(), request: Some(request) };
        let sent = call.clone();
        let (calls, mut called) = tokio::sync::mpsc::unbounded_channel();
        let wrapped = self
            .run
            .wrap_model_call(call, |call| {
                let (calls, answer) = (calls.clone(), recorded.clone());
                async move {
                    let _watched = calls.send(call);
                    Ok::<_, CallFailure>(answer)
                }
            })
            .await?;
        let mut changed = false;
        while let Ok(call) = called.try_recv() {
            changed |= call != sent;
            (self.watch)(Happened::Model(Box::new(call)));
        }
        self.tell(
            "wrap_model_call",
            changed_or_not(changed, "the request"),
            wrapped.origin,
            wrapped.report,
        );
        Ok(wrapped.output)
    }

    /// The calls of a step, one after the other.
    async fn batch(&mut self, calls: Vec<v1::ToolCall>) -> Result<(), HookError> {
        let mut outcomes = Vec::with_capacity(calls.len());
        for call in calls {
            let result = self.call(call.clone()).await?;
            outcomes.push(v1::ToolOutcome { tool_call: Some(call), result: Some(result) });
        }
        let request =
            v1::AfterToolBatchRequest { calls: outcomes, ..v1::AfterToolBatchRequest::default() };
        let reply = self.run.after_tool_batch(request).await?;
        let texts: Vec<_> = reply.effects.added_context.into_iter().map(|it| it.text).collect();
        self.tell("after_tool_batch", added(&texts), reply.origin, reply.report);
        self.messages.extend(texts.into_iter().map(|text| said("system", text)));
        Ok(())
    }

    async fn call(&mut self, mut call: v1::ToolCall) -> Result<v1::ToolResult, HookError> {
        let recorded = self.recorded_result(&call.id);
        let request = v1::BeforeToolCallRequest {
            tool_call: Some(call.clone()),
            ..v1::BeforeToolCallRequest::default()
        };
        let reply = self.run.before_tool_call(request).await?;
        let (decision, reason) = (reply.answer.decision(), reply.answer.reason.clone());
        self.tell(
            "before_tool_call",
            decided(decision, &call.name, &reason),
            reply.origin,
            reply.report,
        );
        // There is nobody here to ask, so what asks is refused like what is denied.
        if decision > v1::ToolDecision::Allow {
            self.refused += 1;
            let refusal = v1::ToolResult { error: Some(reason), ..v1::ToolResult::default() };
            self.messages.push(result_message(&call, &refusal));
            return Ok(refusal);
        }
        if let Some(arguments) = reply.answer.updated_arguments_json {
            call.arguments_json = arguments;
        }
        let invocation = v1::ToolInvocation {
            args_json: call.arguments_json.clone(),
            tool_call: Some(call.clone()),
            ..v1::ToolInvocation::default()
        };
        let (calls, mut called) = tokio::sync::mpsc::unbounded_channel();
        let wrapped = self
            .run
            .wrap_tool_call(invocation, |invocation, _| {
                let (calls, result) = (calls.clone(), recorded.clone());
                async move {
                    let _watched = calls.send(invocation);
                    Ok::<_, CallFailure>(result)
                }
            })
            .await?;
        while let Ok(invocation) = called.try_recv() {
            (self.watch)(Happened::Tool(Box::new(invocation)));
        }
        let changed = wrapped.output != recorded;
        self.tell(
            "wrap_tool_call",
            changed_or_not(changed, "the result"),
            wrapped.origin,
            wrapped.report,
        );
        self.messages.push(result_message(&call, &wrapped.output));
        Ok(wrapped.output)
    }

    async fn stop(&mut self) -> Result<(), HookError> {
        let output = self.messages.last().map(text_of).unwrap_or_default().to_owned();
        let request = v1::BeforeStopRequest { output, ..v1::BeforeStopRequest::default() };
        let reply = self.run.before_stop(request).await?;
        let what = match &reply.answer.continue_with {
            Some(text) => format!("goes on with: {text}"),
            None => "may stop".into(),
        };
        self.tell("before_stop", what, reply.origin, reply.report);
        Ok(())
    }

    /// What the recording has for a call. A call that was not recorded, since a
    /// middleware made it up, gets an error.
    fn recorded_result(&mut self, id: &str) -> v1::ToolResult {
        let recorded = self
            .turns
            .next_if(|turn| matches!(turn, Turn::Tool(result) if result.tool_call_id == id));
        match recorded {
            Some(Turn::Tool(result)) => v1::ToolResult {
                output: Some(tool_result::Output::Text(text_of(result).into())),
                ..v1::ToolResult::default()
            },
            _ => v1::ToolResult {
                error: Some("the recording has no result of this call".into()),
                ..v1::ToolResult::default()
            },
        }
    }

    fn tell(
        &mut self,
        hook: &'static str,
        what: String,
        origin: Origin,
        report: Option<v1::ChainReport>,
    ) {
        let called = origin == Origin::Sidecar;
        self.hooks += usize::from(called);
        (self.watch)(Happened::Hook { hook, what, called, report });
    }
}

fn decided(decision: v1::ToolDecision, tool: &str, reason: &str) -> String {
    match decision {
        v1::ToolDecision::Unspecified => format!("no opinion on `{tool}`"),
        v1::ToolDecision::Allow => format!("allows `{tool}`: {reason}"),
        v1::ToolDecision::Ask => format!("asks a person about `{tool}`: {reason}"),
        v1::ToolDecision::Defer => format!("defers `{tool}`: {reason}"),
        v1::ToolDecision::Deny => format!("denies `{tool}`: {reason}"),
    }
}

fn added(texts: &[String]) -> String {
    if texts.is_empty() { "adds nothing".into() } else { format!("adds: {}", texts.join(" / ")) }
}

fn changed_or_not(changed: bool, what: &str) -> String {
    if changed { format!("changed {what}") } else { format!("left {what} as it was") }
}

fn said(role: &str, text: String) -> v1::Message {
    v1::Message {
        role: role.into(),
        content: Some(message::Content::Text(text)),
        ..v1::Message::default()
    }
}

fn message_of(answer: v1::ChatResponse) -> v1::Message {
    let content = answer.content.map(|content| match content {
        chat_response::Content::Text(text) => message::Content::Text(text),
        chat_response::Content::Parts(parts) => message::Content::Parts(parts),
    });
    v1::Message {
        role: "assistant".into(),
        content,
        tool_calls: answer.tool_calls,
        extra_json: answer.extra_json,
        ..v1::Message::default()
    }
}

fn result_message(call: &v1::ToolCall, result: &v1::ToolResult) -> v1::Message {
    let text = match (&result.error, &result.output) {
        (Some(error), _) => error.clone(),
        (None, Some(tool_result::Output::Text(text) | tool_result::Output::ResultJson(text))) => {
            text.clone()
        }
        (None, _) => String::new(),
    };
    v1::Message { tool_call_id: call.id.clone(), name: call.name.clone(), ..said("tool", text) }
}
