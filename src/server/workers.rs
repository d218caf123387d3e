//! The threads for heavy work.

use std::sync::Arc;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tracing::error;

use super::metrics::Metrics;
use crate::grpc::{Pool, PoolJob};

/// A fixed number of threads.
#[derive(Debug)]
pub(super) struct Workers {
    threads: ThreadPool,
    metrics: Arc<Metrics>,
}

impl Workers {
    /// As many threads as asked for, or one for each processor that the process may use.
    pub(super) fn new(threads: Option<u32>, metrics: Arc<Metrics>) -> Result<Self, ThreadPoolBuildError> {
        let threads = ThreadPoolBuilder::new()
            .num_threads(threads.map_or(0, |threads| threads as usize))
            .thread_name(|index| format!("worker-{index}"))
            // The call whose job panicked is answered as a defect, and the others go on.
            .panic_handler(|_| error!("a job panicked"))
            .build()?;
        Ok(Self { threads, metrics })
    }
}

impl Pool for Workers {
    fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    fn spawn(&self, job: PoolJob) {
        let metrics = Arc::clone(&self.metrics);
        let queued = Instant::now();
        metrics.jobs_waiting.inc();
        self.threads.spawn_fifo(move || {
            metrics.jobs_waiting.dec();
            metrics.job_wait.observe(queued.elapsed().as_secs_f64());
            let _running = metrics.job_runs();
            job();
        });
    }
}
