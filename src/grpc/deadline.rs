//! When a call is to end: its caller's deadline within the service's bounds, for the call to its end.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body::{Body as _, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::codegen::http::HeaderMap;

use super::error::Error;

/// The deadlines that the service sets itself.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// Of a call that comes without one.
    pub default: Duration,
    /// The latest of any call.
    pub latest: Duration,
}

/// When a call is to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Instant);

/// A caller ends its call itself when the time is up, and then hears no reason from us. So we are a little earlier.
const MARGIN: Duration = Duration::from_millis(1);

/// The latest deadline that there is, where a later one cannot be told.
const FAR: Duration = Duration::from_secs(365 * 24 * 3_600);

impl Deadlines {
    /// The deadline of a request that has just come.
    pub(super) fn of(&self, headers: &HeaderMap) -> Deadline {
        let asked = headers.get("grpc-timeout").and_then(|value| timeout(value.to_str().ok()?));
        let limit =
            asked.map_or(self.default, |asked| asked.saturating_sub(MARGIN)).min(self.latest).min(FAR);
        Deadline(Instant::now() + limit)
    }
}

impl Deadline {
    /// What the future gives, if it does in time. What is too late already is not begun.
    pub(super) async fn limit<F: Future>(self, future: F) -> Result<F::Output, Error> {
        if self.is_over() {
            return Err(Error::Stopped);
        }
        timeout_at(self.0, future).await.map_err(|_| Error::Stopped)
    }

    /// The body of an answer, cut at the deadline.
    pub(super) fn limit_body(self, body: Body) -> Body {
        if body.is_end_stream() { body } else { Body::new(Limited { body, deadline: self, alarm: None }) }
    }

    fn is_over(self) -> bool {
        self.0 <= Instant::now()
    }
}

/// A body that ends with the status of a call whose time is over, if its own end does not come before.
struct Limited {
    body: Body,
    deadline: Deadline,
    /// Set when the body first keeps us waiting, which that of a unary call never does.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl http_body::Body for Limited {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        // A body that is over has no time to run out of.
        if self.body.is_end_stream() {
            return Poll::Ready(None);
        }
        if !self.deadline.is_over() {
            if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
                return Poll::Ready(frame);
            }
            let at = self.deadline.0;
            ready!(self.alarm.get_or_insert_with(|| Box::pin(sleep_until(at))).as_mut().poll(context));
        }
        // The work behind it stops now.
        self.body = Body::empty();
        let mut trailers = HeaderMap::new();
        Status::from(Error::Stopped).add_header(&mut trailers)?;
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // Where it will be cut is not known.
        SizeHint::default()
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
