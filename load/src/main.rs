//! Load for Arbiter: makes calls at a fixed rate or from a fixed number of callers, and prints what became of them.
//!
//! At a rate, calls begin when they are due, whether or not earlier ones have ended, and their latency counts from that
//! moment. A server that stalls is then seen to stall: callers that wait for an answer before they ask again would be
//! held up by the stall, and measure only one slow call where many were due.
//!
//! Everything runs on one thread, so that the program can be pinned to one core and leave the others to the server.

mod arrivals;
mod attempt;
mod call;
mod connections;
mod kinds;
mod options;
mod report;
mod run;
mod tally;
mod tls;
mod watch;

use std::process::ExitCode;

use clap::Parser;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use options::Options;

/// Why no load could be made.
type Error = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match load(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            report::complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn load(options: &Options) -> Result<ExitCode, Error> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let results = LocalSet::new().block_on(&runtime, run::run(options))?;
    report::print(options, &results);
    let unwanted = results.unwanted(&options.fail_on);
    if unwanted > 0 {
        report::complain(&format!("{unwanted} calls ended as --fail-on forbids"));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
