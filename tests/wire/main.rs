//! Tests of the service over the wire: the real server, on a port of its own, is called as its clients call it.
//!
//! What holds for every game is asked of every game that the server lists; chess and gamma2 serve for concrete cases.
//! Where the generated client would hide what really travels, a plain HTTP/2 client is used.
//!
//! - `server`, `ask`, `raw`, `random`, `data`: a server to ask, how to ask it, and what about
//! - `variants`, `lists`, `long_list`, `tokens`, `steps`, `plays`, `illegal`, `reasons`, `history`, `replays`, `forms`: what it answers
//! - `errors`, `faults`, `hostile`, `framing`, `limits`: what it refuses, and what cannot harm it
//! - `process`: health, reflection, stopping, the command line

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed, which is its purpose"
)]
#![allow(unreachable_pub, reason = "nothing outside a test reaches into it")]

#[path = "../naive/mod.rs"]
mod naive;

mod ask;
mod data;
mod random;
mod raw;
mod server;

mod errors;
mod faults;
mod forms;
mod framing;
mod history;
mod hostile;
mod illegal;
mod limits;
mod lists;
mod long_list;
mod plays;
mod process;
mod reasons;
mod replays;
mod steps;
mod tokens;
mod variants;
