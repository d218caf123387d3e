//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Parser};

use crate::kinds::{self, Weighted};

/// Makes calls to Arbiter at a rate or from a number of callers, and prints what became of them as JSON.
///
/// The exit code is 0 however the calls ended (unless --fail-on says otherwise), 1 if calls ended as --fail-on forbids,
/// and 2 if no load could be made.
#[derive(Parser, Debug)]
#[command(version, after_help = kinds::HELP, group(ArgGroup::new("pace").required(true)))]
pub(crate) struct Options {
    /// Address and port of a server or a proxy. If given several times, connections are made to each, and calls are
    /// spread over all connections in turn, those left out that do not stand.
    #[arg(long = "target", value_name = "ADDRESS", required = true)]
    pub(crate) targets: Vec<String>,

    /// Connections to each target.
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) connections: u32,

    /// A kind of call and its weight in the mix: KIND[:WHAT][=WEIGHT], for example `single:gamma2=3`. Can be given
    /// several times.
    #[arg(long = "call", value_name = "CALL", default_value = "single:chess")]
    pub(crate) calls: Vec<Weighted>,

    /// Calls that begin each second, at even distances, however long earlier ones take (an open loop).
    #[arg(long, value_name = "PER_SECOND", group = "pace", value_parser = rate)]
    pub(crate) rate: Option<f64>,

    /// Callers that each make one call after the other (a closed loop).
    #[arg(long, value_name = "CALLERS", group = "pace", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) concurrency: Option<u32>,

    /// Seconds for which calls are counted.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) seconds: Duration,

    /// Seconds before, in which calls are made and not counted.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub(crate) warm_up: Duration,

    /// Seconds that a call may take, retries and waits between them included. The server is told.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(crate) deadline: Duration,

    /// Try calls that end with UNAVAILABLE again, as the service recommends: 4 attempts in all, after 0.1 s, 0.2 s and
    /// 0.4 s, each a fifth more or less. A call whose answer has begun is not tried again.
    #[arg(long)]
    pub(crate) retry: bool,

    /// Close each connection after so many seconds, when its calls have ended, and make another.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) connection_life: Option<Duration>,

    /// Use TLS and trust the certificates in this PEM file.
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_ca: Option<PathBuf>,

    /// The certificate of this client, a PEM file.
    #[arg(long, value_name = "FILE", requires_all = ["tls_ca", "tls_key"])]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The key of this client, a PEM file.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// The name that the server's certificate must have; the host of the target if not given.
    #[arg(long, value_name = "NAME", requires = "tls_ca")]
    pub(crate) tls_name: Option<String>,

    /// A process of which to say how many seconds of processor it used in the time that counts: the server, if it is on
    /// this machine. Linux only.
    #[arg(long, value_name = "PID")]
    pub(crate) watch: Option<u32>,

    /// Codes that no call may end with, such as `UNAVAILABLE,INTERNAL`; `any` stands for all but OK. A wrong answer has
    /// the code WRONG_ANSWER.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) fail_on: Vec<String>,

    /// Print a summary for people instead of JSON.
    #[arg(long)]
    pub(crate) human: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    if rate > 0.0 && rate <= 1e6 { Ok(rate) } else { Err("no rate between 0 and 1,000,000".to_owned()) }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    if (0.0..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("no time between nothing and a day".to_owned())
    }
}
