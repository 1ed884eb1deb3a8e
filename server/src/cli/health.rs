//! `sidehook health`: asks a sidecar whether it serves, for probes.

use super::{Failed, block_on, output};
use std::time::Duration;
use tonic::transport::Endpoint;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

/// Asks a sidecar whether it serves. Exits with 0 if it does and with 1 if it
/// does not or cannot be reached, so that it can be a Kubernetes probe.
#[derive(Debug, clap::Args)]
pub(super) struct Health {
    /// Where the sidecar listens: `http://127.0.0.1:50051` or
    /// `unix:///run/sidehook/sidehook.sock`.
    #[arg(long, value_name = "ADDRESS", default_value = "http://127.0.0.1:50051")]
    address: String,

    /// One service, for example `sidehook.v1.RunHooks`; the whole when absent.
    #[arg(long, value_name = "NAME", default_value = "")]
    service: String,

    /// How long to wait for the answer, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    timeout: f64,
}

impl Health {
    pub(super) fn run(self) -> Result<(), Failed> {
        let limit = Duration::try_from_secs_f64(self.timeout)
            .map_err(|error| Failed::usage(format!("--timeout: {error}")))?;
        let asked = async {
            tokio::time::timeout(limit, self.ask())
                .await
                .unwrap_or_else(|_| Err(Failed::new(format!("{} does not answer", self.address))))
        };
        let status = block_on(asked)?;
        if status != ServingStatus::Serving {
            return Err(Failed::new(status.as_str_name()));
        }
        Ok(output::print(status.as_str_name())?)
    }

    async fn ask(&self) -> Result<ServingStatus, Failed> {
        let cannot = |error: &dyn std::fmt::Display| {
            Failed::new(format!("cannot reach {}: {error}", self.address))
        };
        let with_scheme = if self.address.contains("://") {
            self.address.clone()
        } else {
            format!("http://{}", self.address)
        };
        let endpoint = Endpoint::from_shared(with_scheme)
            .map_err(|error| Failed::usage(format!("--address: {error}")))?;
        let channel = endpoint.connect().await.map_err(|error| cannot(&error))?;
        let request = HealthCheckRequest { service: self.service.clone() };
        let answer = HealthClient::new(channel)
            .check(request)
            .await
            .map_err(|status| Failed::new(format!("{}: {}", status.code(), status.message())))?;
        Ok(answer.into_inner().status())
    }
}
