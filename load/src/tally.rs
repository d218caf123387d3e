//! What became of the calls of a run: counts, latencies, and the first failures in detail.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use hdrhistogram::Histogram;
use tonic::Code;

use crate::call::Outcome;

/// The most failures that are kept in detail.
const MAX_FAILURES: usize = 10_000;

/// Latencies in microseconds, to three digits.
pub(crate) type Latencies = Histogram<u64>;

/// The results of a run.
#[derive(Debug)]
pub(crate) struct Tally {
    begin: Instant,
    end: Instant,
    /// By kind, in the order of the command line.
    pub(crate) kinds: Vec<OfKind>,
    /// By target, in the order of the command line: attempts by code.
    pub(crate) targets: Vec<BTreeMap<&'static str, u64>>,
    /// How much later than due calls began: the lag of this program itself.
    pub(crate) lag: Latencies,
    /// The processor time that the process watched used in the time that counts.
    pub(crate) watched: Option<Duration>,
    /// Calls that did not end well, the first ones.
    pub(crate) failures: Vec<Failure>,
}

/// The results of one kind of calls.
#[derive(Debug)]
pub(crate) struct OfKind {
    /// Calls that were due in the time that counts.
    pub(crate) calls: u64,
    /// Attempts at these calls.
    pub(crate) attempts: u64,
    /// Attempts that no server had looked at and that were made again for that; they are no attempts otherwise.
    pub(crate) unseen: u64,
    /// Calls by the code that they ended with, and by the reason of their status.
    pub(crate) codes: BTreeMap<&'static str, u64>,
    pub(crate) reasons: BTreeMap<String, u64>,
    /// Calls whose status says when to try again.
    pub(crate) with_retry_info: u64,
    /// Calls that ended well within the time that counts, whenever they began.
    pub(crate) good_in_time: u64,
    /// Of the calls that ended well, of those that the service refused as busy, and of all others.
    pub(crate) good: Latencies,
    pub(crate) refused: Latencies,
    pub(crate) failed: Latencies,
}

/// A call that did not end well.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: usize,
    pub(crate) began: SystemTime,
    pub(crate) ended: SystemTime,
    pub(crate) code: &'static str,
    pub(crate) is_committed: bool,
    pub(crate) target: Option<usize>,
    pub(crate) message: String,
}

/// When a call was due, began and ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) due: Instant,
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
}

impl Tally {
    /// A tally of calls that are due from `begin` until before `end`.
    pub(crate) fn new(begin: Instant, end: Instant, kinds: usize, targets: usize) -> Self {
        Self {
            begin,
            end,
            kinds: (0..kinds).map(|_| OfKind::new()).collect(),
            targets: vec![BTreeMap::new(); targets],
            lag: latencies(),
            watched: None,
            failures: Vec::new(),
        }
    }

    /// The seconds that count.
    pub(crate) fn seconds(&self) -> f64 {
        (self.end - self.begin).as_secs_f64()
    }

    /// Takes in what became of a call.
    pub(crate) fn record(&mut self, kind: usize, times: Times, outcome: &Outcome) {
        let counts = |at: Instant| self.begin <= at && at < self.end;
        let of_kind = &mut self.kinds[kind];
        if outcome.end.is_good() && counts(times.ended) {
            of_kind.good_in_time += 1;
        }
        if !counts(times.due) {
            return;
        }
        self.lag.saturating_record(micros(times.began - times.due));
        of_kind.record(times.ended - times.due, outcome);
        for (target, code) in &outcome.attempts {
            if let Some(target) = target {
                *self.targets[*target].entry(code).or_default() += 1;
            }
        }
        let is_refused = outcome.end.code == Code::ResourceExhausted;
        if !outcome.end.is_good() && !is_refused && self.failures.len() < MAX_FAILURES {
            let now = (Instant::now(), SystemTime::now());
            self.failures.push(Failure {
                kind,
                began: now.1 - (now.0 - times.began),
                ended: now.1 - (now.0 - times.ended),
                code: outcome.end.name(),
                is_committed: outcome.end.is_committed,
                target: outcome.attempts.last().and_then(|(target, _)| *target),
                message: outcome.end.message.clone(),
            });
        }
    }

    /// How many calls ended with one of these codes; `any` is all codes but OK.
    pub(crate) fn unwanted(&self, codes: &[String]) -> u64 {
        let is_unwanted = |name: &str| {
            codes.iter().any(|code| code.eq_ignore_ascii_case(name) || name != "OK" && code == "any")
        };
        let ended = self.kinds.iter().flat_map(|of_kind| &of_kind.codes);
        ended.filter(|(name, _)| is_unwanted(name)).map(|(_, count)| count).sum()
    }
}

impl OfKind {
    fn new() -> Self {
        Self {
            calls: 0,
            attempts: 0,
            unseen: 0,
            codes: BTreeMap::new(),
            reasons: BTreeMap::new(),
            with_retry_info: 0,
            good_in_time: 0,
            good: latencies(),
            refused: latencies(),
            failed: latencies(),
        }
    }

    fn record(&mut self, latency: Duration, outcome: &Outcome) {
        let end = &outcome.end;
        self.calls += 1;
        self.attempts += outcome.attempts.len() as u64;
        self.unseen += outcome.unseen;
        *self.codes.entry(end.name()).or_default() += 1;
        if let Some(reason) = &end.reason {
            *self.reasons.entry(reason.clone()).or_default() += 1;
        }
        self.with_retry_info += u64::from(end.has_retry_info);
        let latencies = if end.is_good() {
            &mut self.good
        } else if end.code == Code::ResourceExhausted {
            &mut self.refused
        } else {
            &mut self.failed
        };
        latencies.saturating_record(micros(latency));
    }

    /// Calls that ended well.
    pub(crate) fn good_calls(&self) -> u64 {
        self.good.len()
    }
}

/// Room for latencies up to an hour.
#[expect(clippy::expect_used, reason = "the bounds are constants that are valid")]
fn latencies() -> Latencies {
    Histogram::new_with_bounds(1, 3_600_000_000, 3).expect("the bounds are valid")
}

fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempt::End;

    fn outcome(code: Code) -> Outcome {
        let end = End::new(code, "");
        Outcome { attempts: vec![(Some(0), end.name())], end, unseen: 0 }
    }

    #[test]
    fn calls_count_by_when_they_were_due_and_goodput_by_when_they_ended() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut tally = Tally::new(at(1_000), at(2_000), 1, 1);
        let times = |due, began, ended| Times { due: at(due), began: at(began), ended: at(ended) };
        tally.record(0, times(900, 900, 950), &outcome(Code::Ok));
        tally.record(0, times(900, 900, 1_100), &outcome(Code::Ok));
        tally.record(0, times(1_000, 1_010, 1_030), &outcome(Code::Ok));
        tally.record(0, times(1_900, 1_900, 2_000), &outcome(Code::Ok));
        tally.record(0, times(1_500, 1_500, 1_600), &outcome(Code::ResourceExhausted));
        tally.record(0, times(1_500, 1_500, 1_700), &outcome(Code::Unavailable));
        tally.record(0, times(2_000, 2_000, 2_001), &outcome(Code::Ok));
        let of_kind = &tally.kinds[0];
        assert_eq!((of_kind.calls, of_kind.good_calls(), of_kind.good_in_time), (4, 2, 2));
        assert_eq!(of_kind.codes, BTreeMap::from([("OK", 2), ("RESOURCE_EXHAUSTED", 1), ("UNAVAILABLE", 1)]));
        assert_eq!(tally.targets[0], of_kind.codes);
        // From when it was due, to three digits.
        assert_eq!(of_kind.good.min(), 30_000 / 16 * 16);
        assert_eq!(tally.lag.max(), tally.lag.highest_equivalent(10_000));
        assert_eq!(tally.failures.len(), 1);
        assert_eq!(tally.unwanted(&["any".to_owned()]), 2);
        assert_eq!(tally.unwanted(&["unavailable".to_owned(), "INTERNAL".to_owned()]), 1);
        assert_eq!(tally.unwanted(&[]), 0);
    }

    #[test]
    fn a_wrong_answer_is_not_good() {
        let start = Instant::now();
        let mut tally = Tally::new(start, start + Duration::from_secs(1), 1, 1);
        let mut wrong = outcome(Code::Ok);
        wrong.end.is_wrong = true;
        tally.record(0, Times { due: start, began: start, ended: start }, &wrong);
        assert_eq!((tally.kinds[0].good_calls(), tally.kinds[0].good_in_time), (0, 0));
        assert_eq!(tally.unwanted(&["WRONG_ANSWER".to_owned()]), 1);
    }
}
