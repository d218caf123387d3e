//! Ends calls whose clients do not take what was sent to them.
//!
//! While a client's window is full, HTTP/2 asks an answer's body for nothing, so no body can see that it waits. What
//! does run is the task of the call. So the body and the service leave word there of when they last gave something, and
//! the task, which [`Executor`] starts, ends itself when that is too long ago. The client sees its stream reset.

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
        Poll::Ready(Ok(answer.map(|body| Body::new(WatchedBody(body)))))
    }
}

struct WatchedBody(Body);

impl http_body::Body for WatchedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        GIVEN.set(None);
        let frame = ready!(Pin::new(&mut self.0).poll_frame(context));
        GIVEN.set(Some(Instant::now()));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}
