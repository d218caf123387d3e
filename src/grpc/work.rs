//! Heavy work, off the threads that serve connections, and given up when nobody waits for it.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;

use super::error::Error;

/// A piece of work for a [`Pool`].
pub type PoolJob = Box<dyn FnOnce() + Send>;

/// Threads of their own for heavy work.
pub trait Pool: Debug + Send + Sync + 'static {
    /// Whether there is room for the work of another call.
    fn admits(&self) -> bool;

    /// Runs the job when a thread is free.
    fn spawn(&self, job: PoolJob);
}

/// How long a caller waits before it tries a busy service again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// Refuses a call whose work has no room now.
pub(super) fn admit(pool: &dyn Pool) -> Result<(), Error> {
    if pool.admits() { Ok(()) } else { Err(Error::Busy { retry_after: RETRY_AFTER }) }
}

/// Says whether work that was begun is no longer wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether to give up.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets it when the guard goes, as it does when the caller leaves and the call's future is dropped.
    fn when_dropped(&self) -> StopGuard {
        StopGuard(self.clone())
    }
}

#[derive(Debug)]
struct StopGuard(Stop);

impl Drop for StopGuard {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Runs a job on the pool and waits for what it gives. Dropping the future tells the job to stop.
pub(super) async fn on_pool<T: Send + 'static>(
    pool: &dyn Pool,
    job: impl FnOnce(&Stop) -> T + Send + 'static,
) -> Result<T, Error> {
    let stop = Stop::default();
    let _guard = stop.when_dropped();
    let (sender, receiver) = oneshot::channel();
    pool.spawn(Box::new(move || {
        if !stop.is_set() {
            // The receiver may be gone: then nobody wants the result.
            let _ = sender.send(job(&stop));
        }
    }));
    receiver.await.map_err(|_| Error::Internal { message: "the work ended without a result".to_owned() })
}
