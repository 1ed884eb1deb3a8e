//! A sidecar of one's own: middleware written in Rust beside the kinds that ship.
//!
//! ```text
//! cargo run -p sidehook-server --example custom_middleware
//! grpcurl -plaintext -d '{"context": {"run_id": "r1"}, "tool_call": {"name": "search"}}' \
//!     127.0.0.1:50051 sidehook.v1.RunHooks/BeforeToolCall
//! ```
//!
//! The fourth call of the run is denied.

use async_trait::async_trait;
use sidehook_proto::v1;
use sidehook_server::{
    config::Address,
    engine::{Chains, Context, Link},
    hooks::{HookId, HookSet},
    middleware::{Middleware, Reply},
    runs::{Bounds, MemoryStore, StateBounds},
    service::{Limits, Listener, Server, Sidecar},
};
use std::{error::Error, sync::Arc, time::Duration};

/// Denies tool calls of a run beyond a number.
#[derive(Debug)]
struct CallLimit {
    calls: i64,
}

#[async_trait]
impl Middleware for CallLimit {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::BeforeToolCall])
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        _: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        // Atomic, so that parallel calls are all counted; freed with the run.
        let count = context.own().add("calls", 1).await?;
        if count <= self.calls {
            return Ok(v1::BeforeToolCallAnswer::default().into());
        }
        let answer = v1::BeforeToolCallAnswer {
            decision: v1::ToolDecision::Deny.into(),
            reason: format!("this run may call tools {} times", self.calls),
            ..v1::BeforeToolCallAnswer::default()
        };
        Ok(answer.into())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let limit = Link::new("call-limit", "call_limit", Arc::new(CallLimit { calls: 3 }));
    let chains = Chains::new(vec![limit], Duration::from_secs(5));

    let bounds = Bounds {
        idle_ttl: Duration::from_secs(30 * 60),
        max_age: Duration::from_secs(24 * 3600),
        max_runs: 100_000,
    };
    let state = MemoryStore::new(StateBounds { value_bytes: 64 << 10, run_bytes: 1 << 20 });
    let sidecar = Sidecar::new(Limits::default(), bounds, Arc::new(state));

    let address = Address::Tcp { host: "127.0.0.1".into(), port: 50051 };
    let server = Server::start(Arc::clone(&sidecar), vec![Listener::bind(&address).await?]).await?;
    sidecar.install(chains, "custom");
    server.ready().await;

    tokio::signal::ctrl_c().await?;
    server.stop(Duration::from_secs(5)).await;
    Ok(())
}
