//! When calls begin, and of which kind each is.

use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Tells when each call of an open loop is due, at even distances from `begin` until before `end`.
///
/// This is a thread of its own, as the timers of the runtime tick only once a millisecond.
pub(crate) fn due_times(begin: Instant, end: Instant, rate: f64) -> UnboundedReceiver<Instant> {
    let (sender, receiver) = unbounded_channel();
    thread::spawn(move || {
        for call in 0_u64.. {
            let due = begin + Duration::from_secs_f64(call as f64 / rate);
            if due >= end {
                return;
            }
            thread::sleep(due.saturating_duration_since(Instant::now()));
            // Nobody listens any more where the load was ended before.
            if sender.send(due).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Kinds by weight, spread evenly: of the weights 3 and 1 the order is first, first, second, first.
#[derive(Debug)]
pub(crate) struct Mix {
    weights: Vec<i64>,
    /// How much each kind is behind its share.
    credits: Vec<i64>,
}

impl Mix {
    pub(crate) fn new(weights: impl Iterator<Item = u32>) -> Self {
        let weights: Vec<i64> = weights.map(i64::from).collect();
        Self { credits: vec![0; weights.len()], weights }
    }

    /// The index of the next kind.
    pub(crate) fn next(&mut self) -> usize {
        let mut chosen = 0;
        for (index, weight) in self.weights.iter().enumerate() {
            self.credits[index] += weight;
            if self.credits[index] > self.credits[chosen] {
                chosen = index;
            }
        }
        self.credits[chosen] -= self.weights.iter().sum::<i64>();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_by_weight_and_spread_out() {
        let mut mix = Mix::new([3, 1].into_iter());
        let order: Vec<usize> = (0..8).map(|_| mix.next()).collect();
        assert_eq!(order, [0, 0, 1, 0, 0, 0, 1, 0]);
        let mut mix = Mix::new([5, 3, 2].into_iter());
        let mut counts = [0; 3];
        (0..100).for_each(|_| counts[mix.next()] += 1);
        assert_eq!(counts, [50, 30, 20]);
    }

    #[test]
    fn calls_are_due_at_even_distances_and_never_before_their_time() {
        let begin = Instant::now();
        let mut due = due_times(begin, begin + Duration::from_millis(50), 200.0);
        let mut offsets = Vec::new();
        while let Some(due) = due.blocking_recv() {
            assert!(Instant::now() >= due);
            offsets.push((due - begin).as_millis());
        }
        assert_eq!(offsets, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
    }
}
