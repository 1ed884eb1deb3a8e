//! An agent's runtime: one connection, and requests as JSON by the names on the wire.

use super::{Exchange, method};
use hyper_util::rt::TokioIo;
use prost::Message;
use prost::bytes::{Buf, BufMut};
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};
use serde_json::{Value, value::Serializer};
use sidehook_server::config::Address;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::net::{TcpStream, UnixStream};
use tonic::{
    Request, Status,
    client::Grpc,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    transport::{Channel, Endpoint, Uri},
};
use tonic_types::StatusExt;

/// A runtime with one connection.
#[derive(Clone)]
pub(crate) struct Runtime {
    channel: Channel,
    connections: Arc<AtomicUsize>,
}

impl Runtime {
    /// Connects with the first call.
    pub(crate) fn new(address: &Address) -> Self {
        let connections = Arc::new(AtomicUsize::new(0));
        let (address, count) = (address.clone(), Arc::clone(&connections));
        let connector = tower::service_fn(move |_: Uri| {
            count.fetch_add(1, Ordering::Relaxed);
            let address = address.clone();
            async move {
                let stream: Box<dyn Stream> = match address {
                    Address::Tcp { host, port } => {
                        Box::new(TcpStream::connect((host, port)).await?)
                    }
                    Address::Unix(path) => Box::new(UnixStream::connect(path).await?),
                };
                Ok::<_, std::io::Error>(TokioIo::new(stream))
            }
        });
        let endpoint = Endpoint::from_static("http://sidecar");
        Self { channel: endpoint.connect_with_connector_lazy(connector), connections }
    }

    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// How many connections were opened so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Calls a unary RPC. A request without a context gets that of the run `run`.
    pub(crate) async fn ask(&self, rpc: &str, request: Value) -> Result<Value, Status> {
        let method = method(rpc);
        let bytes = encode(method.input(), with_context(&method.input(), request));
        let path = format!("{}/{}", method.parent_service().full_name(), method.name());
        Ok(decode(method.output(), &self.send(&path, bytes).await?))
    }

    /// Calls a unary RPC with bytes, which need not be a message.
    pub(crate) async fn send(&self, path: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Status> {
        let mut grpc = self.grpc().await?;
        let path = format!("/{path}").parse().unwrap();
        Ok(grpc.unary(Request::new(bytes), path, Bytes).await?.into_inner())
    }

    /// Opens a wrapped call and its stream, without a frame.
    pub(crate) async fn open(&self, hook: &str) -> Exchange {
        Exchange::new(self.grpc().await.unwrap(), method(hook), None).await
    }

    pub(crate) async fn open_within(&self, limit: Duration, hook: &str) -> Exchange {
        Exchange::new(self.grpc().await.unwrap(), method(hook), Some(limit)).await
    }

    async fn grpc(&self) -> Result<Grpc<Channel>, Status> {
        let mut grpc = Grpc::new(self.channel())
            .max_encoding_message_size(usize::MAX)
            .max_decoding_message_size(usize::MAX);
        grpc.ready().await.map_err(|error| Status::from_error(error.into()))?;
        Ok(grpc)
    }
}

trait Stream: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin {}
impl Stream for TcpStream {}
impl Stream for UnixStream {}

/// What a refused call says: its code, the reason, and the field or the frame, where one is
/// at fault.
pub(crate) fn refusal(status: &Status) -> String {
    let details = status.get_error_details();
    let Some(info) = details.error_info() else { return format!("{:?}", status.code()) };
    let named = info.metadata.get("field").or_else(|| info.metadata.get("frame"));
    let named = named.map(|name| format!(" {name}")).unwrap_or_default();
    format!("{:?} {}{named}", status.code(), info.reason)
}

pub(super) fn with_context(message: &MessageDescriptor, mut fields: Value) -> Value {
    if message.get_field_by_name("context").is_some() {
        let fields = fields.as_object_mut().unwrap();
        fields.entry("context").or_insert_with(|| super::run("run"));
    }
    fields
}

pub(super) fn encode(message: MessageDescriptor, fields: Value) -> Vec<u8> {
    DynamicMessage::deserialize(message, fields).unwrap().encode_to_vec()
}

/// A message as JSON. Fields that hold their default are left out.
pub(super) fn decode(message: MessageDescriptor, bytes: &[u8]) -> Value {
    let options =
        SerializeOptions::new().use_proto_field_name(true).stringify_64_bit_integers(false);
    let message = DynamicMessage::decode(message, bytes).unwrap();
    message.serialize_with_options(Serializer, &options).unwrap()
}

/// Passes messages as bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bytes;

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
        buffer.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Bytes {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let mut bytes = vec![0; buffer.remaining()];
        buffer.copy_to_slice(&mut bytes);
        Ok(Some(bytes))
    }
}
