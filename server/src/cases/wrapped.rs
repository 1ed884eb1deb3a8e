//! The runtime's side of a wrapped call: answers each `next` from the case.

use super::{
    bytes::Bytes,
    case::{Came, Reply},
    contract::{Frames, Shape},
    door::{Answered, Door, NoAnswer, path},
};
use prost::Message;
use prost_reflect::{DynamicMessage, Kind, ReflectMessage, Value};
use sidehook_proto::v1::Relay;
use std::collections::BTreeMap;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Request;

/// What a wrapped call asked of the runtime, and what the runtime would have shown.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Each `next`, with the call as it was opened where it is unchanged.
    pub(super) next: Vec<DynamicMessage>,
    /// The text that somebody would have read by the end of the call.
    pub(super) emitted: String,
}

/// A call that runs.
struct Exchange<'a> {
    frames: &'a Frames,
    opened: &'a DynamicMessage,
    replies: &'a [Reply],
    out: UnboundedSender<Vec<u8>>,
    asked: Asked,
    /// Whether text was shown, be it an empty one.
    shown: bool,
    outputs: BTreeMap<i32, &'a DynamicMessage>,
}

impl Door {
    /// Makes a wrapped call, and gives `replies` to what it asks for, in order. What it asks for
    /// beyond them fails.
    pub(super) async fn wrap(
        &self,
        shape: &Shape,
        frames: &Frames,
        opened: &DynamicMessage,
        replies: &[Reply],
    ) -> Result<Answered, NoAnswer> {
        let (out, outbound) = mpsc::unbounded_channel();
        let (asked, outputs) = (Asked::default(), BTreeMap::new());
        let mut exchange = Exchange { frames, opened, replies, out, asked, shown: false, outputs };
        exchange.send("open", opened.clone());
        let request = Request::new(UnboundedReceiverStream::new(outbound));
        let mut inbound =
            self.grpc().await?.streaming(request, path(shape)?, Bytes).await?.into_inner();
        loop {
            let bytes = inbound.message().await?.ok_or(NoAnswer::Unfinished)?;
            let frame = DynamicMessage::decode(frames.received.clone(), &*bytes)?;
            if let Some(next) = message(&frame, "next") {
                exchange.next(next);
            } else if let Some(emit) = message(&frame, "emit") {
                let delta = message(&emit, "delta");
                exchange.show(&delta.map(|delta| text(&delta, "text")).unwrap_or_default());
            } else if let Some(finished) = message(&frame, "finished") {
                let answered = exchange.finish(finished);
                // Read to its end: a stream that is dropped earlier is reset.
                while inbound.message().await?.is_some() {}
                return Ok(answered);
            }
        }
    }
}

impl<'a> Exchange<'a> {
    fn next(&mut self, mut next: DynamicMessage) {
        let (invocation, relay) = (number(&next, "invocation"), number(&next, "relay"));
        if next.descriptor().get_field_by_name("call").is_some()
            && let (None, Some(call)) = (message(&next, "call"), message(self.opened, "call"))
        {
            next.set_field_by_name("call", Value::Message(call));
        }
        self.asked.next.push(next);
        let Some(reply) = self.replies.get(self.asked.next.len() - 1) else {
            let failed = DynamicMessage::new(self.frames.failed.clone());
            return self.send("failed", with_error(failed, invocation));
        };
        for (sequence, delta) in (0..).zip(&reply.deltas) {
            if relay == i32::from(Relay::Direct) {
                self.show(&text(delta, "text"));
            } else if relay == i32::from(Relay::Relayed) {
                let mut delta = delta.clone();
                delta.set_field_by_name("sequence", Value::I64(sequence));
                self.send("delta", numbered(delta, invocation));
            }
        }
        match &reply.came {
            Came::Failed(failed) => self.send("failed", numbered(failed.clone(), invocation)),
            Came::Output(output) => {
                self.outputs.insert(invocation, output);
                let mut end = DynamicMessage::new(self.frames.end.clone());
                end.set_field(&self.frames.output, Value::Message(output.clone()));
                self.send("end", numbered(end, invocation));
            }
        }
    }

    fn finish(mut self, mut finished: DynamicMessage) -> Answered {
        let by = message(&finished, "answered_by");
        let by = by.map(|by| number(&by, "invocation")).unwrap_or_default();
        if let Some(mut answer) = message(&finished, "answer") {
            self.fill_in(&mut answer, by);
            if matches!(
                self.opened.get_field_by_name("streaming").as_deref(),
                Some(Value::Bool(true))
            ) && !self.shown
            {
                let output = message(&answer, self.frames.output.name());
                self.asked.emitted = whole(output.as_ref().unwrap_or(&answer));
            }
            finished.set_field_by_name("answer", Value::Message(answer));
        }
        Answered { response: finished, asked: self.asked }
    }

    /// An answer without an output of its own is that of a real call.
    fn fill_in(&self, answer: &mut DynamicMessage, invocation: i32) {
        let is_unchanged = answer.fields().next().is_none();
        let Some(output) = self.outputs.get(&invocation).filter(|_| is_unchanged) else { return };
        let name = self.frames.output.name();
        if answer.descriptor().get_field_by_name(name).is_some() {
            return answer.set_field_by_name(name, Value::Message((*output).clone()));
        }
        for (field, value) in output.fields() {
            answer.set_field_by_name(field.name(), value.clone());
        }
    }

    fn show(&mut self, text: &str) {
        self.shown = true;
        self.asked.emitted.push_str(text);
    }

    fn send(&self, kind: &str, frame: DynamicMessage) {
        let mut sent = DynamicMessage::new(self.frames.sent.clone());
        sent.set_field_by_name(kind, Value::Message(frame));
        // A stream that has ended says so itself, to whoever reads it.
        let _gone = self.out.send(sent.encode_to_vec());
    }
}

fn numbered(mut frame: DynamicMessage, invocation: i32) -> DynamicMessage {
    frame.set_field_by_name("invocation", Value::I32(invocation));
    frame
}

/// The failure of a call that the case has no reply for.
fn with_error(mut failed: DynamicMessage, invocation: i32) -> DynamicMessage {
    let kind = failed.descriptor().get_field_by_name("error").map(|field| field.kind());
    if let Some(Kind::Message(error)) = kind {
        let mut error = DynamicMessage::new(error);
        let what = "the case has no reply for this call";
        error.set_field_by_name("message", Value::String(what.into()));
        failed.set_field_by_name("error", Value::Message(error));
    }
    numbered(failed, invocation)
}

/// The text of a whole output, as a client shows it that has shown nothing of it before.
fn whole(output: &DynamicMessage) -> String {
    for name in ["text", "result_json"] {
        if output.has_field_by_name(name) {
            return text(output, name);
        }
    }
    if let Some(parts) = message(output, "parts") {
        let parts = parts.get_field_by_name("parts");
        let parts = parts.as_deref().and_then(Value::as_list).into_iter().flatten();
        return parts.filter_map(Value::as_message).map(|part| text(part, "text")).collect();
    }
    let json = text(output, "value_json");
    serde_json::from_str(&json).unwrap_or(json)
}

/// The message in a field, if it is set.
pub(super) fn message(of: &DynamicMessage, name: &str) -> Option<DynamicMessage> {
    if !of.has_field_by_name(name) {
        return None;
    }
    of.get_field_by_name(name)?.as_message().cloned()
}

/// The number in a field, also that of an enum's value.
fn number(of: &DynamicMessage, name: &str) -> i32 {
    let value = of.get_field_by_name(name);
    let value = value.as_deref();
    value.and_then(|it| it.as_i32().or_else(|| it.as_enum_number())).unwrap_or_default()
}

fn text(of: &DynamicMessage, name: &str) -> String {
    let value = of.get_field_by_name(name);
    value.as_deref().and_then(Value::as_str).unwrap_or_default().to_owned()
}
