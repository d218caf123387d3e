//! Settings: flags, and environment variables of the same meaning. There is no configuration file.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

/// Settings of `arbiter serve`.
#[derive(Args, Clone, Debug)]
pub struct ServeConfig {
    /// Address and port to listen on.
    #[arg(long, env = "ARBITER_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    pub listen: SocketAddr,

    /// Threads for heavy work; one for each processor that the process may use if not given.
    #[arg(long, env = "ARBITER_WORKERS", value_name = "COUNT")]
    pub workers: Option<NonZeroUsize>,

    /// What to log: a level (error, warn, info, debug, trace) for the service, or `tracing` directives such as
    /// `info,h2=debug`.
    #[arg(long, env = "ARBITER_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,

    /// How to write logs.
    #[arg(long, env = "ARBITER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

/// How logs are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Settings of `arbiter healthcheck`.
#[derive(Args, Clone, Debug)]
pub struct HealthcheckConfig {
    /// Address and port that the service listens on. An address that stands for all of the machine's is asked on
    /// loopback.
    #[arg(long, env = "ARBITER_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    pub address: SocketAddr,
}

impl HealthcheckConfig {
    /// The address to ask.
    pub fn reachable(&self) -> SocketAddr {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            IpAddr::V4(ip) => ip.into(),
            IpAddr::V6(ip) => ip.into(),
        };
        SocketAddr::new(ip, self.address.port())
    }
}
