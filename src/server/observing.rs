//! Counts and logs every call to its end.
//!
//! The end of a call is in its trailers, which come after the last message, or it is that the caller left and everything
//! of the call is dropped. So what is known of a call travels with its answer's body.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use http_body::{Frame, SizeHint};
use prometheus::IntCounter;
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tonic::codegen::{BoxFuture, Bytes, Service};
use tonic::{Code, Status};
use tracing::{Instrument, Span, debug, error, warn};

use super::metrics::{MethodMetrics, Metrics};
use super::tracing_context;
use crate::grpc;

/// A call of one question and one answer that takes longer is worth a line in the log. A stream takes as long as its
/// client likes.
const SLOW: Duration = Duration::from_secs(1);

/// A service whose calls are counted and logged.
#[derive(Clone, Debug)]
pub(super) struct Observed<S> {
    service: S,
    metrics: Arc<Metrics>,
}

impl<S> Observed<S> {
    pub(super) const fn new(service: S, metrics: Arc<Metrics>) -> Self {
        Self { service, metrics }
    }
}

impl<S> Service<Request<Body>> for Observed<S>
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
        let method = self.metrics.method(request.uri().path());
        let span = tracing_context::span(&method.name, request.headers());
        method.started.inc();
        let received = Messages::new(method.received.clone());
        let mut call = Call {
            begun: Instant::now(),
            ended: None,
            metrics: Arc::clone(&self.metrics),
            method,
            span: span.clone(),
        };
        let request = request.map(|body| Body::new(Counted { body, messages: received, call: None }));
        let answer = self.service.call(request);
        let observed = async move {
            let answer = answer.await?;
            // A call that has nothing to say but its status has that in its headers.
            if answer.headers().contains_key(Status::GRPC_STATUS) {
                call.end(answer.headers());
                return Ok(answer);
            }
            let sent = Messages::new(call.method.sent.clone());
            Ok(answer.map(|body| Body::new(Counted { body, messages: sent, call: Some(call) })))
        };
        Box::pin(observed.instrument(span))
    }
}

/// A call under way. When it goes, the call has ended.
struct Call {
    begun: Instant,
    /// How it ended; none of a call that its caller left.
    ended: Option<(Code, Option<String>)>,
    metrics: Arc<Metrics>,
    method: Arc<MethodMetrics>,
    span: Span,
}

impl Call {
    /// The call ended as these headers or trailers say.
    fn end(&mut self, headers: &HeaderMap) {
        self.ended = Some(grpc::verdict(headers));
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let elapsed = self.begun.elapsed();
        let (code, reason) = self.ended.take().unwrap_or((Code::Cancelled, None));
        self.method.handled(code);
        self.method.seconds.observe(elapsed.as_secs_f64());
        if let Some(reason) = &reason {
            self.metrics.error(reason);
        }
        tracing_context::end(&self.span, code, reason.as_deref());
        let _entered = self.span.enter();
        let method = &*self.method.name;
        let (micros, reason) = (elapsed.as_micros() as u64, reason.unwrap_or_default());
        // What callers do wrong is theirs to know, and could fill the log.
        if code == Code::Internal {
            error!(method, ?code, reason, micros, "a call met a defect");
        } else if elapsed >= SLOW && self.method.is_unary {
            warn!(method, ?code, reason, micros, "a slow call ended");
        } else {
            debug!(method, ?code, reason, micros, "a call ended");
        }
    }
}

/// A body whose messages are counted; that of an answer with its call.
struct Counted {
    body: Body,
    messages: Messages,
    call: Option<Call>,
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame {
            if let Some(data) = frame.data_ref() {
                self.messages.count(data);
            } else if let Some(trailers) = frame.trailers_ref()
                && let Some(mut call) = self.call.take()
            {
                call.end(trailers);
            }
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

/// The bytes before each message: whether it is compressed, and four for its length.
const PREFIX: usize = 5;

/// Counts the messages in a stream of bytes.
struct Messages {
    counter: IntCounter,
    prefix: [u8; PREFIX],
    /// How many bytes of the next prefix have come.
    filled: usize,
    /// How many bytes of the present message are still to come.
    rest: usize,
}

impl Messages {
    const fn new(counter: IntCounter) -> Self {
        Self { counter, prefix: [0; PREFIX], filled: 0, rest: 0 }
    }

    fn count(&mut self, mut bytes: &[u8]) {
        loop {
            let of_message = self.rest.min(bytes.len());
            self.rest -= of_message;
            bytes = &bytes[of_message..];
            let Some((&first, others)) = bytes.split_first() else { return };
            bytes = others;
            self.prefix[self.filled] = first;
            self.filled += 1;
            if self.filled == PREFIX {
                let [_, length @ ..] = self.prefix;
                self.rest = u32::from_be_bytes(length) as usize;
                self.filled = 0;
                self.counter.inc();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_counted_however_they_are_cut() {
        let mut stream = Vec::new();
        for length in [0, 1, 300, 7, 0] {
            stream.push(0);
            stream.extend(u32::to_be_bytes(length));
            stream.extend(vec![9; length as usize]);
        }
        for piece in 1..stream.len() {
            let counter = IntCounter::new("messages", "Messages.").ok();
            let Some(counter) = counter else { continue };
            let mut messages = Messages::new(counter.clone());
            for bytes in stream.chunks(piece) {
                messages.count(bytes);
            }
            assert_eq!(counter.get(), 5, "in pieces of {piece}");
        }
    }
}
