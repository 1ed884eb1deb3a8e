//! Chains of native middleware that do as little as a middleware can.

use async_trait::async_trait;
use sidehook_proto::v1;
use sidehook_server::{
    engine::{Chains, Context, Link, Next},
    hooks::{HookId, HookSet, WrapModelCall},
    middleware::{Middleware, Reply, Wrapped},
};
use std::{hint::black_box, sync::Arc, time::Duration};

/// How long a link may take, as in the default configuration.
const TIMEOUT: Duration = Duration::from_secs(5);

/// No link at all.
pub(crate) fn none() -> Chains {
    Chains::new(Vec::new(), TIMEOUT)
}

/// `readers` links that read a field, and then one that changes it if `changes`.
pub(crate) fn chain(readers: usize, changes: bool) -> Chains {
    let reader = |n| Link::new(&format!("reader-{n}"), "native", Arc::new(Reader));
    let mut links: Vec<Link> = (0..readers).map(reader).collect();
    if changes {
        links.push(Link::new("writer", "native", Arc::new(Writer)));
    }
    Chains::new(links, TIMEOUT)
}

/// Reads one field and has no opinion.
#[derive(Debug)]
struct Reader;

/// Replaces the text of a message.
#[derive(Debug)]
struct Writer;

#[async_trait]
impl Middleware for Reader {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::UserMessageInbound, HookId::WrapModelCall])
    }

    async fn user_message_inbound(
        &self,
        _: &Context<'_>,
        request: &v1::UserMessageInboundRequest,
    ) -> Reply<v1::UserMessageInboundAnswer> {
        black_box(request.text.starts_with("secret"));
        Ok(v1::UserMessageInboundAnswer::default().into())
    }

    async fn wrap_model_call(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        black_box(call.model.starts_with("secret"));
        next.run(call).await
    }
}

#[async_trait]
impl Middleware for Writer {
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::UserMessageInbound])
    }

    async fn user_message_inbound(
        &self,
        _: &Context<'_>,
        request: &v1::UserMessageInboundRequest,
    ) -> Reply<v1::UserMessageInboundAnswer> {
        let text = Some(format!("{}\n\nBe kind.", request.text));
        Ok(v1::UserMessageInboundAnswer { text }.into())
    }
}
