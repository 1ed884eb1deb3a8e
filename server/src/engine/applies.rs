//! Whether a link applies to a call: its `when`, and its own `enabled`.

use super::{Context, Link, timed};
use crate::hooks::{Hook, HookId};
use std::time::Duration;

/// Whether the link's conditions hold. One that fails counts as false. `enabled`
/// is bounded in time like the hook itself.
///
/// Source: document 001, "enabled".
pub(super) async fn applies_to(
    link: &Link,
    context: &Context<'_>,
    hook: HookId,
    stage: &'static str,
    default: Duration,
) -> bool {
    if let Some(when) = &link.when {
        match when.holds(context.run(), hook, stage, context.variables()) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => {
                let (middleware, hook) = (&*link.name, hook.name());
                tracing::warn!(middleware, hook, %error, "condition failed; counted as false");
                return false;
            }
        }
    }
    if !link.middleware.gates() {
        return true;
    }
    let ask = || link.middleware.enabled(context, stage);
    let enabled = timed::within(link.timeout(default), ask).await;
    enabled.unwrap_or_else(|fault| {
        let (middleware, hook) = (&*link.name, hook.name());
        tracing::warn!(middleware, hook, %fault, "`enabled` failed; counted as false");
        false
    })
}

/// As [`applies_to`], for a unary hook. A link without conditions costs nothing.
pub(super) async fn applies<H: Hook>(
    link: &Link,
    context: &Context<'_>,
    default: Duration,
) -> bool {
    if link.when.is_none() && !link.middleware.gates() {
        return true;
    }
    applies_to(link, context, H::ID, H::STAGE, default).await
}
