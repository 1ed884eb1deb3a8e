//! A sidecar that starts: health, reflection, and what it says before it has chains.

use crate::support::{Runtime, Sidecar, refusal};
use serde_json::json;
use std::sync::Arc;
use tokio_stream::StreamExt;
use tonic::Code;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

const SERVICES: [&str; 4] = [
    "sidehook.v1.Admin",
    "sidehook.v1.CallHooks",
    "sidehook.v1.PlatformHooks",
    "sidehook.v1.RunHooks",
];

async fn health(runtime: &Runtime, service: &str) -> Result<ServingStatus, Code> {
    let request = HealthCheckRequest { service: service.into() };
    let checked = HealthClient::new(runtime.channel()).check(request).await;
    checked.map(|response| response.into_inner().status()).map_err(|status| status.code())
}

async fn check_health(runtime: &Runtime, expected: ServingStatus) {
    for service in [""].iter().chain(&SERVICES) {
        assert_eq!(health(runtime, service).await, Ok(expected), "{service}");
    }
}

#[tokio::test]
async fn a_sidecar_serves_once_its_chains_are_in_force() {
    let mut sidecar = Sidecar::with("").without_chains().start().await;
    let runtime = sidecar.runtime();
    check_health(&runtime, ServingStatus::NotServing).await;
    let refused = runtime.ask("before_run", json!({})).await.unwrap_err();
    assert_eq!(refusal(&refused), "Unavailable STARTING");
    let mut call = runtime.open("wrap_model_call").await;
    call.send(json!({"open": {"call": {}}}));
    assert_eq!(refusal(&call.error().await), "Unavailable STARTING");

    sidecar.inner.install(sidecar.chains.take().unwrap(), "hash");
    sidecar.server.ready().await;
    check_health(&runtime, ServingStatus::Serving).await;
    runtime.ask("before_run", json!({})).await.unwrap();
}

#[tokio::test]
async fn health_knows_the_whole_and_its_services_and_nothing_else() {
    let sidecar = Sidecar::with("").on_tcp().start().await;
    let runtime = sidecar.runtime();
    check_health(&runtime, ServingStatus::Serving).await;
    assert_eq!(health(&runtime, "sidehook.v1.Nothing").await, Err(Code::NotFound));
}

#[tokio::test]
async fn who_watches_health_hears_of_the_drain() {
    let sidecar = Sidecar::with("").start().await;
    let mut client = HealthClient::new(sidecar.runtime().channel());
    let watched = client.watch(HealthCheckRequest::default()).await.unwrap();
    let mut watched = watched.into_inner();
    let mut next = async || watched.next().await.unwrap().unwrap().status();
    assert_eq!(next().await, ServingStatus::Serving);
    let inner = Arc::clone(&sidecar.inner);
    let stopped = sidecar.server.stop(std::time::Duration::from_secs(5));
    let (status, ()) = tokio::join!(next(), stopped);
    assert_eq!(status, ServingStatus::NotServing);
    assert!(inner.is_draining());
}

/// Lists the services by one version of reflection, and finds a message by another of its
/// questions.
macro_rules! reflected {
    ($version:ident, $runtime:expr) => {{
        use tonic_reflection::pb::$version::{
            ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
            server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
        };
        let ask = |question| ServerReflectionRequest {
            host: String::new(),
            message_request: Some(question),
        };
        let symbol = "sidehook.v1.BeforeToolCallRequest".to_owned();
        let questions = [
            ask(MessageRequest::ListServices(String::new())),
            ask(MessageRequest::FileContainingSymbol(symbol)),
        ];
        let mut client = ServerReflectionClient::new($runtime.channel());
        let answers = client.server_reflection_info(tokio_stream::iter(questions)).await.unwrap();
        let answers: Vec<_> = answers.into_inner().collect::<Vec<_>>().await;
        let mut answers =
            answers.into_iter().map(|answer| answer.unwrap().message_response.unwrap());
        let Some(MessageResponse::ListServicesResponse(list)) = answers.next() else { panic!() };
        let Some(MessageResponse::FileDescriptorResponse(file)) = answers.next() else { panic!() };
        assert!(!file.file_descriptor_proto.is_empty());
        let mut names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
        names.sort();
        names
    }};
}

#[tokio::test]
async fn both_versions_of_reflection_list_every_service() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for names in [reflected!(v1, runtime), reflected!(v1alpha, runtime)] {
        for service in SERVICES.into_iter().chain(["grpc.health.v1.Health"]) {
            assert!(names.iter().any(|name| name == service), "{service} is not in {names:?}");
        }
    }
}

#[tokio::test]
async fn a_method_that_does_not_exist_is_unimplemented() {
    let sidecar = Sidecar::with("").start().await;
    let runtime = sidecar.runtime();
    for path in ["sidehook.v1.RunHooks/Nothing", "nothing.v1.Nothing/Nothing"] {
        let refused = runtime.send(path, Vec::new()).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unimplemented, "{path}");
    }
}
