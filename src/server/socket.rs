//! A connection that gives up on a peer which does not begin to speak or does not listen.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// The bytes with which HTTP/2 begins. Whoever has sent them is served, and asked for signs of life from then on.
const PREFACE: usize = 24;

/// How long a peer may go on sending after we have said our last, and how much of it is read in one turn.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_READS: usize = 16;

/// A connection with limits.
#[derive(Debug)]
pub(super) struct Socket<S> {
    stream: S,
    /// Set until the peer has sent its first bytes.
    opening: Option<Opening>,
    stall_limit: Duration,
    /// Set while the peer takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Set when we have said our last.
    leaving: Option<Pin<Box<Sleep>>>,
}

#[derive(Debug)]
struct Opening {
    bytes: usize,
    over: Pin<Box<Sleep>>,
}

impl<S> Socket<S> {
    /// The stream of a peer that has to begin until then.
    pub(super) fn new(stream: S, begin_until: Instant, stall_limit: Duration) -> Self {
        let opening = Opening { bytes: 0, over: Box::pin(sleep_until(begin_until)) };
        Self { stream, opening: Some(opening), stall_limit, stalled: None, leaving: None }
    }

    /// What a write came to; one that keeps us waiting for too long is an error.
    fn written<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let over = Instant::now() + self.stall_limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep_until(over)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer takes nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if let Some(opening) = &mut self.opening {
            opening.bytes += buffer.filled().len() - before;
            if opening.bytes >= PREFACE {
                self.opening = None;
            } else if opening.over.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not begin")));
            }
        }
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.written(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.leaving.is_none() {
            let shut = Pin::new(&mut self.stream).poll_shutdown(context);
            ready!(self.written(context, shut))?;
        }
        // A connection that is closed while something of the peer's is unread is reset, and the peer loses what was
        // sent last. So the rest is read, for a while.
        let leaving = self.leaving.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + LINGER)));
        if leaving.as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let mut rest = [0; 4_096];
        for _ in 0..LINGER_READS {
            let mut buffer = ReadBuf::new(&mut rest);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
        // A peer that sends and sends gets no more than its turn.
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
