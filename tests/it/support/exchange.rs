//! A wrapped call, frame by frame, as a runtime sees it.

use super::{
    Bytes,
    runtime::{decode, encode, with_context},
};
use prost_reflect::{Kind, MethodDescriptor};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Request, Status, Streaming, client::Grpc, transport::Channel};

/// A wrapped call.
pub(crate) struct Exchange {
    method: MethodDescriptor,
    /// `None` after the half-close.
    outbound: Option<mpsc::UnboundedSender<Vec<u8>>>,
    inbound: Streaming<Vec<u8>>,
}

impl Exchange {
    pub(super) async fn new(
        mut grpc: Grpc<Channel>,
        method: MethodDescriptor,
        limit: Option<Duration>,
    ) -> Self {
        let (outbound, frames) = mpsc::unbounded_channel();
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let mut request = Request::new(UnboundedReceiverStream::new(frames));
        if let Some(limit) = limit {
            request.set_timeout(limit);
        }
        let opened = grpc.streaming(request, path.parse().unwrap(), Bytes).await.unwrap();
        Self { method, outbound: Some(outbound), inbound: opened.into_inner() }
    }

    /// Sends a frame, such as `{"end": {"invocation": 1}}`. An `open` without a context gets
    /// that of the run `run`.
    pub(crate) fn send(&self, mut frame: Value) {
        let Some(Kind::Message(open)) =
            self.method.input().get_field_by_name("open").map(|field| field.kind())
        else {
            panic!("{} has no `open`", self.method.name())
        };
        if let Some(fields) = frame.get_mut("open") {
            *fields = with_context(&open, fields.take());
        }
        self.send_bytes(encode(self.method.input(), frame));
    }

    /// Sends bytes, which need not be a frame.
    pub(crate) fn send_bytes(&self, bytes: Vec<u8>) {
        // The sidecar may have ended the stream; the next read says so.
        self.outbound.as_ref().expect("not half-closed").send(bytes).ok();
    }

    pub(crate) fn half_close(&mut self) {
        self.outbound = None;
    }

    /// The next frame, or how the stream ends.
    pub(crate) async fn read(&mut self) -> Result<Option<Value>, Status> {
        let bytes = self.inbound.message().await?;
        Ok(bytes.map(|bytes| decode(self.method.output(), &bytes)))
    }

    /// The next frame, which is of this kind.
    pub(crate) async fn expect(&mut self, kind: &str) -> Value {
        let frame = super::soon(self.read()).await.unwrap().expect("a frame");
        frame.get(kind).unwrap_or_else(|| panic!("expected `{kind}`, got {frame}")).clone()
    }

    /// Reads up to `finished`, half-closes, and reads the stream to its good end. Returns the
    /// frames before it, and what it says.
    pub(crate) async fn finish(&mut self) -> (Vec<Value>, Value) {
        super::soon(self.read_to_end()).await
    }

    async fn read_to_end(&mut self) -> (Vec<Value>, Value) {
        let mut before = Vec::new();
        loop {
            let frame = self.read().await.unwrap().expect("`finished` before the end");
            if let Some(finished) = frame.get("finished") {
                self.half_close();
                assert_eq!(self.read().await.unwrap(), None, "`finished` is last");
                return (before, finished.clone());
            }
            before.push(frame);
        }
    }

    /// The status that the stream ends with, whatever comes before.
    pub(crate) async fn error(&mut self) -> Status {
        let ended = async {
            while self.read().await?.is_some() {}
            Ok(())
        };
        super::soon(ended).await.expect_err("the stream does not end with OK")
    }

    /// Makes the real call that comes next, with `response`, and finishes.
    pub(crate) async fn play(&mut self, result: &str, response: Value) -> Value {
        let next = self.expect("next").await;
        self.send(json!({"end": {"invocation": next["invocation"], result: response}}));
        self.finish().await.1
    }
}
