//! A sidecar that starts later than its application.

use crate::support::{Call, Sidecar};
use sidehook_client::Client;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tonic::Status;
use tonic_health::pb::{HealthCheckResponse, health_check_response::ServingStatus};

const LONG: Duration = Duration::from_secs(30);

fn health(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

#[tokio::test]
async fn an_application_may_start_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let client = Client::connect(&format!("unix://{}", path.display())).unwrap();
    let sidecar = async {
        tokio::task::yield_now().await;
        Sidecar::at(&path, |call: Call| async move { call.send(&health(ServingStatus::Serving)) })
    };
    let (waited, _sidecar) = tokio::join!(client.wait_for_sidecar(LONG), sidecar);
    waited.unwrap();
}

#[tokio::test]
async fn a_sidecar_that_does_not_serve_yet_is_waited_for() {
    let checks = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&checks);
    let sidecar = Sidecar::new(move |call: Call| {
        let status = match counted.fetch_add(1, Ordering::Relaxed) {
            0 => ServingStatus::NotServing,
            _ => ServingStatus::Serving,
        };
        async move { call.send(&health(status)) }
    });
    sidecar.client().wait_for_sidecar(LONG).await.unwrap();
    assert_eq!(checks.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_sidecar_without_a_health_service_counts_as_serving() {
    let sidecar =
        Sidecar::new(|call: Call| async move { call.refuse(Status::unimplemented("no health")) });
    sidecar.client().wait_for_sidecar(LONG).await.unwrap();
}

#[tokio::test]
async fn waiting_ends_and_says_what_was_found() {
    let client = Client::connect("unix:///nonexistent/sidehook.sock").unwrap();
    let error = client.wait_for_sidecar(Duration::from_millis(20)).await.unwrap_err();
    assert!(error.is_unreachable());
    assert_eq!(error.to_string(), "the sidecar does not serve after 20ms");

    let sidecar =
        Sidecar::new(|call: Call| async move { call.send(&health(ServingStatus::NotServing)) });
    let waited = sidecar.client().wait_for_sidecar(Duration::from_millis(20)).await;
    assert!(!waited.unwrap_err().is_unreachable());
}
