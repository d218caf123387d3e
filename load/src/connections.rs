//! The connections to all targets, each made again when it ends, and calls spread over them in turn, as gRPC clients
//! with the policy `round_robin` do.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::client::SendRequest;
use h2::{Ping, client};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::options::Options;
use crate::{Error, tls};

/// How long a connection may take to stand.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

/// How long to wait after a connection could not be made: first, and at most, doubling in between.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// What the client takes in before the reader has read it, of a stream and of a connection.
const STREAM_WINDOW: u32 = 1 << 20;
const CONNECTION_WINDOW: u32 = 4 << 20;

/// All connections.
#[derive(Debug)]
pub(crate) struct Connections {
    slots: Vec<Rc<Slot>>,
    next: Cell<usize>,
    /// Told whenever the state of a slot changes.
    changed: Rc<Notify>,
}

/// The place of one connection.
#[derive(Debug)]
struct Slot {
    target: usize,
    state: RefCell<State>,
}

#[derive(Debug)]
enum State {
    /// A connection is being made, where none failed before.
    Connecting,
    /// The last connection could not be made. It stays so until one stands.
    Failed(String),
    /// Calls can be made.
    Standing { sender: SendRequest<Bytes>, ended: Rc<Notify> },
}

/// How connections are made.
#[derive(Clone)]
struct Maker {
    address: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    life: Option<Duration>,
}

impl Connections {
    /// Begins to make them all.
    pub(crate) fn begin(options: &Options) -> Result<Self, Error> {
        let connector = tls::connector(options)?;
        let changed = Rc::new(Notify::new());
        let mut makers = Vec::new();
        for address in &options.targets {
            let host = address.rsplit_once(':').ok_or_else(|| format!("{address} has no port"))?.0;
            let name = options.tls_name.as_deref().unwrap_or(host).trim_matches(['[', ']']);
            let tls = match &connector {
                Some(connector) => Some((connector.clone(), ServerName::try_from(name.to_owned())?)),
                None => None,
            };
            makers.push(Maker { address: address.clone(), tls, life: options.connection_life });
        }
        let mut slots = Vec::new();
        for _ in 0..options.connections {
            for (target, maker) in makers.iter().enumerate() {
                let slot = Rc::new(Slot { target, state: RefCell::new(State::Connecting) });
                spawn_local(keep_up(Rc::clone(&slot), maker.clone(), Rc::clone(&changed)));
                slots.push(slot);
            }
        }
        Ok(Self { slots, next: Cell::new(0), changed })
    }

    /// The next connection that stands, and its target. Waits for one that is being made if none stands, and fails if
    /// no target can be reached.
    pub(crate) async fn pick(&self) -> Result<(usize, SendRequest<Bytes>), String> {
        loop {
            let changed = self.changed.notified();
            if let Some(picked) = self.standing() {
                return Ok(picked);
            }
            let mut failures = Vec::new();
            for slot in &self.slots {
                if let State::Failed(error) = &*slot.state.borrow() {
                    failures.push(error.clone());
                }
            }
            match failures.pop() {
                Some(error) if failures.len() + 1 == self.slots.len() => return Err(error),
                _ => changed.await,
            }
        }
    }

    fn standing(&self) -> Option<(usize, SendRequest<Bytes>)> {
        let count = self.slots.len();
        let first = self.next.get();
        for index in (first..first + count).map(|index| index % count) {
            let slot = &self.slots[index];
            let mut state = slot.state.borrow_mut();
            let State::Standing { sender, ended } = &mut *state else { continue };
            // A connection on which the server said that it goes away takes no more calls.
            if let Poll::Ready(Err(_)) = sender.poll_ready(&mut Context::from_waker(Waker::noop())) {
                ended.notify_one();
                *state = State::Connecting;
                continue;
            }
            self.next.set(index + 1);
            return Some((slot.target, sender.clone()));
        }
        None
    }
}

/// Makes a connection for the slot, and another whenever it has ended.
async fn keep_up(slot: Rc<Slot>, maker: Maker, changed: Rc<Notify>) {
    let set = |state| {
        *slot.state.borrow_mut() = state;
        changed.notify_waiters();
    };
    let mut wait = FIRST_WAIT;
    loop {
        let begun = Instant::now();
        let error = match timeout(CONNECT_LIMIT, maker.connect()).await {
            Ok(Ok((sender, driven))) => {
                let ended = Rc::new(Notify::new());
                set(State::Standing { sender, ended: Rc::clone(&ended) });
                let has_lived = maker.until_end(driven, &ended).await;
                if has_lived || begun.elapsed() > LONGEST_WAIT {
                    wait = FIRST_WAIT;
                    set(State::Connecting);
                    continue;
                }
                "the connection was closed soon after it was made".to_owned()
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the connection took too long to be made".to_owned(),
        };
        set(State::Failed(format!("{}: {error}", maker.address)));
        sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

impl Maker {
    async fn connect(&self) -> Result<(SendRequest<Bytes>, JoinHandle<()>), Error> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        match &self.tls {
            Some((connector, name)) => begin(connector.connect(name.clone(), stream).await?).await,
            None => begin(stream).await,
        }
    }

    /// Waits until the connection takes no more calls, and says whether that is because it has lived as long as it is
    /// to. It lives on without its slot until its calls have ended.
    async fn until_end(&self, driven: JoinHandle<()>, ended: &Notify) -> bool {
        let life = async {
            match self.life {
                Some(life) => sleep(life).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = driven => false,
            () = ended.notified() => false,
            () = life => true,
        }
    }
}

/// Speaks HTTP/2 on a stream. The connection stands when the server has answered a ping: one that was only accepted by
/// the server's operating system has not met the server yet.
async fn begin<T>(stream: T) -> Result<(SendRequest<Bytes>, JoinHandle<()>), Error>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let (sender, mut connection) = client::Builder::new()
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .handshake(stream)
        .await?;
    let mut pings = connection.ping_pong().ok_or_else(|| io::Error::other("pings are taken"))?;
    let driven = spawn_local(async move {
        // Calls learn of an error themselves.
        let _ = connection.await;
    });
    pings.ping(Ping::opaque()).await?;
    Ok((sender, driven))
}
