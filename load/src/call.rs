//! A call as a caller sees it: attempts on one connection after another, until its deadline.

use std::time::Duration;

use http::header::{CONTENT_TYPE, TE};
use http::{HeaderName, Request, Version};
use tokio::time::{Instant, sleep, timeout_at};
use tonic::Code;

use crate::attempt::{End, attempt};
use crate::connections::Connections;
use crate::kinds::Kind;

/// The most attempts at a call, with retries.
const MAX_ATTEMPTS: usize = 4;

/// What is waited before the second attempt, and before any other at most, doubling in between.
const FIRST_BACKOFF: Duration = Duration::from_millis(100);
const LONGEST_BACKOFF: Duration = Duration::from_secs(1);

const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// What makes calls.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) connections: Connections,
    pub(crate) authority: String,
    pub(crate) scheme: &'static str,
    pub(crate) deadline: Duration,
    pub(crate) retry: bool,
}

/// What became of a call.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// How the last attempt ended, or the call at its deadline.
    pub(crate) end: End,
    /// The target of each attempt, if one could be reached, and the name of the code that the attempt ended with.
    pub(crate) attempts: Vec<(Option<usize>, &'static str)>,
    /// Attempts that the server had not looked at and that were made again for that.
    pub(crate) unseen: u64,
}

impl Caller {
    /// Makes a call.
    pub(crate) async fn call(&self, kind: &Kind) -> Outcome {
        let deadline = Instant::now() + self.deadline;
        let mut outcome = Outcome {
            end: End::new(Code::DeadlineExceeded, "the time is over"),
            attempts: Vec::new(),
            unseen: 0,
        };
        // As gRPC clients do, whatever the policy is: once for a call, an attempt that no server saw is made again.
        let mut may_repeat_unseen = true;
        loop {
            let tried = timeout_at(deadline, self.attempt(kind, deadline)).await;
            let (target, end) = match tried {
                Ok(tried) => tried,
                Err(_) => (None, End::new(Code::DeadlineExceeded, "the time is over")),
            };
            if end.is_unseen && may_repeat_unseen {
                may_repeat_unseen = false;
                outcome.unseen += 1;
                continue;
            }
            outcome.attempts.push((target, end.name()));
            let tries_again = self.retry && is_retried(&end, outcome.attempts.len());
            outcome.end = end;
            if !tries_again {
                return outcome;
            }
            let wait = backoff(outcome.attempts.len()).mul_f64(0.8 + 0.4 * fastrand::f64());
            if Instant::now() + wait >= deadline {
                return outcome;
            }
            sleep(wait).await;
        }
    }

    async fn attempt(&self, kind: &Kind, deadline: Instant) -> (Option<usize>, End) {
        match self.connections.pick().await {
            Ok((target, sender)) => {
                let end = match self.request(kind, deadline) {
                    Ok(request) => attempt(sender, kind, request).await,
                    Err(error) => End::new(Code::Internal, error.to_string()),
                };
                (Some(target), end)
            }
            Err(error) => (None, End::new(Code::Unavailable, error)),
        }
    }

    fn request(&self, kind: &Kind, deadline: Instant) -> http::Result<Request<()>> {
        let left = deadline.saturating_duration_since(Instant::now());
        Request::post(format!("{}://{}{}", self.scheme, self.authority, kind.path))
            .version(Version::HTTP_2)
            .header(TE, "trailers")
            .header(CONTENT_TYPE, "application/grpc")
            .header(GRPC_TIMEOUT, format!("{}m", left.as_millis().clamp(1, 99_999_999)))
            .body(())
    }
}

/// Whether the policy has a call tried again that ended so after so many attempts.
fn is_retried(end: &End, attempts: usize) -> bool {
    end.code == Code::Unavailable && !end.is_committed && attempts < MAX_ATTEMPTS
}

/// What is waited after so many attempts, about.
fn backoff(attempts: usize) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16) as u32;
    (FIRST_BACKOFF * 2_u32.pow(doublings)).min(LONGEST_BACKOFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unavailable_is_tried_again_and_only_four_times() {
        let unavailable = End::new(Code::Unavailable, "");
        assert!(is_retried(&unavailable, 1));
        assert!(is_retried(&unavailable, 3));
        assert!(!is_retried(&unavailable, 4));
        assert!(!is_retried(&End { is_committed: true, ..unavailable }, 1));
        assert!(!is_retried(&End::new(Code::ResourceExhausted, ""), 1));
    }

    #[test]
    fn waits_double_up_to_a_second() {
        let waits: Vec<u128> = (1..7).map(|attempts| backoff(attempts).as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1_000, 1_000]);
    }
}
