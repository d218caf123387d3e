//! How the server stops: in phases that its callers can see, without losing a call, and never later than its limit.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arbiter::grpc::v1;
use arbiter::server::Stop;
use prost::Message;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::admin::{get, of_method, value};
use crate::ask::{self, Refusal};
use crate::data;
use crate::frames::{Frame, Frames, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE, NO_ERROR};
use crate::health::{NAMES, of};
use crate::program::Program;
use crate::raw::{Raw, Reconnecting, frame, next_data, path};
use crate::server::{self, Client, Own, soon, until};

fn question() -> v1::GameStatusRequest {
    v1::GameStatusRequest { position: Some(ask::initial("chess")) }
}

/// Whether new connections are refused, as nothing listens any more.
async fn is_gone(address: SocketAddr) -> bool {
    TcpStream::connect(address).await.is_err()
}

#[tokio::test]
async fn a_server_told_to_stop_says_so_ends_and_is_gone() {
    let own = Own::with_admin(&["--drain-delay", "1"]).await;
    let (address, admin) = (own.address, own.admin());
    let channel = server::channel(address).await;
    let mut watched = Vec::new();
    for service in NAMES {
        let mut health = HealthClient::new(channel.clone());
        let mut stream = health.watch(of(service)).await.unwrap().into_inner();
        assert_eq!(stream.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
        watched.push(stream);
    }
    let mut client = Client::new(channel.clone());
    assert!(!ask::variants(&mut client).await.is_empty());
    assert_eq!(get(admin, "/readyz").await.0, 200);
    own.stop.send(Stop::Gradually).unwrap();
    for stream in &mut watched {
        let told = soon(stream.message()).await;
        assert_eq!(told.unwrap().unwrap().status(), ServingStatus::NotServing);
    }
    assert_eq!(get(admin, "/readyz").await, (503, "stopping\n".to_owned()));
    assert_eq!(get(admin, "/livez").await.0, 200);
    assert_eq!(value(admin, "arbiter_ready").await, 0.0);
    for service in NAMES {
        let answer = HealthClient::new(channel.clone()).check(of(service)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::NotServing);
    }
    // Calls are still taken while balancers turn away, on old connections and new ones.
    assert!(!ask::variants(&mut client).await.is_empty());
    assert!(server::is_served(address).await);
    // Then those who watch are told to go elsewhere, and do not hold the server up.
    for stream in &mut watched {
        assert_eq!(Refusal::read(&soon(stream.message()).await.unwrap_err()).code, Code::Unavailable);
    }
    soon(own.running).await.unwrap().unwrap();
    assert!(is_gone(address).await && is_gone(admin).await);
}

/// What was asked before the server was told to stop is answered, to the last byte.
#[tokio::test]
async fn calls_under_way_are_answered_while_the_server_stops() {
    let own = Own::with_admin(&["--drain-limit", "600"]).await;
    let replay = v1::ReplayGameRequest {
        position: Some(ask::initial("chess")),
        moves: data::long_game("chess", 1_500),
        ..Default::default()
    };
    let raw = Raw::connect(own.address).await;
    let body = frame(&replay.encode_to_vec());
    let (heavy, _) = raw.open(&path("ReplayGame"), &[], vec![body], true).await.unwrap();
    let (unary, mut rest) = raw.open(&path("GameStatus"), &[], vec![], false).await.unwrap();
    let list =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() };
    let whole = raw.ask("StreamLegalMoves", &list).await.data;
    let narrow = Raw::with_window(own.address, 1_000).await;
    let body = frame(&list.encode_to_vec());
    let (stream, _) = narrow.open(&path("StreamLegalMoves"), &[], vec![body], true).await.unwrap();
    let mut stream = soon(stream).await.unwrap().into_body();
    let mut streamed = next_data(&mut stream).await.unwrap().unwrap().to_vec();
    let started = of_method("grpc_server_started_total", "unary", "GameStatus");
    until(|| async { value(own.admin(), &started).await == 1.0 }).await;

    own.stop.send(Stop::Now).unwrap();
    until(|| is_gone(own.address)).await;
    for connection in [&raw, &narrow] {
        until(|| async { !connection.takes_calls().await }).await;
    }
    assert!(!own.running.is_finished());
    rest.send_data(frame(&question().encode_to_vec()), true).unwrap();
    assert_eq!(soon(Raw::answer(unary)).await.unwrap().status().code(), Code::Ok);
    assert!(soon(Raw::answer(heavy)).await.unwrap().message::<v1::ReplayGameResponse>().legal);
    while let Some(data) = soon(next_data(&mut stream)).await {
        streamed.extend(data.unwrap());
    }
    let trailers = soon(stream.trailers()).await.unwrap().unwrap();
    assert_eq!(trailers["grpc-status"], "0");
    assert!(streamed == whole, "{} of {} bytes", streamed.len(), whole.len());
    soon(own.running).await.unwrap().unwrap();
}

/// Who has no call under way does not hold the server up; who has not begun to speak may still do so in its time.
#[tokio::test]
async fn idle_connections_do_not_hold_the_server_up() {
    let own = Own::start(&["--drain-limit", "3600", "--handshake-timeout", "0.3"]).await;
    let _silent = TcpStream::connect(own.address).await.unwrap();
    let idle = Raw::connect(own.address).await;
    assert_eq!(soon(idle.ask("GameStatus", &question())).await.status().code(), Code::Ok);
    own.stop.send(Stop::Now).unwrap();
    soon(own.running).await.unwrap().unwrap();
    assert!(is_gone(own.address).await);
}

/// Opens, on a connection each, all that could hold a server up. It is held as long as the connections are kept.
async fn obstacles(address: SocketAddr) -> (Vec<Frames>, TcpStream) {
    let silent = TcpStream::connect(address).await.unwrap();
    // This one does not answer the PING before the last GOAWAY.
    let mut deaf = Frames::connect(address, &[]).await;
    deaf.ask(1, &path("GameStatus"), &question().encode_to_vec()).await;
    assert_eq!(deaf.end_of(1).await, None);
    // This one takes nothing of a list.
    let mut full = Frames::connect(address, &[(INITIAL_WINDOW_SIZE, 0)]).await;
    let list =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() };
    full.ask(1, &path("StreamLegalMoves"), &list.encode_to_vec()).await;
    assert!(full.first(HEADERS).await.is_some());
    // This one never sends its request.
    let mut slow = Frames::connect(address, &[]).await;
    assert!(slow.send(&[Frame::headers(1, &path("GameStatus"))]).await);
    // And this one has work for hours.
    let mut busy = Frames::connect(address, &[]).await;
    let replay = v1::ReplayGameRequest {
        position: Some(ask::initial("chess")),
        moves: data::long_game("chess", 1_500),
        ..Default::default()
    };
    for stream in (1..=101).step_by(2) {
        busy.ask(stream, &path("ReplayGame"), &replay.encode_to_vec()).await;
    }
    (vec![deaf, full, slow, busy], silent)
}

const STUBBORN: [&str; 10] = [
    "--drain-limit",
    "0.5",
    "--handshake-timeout",
    "60",
    "--keepalive-interval",
    "0",
    "--stall-limit",
    "3600",
    "--workers",
    "1",
];

#[tokio::test]
async fn nothing_holds_the_server_up_beyond_its_limit() {
    let own = Own::with_admin(&STUBBORN).await;
    let (mut connections, _silent) = obstacles(own.address).await;
    own.stop.send(Stop::Now).unwrap();
    let farewell = connections[0].first(GOAWAY).await.unwrap();
    assert_eq!(farewell.reason(), NO_ERROR);
    soon(own.running).await.unwrap().unwrap();
    assert!(is_gone(own.address).await);
    for connection in &mut connections {
        connection.closed().await;
    }
}

/// The program, too, with a good exit code; and its admin port tells of it to the end.
#[tokio::test]
async fn the_program_stops_on_sigterm() {
    let program = Program::start(&[&STUBBORN[..], &["--drain-delay", "1"]].concat()).await;
    let (address, admin) = (program.address, program.admin);
    let _obstacles = obstacles(address).await;
    program.signal("TERM").await;
    until(|| async { get(admin, "/readyz").await.0 == 503 }).await;
    assert!(server::is_served(address).await, "calls are still taken");
    let (status, log) = program.ended().await;
    assert_eq!(status.code(), Some(0), "{log:?}");
    assert!(is_gone(address).await && is_gone(admin).await);
    assert!(log.iter().any(|line| line.contains("stopped")), "{log:?}");
}

#[tokio::test]
async fn the_program_skips_the_delay_on_sigint() {
    let program = Program::start(&["--drain-delay", "3600"]).await;
    let address = program.address;
    program.signal("INT").await;
    assert_eq!(program.ended().await.0.code(), Some(0));
    assert!(is_gone(address).await);
}

#[tokio::test]
async fn a_second_signal_ends_the_program_at_once() {
    for second in ["TERM", "INT"] {
        let program = Program::start(&["--drain-delay", "3600", "--drain-limit", "3600"]).await;
        let (address, admin) = (program.address, program.admin);
        program.signal("TERM").await;
        until(|| async { get(admin, "/readyz").await.0 == 503 }).await;
        program.signal(second).await;
        let (status, log) = program.ended().await;
        assert_eq!(status.code(), Some(1), "{log:?}");
        assert!(log.last().unwrap().contains("second signal"), "{log:?}");
        assert!(is_gone(address).await);
    }
}

/// A balancer: each new connection goes where it is told to.
struct Balancer {
    address: SocketAddr,
    to: Arc<Mutex<SocketAddr>>,
}

impl Balancer {
    async fn start(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let to = Arc::new(Mutex::new(to));
        let targets = Arc::clone(&to);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let to = *targets.lock().unwrap();
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(to).await.unwrap();
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
        Self { address, to }
    }
}

/// One server after the other is replaced, as an orchestrator does it, and clients that connect again lose no call.
#[tokio::test]
async fn a_rolling_stop_loses_no_call() {
    const SERVERS: usize = 3;
    let flags = ["--drain-delay", "2"];
    let mut serving = Own::with_admin(&flags).await;
    let balancer = Balancer::start(serving.address).await;
    let (done, is_done) = tokio::sync::watch::channel(false);
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let (address, is_done) = (balancer.address, is_done.clone());
            tokio::spawn(async move {
                let mut client = Reconnecting::new(address).await;
                let body = frame(&v1::ListVariantsRequest {}.encode_to_vec());
                let mut calls = 0;
                while !*is_done.borrow() {
                    let answer = soon(client.call(&path("ListVariants"), &body)).await;
                    assert_eq!(answer.status().code(), Code::Ok);
                    calls += 1;
                }
                (calls, client.connections)
            })
        })
        .collect();
    for _ in 1..SERVERS {
        sleep(Duration::from_millis(200)).await;
        let next = Own::with_admin(&flags).await;
        serving.stop.send(Stop::Gradually).unwrap();
        let admin = serving.admin.unwrap();
        until(|| async { get(admin, "/readyz").await.0 == 503 }).await;
        *balancer.to.lock().unwrap() = next.address;
        soon(serving.running).await.unwrap().unwrap();
        serving = next;
    }
    until(|| async { value(serving.admin(), "arbiter_connections").await == 4.0 }).await;
    done.send(true).unwrap();
    for client in clients {
        let (calls, connections) = soon(client).await.unwrap();
        assert_eq!(connections, SERVERS, "each server served each client");
        assert!(calls >= SERVERS);
    }
}
