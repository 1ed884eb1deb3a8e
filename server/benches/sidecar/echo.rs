//! The baseline: what tonic generates for a method, with a fixed answer and no
//! engine behind it.

use super::{host::Host, methods::Method};
use futures::future::{BoxFuture, Ready, ready};
use sidehook_proto::v1::{
    WrapModelCallRequest, WrapModelCallResponse, wrap_model_call_request::Frame,
};
use std::{
    convert::Infallible,
    marker::PhantomData,
    task::{Context, Poll},
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::{ReceiverStream, UnixListenerStream};
use tonic::{
    Request, Response, Status, Streaming,
    body::Body,
    server::{Grpc, NamedService, StreamingService, UnaryService},
    transport::Server,
};
use tonic_prost::ProstCodec;
use tower::Service;

type Served = Result<http::Response<Body>, Infallible>;

/// Answers every call of `M` with `answer`.
pub(crate) fn unary<M: Method>(answer: M::Response) -> Result<Host, super::Error> {
    serve(Unary::<M>(answer, PhantomData))
}

/// Answers `open` with `next`, and `end` with `finished`; then reads on until
/// the caller half-closes, as HTTP/2 wants it.
pub(crate) fn wrapped(
    next: WrapModelCallResponse,
    finished: WrapModelCallResponse,
) -> Result<Host, super::Error> {
    serve(Wrapped { next, finished })
}

fn serve<S>(service: S) -> Result<Host, super::Error>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible>
        + NamedService
        + Clone
        + Send
        + Sync
        + 'static,
    S::Future: Send + 'static,
{
    Host::start("echo", |socket, ready, stop| async move {
        let incoming = UnixListenerStream::new(tokio::net::UnixListener::bind(socket)?);
        ready.send(())?;
        let stop = async { drop(stop.await) };
        let server = Server::builder().add_service(service);
        Ok(server.serve_with_incoming_shutdown(incoming, stop).await?)
    })
}

struct Unary<M: Method>(M::Response, PhantomData<M>);

#[derive(Clone)]
struct Wrapped {
    next: WrapModelCallResponse,
    finished: WrapModelCallResponse,
}

// === impl Unary ===

impl<M: Method> Clone for Unary<M> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<M: Method> NamedService for Unary<M> {
    const NAME: &'static str = M::SERVICE;
}

impl<M: Method> UnaryService<M::Request> for Unary<M> {
    type Response = M::Response;
    type Future = Ready<Result<Response<M::Response>, Status>>;

    fn call(&mut self, _: Request<M::Request>) -> Self::Future {
        ready(Ok(Response::new(self.0.clone())))
    }
}

impl<M: Method> Service<http::Request<Body>> for Unary<M> {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Served>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = self.clone();
        Box::pin(async move {
            let codec = ProstCodec::<M::Response, M::Request>::default();
            Ok(Grpc::new(codec).unary(method, request).await)
        })
    }
}

// === impl Wrapped ===

impl NamedService for Wrapped {
    const NAME: &'static str = "sidehook.v1.RunHooks";
}

impl StreamingService<WrapModelCallRequest> for Wrapped {
    type Response = WrapModelCallResponse;
    type ResponseStream = ReceiverStream<Result<WrapModelCallResponse, Status>>;
    type Future = Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<Streaming<WrapModelCallRequest>>) -> Self::Future {
        let (out, frames) = mpsc::channel(4);
        let Self { next, finished } = self.clone();
        let mut inbound = request.into_inner();
        tokio::spawn(async move {
            let (mut next, mut finished) = (Some(next), Some(finished));
            while let Ok(Some(request)) = inbound.message().await {
                let answer = match request.frame {
                    Some(Frame::Open(_)) => next.take(),
                    Some(Frame::End(_)) => finished.take(),
                    _ => None,
                };
                if let Some(answer) = answer {
                    let _gone = out.send(Ok(answer)).await;
                }
            }
        });
        ready(Ok(Response::new(ReceiverStream::new(frames))))
    }
}

impl Service<http::Request<Body>> for Wrapped {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Served>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = self.clone();
        Box::pin(async move {
            let codec = ProstCodec::<WrapModelCallResponse, WrapModelCallRequest>::default();
            Ok(Grpc::new(codec).streaming(method, request).await)
        })
    }
}
