//! What the transport does by itself, as the contract has it: its own refusals get a reason, and the deadline of a
//! call covers the call to its end.

use std::convert::Infallible;
use std::task::{Context, Poll};

use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::codegen::{BoxFuture, Service};
use tonic::server::NamedService;

use super::deadline::Deadlines;
use super::status;

/// A service whose calls end at their deadlines, and whose transport refuses as the contract says.
#[derive(Clone, Debug)]
pub struct Transport<S> {
    service: S,
    deadlines: Deadlines,
    /// Whether a deadline covers the answer to its end.
    covers_answers: bool,
}

impl<S> Transport<S> {
    /// The service with these deadlines.
    pub const fn new(service: S, deadlines: Deadlines) -> Self {
        Self { service, deadlines, covers_answers: true }
    }

    /// The service with deadlines until its answers begin, which may then go on for as long as they like.
    pub const fn until_answered(service: S, deadlines: Deadlines) -> Self {
        Self { service, deadlines, covers_answers: false }
    }
}

impl<S: NamedService> NamedService for Transport<S> {
    const NAME: &'static str = S::NAME;
}

impl<S, B> Service<Request<B>> for Transport<S>
where
    S: Service<Request<B>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Response<Body>, Infallible>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let deadline = self.deadlines.of(request.headers());
        let covers_answer = self.covers_answers;
        let answer = self.service.call(request);
        Box::pin(async move {
            Ok(match deadline.limit(answer).await {
                Ok(answer) if covers_answer => in_our_words(answer?).map(|body| deadline.limit_body(body)),
                Ok(answer) => in_our_words(answer?),
                Err(error) => Status::from(error).into_http(),
            })
        })
    }
}

/// The response, or another one where the transport refused the request before it came to a method.
fn in_our_words(response: Response<Body>) -> Response<Body> {
    match response.extensions().get().and_then(status::of_transport) {
        Some(status) => status.into_http(),
        None => response,
    }
}
