//! Whether a call is streamed, and what the runtime does with its text.

use super::StreamUse;
use crate::{
    engine::{Link, Mode},
    hooks::Wrapped,
};
use sidehook_proto::v1::Relay;

/// Whether the result of a call is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streaming {
    /// It is not.
    No,
    /// It is.
    Yes,
    /// It is, and a link outside this call needs it to be held.
    Held,
}

/// The strictest need in the chain wins.
pub(super) fn relay<W: Wrapped>(links: &[(usize, &Link)], streaming: Streaming) -> Relay {
    let need = links.iter().filter(|(_, link)| link.mode == Mode::Enforce).map(|(_, link)| {
        if link.holds_stream { StreamUse::Holds } else { link.middleware.stream_use(W::ID) }
    });
    match (streaming, need.max()) {
        (Streaming::No, _) => Relay::Direct,
        (Streaming::Held, _) | (Streaming::Yes, Some(StreamUse::Holds)) => Relay::Held,
        (Streaming::Yes, Some(StreamUse::Rewrites)) => Relay::Relayed,
        (Streaming::Yes, Some(StreamUse::Untouched) | None) => Relay::Direct,
    }
}
