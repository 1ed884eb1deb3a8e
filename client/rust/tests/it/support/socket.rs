//! Connections that can be broken.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::transport::server::Connected;

/// The connections of one sidecar.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connections(Arc<Mutex<CancellationToken>>);

impl Connections {
    /// Breaks every connection there is. New ones are not affected.
    pub(crate) fn break_all(&self) {
        std::mem::take(&mut *self.0.lock().unwrap()).cancel();
    }

    pub(crate) fn add<T>(&self, io: T) -> Breakable<T> {
        let broken = self.0.lock().unwrap().clone().cancelled_owned();
        Breakable { io, broken: Box::pin(broken) }
    }
}

/// A connection that can be broken.
pub(crate) struct Breakable<T> {
    io: T,
    broken: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<T> Connected for Breakable<T> {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl<T: AsyncRead + Unpin> AsyncRead for Breakable<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.broken.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
            Poll::Pending => Pin::new(&mut self.io).poll_read(cx, buffer),
        }
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Breakable<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}
