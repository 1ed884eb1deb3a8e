//! Encodes a request that is kept for a repeat, without copying it.
//!
//! A unary hook may be sent twice, and a conversation of megabytes should not be cloned for
//! the rare second time.

use prost::Message;
use std::{marker::PhantomData, sync::Arc};
use tonic::{
    Status,
    codec::{BufferSettings, Codec, EncodeBuf, Encoder},
};
use tonic_prost::ProstDecoder;

/// Sends an `Arc<Q>` and receives an `S`.
pub(crate) struct Shared<Q, S>(PhantomData<(Q, S)>);

pub(crate) struct SharedEncoder<Q>(PhantomData<Q>);

// === impl Shared ===

impl<Q, S> Shared<Q, S> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<Q, S> Codec for Shared<Q, S>
where
    Q: Message + 'static,
    S: Message + Default + 'static,
{
    type Encode = Arc<Q>;
    type Decode = S;
    type Encoder = SharedEncoder<Q>;
    type Decoder = ProstDecoder<S>;

    fn encoder(&mut self) -> Self::Encoder {
        SharedEncoder(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstDecoder::new(BufferSettings::default())
    }
}

// === impl SharedEncoder ===

impl<Q: Message + 'static> Encoder for SharedEncoder<Q> {
    type Item = Arc<Q>;
    type Error = Status;

    fn encode(&mut self, item: Self::Item, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer).map_err(|error| Status::resource_exhausted(error.to_string()))
    }
}
