//! Real servers on ports of their own.

use std::future::{Future, pending};
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use arbiter::grpc::v1::arbiter_service_client::ArbiterServiceClient;
use arbiter::server::config::ServeConfig;
use arbiter::server::{Error, Listeners, Stop, run};
use clap::{Args, Command, FromArgMatches};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tonic::transport::{Channel, Endpoint};

pub type Client = ArbiterServiceClient<Channel>;

/// A test that waits in vain ends with this. It is long, as the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What the future gives, which must not take for ever.
pub async fn soon<F: Future>(future: F) -> F::Output {
    timeout(PATIENCE, future).await.expect("this takes too long")
}

/// Waits until it is so.
pub async fn until<F: Future<Output = bool>>(mut is_so: impl FnMut() -> F) {
    soon(async {
        while !is_so().await {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

/// A client of the server that all tests share which do not disturb it.
pub async fn client() -> Client {
    Client::new(channel(shared()).await)
}

/// The address of the shared server, which lives on a thread of its own, as each test has its own runtime.
pub fn shared() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let config = config(&[]);
                let listeners = Listeners::bind(&config).await.unwrap();
                sender.send(listeners.calls().unwrap()).unwrap();
                run(listeners, &config, pending()).await.unwrap();
            });
        });
        receiver.recv().unwrap()
    })
}

/// A server of a test's own, which stops when told to.
pub struct Own {
    pub address: SocketAddr,
    pub admin: Option<SocketAddr>,
    pub stop: oneshot::Sender<Stop>,
    pub running: JoinHandle<Result<(), Error>>,
}

impl Own {
    pub async fn start(flags: &[&str]) -> Self {
        let config = config(flags);
        let listeners = Listeners::bind(&config).await.unwrap();
        let (address, admin) = (listeners.calls().unwrap(), listeners.admin().unwrap());
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(async move {
            let shutdown = async {
                match stopped.await {
                    Ok(stop) => stop,
                    // A signal that can come no more does not come.
                    Err(_) => pending().await,
                }
            };
            run(listeners, &config, shutdown).await
        });
        Self { address, admin, stop, running }
    }

    /// A server with an admin port.
    pub async fn with_admin(flags: &[&str]) -> Self {
        Self::start(&[&["--admin-listen", "127.0.0.1:0"], flags].concat()).await
    }

    /// The address of its admin port.
    pub fn admin(&self) -> SocketAddr {
        self.admin.expect("a server with an admin port")
    }

    /// Stops it and waits until it has stopped.
    pub async fn stop(self) {
        self.stop.send(Stop::Now).unwrap();
        self.running.await.unwrap().unwrap();
    }
}

/// The settings of these flags, on a port that the system chooses.
pub fn config(flags: &[&str]) -> ServeConfig {
    let command = ServeConfig::augment_args(Command::new("serve"));
    let matches = command.get_matches_from([&["serve", "--listen", "127.0.0.1:0"], flags].concat());
    ServeConfig::from_arg_matches(&matches).unwrap()
}

pub async fn channel(address: SocketAddr) -> Channel {
    Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

/// Whether a new connection is served.
pub async fn is_served(address: SocketAddr) -> bool {
    let Ok(channel) = Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await else {
        return false;
    };
    Client::new(channel).list_variants(arbiter::grpc::v1::ListVariantsRequest {}).await.is_ok()
}
