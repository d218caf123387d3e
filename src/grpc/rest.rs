//! A rest before a refusal.
//!
//! A call that is refused costs little, but when many more calls come than can be done, it is these refusals that take the
//! processor from the work. Most of their cost is to wake a thread for each: it takes the processor from a worker, and
//! comes to cold caches. So a thread that had nothing to do until such a call came first sleeps a little, while more come,
//! and then refuses them all in one go, at about half the cost. A thread that is busy does not rest, so that no other call
//! waits behind more than one rest.

use std::cell::Cell;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a thread rests. Refusals are still at once, as people and retrying programs see it.
const REST: Duration = Duration::from_millis(4);

/// A thread to which nothing came for so long has been idle.
const IDLE: Duration = Duration::from_micros(200);

thread_local! {
    /// Whether this thread had been idle when the last call came to it, and when that was.
    static LAST_CALL: Cell<Option<(bool, Instant)>> = const { Cell::new(None) };
}

/// Notes that a call came to this thread.
pub(super) fn call_came() {
    let now = Instant::now();
    let was_idle = LAST_CALL.get().is_none_or(|(_, last)| now.duration_since(last) > IDLE);
    LAST_CALL.set(Some((was_idle, now)));
}

/// Rests before a refusal, if this thread had been idle before the call came that is refused.
pub(super) fn before_refusal() {
    if LAST_CALL.get().is_some_and(|(was_idle, _)| was_idle) {
        sleep(REST);
        LAST_CALL.set(Some((false, Instant::now())));
    }
}
