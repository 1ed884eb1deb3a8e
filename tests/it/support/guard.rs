//! Middleware whose behaviour is a closure.

use async_trait::async_trait;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use sidehook_proto::{Outcome, v1};
use sidehook_server::{
    engine::{Context, Fault, Link, Next},
    hooks::{HookId, HookSet, WrapModelCall},
    middleware::{AnyAnswer, AnyRequest, Middleware, Wrapped},
};
use std::{fmt, sync::Arc};

/// What a guard says at a unary hook.
pub(crate) type Said = Result<Outcome<AnyAnswer>, Fault>;

pub(crate) fn no_opinion() -> Said {
    Ok(Outcome::none())
}

/// An answer by the names of its fields.
pub(crate) fn answer(fields: Value) -> Said {
    let Value::Object(fields) = fields else { panic!("an answer is an object") };
    Ok(Outcome::Answer(AnyAnswer(fields)))
}

/// A guard at `hooks` that says what `says` says of the request's fields.
pub(crate) fn guard(
    name: &str,
    hooks: &[HookId],
    says: impl Fn(&Context<'_>, Map<String, Value>) -> Said + Send + Sync + 'static,
) -> Link {
    slow_guard(name, hooks, move |context, fields| {
        let said = says(context, fields);
        Box::pin(async { said })
    })
}

/// A guard that takes its time.
pub(crate) fn slow_guard(
    name: &str,
    hooks: &[HookId],
    says: impl Fn(&Context<'_>, Map<String, Value>) -> BoxFuture<'static, Said> + Send + Sync + 'static,
) -> Link {
    let guard = Guard { hooks: HookSet::of(hooks), says: Box::new(says) };
    Link::new(name, "test", Arc::new(guard))
}

type Says = dyn Fn(&Context<'_>, Map<String, Value>) -> BoxFuture<'static, Said> + Send + Sync;

struct Guard {
    hooks: HookSet,
    says: Box<Says>,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}

#[async_trait]
impl Middleware for Guard {
    fn hooks(&self) -> HookSet {
        self.hooks
    }

    async fn any(&self, context: &Context<'_>, request: &dyn AnyRequest) -> Said {
        (self.says)(context, request.fields()).await
    }
}

/// What a link around a model call does.
pub(crate) type Around<'a> = BoxFuture<'a, Wrapped<v1::ChatResponse>>;

/// A link around model calls.
pub(crate) fn around<F>(name: &str, wrap: F) -> Link
where
    F: for<'a> Fn(Arc<v1::ModelCall>, &'a Next<'_, WrapModelCall>) -> Around<'a>
        + Send
        + Sync
        + 'static,
{
    Link::new(name, "test", Arc::new(Wrapper(wrap)))
}

struct Wrapper<F>(F);

impl<F> fmt::Debug for Wrapper<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wrapper").finish_non_exhaustive()
    }
}

#[async_trait]
impl<F> Middleware for Wrapper<F>
where
    F: for<'a> Fn(Arc<v1::ModelCall>, &'a Next<'_, WrapModelCall>) -> Around<'a>
        + Send
        + Sync
        + 'static,
{
    fn hooks(&self) -> HookSet {
        HookSet::of(&[HookId::WrapModelCall])
    }

    async fn wrap_model_call(
        &self,
        _: &Context<'_>,
        call: Arc<v1::ModelCall>,
        next: &Next<'_, WrapModelCall>,
    ) -> Wrapped<v1::ChatResponse> {
        (self.0)(call, next).await
    }
}
