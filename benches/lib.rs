//! What the benches share: two sides measured in turn, so that the ratio holds while the machine's speed drifts.

#![allow(clippy::print_stdout, reason = "a bench reports by printing")]
#![allow(clippy::expect_used, reason = "a bench that panics has failed, which is its purpose")]

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use arbiter::server::Listeners;
use arbiter::server::config::ServeConfig;
use clap::{Args, Command, FromArgMatches};
use tokio::net::TcpListener;
use tonic::transport::{Channel, Endpoint};

/// How often each side is run; odd, so that there is a median.
const ROUNDS: usize = 9;

/// Runs both sides in turn, each giving how many things it did, and prints the median rates and the median ratio.
pub fn compare(name: &str, ours: (&str, &mut dyn FnMut() -> u64), theirs: (&str, &mut dyn FnMut() -> u64)) {
    let mut rates = [Vec::new(), Vec::new()];
    let mut ratios = Vec::new();
    for round in 0..=ROUNDS {
        let pair = [rate(ours.1), rate(theirs.1)];
        // The first round warms caches and branch predictors.
        if round > 0 {
            rates[0].push(pair[0]);
            rates[1].push(pair[1]);
            ratios.push(pair[0] / pair[1]);
        }
    }
    println!(
        "{name}: {} {}, {} {}, ratio {:.3} (medians of {ROUNDS}; ratios {:.3} to {:.3})",
        ours.0,
        shown(median(&mut rates[0])),
        theirs.0,
        shown(median(&mut rates[1])),
        median(&mut ratios),
        ratios[0],
        ratios[ROUNDS - 1],
    );
}

/// Starts the service on a free port and connects to it.
pub async fn serve_arbiter() -> Channel {
    let command = ServeConfig::augment_args(Command::new("serve"));
    let matches = command.get_matches_from(["serve", "--listen", "127.0.0.1:0", "--log", "error"]);
    let config = ServeConfig::from_arg_matches(&matches).expect("the settings are good");
    let listeners = Listeners::bind(&config).await.expect("a port is free");
    let address = listeners.calls().expect("it is bound");
    tokio::spawn(async move { arbiter::server::run(listeners, &config, std::future::pending()).await });
    connect(address).await
}

/// Listens on a free port.
pub async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    (listener, address)
}

/// A connection to a server on this machine.
pub async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("the address is one");
    endpoint.connect().await.expect("the server listens")
}

/// Things a second.
fn rate(run: &mut dyn FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let done = run();
    done as f64 / start.elapsed().max(Duration::from_nanos(1)).as_secs_f64()
}

/// A rate for people.
fn shown(rate: f64) -> String {
    if rate < 1e6 { format!("{rate:.0}/s") } else { format!("{:.2} M/s", rate / 1e6) }
}

/// The middle value; sorts the values.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
