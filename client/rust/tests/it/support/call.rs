//! One RPC as the sidecar sees it.

use super::socket::Connections;
use prost::Message;
use sidehook_client::v1::{Effects, HookContext};
use sidehook_proto::{HookResponse, Outcome};
use std::collections::HashMap;
use tokio::sync::mpsc;
use tonic::{
    Code, Status, Streaming,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
};
use tonic_types::{ErrorDetails, StatusExt};

/// One RPC. Dropping it ends the response with OK.
pub(crate) struct Call {
    pub(super) path: String,
    pub(super) timeout: Option<String>,
    pub(super) inbound: Streaming<Vec<u8>>,
    pub(super) outbound: mpsc::UnboundedSender<Result<Vec<u8>, Status>>,
    pub(super) connections: Connections,
}

impl Call {
    /// The name of the RPC.
    pub(crate) fn rpc(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }

    /// Whether the caller said until when it waits.
    pub(crate) fn has_deadline(&self) -> bool {
        self.timeout.is_some()
    }

    /// The next message; `None` once the caller has half-closed, an error once it is gone.
    pub(crate) async fn try_read<M: Message + Default>(&mut self) -> Result<Option<M>, Status> {
        let bytes = self.inbound.message().await?;
        Ok(bytes.map(|bytes| M::decode(&*bytes).unwrap()))
    }

    /// The next message.
    pub(crate) async fn read<M: Message + Default>(&mut self) -> M {
        self.try_read().await.expect("the caller is there").expect("a message")
    }

    /// The context of a unary request, whatever the hook: it is always the first field.
    pub(crate) async fn context(&mut self) -> HookContext {
        #[derive(Clone, PartialEq, Message)]
        struct AnyRequest {
            #[prost(message, optional, tag = "1")]
            context: Option<HookContext>,
        }
        self.read::<AnyRequest>().await.context.expect("a context")
    }

    pub(crate) fn send(&self, message: &impl Message) {
        self.outbound.send(Ok(message.encode_to_vec())).ok();
    }

    /// Answers a unary call.
    pub(crate) fn decide<S: HookResponse>(&self, outcome: Outcome<S::Answer>) {
        self.send(&S::from_parts(outcome, None, None));
    }

    /// Answers a unary call, with effects.
    pub(crate) fn answer<S: HookResponse>(&self, answer: S::Answer, effects: Effects) {
        self.send(&S::from_parts(Outcome::Answer(answer), Some(effects), None));
    }

    /// Has no opinion, whatever the hook: an empty answer is field 1 of every response.
    pub(crate) fn no_opinion(&self) {
        self.outbound.send(Ok(vec![0x0a, 0x00])).ok();
    }

    pub(crate) fn refuse(&self, status: Status) {
        self.outbound.send(Err(status)).ok();
    }

    /// Breaks the connection.
    pub(crate) fn break_connection(&self) {
        self.connections.break_all();
    }

    /// Waits until the caller is gone.
    pub(crate) async fn gone(&self) {
        self.outbound.closed().await;
    }
}

/// A refusal as Sidehook words it.
pub(crate) fn refused(code: Code, reason: &str) -> Status {
    let details = ErrorDetails::with_error_info(reason, "sidehook.v1", HashMap::new());
    Status::with_error_details(code, "refused", details)
}

/// Passes messages as bytes, so that one script serves every RPC.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bytes;

impl Codec for Bytes {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Bytes {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        bytes::BufMut::put_slice(buffer, &item);
        Ok(())
    }
}

impl Decoder for Bytes {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let mut bytes = vec![0; bytes::Buf::remaining(buffer)];
        bytes::Buf::copy_to_slice(buffer, &mut bytes);
        Ok(Some(bytes))
    }
}
