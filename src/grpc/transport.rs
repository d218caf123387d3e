//! What the transport does by itself, as the contract has it: its own refusals get a reason, and the deadline of a
//! call covers the call to its end.

use std::convert::Infallible;
use std::future::Future;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tonic::codegen::{BoxFuture, Service};
use tonic::server::NamedService;
use tonic::{Code, Status};
use tracing::{debug, error};

use super::error::Error;
use super::status;

/// A service whose calls end at their deadlines, and whose transport refuses as the contract says.
#[derive(Clone, Debug)]
pub struct Transport<S>(S);

impl<S> Transport<S> {
    pub(super) const fn new(service: S) -> Self {
        Self(service)
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
        self.0.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let deadline = Deadline::of(request.headers());
        request.extensions_mut().insert(deadline);
        let method = request.uri().path().to_owned();
        let begun = Instant::now();
        let answer = self.0.call(request);
        Box::pin(async move {
            let response = match deadline.limit(answer).await {
                Ok(answer) => in_our_words(answer?),
                Err(error) => Status::from(error).into_http(),
            };
            log(&method, &response, begun.elapsed());
            Ok(response)
        })
    }
}

/// Writes a line about a call whose answer begins. Refusals are the callers' doing; a defect is ours.
fn log(method: &str, response: &Response<Body>, elapsed: Duration) {
    let code = Status::from_header_map(response.headers()).map_or(Code::Ok, |status| status.code());
    let micros = elapsed.as_micros() as u64;
    if code == Code::Internal {
        error!(method, ?code, micros, "a call met a defect");
    } else {
        debug!(method, ?code, micros, "answered");
    }
}

/// The response, or another one where the transport refused the request before it came to a method.
fn in_our_words(response: Response<Body>) -> Response<Body> {
    match response.extensions().get().and_then(status::of_transport) {
        Some(status) => status.into_http(),
        None => response,
    }
}

/// When a call is to end, where its caller said so.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Deadline(Option<Instant>);

/// The transport ends a call itself when the time is up, and says that it was cancelled. So we are a little earlier.
const MARGIN: Duration = Duration::from_millis(1);

impl Deadline {
    /// The deadline of a request that has just come.
    fn of(headers: &HeaderMap) -> Self {
        let limit = headers.get("grpc-timeout").and_then(|value| timeout(value.to_str().ok()?));
        Self(limit.and_then(|limit| Instant::now().checked_add(limit.saturating_sub(MARGIN))))
    }

    /// What the future gives, if it does in time. What is too late already is not begun.
    pub(super) async fn limit<F: Future>(self, future: F) -> Result<F::Output, Error> {
        match self.0 {
            Some(at) if at <= Instant::now() => Err(Error::Stopped),
            Some(at) => timeout_at(at, future).await.map_err(|_| Error::Stopped),
            None => Ok(future.await),
        }
    }
}

/// The time of a header in gRPC's form: at most eight digits and a letter for the unit.
fn timeout(text: &str) -> Option<Duration> {
    let (unit_at, unit) = text.char_indices().last()?;
    let digits = &text[..unit_at];
    if !(1..=8).contains(&digits.len()) || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        'H' => Duration::from_secs(count * 3_600),
        'M' => Duration::from_secs(count * 60),
        'S' => Duration::from_secs(count),
        'm' => Duration::from_millis(count),
        'u' => Duration::from_micros(count),
        'n' => Duration::from_nanos(count),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_grpc_writes_them() {
        assert_eq!(timeout("1H"), Some(Duration::from_secs(3_600)));
        assert_eq!(timeout("2M"), Some(Duration::from_secs(120)));
        assert_eq!(timeout("3S"), Some(Duration::from_secs(3)));
        assert_eq!(timeout("4m"), Some(Duration::from_millis(4)));
        assert_eq!(timeout("5u"), Some(Duration::from_micros(5)));
        assert_eq!(timeout("00000006n"), Some(Duration::from_nanos(6)));
        assert_eq!(timeout("99999999H"), Some(Duration::from_secs(99_999_999 * 3_600)));
        for text in ["", "S", "1", "1s", "1 S", "+1S", "-1S", "1.5S", "123456789S", "1é", "é"] {
            assert_eq!(timeout(text), None, "{text}");
        }
    }
}
