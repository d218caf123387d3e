//! The process around the gRPC edge: settings, listener, health, reflection, logs, stopping.

pub mod config;
pub mod telemetry;
mod workers;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic_health::server::HealthReporter;
use tracing::{debug, info, warn};

use crate::grpc::{self, Referee};
use config::ServeConfig;
use workers::Workers;

/// How long calls under way may go on after the service was told to stop.
const DRAIN_LIMIT: Duration = Duration::from_secs(20);

/// Why the service could not run.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Serves on the listener until `shutdown` completes; then lets the calls under way end, for a while.
pub async fn run(
    listener: TcpListener,
    config: &ServeConfig,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    let (health, health_service) = tonic_health::server::health_reporter();
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(grpc::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let referee = Referee::new(Arc::new(Workers::new(config.workers)?)).into_service();
    // Where a socket refuses the option its calls are slower and still right.
    let connections = TcpListenerStream::new(listener).map(|connection| {
        if let Ok(connection) = &connection
            && let Err(error) = connection.set_nodelay(true)
        {
            debug!(%error, "a connection cannot be set to send at once");
        }
        connection
    });
    let (stopping, mut stopped) = watch::channel(false);
    let stop = {
        let health = health.clone();
        async move {
            shutdown.await;
            info!("stopping");
            set_serving(&health, false).await;
            // Nobody listens where the server ended before.
            let _ = stopping.send(true);
        }
    };
    set_serving(&health, true).await;
    let serve = Server::builder()
        .add_service(health_service)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?)
        .add_service(referee)
        .serve_with_incoming_shutdown(connections, stop);
    let drained_too_long = async {
        if stopped.wait_for(|stopped| *stopped).await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(DRAIN_LIMIT).await;
    };
    tokio::select! {
        served = serve => served?,
        () = drained_too_long => warn!("calls were still under way when the time to stop was over"),
    }
    info!("stopped");
    Ok(())
}

/// Tells health checks whether the process and its service are serving.
async fn set_serving(health: &HealthReporter, serving: bool) {
    let status =
        if serving { tonic_health::ServingStatus::Serving } else { tonic_health::ServingStatus::NotServing };
    health.set_service_status("", status).await;
    health.set_service_status("arbiter.v1.ArbiterService", status).await;
}
