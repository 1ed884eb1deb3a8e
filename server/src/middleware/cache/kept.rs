//! An answer as it is kept.

use crate::hooks::Wrapped;
use prost::Message;

/// An answer, encoded, so that its size is known, and the pieces in which it was streamed.
#[derive(Debug)]
pub(super) struct Kept {
    result: Box<[u8]>,
    pieces: Vec<Piece>,
}

/// A piece of a streamed answer, encoded.
pub(super) type Piece = Box<[u8]>;

/// What an entry takes beside its answer, roughly.
const OVERHEAD: usize = 256;

impl Kept {
    pub(super) fn of<W: Wrapped>(result: &W::Result, pieces: Vec<Piece>) -> Self {
        Self { result: result.encode_to_vec().into(), pieces }
    }

    /// The answer.
    pub(super) fn result<W: Wrapped>(&self) -> W::Result {
        // What was encoded here can be decoded.
        W::Result::decode(&*self.result).unwrap_or_default()
    }

    /// The pieces in which it was streamed; none if it was not.
    pub(super) fn pieces<W: Wrapped>(&self) -> Vec<W::Delta> {
        self.pieces.iter().filter_map(|piece| W::Delta::decode(&**piece).ok()).collect()
    }

    /// How much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        let of = |piece: &Piece| piece.len() + size_of::<Piece>();
        OVERHEAD + self.result.len() + self.pieces.iter().map(of).sum::<usize>()
    }
}
