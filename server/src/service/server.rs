//! The life of the server: listen, serve, drain, stop.

use super::{DecodeErrorLayer, Listener, Service, Sidecar, deadline};
use sidehook_proto::{
    FILE_DESCRIPTOR_SET,
    v1::{
        admin_server::AdminServer, call_hooks_server::CallHooksServer,
        platform_hooks_server::PlatformHooksServer, run_hooks_server::RunHooksServer,
    },
};
use std::{sync::Arc, time::Duration};
use tokio::{
    task::JoinSet,
    time::{Instant, timeout, timeout_at},
};
use tokio_stream::wrappers::UnixListenerStream;
use tokio_util::sync::CancellationToken;
use tonic::{body::Body, service::Routes, transport};
use tonic_health::{ServingStatus, server::HealthReporter};
use tower::util::MapRequestLayer;

/// The services that health speaks for, beside the whole.
const SERVICES: [&str; 4] = [
    "sidehook.v1.RunHooks",
    "sidehook.v1.CallHooks",
    "sidehook.v1.PlatformHooks",
    "sidehook.v1.Admin",
];

/// A connection that says nothing for so long is asked whether it is there.
const PING_AFTER: Duration = Duration::from_secs(60);

/// After the drain, connections get so long to close by themselves.
const CLOSE_WITHIN: Duration = Duration::from_millis(500);

/// How often runs are looked at that were idle or open for too long.
const SWEEP_EVERY: Duration = Duration::from_secs(5);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    sidecar: Arc<Sidecar>,
    health: HealthReporter,
    stop: CancellationToken,
    serving: JoinSet<Result<(), transport::Error>>,
}

impl Server {
    /// Serves `sidecar` on `listeners`. Health says `NOT_SERVING` until chains
    /// are in force; see [`Server::ready`].
    ///
    /// # Errors
    ///
    /// The reflection service does not accept the contract, which is a bug.
    pub async fn start(
        sidecar: Arc<Sidecar>,
        listeners: Vec<Listener>,
    ) -> Result<Self, tonic_reflection::server::Error> {
        let (health, health_service) = tonic_health::server::health_reporter();
        let server = Self {
            sidecar: Arc::clone(&sidecar),
            health,
            stop: CancellationToken::new(),
            serving: JoinSet::new(),
        };
        server.set_health(ServingStatus::NotServing).await;
        let routes = routes(&sidecar)?.add_service(health_service);
        let mut server = server;
        for listener in listeners {
            server.listen(listener, routes.clone());
        }
        let (stop, swept) = (server.stop.clone(), sidecar);
        server.serving.spawn(async move {
            let mut tick = tokio::time::interval(SWEEP_EVERY);
            while stop.run_until_cancelled(tick.tick()).await.is_some() {
                swept.sweep();
            }
            Ok(())
        });
        Ok(server)
    }

    /// Says that the chains are in force.
    pub async fn ready(&self) {
        self.set_health(ServingStatus::Serving).await;
    }

    /// Drains and stops: refuses new runs, lets open runs and streams finish,
    /// and returns within about `deadline`, also when a client hangs.
    pub async fn stop(mut self, deadline: Duration) {
        let until = Instant::now() + deadline;
        self.set_health(ServingStatus::NotServing).await;
        self.sidecar.drain();
        if timeout_at(until, self.sidecar.drained()).await.is_err() {
            let open_runs = self.sidecar.runs().len();
            tracing::warn!(open_runs, "the drain deadline passed; what is open is dropped");
        }
        self.stop.cancel();
        let closed = async { while self.serving.join_next().await.is_some() {} };
        if timeout(CLOSE_WITHIN, closed).await.is_err() {
            // A client hangs. Its connection goes, and the socket's file with it.
            self.serving.shutdown().await;
        }
    }

    fn listen(&mut self, listener: Listener, routes: Routes) {
        let stop = self.stop.clone().cancelled_owned();
        let router = transport::Server::builder()
            .tcp_nodelay(true)
            .http2_keepalive_interval(Some(PING_AFTER))
            .layer(MapRequestLayer::new(deadline::start::<Body>))
            .layer(DecodeErrorLayer)
            .add_routes(routes);
        match listener {
            Listener::Tcp(socket) => {
                let incoming = transport::server::TcpIncoming::from(socket);
                self.serving.spawn(router.serve_with_incoming_shutdown(incoming, stop));
            }
            Listener::Unix(socket, file) => {
                self.serving.spawn(async move {
                    let incoming = UnixListenerStream::new(socket);
                    let served = router.serve_with_incoming_shutdown(incoming, stop).await;
                    drop(file);
                    served
                });
            }
        }
    }

    async fn set_health(&self, status: ServingStatus) {
        for service in [""].iter().chain(&SERVICES) {
            self.health.set_service_status(service, status).await;
        }
    }
}

fn routes(sidecar: &Arc<Sidecar>) -> Result<Routes, tonic_reflection::server::Error> {
    let service = Service(Arc::clone(sidecar));
    let limit = sidecar.limits().message_bytes;
    // tonic's own limit on what is sent is one that nothing reaches: an answer
    // over ours is refused with its size before it is encoded.
    macro_rules! sized {
        ($server:ident) => {
            $server::new(service.clone())
                .max_decoding_message_size(limit)
                .max_encoding_message_size(usize::MAX)
        };
    }
    let mut routes = Routes::new(sized!(RunHooksServer));
    routes = routes.add_service(sized!(CallHooksServer));
    routes = routes.add_service(sized!(PlatformHooksServer)).add_service(sized!(AdminServer));
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            // So that grpcurl can show the reason of an error.
            .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
    };
    // Older tools ask for v1alpha only.
    Ok(routes.add_service(reflection().build_v1()?).add_service(reflection().build_v1alpha()?))
}
