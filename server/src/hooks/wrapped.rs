//! What the three hooks around a call have in common, whatever they wrap.

use super::HookId;
use crate::{
    engine::{Context, Next, Variables, WrapError},
    middleware::Middleware,
};
use futures::future::BoxFuture;
use sidehook_proto::{HookResponse, InvalidField, v1};
use std::sync::Arc;

/// What a link's work on a wrapped call gives: the result, or why there is none.
pub type Wrapping<'a, R> = BoxFuture<'a, Result<Arc<R>, WrapError>>;

/// What a link handed to `next`, after it was checked against the hook's limits.
#[derive(Debug)]
pub enum HandedOn<C, R> {
    /// The links inside get this call.
    Call(Arc<C>),
    /// The call cannot be made; the link that asked gets this result.
    Answer(Arc<R>),
}

/// What the runtime sends.
#[derive(Debug)]
pub enum Incoming<W: Wrapped> {
    /// The call opens.
    Open(W::Open),
    /// A piece of what a real call streams.
    Delta {
        /// The real call.
        invocation: i32,
        /// The piece's number within it.
        sequence: i64,
        /// The piece.
        delta: W::Delta,
    },
    /// A real call succeeded.
    End {
        /// The real call.
        invocation: i32,
        /// Its result, if it was sent.
        result: Option<W::Result>,
    },
    /// A real call failed.
    Failed(v1::CallFailed),
}

/// What opening a call says.
#[derive(Debug)]
pub struct Opened<C> {
    /// Who asks and on whose behalf.
    pub context: v1::HookContext,
    /// The call.
    pub call: Arc<C>,
    /// Whether its result is streamed to somebody.
    pub streaming: bool,
    /// What conditions see beside the context.
    pub variables: Variables,
}

/// A request for a real call.
#[derive(Debug)]
pub struct NextCall<'a, C> {
    /// The real call's number.
    pub invocation: i32,
    /// The call, unless it is the one that was opened.
    pub call: Option<&'a C>,
    /// The call as it was opened.
    pub opened: &'a C,
    /// What the runtime does with streamed text.
    pub relay: v1::Relay,
    /// Whether a link looks at the result.
    pub answer_needed: bool,
}

/// A hook around a call. Its links nest, the first outermost.
pub trait Wrapped: Sized + Send + Sync + std::fmt::Debug + 'static {
    /// Its name.
    const ID: HookId;
    /// The `stage` that conditions see.
    const STAGE: &'static str = "";
    /// Whether an error after `next` succeeded is logged, and the original
    /// result is returned.
    const KEEPS_RESULT: bool = false;
    /// What a changed call is called in reports.
    const CALL: &'static str;
    /// What a changed result is called in reports.
    const RESULT: &'static str;

    /// A frame from the runtime.
    type Request: prost::Message + Default + 'static;
    /// A frame to the runtime.
    type Response: prost::Message + Default + 'static;
    /// The frame that opens the call.
    type Open: Send + std::fmt::Debug;
    /// What is wrapped.
    type Call: prost::Message + Default + Clone + PartialEq + Send + Sync + 'static;
    /// A piece of a streamed result.
    type Delta: prost::Message + Default + Clone + Send + Sync + 'static;
    /// What the call results in.
    type Result: prost::Message + Default + Clone + PartialEq + Send + Sync + 'static;
    /// The frame that ends the call.
    type Finished: HookResponse;

    /// Reads a frame.
    ///
    /// # Errors
    ///
    /// The field that breaks the contract.
    fn read(request: Self::Request) -> Result<Incoming<Self>, InvalidField>;

    /// Reads the frame that opens the call.
    fn opened(open: Self::Open) -> Opened<Self::Call>;

    /// The frame that asks for a real call.
    fn next(next: NextCall<'_, Self::Call>) -> Self::Response;

    /// The frame that releases a piece of text.
    fn emit(delta: Self::Delta) -> Self::Response;

    /// The frame that says that the call is being worked on.
    fn keep_alive() -> Self::Response;

    /// The frame that ends the call.
    fn finish(finished: Self::Finished, by: v1::AnsweredBy) -> Self::Response;

    /// The answer; `None` is the real call's result, unchanged.
    fn answer(result: Option<Self::Result>) -> <Self::Finished as HookResponse>::Answer;

    /// Asks a middleware.
    fn wrap<'a>(
        middleware: &'a dyn Middleware,
        context: &'a Context<'a>,
        call: Arc<Self::Call>,
        next: &'a Next<'a, Self>,
    ) -> Wrapping<'a, Self::Result>;

    /// Checks what a link hands on, given what it got.
    ///
    /// # Errors
    ///
    /// What the link must not change. That is a fault of the link.
    fn hand_on(
        got: &Arc<Self::Call>,
        handed: Arc<Self::Call>,
    ) -> Result<HandedOn<Self::Call, Self::Result>, String>;
}
