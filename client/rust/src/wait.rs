//! Waits for a sidecar that starts later than its application.

use crate::{Client, Error};
use std::time::Duration;
use tokio::time::{sleep, timeout};
use tonic::{Code, Request};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

/// A sidecar listens within 50 ms, so the first pauses are short.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How long one check may take before the next one is tried.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

impl Client {
    /// Waits until the sidecar says that it is serving, for at most `limit`.
    ///
    /// Call it before the first run where the sidecar is required: a run must not start without
    /// its guards. A sidecar that has no health service counts as serving.
    ///
    /// # Errors
    ///
    /// The sidecar does not serve after `limit`; the source is what the last check found.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops waiting.
    pub async fn wait_for_sidecar(&self, limit: Duration) -> Result<(), Error> {
        let mut last = None;
        let serves = async {
            let mut pause = FIRST_PAUSE;
            loop {
                match timeout(CHECK_TIMEOUT, self.check()).await {
                    Ok(Ok(())) => return,
                    Ok(Err(error)) => last = Some(error),
                    Err(_) => last = Some(Error::deadline()),
                }
                sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        };
        match timeout(limit, serves).await {
            Ok(()) => Ok(()),
            Err(_) => Err(Error::not_serving(limit, last)),
        }
    }

    async fn check(&self) -> Result<(), Error> {
        let mut health = HealthClient::new(self.channel());
        match health.check(Request::new(HealthCheckRequest::default())).await {
            Ok(response) => match response.into_inner().status() {
                ServingStatus::Serving => Ok(()),
                ServingStatus::Unknown
                | ServingStatus::NotServing
                | ServingStatus::ServiceUnknown => Err(Error::not_serving(Duration::ZERO, None)),
            },
            Err(status) if status.code() == Code::Unimplemented => Ok(()),
            Err(status) => Err(Error::from_status(status)),
        }
    }
}
