//! Ends calls whose clients do not take what was sent to them.
//!
//! While a client's window is full, HTTP/2 asks an answer's body for nothing, so no body can see that it waits. What
//! does run is the task of the call. So the body and the service leave word there of when they last gave something, and
//! the task, which [`Executor`] starts, ends itself when that is too long ago. The client sees its stream reset.
//!
//! HTTP/2 takes whole what the body gives as soon as the client has room for its first byte, and the task of a call ends
//! when all was given. So the body gives little at once: a client that takes a large message slowly is seen to take it,
//! and one that takes nothing is seen to, before all is given.

use std::cell::Cell;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body::{Frame, SizeHint};
use prometheus::IntCounter;
use tokio::time::{Instant, Sleep, sleep_until};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::codegen::{Bytes, Service};

/// The most bytes that are given at once. A client that takes so many within the limit goes on.
const PIECE: usize = 32 << 10;

/// The most bytes that are given last, as nobody sees whether the client takes them. They are few beside what HTTP/2
/// keeps of a stream anyway.
const LAST: usize = 1 << 10;

thread_local! {
    /// Since when the client of the call whose task is polled on this thread has something to take; none while the
    /// service is to give something.
    static GIVEN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Starts the tasks of calls.
#[derive(Clone, Debug)]
pub(super) struct Executor {
    /// How long a client may take nothing.
    pub(super) limit: Duration,
    /// Counts those that did.
    pub(super) stalled: IntCounter,
}

impl<F> hyper::rt::Executor<F> for Executor
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, future: F) {
        tokio::spawn(Task { future: Box::pin(future), executor: self.clone(), given: None, alarm: None });
    }
}

/// The task of a call.
struct Task<F> {
    future: Pin<Box<F>>,
    executor: Executor,
    given: Option<Instant>,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl<F: Future> Future for Task<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        GIVEN.set(self.given);
        let ended = self.future.as_mut().poll(context);
        self.given = GIVEN.take();
        if ended.is_ready() {
            return Poll::Ready(());
        }
        let Some(given) = self.given else {
            self.alarm = None;
            return Poll::Pending;
        };
        let over = given + self.executor.limit;
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(over)));
        if alarm.deadline() != over {
            alarm.as_mut().reset(over);
        }
        ready!(alarm.as_mut().poll(context));
        self.executor.stalled.inc();
        Poll::Ready(())
    }
}

/// A service that leaves word of when it gave an answer or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Watched<S>(pub(super) S);

impl<S, B> Service<Request<B>> for Watched<S>
where
    S: Service<Request<B>, Response = Response<Body>, Error = Infallible>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        Answer(Box::pin(self.0.call(request)))
    }
}

/// The answer of a [`Watched`] service.
pub(super) struct Answer<F>(Pin<Box<F>>);

impl<F: Future<Output = Result<Response<Body>, Infallible>>> Future for Answer<F> {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(self.0.as_mut().poll(context))?;
        GIVEN.set(Some(Instant::now()));
        Poll::Ready(Ok(answer.map(|body| Body::new(WatchedBody { body, rest: Bytes::new() }))))
    }
}

struct WatchedBody {
    body: Body,
    /// What is still to be given of what the body gave.
    rest: Bytes,
}

impl WatchedBody {
    /// The next piece of the rest.
    fn piece(&mut self) -> Bytes {
        let length = match self.rest.len() {
            length @ ..=LAST => length,
            length => PIECE.min(length - LAST),
        };
        self.rest.split_to(length)
    }
}

impl http_body::Body for WatchedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let mut other = None;
        if self.rest.is_empty() {
            GIVEN.set(None);
            match ready!(Pin::new(&mut self.body).poll_frame(context)?) {
                None => other = Some(None),
                Some(frame) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => other = Some(Some(Ok(trailers))),
                },
            }
        }
        GIVEN.set(Some(Instant::now()));
        Poll::Ready(other.unwrap_or_else(|| Some(Ok(Frame::data(self.piece())))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.rest.is_empty() { self.body.size_hint() } else { SizeHint::default() }
    }
}
