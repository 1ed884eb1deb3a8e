//! Audit mode around a call: the link runs, and nothing depends on it.

use super::{
    next::{Inner, Trail, WrapError},
    onion::{Onion, Said, accept},
    sink::Outlet,
};
use crate::{
    engine::{
        Link,
        run::{warn, would_fault},
    },
    hooks::Wrapped,
};
use futures::join;
use sidehook_proto::v1::StepOutcome;
use std::sync::Arc;
use tokio::sync::SetOnce;

/// The call that is made whatever the audited link does: its `next` makes none,
/// and waits for this one.
pub(super) struct Audited<W: Wrapped> {
    asked: SetOnce<()>,
    result: SetOnce<Result<Arc<W::Result>, Inner>>,
}

impl<W: Wrapped> Default for Audited<W> {
    fn default() -> Self {
        Self { asked: SetOnce::new(), result: SetOnce::new() }
    }
}

impl<W: Wrapped> Audited<W> {
    /// The call is to be made now.
    fn go_on(&self) {
        let _already = self.asked.set(());
    }

    /// What the call comes to.
    pub(super) async fn result(&self) -> Result<Arc<W::Result>, Inner> {
        self.go_on();
        self.result.wait().await.clone()
    }
}

impl<W: Wrapped> Onion<'_, W> {
    /// Asks a link in audit mode while the call goes on without it: the call is
    /// made once, as it came, whatever the link does with `next`.
    pub(super) async fn audit(
        &self,
        link: &Link,
        depth: usize,
        call: Arc<W::Call>,
        outlet: Option<&Outlet<'_, W>>,
    ) -> Result<Arc<W::Result>, Inner> {
        let audited = Arc::new(Audited::default());
        let trail = Trail::new(Some(Arc::clone(&audited)));
        let asked = async {
            let said = self.ask(link, depth, &call, outlet, &trail).await;
            audited.go_on();
            said
        };
        let real = async {
            audited.asked.wait().await;
            let result = self.descend(depth + 1, Arc::clone(&call), outlet).await;
            let _once = audited.result.set(result.clone());
            result
        };
        let (Said { result: said, mut step, .. }, result) = join!(asked, real);
        step.would_have = Some(match said {
            Ok(said) => {
                accept(&mut step, &trail.state.lock(), &said);
                std::mem::replace(&mut step.outcome, StepOutcome::NoOpinion)
            }
            Err(WrapError::Tripwire(_)) => StepOutcome::Tripped,
            Err(WrapError::Inner(_)) => StepOutcome::NoOpinion,
            Err(WrapError::Fault(fault)) => {
                link.counters.failed();
                let policy = link.on_fault.at(W::ID);
                warn(link, W::ID, self.call, &fault, policy);
                step.fault = Some(fault);
                would_fault(policy)
            }
        });
        self.notes.step(self.place(depth), step);
        result
    }
}
