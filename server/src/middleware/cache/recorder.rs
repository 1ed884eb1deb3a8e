//! Records the pieces of a streamed answer as they pass.

use super::kept::Piece;
use crate::engine::{Fault, Sink};
use async_trait::async_trait;
use parking_lot::Mutex;
use prost::Message;
use std::sync::Arc;

/// What was recorded, as long as it is not too large.
#[derive(Debug, Clone)]
pub(super) struct Recorder(Arc<Mutex<Recorded>>);

#[derive(Debug)]
struct Recorded {
    pieces: Vec<Piece>,
    /// How many more bytes there may be. `None` after there were too many.
    left: Option<usize>,
}

impl Recorder {
    /// Records at most `most` bytes.
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Recorded { pieces: Vec::new(), left: Some(most) })))
    }

    /// The pieces; none if they were too many.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        std::mem::take(&mut self.0.lock().pieces)
    }
}

#[async_trait]
impl<D: Message + 'static> Sink<D> for Recorder {
    async fn push(&mut self, delta: D) -> Result<Vec<D>, Fault> {
        let mut recorded = self.0.lock();
        if let Some(left) = recorded.left {
            let piece: Piece = delta.encode_to_vec().into();
            recorded.left = left.checked_sub(piece.len() + size_of::<Piece>());
            if recorded.left.is_some() {
                recorded.pieces.push(piece);
            } else {
                recorded.pieces.clear();
            }
        }
        Ok(vec![delta])
    }

    async fn finish(&mut self) -> Result<Vec<D>, Fault> {
        Ok(Vec::new())
    }
}
