//! What a server is doing, for all who must know: it serves, it turns callers away, it ends.

use std::time::Duration;

use tokio::sync::watch;

/// What a server is doing. It goes from one to the next and never back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    /// It takes calls and says so.
    Serving,
    /// It still takes calls, and says that it does not, so that balancers turn to others before it is gone.
    Leaving,
    /// It takes no calls, and those under way end.
    Draining,
}

/// The phase of a server, to read and to wait for.
#[derive(Clone, Debug)]
pub(super) struct Phases(watch::Receiver<Phase>);

impl Phases {
    /// A server that serves, and what tells it to go on to the next phase.
    pub(super) fn new() -> (watch::Sender<Phase>, Self) {
        let (sender, receiver) = watch::channel(Phase::Serving);
        (sender, Self(receiver))
    }

    /// The phase now.
    pub(super) fn now(&self) -> Phase {
        *self.0.borrow()
    }

    /// Waits until the phase has come. A server that is gone is in the last.
    pub(super) async fn reached(&self, phase: Phase) {
        // An error is a server that is gone.
        let _ = self.0.clone().wait_for(|now| *now >= phase).await;
    }

    /// The changes, as they come, the present phase first.
    pub(super) fn changes(&self) -> watch::Receiver<Phase> {
        self.0.clone()
    }
}

/// How a server is asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// After the time in which balancers turn away from it.
    Gradually,
    /// Without that time, as where someone sits at the terminal.
    Now,
}

impl Stop {
    /// How long calls are still taken.
    pub(super) fn delay(self, usual: Duration) -> Duration {
        match self {
            Self::Gradually => usual,
            Self::Now => Duration::ZERO,
        }
    }
}
