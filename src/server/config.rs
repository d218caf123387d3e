//! Settings: flags, and environment variables of the same meaning. There is no configuration file.

mod values;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

pub use values::Origin;
use values::{loopback_for_any, seconds, seconds_or_none};

/// Settings of `arbiter serve`. Times are in seconds, also as decimals.
#[derive(Args, Clone, Debug)]
pub struct ServeConfig {
    /// Address and port for calls.
    #[arg(long, env = "ARBITER_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    pub listen: SocketAddr,

    /// Serve without TLS on an address that other machines reach.
    #[arg(long, env = "ARBITER_INSECURE")]
    pub insecure: bool,

    /// Address and port for /metrics, /livez and /readyz over plain HTTP/1.1; none if not given. Not for strangers.
    #[arg(long, env = "ARBITER_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,

    /// Serve a page at `/` on which all games are seen and played. Turns gRPC-web on for it.
    #[arg(long, env = "ARBITER_WEB")]
    pub web: bool,

    /// Origins whose pages may call, with commas between, such as `https://example.org`; `*` for all. Turns gRPC-web
    /// on; off if not given.
    #[arg(long, env = "ARBITER_WEB_ORIGINS", value_name = "ORIGINS", value_delimiter = ',')]
    pub web_origins: Vec<Origin>,

    /// Tell clients the contract by server reflection.
    #[arg(
        long, env = "ARBITER_REFLECTION", value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set
    )]
    pub reflection: bool,

    /// What to log: a level (error, warn, info, debug, trace) for the service, or `tracing` directives such as
    /// `info,h2=debug`.
    #[arg(long, env = "ARBITER_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,

    /// How to write logs.
    #[arg(long, env = "ARBITER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,

    /// TLS.
    #[command(flatten)]
    pub tls: TlsConfig,

    /// Connections.
    #[command(flatten)]
    pub connections: ConnectionConfig,

    /// Calls and their work.
    #[command(flatten)]
    pub calls: CallConfig,

    /// Stopping.
    #[command(flatten)]
    pub stopping: StopConfig,
}

/// TLS for calls.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "TLS")]
pub struct TlsConfig {
    /// PEM file of the certificate and those that vouch for it. Turns TLS on.
    #[arg(long, env = "ARBITER_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,

    /// PEM file of the certificate's private key.
    #[arg(long, env = "ARBITER_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// PEM file of authorities. Clients must show a certificate that one of them signed.
    #[arg(long, env = "ARBITER_TLS_CLIENT_CA", value_name = "FILE", requires = "tls_cert")]
    pub tls_client_ca: Option<PathBuf>,

    /// How often to look whether the files have changed [0.1 to 86400 s].
    #[arg(
        long, env = "ARBITER_TLS_RELOAD_INTERVAL", value_name = "SECONDS", default_value = "60",
        value_parser = seconds(0.1, 86_400.0)
    )]
    pub tls_reload_interval: Duration,
}

/// Limits of connections.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Connections")]
pub struct ConnectionConfig {
    /// Connections at once; further ones are closed. Never more than the process may open files, less 64
    /// [1 to 1000000].
    #[arg(
        long, env = "ARBITER_MAX_CONNECTIONS", value_name = "COUNT", default_value_t = 2_048,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub max_connections: u32,

    /// Calls at once on a connection [1 to 100000].
    #[arg(
        long, env = "ARBITER_MAX_CONCURRENT_STREAMS", value_name = "COUNT", default_value_t = 128,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub max_concurrent_streams: u32,

    /// Time for a new connection until it has shaken hands [0.1 to 60 s].
    #[arg(
        long, env = "ARBITER_HANDSHAKE_TIMEOUT", value_name = "SECONDS", default_value = "5",
        value_parser = seconds(0.1, 60.0)
    )]
    pub handshake_timeout: Duration,

    /// Time between questions whether a connection's other side is still there; 0 for none [0, 0.1 to 3600 s].
    #[arg(
        long, env = "ARBITER_KEEPALIVE_INTERVAL", value_name = "SECONDS", default_value = "30",
        value_parser = seconds_or_none(0.1, 3_600.0)
    )]
    pub keepalive_interval: Duration,

    /// Time for the answer to such a question [0.1 to 600 s].
    #[arg(
        long, env = "ARBITER_KEEPALIVE_TIMEOUT", value_name = "SECONDS", default_value = "10",
        value_parser = seconds(0.1, 600.0)
    )]
    pub keepalive_timeout: Duration,

    /// Age at which a connection takes no new calls, so that clients spread over new replicas; each connection's is up
    /// to a tenth more or less. 0 for none [0, 0.1 to 604800 s].
    #[arg(
        long, env = "ARBITER_CONNECTION_AGE", value_name = "SECONDS", default_value = "1800",
        value_parser = seconds_or_none(0.1, 604_800.0)
    )]
    pub connection_age: Duration,
}

/// Limits of calls and their work.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Calls")]
pub struct CallConfig {
    /// Calls at once on all connections; further ones are answered that the service is busy [1 to 1000000].
    #[arg(
        long, env = "ARBITER_MAX_CALLS", value_name = "COUNT", default_value_t = 2_048,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub max_calls: u32,

    /// Largest request [1024 to 67108864 bytes].
    #[arg(
        long, env = "ARBITER_MAX_REQUEST_BYTES", value_name = "BYTES", default_value_t = 4_194_304,
        value_parser = clap::value_parser!(u32).range(1_024..=67_108_864)
    )]
    pub max_request_bytes: u32,

    /// Memory for large requests, answers and lists under way; when it is full, further ones are answered that the
    /// service is busy [1048576 to 17179869184 bytes].
    #[arg(
        long, env = "ARBITER_MAX_BUFFERED_BYTES", value_name = "BYTES", default_value_t = 67_108_864,
        value_parser = clap::value_parser!(u64).range(1_048_576..=17_179_869_184)
    )]
    pub max_buffered_bytes: u64,

    /// Threads for heavy work; one for each processor that the process may use if not given [1 to 1024].
    #[arg(
        long, env = "ARBITER_WORKERS", value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..=1_024)
    )]
    pub workers: Option<u32>,

    /// Heavy calls that may wait, for each of these threads; further ones are answered that the service is busy
    /// [1 to 100000].
    #[arg(
        long, env = "ARBITER_QUEUE", value_name = "COUNT", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub queue: u32,

    /// How much of that queue calls for lists may take, in percent [1 to 100].
    #[arg(
        long, env = "ARBITER_LIST_SHARE", value_name = "PERCENT", default_value_t = 50,
        value_parser = clap::value_parser!(u32).range(1..=100)
    )]
    pub list_share: u32,

    /// Deadline of calls that come without one [0.01 to 86400 s].
    #[arg(
        long, env = "ARBITER_DEFAULT_DEADLINE", value_name = "SECONDS", default_value = "30",
        value_parser = seconds(0.01, 86_400.0)
    )]
    pub default_deadline: Duration,

    /// Latest deadline of any call [0.01 to 86400 s].
    #[arg(
        long, env = "ARBITER_MAX_DEADLINE", value_name = "SECONDS", default_value = "300",
        value_parser = seconds(0.01, 86_400.0)
    )]
    pub max_deadline: Duration,

    /// Time for a client to take what was sent before its call is ended [0.1 to 86400 s].
    #[arg(
        long, env = "ARBITER_STALL_LIMIT", value_name = "SECONDS", default_value = "30",
        value_parser = seconds(0.1, 86_400.0)
    )]
    pub stall_limit: Duration,
}

/// How the service stops.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Stopping")]
pub struct StopConfig {
    /// Time after SIGTERM in which calls are still taken while health says NOT_SERVING, so that balancers turn away
    /// first. SIGINT skips it [0 to 3600 s].
    #[arg(
        long, env = "ARBITER_DRAIN_DELAY", value_name = "SECONDS", default_value = "5",
        value_parser = seconds(0.0, 3_600.0)
    )]
    pub drain_delay: Duration,

    /// Time after that for the calls under way [0 to 3600 s].
    #[arg(
        long, env = "ARBITER_DRAIN_LIMIT", value_name = "SECONDS", default_value = "20",
        value_parser = seconds(0.0, 3_600.0)
    )]
    pub drain_limit: Duration,
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
    /// Address and port for calls that the service listens on. An address that stands for all of the machine's is
    /// asked on loopback.
    #[arg(long, env = "ARBITER_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    pub address: SocketAddr,

    /// Address and port of the service's /readyz. Where it is given this is asked, which works with TLS too.
    #[arg(long, env = "ARBITER_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_address: Option<SocketAddr>,
}

impl HealthcheckConfig {
    /// The address of the gRPC health service.
    pub fn calls(&self) -> SocketAddr {
        loopback_for_any(self.address)
    }

    /// The address of /readyz.
    pub fn admin(&self) -> Option<SocketAddr> {
        self.admin_address.map(loopback_for_any)
    }
}
