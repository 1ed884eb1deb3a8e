//! The connection to a sidecar, from which runs are started.

use crate::{
    Error, HookError, Reply, Run,
    builder::{ClientBuilder, Options},
};
use sidehook_proto::v1::{
    AfterRunRequest, CallError, HookContext, RunStatus, StartRunAnswer, StartRunRequest,
};
use std::{fmt, sync::Arc};
use tonic::{client::Grpc, transport::Channel};

/// A connection to a sidecar. Cheap to clone; all clones share the connection.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
    options: Arc<Options>,
}

impl Client {
    /// Makes a client for `http://host:port` or `unix:///path`, with the defaults of
    /// [`builder`](Self::builder).
    ///
    /// The connection is opened by the first call;
    /// [`wait_for_sidecar`](Self::wait_for_sidecar) waits for it.
    ///
    /// # Errors
    ///
    /// The address is wrong, or no Tokio runtime is running.
    pub fn connect(address: &str) -> Result<Self, Error> {
        Self::builder().connect(address)
    }

    /// Makes a client with other options.
    ///
    /// ```no_run
    /// # async fn f() -> Result<(), sidehook_client::Error> {
    /// use sidehook_client::{Client, OnUnreachable};
    /// use std::time::Duration;
    ///
    /// let client = Client::builder()
    ///     .on_unreachable(OnUnreachable::Proceed)
    ///     .hook_deadline("companion_speech", Duration::from_millis(800))
    ///     .connect("unix:///run/sidehook/sidehook.sock")?;
    /// # Ok(()) }
    /// ```
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    /// Starts a run: calls its `StartRun` hook and takes over its plan, so that hooks which
    /// nobody listens to are not called.
    ///
    /// An empty `run_id` is replaced by a new one. If the chain ends the run at its start,
    /// nobody holds a [`Run`], so this also sends its `AfterRun`, with `failed`. To resume a
    /// run, or to see to that oneself, use [`run`](Self::run) and [`Run::start_run`].
    ///
    /// # Errors
    ///
    /// See [`HookError`].
    ///
    /// # Cancel safety
    ///
    /// A dropped future may leave a run open in the sidecar until it has been idle for too long.
    pub async fn start_run(
        &self,
        context: HookContext,
    ) -> Result<(Run, Reply<StartRunAnswer>), HookError> {
        let mut run = self.run(context);
        match run.start_run(StartRunRequest::default()).await {
            Ok(reply) => Ok((run, reply)),
            Err(error) => {
                if error.no_answer().is_none() {
                    let ended = AfterRunRequest {
                        status: RunStatus::Failed.into(),
                        error: Some(CallError {
                            message: error.to_string(),
                            ..CallError::default()
                        }),
                        ..AfterRunRequest::default()
                    };
                    if let Err(cause) = run.after_run(ended).await {
                        tracing::warn!(error = %cause, "a run that ended at its start stays open");
                    }
                }
                Err(error)
            }
        }
    }

    /// Makes a run without starting it, for hooks outside a run's life such as the platform's.
    ///
    /// Without a plan no hook is skipped. An empty `run_id` is replaced by a new one.
    pub fn run(&self, context: HookContext) -> Run {
        Run::new(self.clone(), context)
    }

    pub(crate) fn new(channel: Channel, options: Options) -> Self {
        Self { channel, options: Arc::new(options) }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// The connection, ready for a call.
    pub(crate) async fn grpc(&self) -> Result<Grpc<Channel>, Error> {
        let limit = self.options.max_message_bytes;
        let mut grpc = Grpc::new(self.channel())
            .max_encoding_message_size(limit)
            .max_decoding_message_size(limit);
        match grpc.ready().await {
            Ok(()) => Ok(grpc),
            Err(error) => Err(Error::from_status(tonic::Status::from_error(error.into()))),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("options", &self.options).finish_non_exhaustive()
    }
}
