//! A run: calls from the beginning of the warm-up to the end of the time that counts, then the wait for the last ones.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_local;
use tokio::time::{sleep, sleep_until};

use crate::Error;
use crate::arrivals::{Mix, due_times};
use crate::call::Caller;
use crate::connections::Connections;
use crate::kinds::Weighted;
use crate::options::Options;
use crate::tally::{Tally, Times};
use crate::watch::processor_time;

/// What a caller of a closed loop waits after it could not reach any server.
const UNREACHABLE_WAIT: Duration = Duration::from_millis(100);

/// What all calls of a run share.
struct Shared {
    caller: Caller,
    calls: Vec<Weighted>,
    mix: RefCell<Mix>,
    tally: RefCell<Tally>,
    /// When calls end to begin.
    end: Instant,
}

/// Makes the calls and gives what became of them.
pub(crate) async fn run(options: &Options) -> Result<Tally, Error> {
    let caller = Caller {
        connections: Connections::begin(options)?,
        authority: options.targets[0].clone(),
        scheme: if options.tls_ca.is_some() { "https" } else { "http" },
        deadline: options.deadline,
        retry: options.retry,
    };
    // The first connections are no part of the run. A server that cannot be reached is, like any other.
    let _ = caller.connections.pick().await;
    let start = Instant::now();
    let begin = start + options.warm_up;
    let end = begin + options.seconds;
    let shared = Rc::new(Shared {
        caller,
        calls: options.calls.clone(),
        mix: RefCell::new(Mix::new(options.calls.iter().map(|call| call.weight))),
        tally: RefCell::new(Tally::new(begin, end, options.calls.len(), options.targets.len())),
        end,
    });
    let watched = options.watch.map(|pid| spawn_local(used_between(pid, begin, end)));
    // Each call under way holds a sender, so that the channel closes when the last has ended.
    let (under_way, ended) = channel(1);
    match (options.rate, options.concurrency) {
        (Some(rate), _) => open_loop(&shared, start, rate, &under_way).await,
        (None, callers) => closed_loop(&shared, callers.unwrap_or(1), &under_way),
    }
    drop(under_way);
    all_ended(ended).await;
    let shared = Rc::try_unwrap(shared).map_err(|_| "a call is still under way")?;
    let mut tally = shared.tally.into_inner();
    if let Some(watched) = watched {
        tally.watched = watched.await?;
    }
    Ok(tally)
}

/// The processor time that a process uses in a while; none if it ends before.
async fn used_between(pid: u32, begin: Instant, end: Instant) -> Option<Duration> {
    sleep_until(begin.into()).await;
    let before = processor_time(pid)?;
    sleep_until(end.into()).await;
    processor_time(pid)?.checked_sub(before)
}

/// Begins each call when it is due.
async fn open_loop(shared: &Rc<Shared>, start: Instant, rate: f64, under_way: &Sender<()>) {
    let mut due_times = due_times(start, shared.end, rate);
    while let Some(due) = due_times.recv().await {
        let (shared, under_way) = (Rc::clone(shared), under_way.clone());
        spawn_local(async move {
            shared.call(due).await;
            drop(under_way);
        });
    }
}

/// Starts callers that each make one call after the other.
fn closed_loop(shared: &Rc<Shared>, callers: u32, under_way: &Sender<()>) {
    for _ in 0..callers {
        let (shared, under_way) = (Rc::clone(shared), under_way.clone());
        spawn_local(async move {
            while Instant::now() < shared.end {
                if !shared.call(Instant::now()).await {
                    sleep(UNREACHABLE_WAIT).await;
                }
            }
            drop(under_way);
        });
    }
}

/// Waits until no call is under way. Each ends at its deadline at the latest.
async fn all_ended(mut ended: Receiver<()>) {
    let _ = ended.recv().await;
}

impl Shared {
    /// Makes the next call, and says whether a server was reached.
    async fn call(&self, due: Instant) -> bool {
        let index = self.mix.borrow_mut().next();
        let began = Instant::now();
        let outcome = self.caller.call(&self.calls[index].kind).await;
        let times = Times { due, began, ended: Instant::now() };
        self.tally.borrow_mut().record(index, times, &outcome);
        outcome.attempts.last().is_some_and(|(target, _)| target.is_some())
    }
}
