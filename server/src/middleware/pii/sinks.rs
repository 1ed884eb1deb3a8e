//! What streamed answers pass through: they are masked, or get values back.

use super::mask::{Masker, Masking};
use super::stream::StreamMasker;
use super::tokens::{TokenStream, Tokens};
use crate::{
    engine::{Fault, Sink},
    middleware::texts::{self, Rewrite, Visitor},
};
use async_trait::async_trait;
use sidehook_proto::v1;
use std::{borrow::Cow, sync::Arc};

/// Masks an answer while it streams. Its text and what the model thinks are two
/// streams of their own.
#[derive(Debug)]
pub(super) struct MaskedStream {
    masker: Masker,
    text: StreamMasker,
    reasoning: StreamMasker,
}

impl MaskedStream {
    pub(super) fn new(masker: Masker) -> Self {
        let stream = || StreamMasker::new(masker.clone());
        Self { text: stream(), reasoning: stream(), masker }
    }
}

#[async_trait]
impl Sink<v1::ModelDelta> for MaskedStream {
    async fn push(&mut self, mut delta: v1::ModelDelta) -> Result<Vec<v1::ModelDelta>, Fault> {
        delta.text = self.text.push(&delta.text);
        delta.reasoning = self.reasoning.push(&delta.reasoning);
        if let Some(masked) = texts::document(&delta.extra_json, &mut &self.masker) {
            delta.extra_json = masked;
        }
        Ok(some(delta))
    }

    async fn finish(&mut self) -> Result<Vec<v1::ModelDelta>, Fault> {
        let (text, reasoning) = (self.text.finish(), self.reasoning.finish());
        Ok(some(v1::ModelDelta { text, reasoning, ..v1::ModelDelta::default() }))
    }
}

impl Visitor for &Masker {
    fn text(&mut self, text: &str) -> Option<String> {
        self.member("", text)
    }

    fn member(&mut self, name: &str, text: &str) -> Option<String> {
        match self.mask_member(name, text, &mut Masking::default()) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => Some(masked),
        }
    }
}

/// The piece, unless it says nothing.
fn some(delta: v1::ModelDelta) -> Vec<v1::ModelDelta> {
    let empty = delta.text.is_empty() && delta.reasoning.is_empty() && delta.extra_json.is_empty();
    if empty { Vec::new() } else { vec![delta] }
}

/// Gives the values of tokens back while an answer streams.
#[derive(Debug)]
pub(super) struct RestoredStream {
    tokens: Arc<Tokens>,
    text: TokenStream,
    reasoning: TokenStream,
}

impl RestoredStream {
    pub(super) fn new(tokens: &Arc<Tokens>) -> Self {
        let stream = || TokenStream::new(Arc::clone(tokens));
        Self { tokens: Arc::clone(tokens), text: stream(), reasoning: stream() }
    }
}

#[async_trait]
impl Sink<v1::ModelDelta> for RestoredStream {
    async fn push(&mut self, mut delta: v1::ModelDelta) -> Result<Vec<v1::ModelDelta>, Fault> {
        delta.text = self.text.push(&delta.text);
        delta.reasoning = self.reasoning.push(&delta.reasoning);
        if let Some(restored) = restored_json(&self.tokens, &delta.extra_json) {
            delta.extra_json = restored;
        }
        Ok(some(delta))
    }

    async fn finish(&mut self) -> Result<Vec<v1::ModelDelta>, Fault> {
        let (text, reasoning) = (self.text.finish(), self.reasoning.finish());
        Ok(some(v1::ModelDelta { text, reasoning, ..v1::ModelDelta::default() }))
    }
}

#[async_trait]
impl Sink<v1::CallDelta> for RestoredStream {
    async fn push(&mut self, mut delta: v1::CallDelta) -> Result<Vec<v1::CallDelta>, Fault> {
        delta.text = self.text.push(&delta.text);
        if let Some(restored) = restored_json(&self.tokens, &delta.extra_json) {
            delta.extra_json = restored;
        }
        let empty = delta.text.is_empty() && delta.extra_json.is_empty();
        Ok(if empty { Vec::new() } else { vec![delta] })
    }

    async fn finish(&mut self) -> Result<Vec<v1::CallDelta>, Fault> {
        let text = self.text.finish();
        let rest = v1::CallDelta { text, ..v1::CallDelta::default() };
        Ok(if rest.text.is_empty() { Vec::new() } else { vec![rest] })
    }
}

fn restored_json(tokens: &Tokens, json: &str) -> Option<String> {
    let restore: &mut Rewrite<'_> = &mut |text| tokens.restore(text);
    texts::document(json, restore)
}
