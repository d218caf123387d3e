//! How many calls are open at once, and how much memory their large messages take.
//!
//! A call is open until its answer has been taken to the end. What a call buffers up to [`SMALL`] bytes is not counted,
//! so that small calls go on when large ones have taken all the memory; the number of calls bounds it.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http_body::{Body as _, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::codegen::{BoxFuture, Bytes, Service};

use super::error::Error;
use super::memory::{Memory, Share};
use super::rest;

/// The bytes that any call may buffer.
const SMALL: usize = 16 << 10;

/// A question that is answered however many calls are open: whether the service is well.
const HEALTH: &str = "/grpc.health.v1.Health/Check";

/// How many calls may be open, and the memory for their large messages. Clones share both.
#[derive(Clone, Debug)]
pub struct Intake {
    room: Arc<Semaphore>,
    most: usize,
    memory: Memory,
}

impl Intake {
    /// Room for so many open calls.
    pub fn new(most: usize, memory: Memory) -> Self {
        Self { room: Arc::new(Semaphore::new(most)), most, memory }
    }

    /// How many calls are open.
    pub fn open_calls(&self) -> usize {
        self.most.saturating_sub(self.room.available_permits())
    }

    /// The service, behind this intake.
    pub fn before<S>(&self, service: S) -> Bounded<S> {
        Bounded { service, intake: self.clone() }
    }
}

/// A service behind an intake.
#[derive(Clone, Debug)]
pub struct Bounded<S> {
    service: S,
    intake: Intake,
}

impl<S> Service<Request<Body>> for Bounded<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Response<Body>, Infallible>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        rest::call_came();
        let place = match Arc::clone(&self.intake.room).try_acquire_owned() {
            Ok(place) => Some(place),
            Err(_) if request.uri().path() == HEALTH => None,
            Err(_) => {
                rest::before_refusal();
                let refusal = Status::from(Error::Busy);
                return Box::pin(async { Ok(refusal.into_http()) });
            }
        };
        let memory = self.intake.memory.clone();
        let share = Arc::new(memory.share());
        let request = request.map(|body| Body::new(Received { body, bytes: 0, share: Arc::clone(&share) }));
        let answer = self.service.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            // Until here the request was kept: as bytes, and then as the message that was read from them.
            drop(share);
            if answer.body().is_end_stream() {
                return Ok(answer);
            }
            Ok(answer.map(|body| Body::new(Sent { body, share: memory.share(), _place: place })))
        })
    }
}

/// The body of a request, counted as it comes.
struct Received {
    body: Body,
    bytes: usize,
    share: Arc<Share>,
}

impl http_body::Body for Received {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.bytes += data.len();
            let large = self.bytes.saturating_sub(SMALL);
            self.share.try_hold(large)?;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer. The transport asks for more when it has sent what it had, so what was given last is held until
/// then.
struct Sent {
    body: Body,
    share: Share,
    _place: Option<OwnedSemaphorePermit>,
}

impl http_body::Body for Sent {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let sent = frame.as_ref().and_then(|frame| Some(frame.as_ref().ok()?.data_ref()?.len()));
        self.share.hold(sent.unwrap_or_default().saturating_sub(SMALL));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
