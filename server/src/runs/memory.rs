//! Run state in this process's memory.

use super::{RunState, Scope, StateBounds, StateError, StateStore};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::Value;
use std::{collections::HashMap, sync::Arc};

/// Keeps state in memory. A run that stores nothing costs a few words.
#[derive(Debug)]
pub struct MemoryStore {
    bounds: StateBounds,
}

impl MemoryStore {
    /// A store with `bounds` for each run.
    #[must_use]
    pub fn new(bounds: StateBounds) -> Self {
        Self { bounds }
    }
}

impl StateStore for MemoryStore {
    fn open(&self, _: &str) -> Arc<dyn RunState> {
        Arc::new(MemoryState { bounds: self.bounds, cells: Mutex::default() })
    }
}

/// One run's state. The lock is held for single operations, never across an
/// await.
#[derive(Debug)]
struct MemoryState {
    bounds: StateBounds,
    cells: Mutex<Cells>,
}

#[derive(Debug, Default)]
struct Cells {
    values: HashMap<Scope, HashMap<String, Cell>>,
    bytes: usize,
    closed: bool,
}

#[derive(Debug)]
struct Cell {
    value: Value,
    bytes: usize,
}

impl Cells {
    fn open(&self) -> Result<(), StateError> {
        if self.closed { Err(StateError::RunOver) } else { Ok(()) }
    }

    fn get(&self, scope: &Scope, key: &str) -> Option<&Value> {
        self.values.get(scope)?.get(key).map(|cell| &cell.value)
    }

    fn set(
        &mut self,
        scope: &Scope,
        key: &str,
        value: Value,
        bounds: StateBounds,
    ) -> Result<(), StateError> {
        let size = value.to_string().len();
        if size > bounds.value_bytes {
            let (bytes, limit) = (size, bounds.value_bytes);
            return Err(StateError::ValueTooLarge { key: key.into(), bytes, limit });
        }
        let bytes = size + key.len();
        let cells = self.values.entry(scope.clone()).or_default();
        let before = cells.get(key).map_or(0, |cell| cell.bytes);
        let total = self.bytes - before + bytes;
        if total > bounds.run_bytes {
            return Err(StateError::RunFull { limit: bounds.run_bytes });
        }
        cells.insert(key.into(), Cell { value, bytes });
        self.bytes = total;
        Ok(())
    }

    fn remove(&mut self, scope: &Scope, key: &str) -> Option<Value> {
        let cells = self.values.get_mut(scope)?;
        let cell = cells.remove(key)?;
        if cells.is_empty() {
            self.values.remove(scope);
        }
        self.bytes -= cell.bytes;
        Some(cell.value)
    }
}

#[async_trait]
impl RunState for MemoryState {
    async fn get(&self, scope: &Scope, key: &str) -> Result<Option<Value>, StateError> {
        let cells = self.cells.lock();
        cells.open()?;
        Ok(cells.get(scope, key).cloned())
    }

    async fn set(&self, scope: &Scope, key: &str, value: Value) -> Result<(), StateError> {
        let mut cells = self.cells.lock();
        cells.open()?;
        cells.set(scope, key, value, self.bounds)
    }

    async fn remove(&self, scope: &Scope, key: &str) -> Result<Option<Value>, StateError> {
        let mut cells = self.cells.lock();
        cells.open()?;
        Ok(cells.remove(scope, key))
    }

    async fn add(&self, scope: &Scope, key: &str, amount: i64) -> Result<i64, StateError> {
        let mut cells = self.cells.lock();
        cells.open()?;
        let before = match cells.get(scope, key) {
            None => Some(0),
            Some(value) => value.as_i64(),
        };
        let sum = before
            .and_then(|before| before.checked_add(amount))
            .ok_or_else(|| StateError::NotAnInteger { key: key.into() })?;
        cells.set(scope, key, sum.into(), self.bounds)?;
        Ok(sum)
    }

    async fn compare_and_set(
        &self,
        scope: &Scope,
        key: &str,
        expected: Option<&Value>,
        new: Option<Value>,
    ) -> Result<bool, StateError> {
        let mut cells = self.cells.lock();
        cells.open()?;
        if cells.get(scope, key) != expected {
            return Ok(false);
        }
        match new {
            Some(new) => cells.set(scope, key, new, self.bounds)?,
            None => drop(cells.remove(scope, key)),
        }
        Ok(true)
    }

    async fn clear(&self, scope: &Scope) -> Result<(), StateError> {
        let mut cells = self.cells.lock();
        let freed = cells.values.remove(scope).unwrap_or_default();
        cells.bytes -= freed.into_values().map(|cell| cell.bytes).sum::<usize>();
        Ok(())
    }

    async fn close(&self) -> Result<(), StateError> {
        *self.cells.lock() = Cells { closed: true, ..Cells::default() };
        Ok(())
    }

    fn byte_count(&self) -> usize {
        self.cells.lock().bytes
    }
}
