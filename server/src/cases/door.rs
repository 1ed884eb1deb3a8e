//! A sidecar in this process, and the connection to its public door.

use super::{bytes::Bytes, contract::Shape, wrapped};
use crate::{
    config::{Address, Compiled},
    runs::MemoryStore,
    service::{Listener, Server, Sidecar},
};
use prost::Message;
use prost_reflect::DynamicMessage;
use std::{io, sync::Arc};
use tonic::{
    Request, Status,
    client::Grpc,
    codegen::http::uri::{InvalidUri, PathAndQuery},
    transport::{Channel, Endpoint},
};

/// A sidecar that serves, until it is dropped.
#[derive(Debug)]
pub(super) struct Door {
    channel: Channel,
    sidecar: Arc<Sidecar>,
    _server: Server,
}

/// Why a sidecar does not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotServed {
    /// There is no port.
    #[error("cannot listen: {0}")]
    Socket(#[from] io::Error),
    /// Reflection does not accept the contract.
    #[error("cannot serve: {0}")]
    Contract(#[from] tonic_reflection::server::Error),
    /// There is no way to the port.
    #[error("cannot connect: {0}")]
    Connection(#[from] tonic::transport::Error),
}

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoAnswer {
    /// The sidecar says so.
    #[error("{:?}: {}", .0.code(), .0.message())]
    Status(#[from] Status),
    /// The bytes are no message of the contract.
    #[error("no message of the contract: {0}")]
    Undecodable(#[from] prost::DecodeError),
    /// The name of the hook is no path.
    #[error("no path: {0}")]
    Path(#[from] InvalidUri),
    /// The stream of a wrapped call ends without `finished`.
    #[error("the call ended without `finished`")]
    Unfinished,
}

/// What a chain said.
#[derive(Debug)]
pub(super) struct Answered {
    /// The response, or what ended the call, where an unchanged output is filled in.
    pub(super) response: DynamicMessage,
    /// What a wrapped call asked of the runtime.
    pub(super) asked: wrapped::Asked,
}

impl Door {
    /// Serves what was compiled on a port of its own.
    pub(super) async fn open(compiled: Compiled) -> Result<Self, NotServed> {
        let Compiled { chains, hash, limits, bounds, state, .. } = compiled;
        let sidecar = Sidecar::new(limits, bounds, Arc::new(MemoryStore::new(state)));
        sidecar.install(chains, &hash);
        let listener = Listener::bind(&Address::Tcp { host: "127.0.0.1".into(), port: 0 }).await?;
        let address = listener.address()?;
        let server = Server::start(Arc::clone(&sidecar), vec![listener]).await?;
        server.ready().await;
        let channel = Endpoint::from_shared(format!("http://{address}"))?.connect_lazy();
        Ok(Self { channel, sidecar, _server: server })
    }

    /// Lets middleware write out what it holds back.
    pub(super) async fn flush(&self) {
        self.sidecar.flush().await;
    }

    /// Calls a unary hook.
    pub(super) async fn ask(
        &self,
        shape: &Shape,
        request: &DynamicMessage,
    ) -> Result<Answered, NoAnswer> {
        let request = Request::new(request.encode_to_vec());
        let bytes = self.grpc().await?.unary(request, path(shape)?, Bytes).await?.into_inner();
        let response = DynamicMessage::decode(shape.response.clone(), &*bytes)?;
        Ok(Answered { response, asked: wrapped::Asked::default() })
    }

    pub(super) async fn grpc(&self) -> Result<Grpc<Channel>, NoAnswer> {
        // What is too large is the sidecar's to say.
        let mut grpc = Grpc::new(self.channel.clone())
            .max_encoding_message_size(usize::MAX)
            .max_decoding_message_size(usize::MAX);
        grpc.ready().await.map_err(|error| Status::from_error(error.into()))?;
        Ok(grpc)
    }
}

pub(super) fn path(shape: &Shape) -> Result<PathAndQuery, InvalidUri> {
    format!("/{}", shape.hook.path()).parse()
}
