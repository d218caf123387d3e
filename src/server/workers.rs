//! The threads for heavy work.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tracing::error;

use crate::grpc::{Pool, PoolJob};

/// The jobs that may wait for a thread, for each thread. Jobs take from a tenth of a millisecond to some milliseconds,
/// so a full queue is worked off within about a second.
const QUEUE_PER_THREAD: usize = 256;

/// A fixed number of threads with a bounded queue.
#[derive(Debug)]
pub(super) struct Workers {
    threads: ThreadPool,
    /// Jobs that wait or run.
    jobs: Arc<AtomicUsize>,
    most_jobs: usize,
}

impl Workers {
    /// As many threads as asked for, or one for each processor that the process may use.
    pub(super) fn new(threads: Option<NonZeroUsize>) -> Result<Self, ThreadPoolBuildError> {
        let threads = ThreadPoolBuilder::new()
            .num_threads(threads.map_or(0, NonZeroUsize::get))
            .thread_name(|index| format!("worker-{index}"))
            // The call whose job panicked is answered as a defect, and the others go on.
            .panic_handler(|_| error!("a job panicked"))
            .build()?;
        let most_jobs = threads.current_num_threads() * QUEUE_PER_THREAD;
        Ok(Self { threads, jobs: Arc::default(), most_jobs })
    }
}

impl Pool for Workers {
    fn admits(&self) -> bool {
        self.jobs.load(Ordering::Relaxed) < self.most_jobs
    }

    fn spawn(&self, job: PoolJob) {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&self.jobs));
        self.threads.spawn_fifo(move || {
            let _counted = counted;
            job();
        });
    }
}

/// A job in the count until it ends, however it ends.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
