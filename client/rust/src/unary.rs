//! Calls a unary hook: skipped, answered, repeated after a lost connection, or given up.

use crate::{
    Error, HookError, OnUnreachable, Origin, Run, codec::Shared, hook::Hook, reply::Given,
};
use http::uri::PathAndQuery;
use prost::Message;
use sidehook_proto::HookResponse;
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, timeout};
use tonic::Request;

/// What fits the header that tells the sidecar of a deadline; tonic panics on much more.
const LONGEST_DEADLINE: Duration = Duration::from_secs(365 * 24 * 3600);

/// Tells the sidecar how long the caller waits.
pub(crate) fn announce_deadline<T>(request: &mut Request<T>, deadline: Duration) {
    request.set_timeout(deadline.min(LONGEST_DEADLINE));
}

impl Run {
    /// Asks the chain of `hook`, unless nobody listens or the run has tripped.
    pub(crate) async fn ask<Q, S, G>(&self, hook: &Hook, request: Q) -> Result<G, HookError>
    where
        Q: Message + 'static,
        S: HookResponse,
        G: Given<Answer = S::Answer>,
    {
        self.check_tripwire()?;
        if self.skips(hook) {
            return Ok(G::neutral(Origin::Skipped));
        }
        self.send::<Q, S, G>(hook, request).await
    }

    /// Asks the chain of `hook`.
    pub(crate) async fn send<Q, S, G>(&self, hook: &Hook, request: Q) -> Result<G, HookError>
    where
        Q: Message + 'static,
        S: HookResponse,
        G: Given<Answer = S::Answer>,
    {
        let limit = self.deadline().unwrap_or_else(|| self.client().options().unary_deadline(hook));
        let response: S = match self.call_within(limit, hook, Arc::new(request)).await {
            Ok(response) => response,
            Err(error) if self.proceeds_without(hook, &error) => {
                return Ok(G::neutral(Origin::Unreachable));
            }
            Err(error) => return Err(error.into()),
        };
        let given = G::from_parts(response.into_parts());
        if let Err(HookError::Tripped { tripwire, .. }) = &given {
            self.trip(tripwire);
        }
        given
    }

    /// Whether the run goes on although `hook` got no answer.
    pub(crate) fn proceeds_without(&self, hook: &Hook, error: &Error) -> bool {
        let proceeds = error.is_unreachable()
            && self.client().options().on_unreachable == OnUnreachable::Proceed;
        if proceeds {
            let source = std::error::Error::source(error).map(tracing::field::display);
            tracing::warn!(hook = hook.name, %error, source, "going on without the sidecar");
        }
        proceeds
    }

    /// Calls, and once more if the connection was lost: `hook_call_id` makes sure that no
    /// middleware runs twice.
    async fn call_within<Q, S>(
        &self,
        limit: Duration,
        hook: &Hook,
        request: Arc<Q>,
    ) -> Result<S, Error>
    where
        Q: Message + 'static,
        S: Message + Default + 'static,
    {
        let start = Instant::now();
        let answer = async {
            match self.call(limit, hook, Arc::clone(&request)).await {
                Err(error) if error.is_transport() => {
                    let (bytes, most) =
                        (request.encoded_len(), self.client().options().max_message_bytes);
                    if bytes > most {
                        return Err(Error::too_large(bytes, most));
                    }
                    let left = limit.saturating_sub(start.elapsed());
                    self.call(left, hook, Arc::clone(&request)).await
                }
                answer => answer,
            }
        };
        timeout(limit, answer).await.unwrap_or_else(|_| Err(Error::deadline()))
    }

    async fn call<Q, S>(&self, limit: Duration, hook: &Hook, request: Arc<Q>) -> Result<S, Error>
    where
        Q: Message + 'static,
        S: Message + Default + 'static,
    {
        let mut grpc = self.client().grpc().await?;
        let mut request = Request::new(request);
        announce_deadline(&mut request, limit);
        let path = PathAndQuery::from_static(hook.path);
        match grpc.unary(request, path, Shared::new()).await {
            Ok(response) => Ok(response.into_inner()),
            Err(status) => Err(Error::from_status(status)),
        }
    }
}
