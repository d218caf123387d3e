//! The process around the gRPC edge: settings, connections, TLS, layers, health, metrics, logs, stopping.

mod admin;
pub mod config;
mod connections;
mod health;
mod healthcheck;
mod metrics;
mod observing;
mod page;
mod phase;
mod socket;
mod stack;
mod stall;
pub mod telemetry;
mod tls;
mod tracing_context;
mod workers;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tonic::service::Routes;
use tracing::{info, warn};

use crate::grpc::{self, Deadlines, Intake, Memory, Referee, Transport, WorkLimits};
use admin::Admin;
use config::ServeConfig;
use connections::Connections;
use health::Doctor;
use metrics::Metrics;
use phase::{Phase, Phases};
use stack::Web;
use tls::Tls;
use workers::Workers;

pub use healthcheck::healthcheck;
pub use phase::Stop;

/// Connections to the admin port at once.
const ADMIN_CONNECTIONS: u32 = 32;

/// Why the service could not run.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The sockets that a server listens on.
#[derive(Debug)]
pub struct Listeners {
    calls: TcpListener,
    admin: Option<TcpListener>,
}

impl Listeners {
    /// Listens where the settings say. Without TLS only on loopback, unless the settings say that this is meant.
    pub async fn bind(config: &ServeConfig) -> Result<Self, Error> {
        if !config.listen.ip().is_loopback() && config.tls.tls_cert.is_none() && !config.insecure {
            return Err(format!(
                "{} can be reached from other machines, so a TLS certificate is needed (--tls-cert, --tls-key), \
                 or --insecure where a proxy or a network of trust is before the service",
                config.listen
            )
            .into());
        }
        let calls = listen(config.listen).await?;
        let admin = match config.admin_listen {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        Ok(Self { calls, admin })
    }

    /// The address for calls.
    pub fn calls(&self) -> Result<SocketAddr, Error> {
        Ok(self.calls.local_addr()?)
    }

    /// The address of the admin port, if there is one.
    pub fn admin(&self) -> Result<Option<SocketAddr>, Error> {
        Ok(self.admin.as_ref().map(TcpListener::local_addr).transpose()?)
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, Error> {
    TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}").into())
}

/// Serves until `shutdown` completes, and then until the calls under way have ended or the time for that is over.
pub async fn run(
    listeners: Listeners,
    config: &ServeConfig,
    shutdown: impl Future<Output = Stop>,
) -> Result<(), Error> {
    let metrics = Arc::new(Metrics::new()?);
    let (enter, phases) = Phases::new();
    let memory = Memory::new(usize::try_from(config.calls.max_buffered_bytes).unwrap_or(usize::MAX));
    let intake = Intake::new(config.calls.max_calls as usize, memory.clone());
    let web = Web { origins: &config.web_origins, page: config.web };
    let (tls, _tls_watch) = match Tls::read(&config.tls, web.is_on())? {
        Some((tls, watch)) => {
            let watching = watch.run(config.tls.tls_reload_interval, Arc::clone(&metrics));
            (Some(tls), Some(Background(tokio::spawn(watching).abort_handle())))
        }
        None => (None, None),
    };

    let (address, admin_address) = (listeners.calls()?, listeners.admin()?);
    let connections = Connections {
        config: config.connections.clone(),
        stall_limit: config.calls.stall_limit,
        last_calls: config.calls.max_deadline,
        http1: web.is_on(),
        tls,
        metrics: Arc::clone(&metrics),
        phases: phases.clone(),
    };
    let routes = routes(config, memory.clone(), &metrics, phases.clone())?;
    let answerer = stack::stack(routes, &intake, Arc::clone(&metrics), web);
    let calls = connections.clone().serve(listeners.calls, answerer);
    let _admin = match listeners.admin {
        Some(listener) => {
            let admin = Admin { metrics, intake, memory, phases };
            Some(open_admin(listener, connections, admin)?)
        }
        None => None,
    };
    info!(%address, version = env!("CARGO_PKG_VERSION"), "serving");
    if let Some(address) = admin_address {
        info!(%address, "admin port open");
    }

    let mut calls = std::pin::pin!(calls);
    let stop = tokio::select! {
        () = &mut calls => return Ok(()),
        stop = shutdown => stop,
    };
    let delay = stop.delay(config.stopping.drain_delay);
    info!(seconds = delay.as_secs_f64(), "stopping: calls are still taken for this time");
    enter.send_replace(Phase::Leaving);
    let _ = timeout(delay, &mut calls).await;
    info!("stopping: calls under way end");
    enter.send_replace(Phase::Draining);
    if timeout(config.stopping.drain_limit, calls).await.is_err() {
        warn!("calls were still under way when the time to stop was over");
    }
    info!("stopped");
    Ok(())
}

/// Opens the admin port, with connections like those for calls.
fn open_admin(
    listener: TcpListener,
    mut connections: Connections,
    admin: Admin,
) -> Result<Background, prometheus::Error> {
    // It tells of the server to the very end, so it has a life of its own.
    let (living, own_phases) = Phases::new();
    connections.phases = own_phases;
    connections.config.max_connections = ADMIN_CONNECTIONS;
    connections.tls = None;
    connections.http1 = true;
    // Its own connections are not among those that it counts.
    connections.metrics = Arc::new(Metrics::new()?);
    let serving = async move {
        connections.serve(listener, admin.answerer()).await;
        drop(living);
    };
    Ok(Background(tokio::spawn(serving).abort_handle()))
}

/// All services.
fn routes(
    config: &ServeConfig,
    memory: Memory,
    metrics: &Arc<Metrics>,
    phases: Phases,
) -> Result<Routes, Error> {
    let calls = &config.calls;
    let limits = WorkLimits { queue: calls.queue as usize, list_share: calls.list_share as usize, memory };
    let workers = Arc::new(Workers::new(calls.workers, Arc::clone(metrics))?);
    let latest = calls.max_deadline;
    let deadlines = Deadlines { default: calls.default_deadline, latest };
    let referee = Referee::new(workers, &limits).into_service(deadlines, calls.max_request_bytes as usize);
    // Whoever watches the server's health does so for as long as there is a server.
    let doctor = Transport::until_answered(Doctor::service(phases), deadlines);
    let mut routes = Routes::new(referee).add_service(doctor);
    if config.reflection {
        // One stream for a whole session of questions, so without a deadline it may last long.
        let deadlines = Deadlines { default: latest, latest };
        routes = routes
            .add_service(Transport::new(reflection().build_v1()?, deadlines))
            .add_service(Transport::new(reflection().build_v1alpha()?, deadlines));
    }
    Ok(routes)
}

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(grpc::DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}

/// A task that ends with its owner.
struct Background(AbortHandle);

impl Drop for Background {
    fn drop(&mut self) {
        self.0.abort();
    }
}
