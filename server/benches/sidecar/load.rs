//! The client: calls a method again and again, and remembers how long it took.

use super::{
    Error,
    methods::{self, Method},
};
use hdrhistogram::Histogram;
use http::uri::PathAndQuery;
use sidehook_proto::v1::{
    WrapModelCallRequest, WrapModelCallResponse, run_hooks_client::RunHooksClient,
    wrap_model_call_request, wrap_model_call_response,
};
use std::time::{Duration, Instant};
use tokio::{sync::mpsc, task::JoinSet};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, client::Grpc, transport::Channel};
use tonic_prost::ProstCodec;

/// What can be called again and again.
pub(crate) trait Call: Send + 'static {
    type Answer: Send;

    /// Makes one call from start to end.
    fn make(&mut self) -> impl Future<Output = Result<Self::Answer, Error>> + Send;
}

/// What a while of calls came to.
pub(crate) struct Measured {
    pub(crate) p50: Duration,
    pub(crate) calls: u64,
    pub(crate) took: Duration,
}

/// Lets every caller call for `time`.
pub(crate) async fn run<C: Call>(callers: Vec<C>, time: Duration) -> Result<Measured, Error> {
    let start = Instant::now();
    let mut working = JoinSet::new();
    for mut caller in callers {
        working.spawn(async move {
            let mut latencies = Histogram::<u64>::new(3)?;
            while start.elapsed() < time {
                let started = Instant::now();
                caller.make().await?;
                latencies.record(u64::try_from(started.elapsed().as_nanos())?)?;
            }
            Ok::<_, Error>(latencies)
        });
    }
    let mut latencies = Histogram::<u64>::new(3)?;
    while let Some(worked) = working.join_next().await {
        latencies.add(worked??)?;
    }
    let p50 = Duration::from_nanos(latencies.value_at_quantile(0.5));
    Ok(Measured { p50, calls: latencies.len(), took: start.elapsed() })
}

/// Calls the method `M`.
pub(crate) struct Unary<M: Method> {
    client: Grpc<Channel>,
    request: M::Request,
}

/// Makes a `WrapModelCall` of four frames.
pub(crate) struct Wrapping {
    client: RunHooksClient<Channel>,
    open: WrapModelCallRequest,
    end: WrapModelCallRequest,
}

// === impl Unary ===

impl<M: Method> Unary<M> {
    pub(crate) fn new(channel: Channel, caller: usize) -> Self {
        let request = M::request(methods::context(caller));
        Self { client: Grpc::new(channel), request }
    }
}

impl<M: Method> Call for Unary<M> {
    type Answer = M::Response;

    async fn make(&mut self) -> Result<Self::Answer, Error> {
        self.client.ready().await?;
        let codec = ProstCodec::<M::Request, M::Response>::default();
        let path = PathAndQuery::from_static(M::PATH);
        M::renew(&mut self.request);
        let request = Request::new(self.request.clone());
        Ok(self.client.unary(request, path, codec).await?.into_inner())
    }
}

// === impl Wrapping ===

impl Wrapping {
    pub(crate) fn new(channel: Channel, caller: usize) -> Self {
        let frame = |frame| WrapModelCallRequest { frame: Some(frame) };
        let open = methods::open(methods::context(caller));
        Self {
            client: RunHooksClient::new(channel),
            open: frame(wrap_model_call_request::Frame::Open(open)),
            end: frame(wrap_model_call_request::Frame::End(methods::end())),
        }
    }
}

impl Call for Wrapping {
    /// The two frames that the server sends.
    type Answer = [WrapModelCallResponse; 2];

    async fn make(&mut self) -> Result<Self::Answer, Error> {
        let (out, frames) = mpsc::channel(4);
        out.send(self.open.clone()).await?;
        let mut inbound =
            self.client.wrap_model_call(ReceiverStream::new(frames)).await?.into_inner();
        let next = inbound.message().await?.ok_or("no first frame")?;
        out.send(self.end.clone()).await?;
        let finished = inbound.message().await?.ok_or("no last frame")?;
        if !matches!(finished.frame, Some(wrap_model_call_response::Frame::Finished(_))) {
            return Err("the last frame is not `finished`".into());
        }
        drop(out);
        match inbound.message().await? {
            None => Ok([next, finished]),
            Some(_) => Err("there is a frame after `finished`".into()),
        }
    }
}
