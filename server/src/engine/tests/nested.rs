//! A middleware that is a chain: one middleware's answer and the chain's are the
//! same message.

use super::{asked::state, scripted::FIVE_SECONDS};
use crate::{
    engine::{Call, Chains, Context, Detail, Link, run},
    hooks::{self, Hook, HookId, HookSet},
    middleware::{Middleware, Reply},
};
use async_trait::async_trait;
use sidehook_proto::v1;
use std::sync::Arc;

/// A chain of links as one middleware.
#[derive(Debug)]
pub(super) struct Nested(Chains);

impl Nested {
    pub(super) fn of(links: Vec<Link>) -> Arc<Self> {
        Arc::new(Self(Chains::new(links, FIVE_SECONDS)))
    }

    async fn ask<H: Hook>(&self, context: &Context<'_>, request: &H::Request) -> Reply<H::Answer> {
        let (context_of, state) = (context.run().clone(), state());
        let call = Call {
            hook: H::ID,
            context: context_of,
            state,
            deadline: context.deadline(),
            variables: context.variables().clone(),
        };
        let links = self.0.select(H::ID, &call.context);
        let (mut request, timeout) = (request.clone(), self.0.timeout(H::ID));
        let ran = run::<H>(&links, &call, &mut request, timeout, Detail::Outcome).await;
        context.extend_effects(ran.effects);
        Ok(ran.outcome)
    }
}

#[async_trait]
impl Middleware for Nested {
    fn hooks(&self) -> HookSet {
        HookId::ALL.into_iter().collect()
    }

    async fn before_run(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeRunRequest,
    ) -> Reply<v1::BeforeRunAnswer> {
        self.ask::<hooks::BeforeRun>(context, request).await
    }

    async fn after_model(
        &self,
        context: &Context<'_>,
        request: &v1::AfterModelRequest,
    ) -> Reply<v1::AfterModelAnswer> {
        self.ask::<hooks::AfterModel>(context, request).await
    }

    async fn before_tool_call(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeToolCallRequest,
    ) -> Reply<v1::BeforeToolCallAnswer> {
        self.ask::<hooks::BeforeToolCall>(context, request).await
    }

    async fn decide_approval(
        &self,
        context: &Context<'_>,
        request: &v1::DecideApprovalRequest,
    ) -> Reply<v1::DecideApprovalAnswer> {
        self.ask::<hooks::DecideApproval>(context, request).await
    }

    async fn before_stop(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeStopRequest,
    ) -> Reply<v1::BeforeStopAnswer> {
        self.ask::<hooks::BeforeStop>(context, request).await
    }

    async fn before_compaction(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeCompactionRequest,
    ) -> Reply<v1::BeforeCompactionAnswer> {
        self.ask::<hooks::BeforeCompaction>(context, request).await
    }

    async fn before_model_switch(
        &self,
        context: &Context<'_>,
        request: &v1::BeforeModelSwitchRequest,
    ) -> Reply<v1::BeforeModelSwitchAnswer> {
        self.ask::<hooks::BeforeModelSwitch>(context, request).await
    }

    async fn transform(
        &self,
        context: &Context<'_>,
        request: &v1::TransformRequest,
    ) -> Reply<v1::TransformAnswer> {
        self.ask::<hooks::Transform>(context, request).await
    }

    async fn companion_speech(
        &self,
        context: &Context<'_>,
        request: &v1::CompanionSpeechRequest,
    ) -> Reply<v1::CompanionSpeechAnswer> {
        self.ask::<hooks::CompanionSpeech>(context, request).await
    }

    async fn user_message_inbound(
        &self,
        context: &Context<'_>,
        request: &v1::UserMessageInboundRequest,
    ) -> Reply<v1::UserMessageInboundAnswer> {
        self.ask::<hooks::UserMessageInbound>(context, request).await
    }
}
