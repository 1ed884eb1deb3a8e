//! Stored answers of unary hook calls, so that a repeat runs no middleware
//! twice.

use crate::hooks::HookId;
use parking_lot::Mutex;
use std::{any::Any, collections::VecDeque, fmt, sync::Arc};
use tokio::sync::OnceCell;

/// So many answers of a run are kept. A repeat comes at once or never, so this
/// bounds the calls that run side by side, not the length of a run.
const MAX_STORED: usize = 256;

/// An answer of whatever hook.
type Stored = Arc<dyn Any + Send + Sync>;

/// A call's answer: empty while it runs.
type Cell = Arc<OnceCell<Stored>>;

/// The answers of one run.
#[derive(Default)]
pub struct Answers {
    cells: Mutex<VecDeque<(HookId, Box<str>, Cell)>>,
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("count", &self.cells.lock().len()).finish()
    }
}

impl Answers {
    /// The stored answer of the call `id` of `hook`, or what `work` gives, which
    /// is stored. A repeat that comes while the call runs waits for it.
    ///
    /// # Errors
    ///
    /// What `work` fails with; that is not stored.
    ///
    /// # Cancel safety
    ///
    /// When the call is dropped while it runs, a repeat that waits runs it anew.
    pub async fn once<T, E>(
        &self,
        hook: HookId,
        id: &str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E>
    where
        T: Clone + Send + Sync + 'static,
    {
        let cell = self.cell(hook, id);
        let mut fresh = None;
        let stored = cell
            .get_or_try_init(async || {
                let answer = work.await?;
                fresh = Some(answer.clone());
                Ok::<Stored, E>(Arc::new(answer))
            })
            .await?;
        // The type belongs to the hook, so it cannot differ for the same cell.
        match (fresh, stored.downcast_ref::<T>()) {
            (Some(answer), _) => Ok(answer),
            (None, Some(answer)) => Ok(answer.clone()),
            (None, None) => unreachable!("a hook has one answer type"),
        }
    }

    fn cell(&self, hook: HookId, id: &str) -> Cell {
        let mut cells = self.cells.lock();
        let same = |(of, call, _): &&(HookId, Box<str>, Cell)| *of == hook && **call == *id;
        if let Some((.., cell)) = cells.iter().find(same) {
            return Arc::clone(cell);
        }
        if cells.len() == MAX_STORED {
            cells.pop_front();
        }
        let cell = Cell::default();
        cells.push_back((hook, id.into(), Arc::clone(&cell)));
        cell
    }
}
