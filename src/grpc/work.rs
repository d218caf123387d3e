//! Heavy work, off the threads that serve connections, refused when there is too much, and given up when nobody waits
//! for it.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::error::Error;
use super::memory::Memory;
use super::rest;

/// A piece of work for a [`Pool`].
pub type PoolJob = Box<dyn FnOnce() + Send>;

/// A fixed number of threads for heavy work.
pub trait Pool: Debug + Send + Sync + 'static {
    /// How many threads there are.
    fn threads(&self) -> usize;

    /// Runs the job when a thread is free, in the order in which jobs come.
    fn spawn(&self, job: PoolJob);
}

/// How much work is accepted.
#[derive(Clone, Debug)]
pub struct WorkLimits {
    /// The calls that may wait, for each thread of the pool.
    pub queue: usize,
    /// How much of that calls for lists may take, in percent.
    pub list_share: usize,
    /// The memory for what is large.
    pub memory: Memory,
}

/// What a call asks for, as far as its place in the queue depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A verdict.
    Verdict,
    /// A list. Lists may not take the whole queue, so that verdicts find room beside any number of them.
    List,
}

/// The pool and who may use it.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pool: Arc<dyn Pool>,
    room: Arc<Semaphore>,
    list_room: Arc<Semaphore>,
    /// A batch of a stream waits here for its turn and not in the pool's queue. So the streams, which were admitted
    /// once and then ask again and again, leave that queue to the calls that come.
    batch_turns: Arc<Semaphore>,
    pub(super) memory: Memory,
}

/// A place in the queue, until the work has ended.
#[derive(Debug)]
pub(super) struct Place {
    _room: OwnedSemaphorePermit,
    _list_room: Option<OwnedSemaphorePermit>,
}

impl Work {
    pub(super) fn new(pool: Arc<dyn Pool>, limits: &WorkLimits) -> Self {
        let threads = pool.threads();
        let room = threads + threads * limits.queue;
        let list_room = (room * limits.list_share / 100).max(1);
        Self {
            pool,
            room: Arc::new(Semaphore::new(room)),
            list_room: Arc::new(Semaphore::new(list_room)),
            batch_turns: Arc::new(Semaphore::new(threads)),
            memory: limits.memory.clone(),
        }
    }

    /// A place in the queue, or the refusal of a call for whose work there is no room.
    pub(super) fn admit(&self, kind: Kind) -> Result<Place, Error> {
        let take = |room: &Arc<Semaphore>| {
            Arc::clone(room).try_acquire_owned().map_err(|_| {
                rest::before_refusal();
                Error::Busy
            })
        };
        let list_room = match kind {
            Kind::Verdict => None,
            Kind::List => {
                self.memory.admit()?;
                Some(take(&self.list_room)?)
            }
        };
        Ok(Place { _room: take(&self.room)?, _list_room: list_room })
    }

    /// Runs the job of a call that was admitted, and waits for what it gives. Dropping the future tells the job to
    /// stop.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        place: Place,
        job: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.on_pool(place, job).await
    }

    /// Runs the job that makes a batch of a stream when it is its turn, like [`Self::run`].
    pub(super) async fn run_batch<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let turn = Arc::clone(&self.batch_turns).acquire_owned().await;
        self.on_pool(turn, job).await
    }

    /// Runs the job and keeps `place` until it has ended, also when nobody waits for it any more.
    async fn on_pool<T: Send + 'static>(
        &self,
        place: impl Send + 'static,
        job: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let stop = Stop::default();
        let _guard = stop.when_dropped();
        let (sender, receiver) = oneshot::channel();
        self.pool.spawn(Box::new(move || {
            let _place = place;
            if !stop.is_set() {
                // The receiver may be gone: then nobody wants the result.
                let _ = sender.send(job(&stop));
            }
        }));
        receiver.await.map_err(|_| Error::Internal { message: "the work ended without a result".to_owned() })
    }
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
