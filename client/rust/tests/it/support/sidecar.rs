//! A sidecar that does what a script says.

use super::{
    call::{Bytes, Call},
    socket::Connections,
};
use http::{Request, Response};
use sidehook_client::{Client, ClientBuilder, Run, v1::HookContext};
use std::{
    convert::Infallible,
    future::{Future, Ready, ready},
    path::Path,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, UnixListener},
    sync::mpsc,
    task::JoinHandle,
};
use tokio_stream::{
    Stream, StreamExt,
    wrappers::{TcpListenerStream, UnboundedReceiverStream, UnixListenerStream},
};
use tonic::{Status, Streaming, body::Body, server::NamedService, transport::Server};

type Script = Arc<dyn Fn(Call) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A sidecar that is listening. Dropping it is its death: connections break too.
pub(crate) struct Sidecar {
    address: String,
    connections: Connections,
    server: JoinHandle<()>,
    _folder: Option<TempDir>,
}

impl Sidecar {
    /// Listens on a Unix socket; `script` serves each call.
    pub(crate) fn new<F, Fut>(script: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let folder = tempfile::tempdir().unwrap();
        let mut sidecar = Self::at(&folder.path().join("socket"), script);
        sidecar._folder = Some(folder);
        sidecar
    }

    /// Listens on the Unix socket `path`.
    pub(crate) fn at<F, Fut>(path: &Path, script: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = UnixListenerStream::new(UnixListener::bind(path).unwrap());
        Self::serve(format!("unix://{}", path.display()), listener, script)
    }

    /// Listens on a TCP port.
    pub(crate) async fn on_tcp<F, Fut>(script: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        Self::serve(address, TcpListenerStream::new(listener), script)
    }

    /// A client with the defaults.
    pub(crate) fn client(&self) -> Client {
        self.client_with(Client::builder())
    }

    pub(crate) fn client_with(&self, builder: ClientBuilder) -> Client {
        builder.connect(&self.address).unwrap()
    }

    /// A run without a plan.
    pub(crate) fn run(&self) -> Run {
        self.client().run(HookContext::default())
    }

    fn serve<F, Fut, L, T>(address: String, listener: L, script: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
        L: Stream<Item = std::io::Result<T>> + Send + 'static,
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let connections = Connections::default();
        let script: Script = Arc::new(move |call| Box::pin(script(call)));
        let serving = Server::builder()
            .add_service(Scripted::<0>(Arc::clone(&script), connections.clone()))
            .add_service(Scripted::<1>(Arc::clone(&script), connections.clone()))
            .add_service(Scripted::<2>(Arc::clone(&script), connections.clone()))
            .add_service(Scripted::<3>(script, connections.clone()));
        let breakable = connections.clone();
        let incoming = listener.map(move |io| io.map(|io| breakable.add(io)));
        let server = tokio::spawn(async move {
            serving.serve_with_incoming(incoming).await.unwrap();
        });
        Self { address, connections, server, _folder: None }
    }
}

impl Drop for Sidecar {
    fn drop(&mut self) {
        self.server.abort();
        self.connections.break_all();
    }
}

/// One service of the sidecar.
#[derive(Clone)]
struct Scripted<const SERVICE: u8>(Script, Connections);

impl NamedService for Scripted<0> {
    const NAME: &'static str = "sidehook.v1.RunHooks";
}

impl NamedService for Scripted<1> {
    const NAME: &'static str = "sidehook.v1.CallHooks";
}

impl NamedService for Scripted<2> {
    const NAME: &'static str = "sidehook.v1.PlatformHooks";
}

impl NamedService for Scripted<3> {
    const NAME: &'static str = "grpc.health.v1.Health";
}

impl<const SERVICE: u8> tower::Service<Request<Body>> for Scripted<SERVICE> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let timeout = request.headers().get("grpc-timeout");
        let scene = Scene {
            path: request.uri().path().to_owned(),
            timeout: timeout.map(|timeout| timeout.to_str().unwrap().to_owned()),
            script: Arc::clone(&self.0),
            connections: self.1.clone(),
        };
        Box::pin(async move { Ok(tonic::server::Grpc::new(Bytes).streaming(scene, request).await) })
    }
}

/// Where one call is played.
struct Scene {
    path: String,
    timeout: Option<String>,
    script: Script,
    connections: Connections,
}

impl tower::Service<tonic::Request<Streaming<Vec<u8>>>> for Scene {
    type Response = tonic::Response<UnboundedReceiverStream<Result<Vec<u8>, Status>>>;
    type Error = Status;
    type Future = Ready<Result<Self::Response, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: tonic::Request<Streaming<Vec<u8>>>) -> Self::Future {
        let (outbound, sent) = mpsc::unbounded_channel();
        let call = Call {
            path: self.path.clone(),
            timeout: self.timeout.clone(),
            inbound: request.into_inner(),
            outbound,
            connections: self.connections.clone(),
        };
        tokio::spawn((self.script)(call));
        ready(Ok(tonic::Response::new(UnboundedReceiverStream::new(sent))))
    }
}
