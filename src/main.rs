//! The command line: `arbiter serve`, `arbiter healthcheck`, `arbiter perft`.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Query};
use arbiter::rules::position::Position;
use arbiter::rules::turn::Turn;
use arbiter::rules::variant::Variant;
use arbiter::rules::{initial_position, variants};
use arbiter::server::config::{HealthcheckConfig, ServeConfig};
use arbiter::server::{self, Error, Listeners, Stop, telemetry};
use clap::{Args, Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// A stateless gRPC service that knows the exact rules of chess variants.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until SIGTERM or SIGINT.
    Serve(Box<ServeConfig>),
    /// Ask a running service whether it is serving: exit code 0 if so, else 1.
    Healthcheck(HealthcheckConfig),
    /// Count the sequences of legal moves.
    Perft(PerftArgs),
}

#[derive(Args)]
struct PerftArgs {
    /// The variant, for example `chess`.
    variant: String,
    /// How many moves deep.
    depth: u32,
    /// The position as text; the initial position if not given.
    #[arg(long, value_name = "TEXT")]
    fen: Option<String>,
    /// Also print the count behind each first move.
    #[arg(long)]
    divide: bool,
}

fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Serve(config) => serve(&config),
        Command::Healthcheck(config) => healthcheck(&config),
        Command::Perft(args) => perft(&args),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "this is where a command line says what went wrong")]
fn report(line: &str) {
    eprintln!("{line}");
}

#[expect(clippy::print_stdout, reason = "this is the output of a command line")]
fn print(line: &str) {
    println!("{line}");
}

#[tokio::main]
async fn serve(config: &ServeConfig) -> Result<(), Error> {
    let _telemetry = telemetry::init(&config.log, config.log_format)?;
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let listeners = Listeners::bind(config).await?;
    let (first, second) = oneshot::channel();
    let signals = async {
        let stop = tokio::select! {
            _ = terminate.recv() => Stop::Gradually,
            _ = interrupt.recv() => Stop::Now,
        };
        // A server that ended before has nobody to hear it.
        let _ = first.send(stop);
        tokio::select! {
            _ = terminate.recv() => (),
            _ = interrupt.recv() => (),
        }
    };
    let shutdown = async { second.await.unwrap_or(Stop::Now) };
    tokio::select! {
        ran = server::run(listeners, config, shutdown) => ran,
        () = signals => Err("a second signal: calls under way were given up".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn healthcheck(config: &HealthcheckConfig) -> Result<(), Error> {
    server::healthcheck(config).await
}

fn perft(args: &PerftArgs) -> Result<(), Error> {
    let variant =
        variants::find(&args.variant).ok_or_else(|| format!("there is no variant {:?}", args.variant))?;
    let read = match &args.fen {
        Some(text) => position_text::parse(variant, text),
        None => initial_position(variant, None),
    };
    let position = read.map_err(|faults| {
        let faults: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
        format!("the position is invalid: {}", faults.join("; "))
    })?;
    let start = Instant::now();
    let total = if args.divide && args.depth > 0 {
        divide(variant, &position, args.depth)
    } else {
        play::perft(variant, &position, args.depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    print(&format!("{total} in {seconds:.3} s, {:.0} nodes/s", total as f64 / seconds.max(1e-9)));
    Ok(())
}

/// Prints the count behind each first move, and sums them up.
fn divide(variant: &dyn Variant, position: &Position, depth: u32) -> u64 {
    let mut total = 0;
    if variant.ending(position).is_some() {
        return total;
    }
    let _ = play::moves(variant, &Turn::new(position.clone()), &Query::ALL, &mut |before, steps| {
        let after = play::position_after(variant, before, steps);
        let count = after.map_or(0, |position| play::perft(variant, &position, depth - 1));
        print(&format!("{}: {count}", move_text::print(variant.card(), steps)));
        total += count;
        ControlFlow::Continue(())
    });
    total
}
