//! A sink of streamed text, given as data.

use super::texts::Texts;
use crate::engine::{Fault, Sink, tests::scripted::Cause};
use async_trait::async_trait;
use std::marker::PhantomData;

/// What a sink does with streamed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Pours {
    /// Upper case.
    Loud,
    /// In pieces of so many characters, and `.` at the end.
    InPieces(usize),
    /// Fails at the first piece.
    Faults(Cause),
    /// Fails at the end.
    FaultsAtTheEnd,
}

struct Poured {
    pours: Pours,
    held: String,
}

pub(super) fn sink<W: Texts>(pours: Pours) -> Box<dyn Sink<W::Delta>> {
    struct Of<W>(Poured, PhantomData<fn(W)>);

    #[async_trait]
    impl<W: Texts> Sink<W::Delta> for Of<W> {
        async fn push(&mut self, delta: W::Delta) -> Result<Vec<W::Delta>, Fault> {
            let pieces = self.0.push(&W::delta_text(&delta)).await?;
            Ok(pieces.iter().map(|piece| W::delta(piece)).collect())
        }

        async fn finish(&mut self) -> Result<Vec<W::Delta>, Fault> {
            let pieces = self.0.finish()?;
            Ok(pieces.iter().map(|piece| W::delta(piece)).collect())
        }
    }

    Box::new(Of::<W>(Poured { pours, held: String::new() }, PhantomData))
}

impl Poured {
    async fn push(&mut self, text: &str) -> Result<Vec<String>, Fault> {
        match self.pours {
            Pours::Loud => Ok(vec![text.to_uppercase()]),
            Pours::InPieces(size) => {
                self.held.push_str(text);
                let held: Vec<char> = std::mem::take(&mut self.held).chars().collect();
                let whole = held.len() / size * size;
                self.held = held[whole..].iter().collect();
                Ok(held[..whole].chunks(size).map(|piece| piece.iter().collect()).collect())
            }
            Pours::Faults(cause) => match cause.act().await {
                Err(fault) => Err(fault),
                Ok(_) => Err(Fault::threw("failed")),
            },
            Pours::FaultsAtTheEnd => Ok(vec![text.into()]),
        }
    }

    fn finish(&mut self) -> Result<Vec<String>, Fault> {
        match self.pours {
            Pours::InPieces(_) => Ok(vec![std::mem::take(&mut self.held) + "."]),
            Pours::FaultsAtTheEnd => Err(Fault::threw("failed at the end")),
            Pours::Loud | Pours::Faults(_) => Ok(Vec::new()),
        }
    }
}
