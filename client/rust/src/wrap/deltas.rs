//! Where a real call puts the pieces that it streams.

use sidehook_proto::v1::{
    CallDelta, ModelDelta, ToolDelta, WrapModelCallRequest, WrapRequest, WrapToolCallRequest,
    wrap_model_call_request, wrap_request, wrap_tool_call_request,
};
use tokio::sync::mpsc;

/// A piece of a streamed output: [`ModelDelta`], [`ToolDelta`] or [`CallDelta`].
pub trait Delta: sealed::Numbered {}

mod sealed {
    use std::fmt::Debug;

    pub trait Numbered: Debug + Send + 'static {
        /// The frame that carries the piece to the sidecar.
        type Frame: Debug + Send + 'static;

        fn from_text(text: String) -> Self;
        fn into_frame(self, invocation: i32, sequence: i64) -> Self::Frame;
    }
}

/// Where a real call puts the pieces that it streams, in order.
///
/// Whether a piece is shown at once, after the chain has seen it, or not before the end is not
/// the real call's concern: it puts every piece here, and returns the whole output as well.
/// Nothing may be put after it has returned.
#[derive(Debug)]
pub struct Deltas<D: Delta> {
    invocation: i32,
    sequence: i64,
    route: Route<D>,
}

/// Where pieces go.
#[derive(Debug)]
pub(super) enum Route<D: Delta> {
    /// To whoever is shown the output.
    Show(mpsc::Sender<D>),
    /// To the sidecar. Weak, so that a real call cannot keep the stream from being closed.
    Relay(mpsc::WeakSender<D::Frame>),
    /// Nowhere: the whole output is shown at the end.
    Hold,
}

impl<D: Delta> Deltas<D> {
    pub(super) fn new(invocation: i32, route: Route<D>) -> Self {
        Self { invocation, sequence: 0, route }
    }

    /// Puts a piece. Its `invocation` and `sequence` are filled in.
    ///
    /// Waits while the pieces before it are not taken. Does nothing once the call is over.
    ///
    /// # Cancel safety
    ///
    /// A piece whose future is dropped early is not put, and leaves no gap.
    pub async fn put(&mut self, piece: D) {
        match &self.route {
            Route::Show(shown) => {
                if let Ok(place) = shown.reserve().await {
                    place.send(piece);
                }
            }
            Route::Relay(frames) => {
                let Some(frames) = frames.upgrade() else { return };
                if let Ok(place) = frames.reserve().await {
                    place.send(piece.into_frame(self.invocation, self.sequence));
                    self.sequence += 1;
                }
            }
            Route::Hold => {}
        }
    }

    /// Puts a piece of text.
    ///
    /// # Cancel safety
    ///
    /// As for [`put`](Self::put).
    pub async fn put_text(&mut self, text: impl Into<String>) {
        self.put(D::from_text(text.into())).await;
    }
}

impl Delta for ModelDelta {}

impl sealed::Numbered for ModelDelta {
    type Frame = WrapModelCallRequest;

    fn from_text(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    fn into_frame(self, invocation: i32, sequence: i64) -> Self::Frame {
        let delta = Self { invocation, sequence, ..self };
        WrapModelCallRequest { frame: Some(wrap_model_call_request::Frame::Delta(delta)) }
    }
}

impl Delta for ToolDelta {}

impl sealed::Numbered for ToolDelta {
    type Frame = WrapToolCallRequest;

    fn from_text(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    fn into_frame(self, invocation: i32, sequence: i64) -> Self::Frame {
        let delta = Self { invocation, sequence, ..self };
        WrapToolCallRequest { frame: Some(wrap_tool_call_request::Frame::Delta(delta)) }
    }
}

impl Delta for CallDelta {}

impl sealed::Numbered for CallDelta {
    type Frame = WrapRequest;

    fn from_text(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    fn into_frame(self, invocation: i32, sequence: i64) -> Self::Frame {
        let delta = Self { invocation, sequence, ..self };
        WrapRequest { frame: Some(wrap_request::Frame::Delta(delta)) }
    }
}
