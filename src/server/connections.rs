//! Accepts connections and serves calls on them, within limits.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::Service;
use tower::util::BoxCloneSyncService;
use tracing::{debug, warn};

use super::config::ConnectionConfig;
use super::metrics::Metrics;
use super::phase::{Phase, Phases};
use super::socket::Socket;
use super::stall::Executor;
use super::tls::Tls;

/// What answers the requests of a connection.
pub(super) type Answerer = BoxCloneSyncService<Request<hyper::body::Incoming>, Response<Body>, Infallible>;

/// Files that are not for connections: those that the process opens itself.
const OTHER_FILES: u64 = 64;

/// How long nothing is accepted after an accept that failed, as it does while no file can be opened. Without it the
/// loop would spin.
const PAUSE: Duration = Duration::from_millis(100);

/// Streams that the peer has reset and that are still being worked off, and those that were reset by us. A peer that
/// causes more is a flood, and its connection is closed. Clients behind a balancer share connections and cancel a lot.
const MAX_PENDING_RESETS: usize = 100;
const MAX_OWN_RESETS: usize = 1_024;

/// What HTTP/2 buffers of an answer before it asks for more. It is not counted in the memory for what is large.
const SEND_BUFFER: usize = 16 << 10;

/// The most bytes of a request's headers.
const MAX_HEADERS: u32 = 16 << 10;

/// How connections are served.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    /// Limits.
    pub(super) config: ConnectionConfig,
    /// How long a peer may take nothing.
    pub(super) stall_limit: Duration,
    /// How long a connection that takes no more calls is kept for those it has.
    pub(super) last_calls: Duration,
    /// Whether HTTP/1.1 is spoken too, as browsers do.
    pub(super) http1: bool,
    /// TLS, if any.
    pub(super) tls: Option<Arc<Tls>>,
    /// What to count.
    pub(super) metrics: Arc<Metrics>,
    /// What the server is doing.
    pub(super) phases: Phases,
}

impl Connections {
    /// Serves until the server drains, and then until the last connection has ended. Dropping the future ends them all.
    pub(super) async fn serve(self, listener: TcpListener, answerer: Answerer) {
        let most = self.most();
        let room = Arc::new(Semaphore::new(most));
        let mut open = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = open.join_next(), if !open.is_empty() => continue,
                () = self.phases.reached(Phase::Draining) => break,
            };
            match accepted {
                Ok((stream, _)) => match Arc::clone(&room).try_acquire_owned() {
                    Ok(place) => {
                        open.spawn(self.clone().hold(stream, answerer.clone(), place));
                    }
                    // Closed at once, so that the caller can turn to another replica at once.
                    Err(_) => self.metrics.connections_refused("limit"),
                },
                Err(error) if is_of_the_peer(&error) => debug!(%error, "a connection ended before it began"),
                Err(error) => {
                    warn!(%error, "no connection can be accepted");
                    self.metrics.connections_refused("accept");
                    sleep(PAUSE).await;
                }
            }
        }
        drop(listener);
        while open.join_next().await.is_some() {}
    }

    /// How many connections are served at once.
    fn most(&self) -> usize {
        let asked = u64::from(self.config.max_connections);
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let most = files.map_or(asked, |files| asked.min(files.saturating_sub(OTHER_FILES).max(1)));
        if most < asked {
            warn!(most, asked, "fewer connections than asked for, as the process may not open more files");
        }
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    /// Serves a connection to its end, in its place.
    async fn hold(self, stream: TcpStream, answerer: Answerer, _place: OwnedSemaphorePermit) {
        let _counted = self.metrics.connection_opened();
        if let Err(error) = stream.set_nodelay(true) {
            // Its calls are slower and still right.
            debug!(%error, "a connection cannot be set to send at once");
        }
        let begin_until = Instant::now() + self.config.handshake_timeout;
        match &self.tls {
            None => self.speak(stream, begin_until, answerer).await,
            Some(tls) => match timeout_at(begin_until, tls.acceptor().accept(stream)).await {
                Ok(Ok(stream)) => self.speak(stream, begin_until, answerer).await,
                Ok(Err(error)) => {
                    debug!(%error, "a TLS handshake failed");
                    self.metrics.connections_refused("handshake");
                }
                Err(_) => self.metrics.connections_refused("handshake"),
            },
        }
    }

    /// Serves the calls on a connection.
    async fn speak<S>(&self, stream: S, begin_until: Instant, answerer: Answerer)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let socket = Socket::new(stream, begin_until, self.stall_limit);
        let http = self.http();
        let service = TowerToHyperService::new(answerer);
        let mut connection = std::pin::pin!(http.serve_connection(TokioIo::new(socket), service));
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = self.end_of_calls() => {
                connection.as_mut().graceful_shutdown();
                timeout(self.last_calls, connection).await.unwrap_or(Ok(()))
            }
        };
        if let Err(error) = ended {
            debug!(error, "a connection ended with an error");
        }
    }

    /// Waits until a connection is to take no more calls: it is old, or the server drains.
    async fn end_of_calls(&self) {
        let draining = self.phases.reached(Phase::Draining);
        let age = self.config.connection_age;
        if age.is_zero() {
            return draining.await;
        }
        let age = age.mul_f64(0.9 + 0.2 * fastrand::f64());
        tokio::select! {
            () = sleep(age) => (),
            () = draining => (),
        }
    }

    fn http(&self) -> auto::Builder<Executor> {
        let config = &self.config;
        let executor = Executor { limit: self.stall_limit, stalled: self.metrics.stalled_calls.clone() };
        let mut http = auto::Builder::new(executor);
        http.http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(config.max_concurrent_streams)
            .max_pending_accept_reset_streams(MAX_PENDING_RESETS)
            .max_local_error_reset_streams(MAX_OWN_RESETS)
            .max_header_list_size(MAX_HEADERS)
            .max_send_buf_size(SEND_BUFFER)
            .keep_alive_interval((!config.keepalive_interval.is_zero()).then_some(config.keepalive_interval))
            .keep_alive_timeout(config.keepalive_timeout);
        http.http1().timer(TokioTimer::new()).header_read_timeout(config.handshake_timeout);
        if self.http1 { http } else { http.http2_only() }
    }
}

/// Whether an accept failed because of the connection that was to be accepted, and not because of ours.
fn is_of_the_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    )
}

/// The service as what answers on connections.
pub(super) fn answerer<S>(service: S) -> Answerer
where
    S: Service<Request<hyper::body::Incoming>, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + Sync
        + 'static,
    S::Future: Send + 'static,
{
    BoxCloneSyncService::new(service)
}
