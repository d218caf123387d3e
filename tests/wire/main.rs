//! Tests of the service over the wire: the real server, on a port of its own, is called as its clients call it.
//!
//! What holds for every game is asked of every game that the server lists; chess and gamma2 serve for concrete cases.
//! Where the generated client would hide what really travels, a plain HTTP/2 client is used.
//!
//! - `server`, `program`, `ask`, `raw`, `frames`, `certificates`, `random`, `data`: a server to ask, how to ask it, and what about
//! - `variants`, `lists`, `long_list`, `tokens`, `steps`, `plays`, `illegal`, `reasons`, `history`, `replays`, `forms`: what it answers
//! - `errors`, `faults`, `hostile`, `framing`, `limits`: what it refuses, and what cannot harm it
//! - `streams`, `connections`, `calls`, `deadlines`, `stalls`: how much of it there may be, and for how long
//! - `health`, `stopping`: whether it is well, and how it ends
//! - `web`, `tls`: what browsers see, and who is let in
//! - `settings`, `metrics`, `logs`, `traces`: what its operators see
//! - `process`, `admin`: reflection, stopping, the command line, the admin port

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed, which is its purpose"
)]
#![allow(unreachable_pub, reason = "nothing outside a test reaches into it")]

#[path = "../naive/mod.rs"]
mod naive;

mod ask;
mod certificates;
mod data;
mod frames;
mod program;
mod random;
mod raw;
mod server;

mod admin;
mod calls;
mod connections;
mod deadlines;
mod errors;
mod faults;
mod forms;
mod framing;
mod health;
mod history;
mod hostile;
mod illegal;
mod limits;
mod lists;
mod logs;
mod long_list;
mod metrics;
mod plays;
mod process;
mod reasons;
mod replays;
mod settings;
mod stalls;
mod steps;
mod stopping;
mod streams;
mod tls;
mod tokens;
#[cfg(feature = "otlp")]
mod traces;
mod variants;
mod web;
