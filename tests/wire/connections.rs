//! How many connections there are, how they begin, and how they end.

use std::time::{Duration, Instant};

use arbiter::grpc::v1;
use prost::Message;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;
use tonic::Code;

use crate::admin::value;
use crate::ask;
use crate::frames::{ACK, Frame, Frames, GOAWAY, NO_ERROR, PING, PREFACE, WINDOW_UPDATE};
use crate::program::Program;
use crate::raw::{Raw, Reconnecting, frame, path};
use crate::server::{Own, is_served, soon, until};

/// The call with which tests ask whether a connection still serves.
async fn assert_answers(raw: &Raw) {
    let answer = soon(raw.ask("ListVariants", &v1::ListVariantsRequest {})).await;
    assert_eq!(answer.status().code(), Code::Ok);
}

/// Reads what comes until the connection is closed.
async fn is_closed(mut stream: TcpStream) {
    // A reset is an end as well.
    let _ = soon(stream.read_to_end(&mut Vec::new())).await;
}

#[tokio::test]
async fn connections_over_the_limit_are_closed_at_once() {
    let own = Own::with_admin(&["--max-connections", "2", "--handshake-timeout", "60"]).await;
    let (first, second) = (Raw::connect(own.address).await, Raw::connect(own.address).await);
    assert_answers(&first).await;
    assert_answers(&second).await;
    is_closed(TcpStream::connect(own.address).await.unwrap()).await;
    assert!(!is_served(own.address).await);
    assert!(value(own.admin(), "arbiter_connections_refused_total{reason=\"limit\"}").await >= 2.0);
    assert_eq!(value(own.admin(), "arbiter_connections").await, 2.0);
    assert_answers(&first).await;
    drop(second);
    until(|| is_served(own.address)).await;
}

/// Whoever does not begin to speak is not waited for, whatever is spoken.
#[tokio::test]
async fn connections_that_do_not_begin_are_closed() {
    for flags in [&[][..], &["--web-origins", "*"]] {
        let own = Own::start(&[&["--handshake-timeout", "0.3"], flags].concat()).await;
        let begun = Instant::now();
        let mut silent = Vec::new();
        for bytes in [&b""[..], b"P", &PREFACE[..12], &PREFACE[..23]] {
            let mut stream = TcpStream::connect(own.address).await.unwrap();
            stream.write_all(bytes).await.unwrap();
            silent.push(stream);
        }
        let speaking = Raw::connect(own.address).await;
        assert_answers(&speaking).await;
        for stream in silent {
            is_closed(stream).await;
        }
        assert!(begun.elapsed() >= Duration::from_millis(300), "they had their time");
        // Who has begun may be silent then.
        assert_answers(&speaking).await;
    }
}

#[tokio::test]
async fn a_peer_that_is_gone_is_not_kept() {
    let own = Own::start(&["--keepalive-interval", "0.2", "--keepalive-timeout", "0.3"]).await;
    let begun = Instant::now();
    let mut silent = Frames::connect(own.address, &[]).await;
    assert!(silent.first(PING).await.is_some(), "it is asked for a sign of life");
    silent.closed().await;
    assert!(begun.elapsed() >= Duration::from_millis(500));
}

#[tokio::test]
async fn a_peer_that_answers_is_kept() {
    let own = Own::start(&["--keepalive-interval", "0.1", "--keepalive-timeout", "20"]).await;
    let mut frames = Frames::connect(own.address, &[]).await;
    for _ in 0..5 {
        let ping = frames.first(PING).await.expect("the connection goes on");
        assert!(frames.send(&[Frame::new(PING, ACK, 0, ping.payload)]).await);
    }
    // Without an interval nobody is asked.
    let own = Own::start(&["--keepalive-interval", "0", "--keepalive-timeout", "0.1"]).await;
    let mut frames = Frames::connect(own.address, &[]).await;
    sleep(Duration::from_millis(300)).await;
    assert!(frames.send(&[Frame::new(PING, 0, 0, *b"question")]).await);
    let answer = frames.first(PING).await.unwrap();
    assert_eq!(answer.payload, b"question");
}

/// A call that was begun before its connection grew old is answered on it.
#[tokio::test]
async fn an_old_connection_ends_and_its_calls_do_not() {
    let own = Own::start(&["--connection-age", "0.3"]).await;
    let raw = Raw::connect(own.address).await;
    let (response, mut body) = raw.open(&path("GameStatus"), &[], vec![], false).await.unwrap();
    until(|| async { !raw.takes_calls().await }).await;
    let question = v1::GameStatusRequest { position: Some(ask::initial("chess")) };
    body.send_data(frame(&question.encode_to_vec()), true).unwrap();
    let answer = soon(Raw::answer(response)).await.unwrap();
    assert_eq!(answer.message::<v1::GameStatusResponse>().status.unwrap().state(), v1::State::Ongoing);
    // It says so as HTTP/2 does, and closes when nothing is left.
    let mut frames = Frames::connect(own.address, &[]).await;
    assert_eq!(frames.first(GOAWAY).await.unwrap().reason(), NO_ERROR);
    let ping = frames.first(PING).await.unwrap();
    assert!(frames.send(&[Frame::new(PING, ACK, 0, ping.payload)]).await);
    frames.closed().await;
}

/// What a peer still sends while its connection is closed does not break it off.
#[tokio::test]
async fn a_connection_is_closed_when_its_peer_was_heard_out() {
    let own = Own::start(&["--connection-age", "0.1"]).await;
    let mut frames = Frames::connect(own.address, &[]).await;
    frames.first(GOAWAY).await.unwrap();
    let ping = frames.first(PING).await.unwrap();
    // With this answer all is said for the server. What was on its way to it by then comes a little later.
    assert!(frames.send(&[Frame::new(PING, ACK, 0, ping.payload)]).await);
    for _ in 0..20 {
        sleep(Duration::from_millis(5)).await;
        assert!(frames.send(&[Frame::new(WINDOW_UPDATE, 0, 0, 1_u32.to_be_bytes())]).await);
    }
    assert!(frames.ends_well().await);
}

/// Clients that connect again when a connection takes no more calls lose none.
#[tokio::test]
async fn no_call_is_lost_where_connections_age() {
    let own = Own::with_admin(&["--connection-age", "0.15"]).await;
    let body = frame(&v1::ListVariantsRequest {}.encode_to_vec());
    let clients = (0..4).map(|_| async {
        let mut client = Reconnecting::new(own.address).await;
        let mut calls = 0;
        while client.connections < 8 {
            let answer = soon(client.call(&path("ListVariants"), &body)).await;
            assert_eq!(answer.status().code(), Code::Ok);
            calls += 1;
        }
        calls
    });
    let calls: u32 = futures_util::future::join_all(clients).await.into_iter().sum();
    assert!(calls >= 4 * 8, "{calls} calls");
}

#[tokio::test]
async fn connections_grow_as_old_as_they_like_without_an_age() {
    let own = Own::start(&["--connection-age", "0"]).await;
    let raw = Raw::connect(own.address).await;
    sleep(Duration::from_millis(500)).await;
    assert_answers(&raw).await;
}

/// A program that may open few files holds fewer connections, and rests while more come than it can take.
#[tokio::test]
async fn few_files_are_no_reason_to_spin() {
    let program = Program::after("ulimit -n 80", &["--handshake-timeout", "60"]).await;
    let mut open = Vec::new();
    for _ in 0..160 {
        open.push(TcpStream::connect(program.address).await.unwrap());
    }
    assert_rests(&program).await;
    drop(open);
    until(|| is_served(program.address)).await;
    assert!(value(program.admin, "arbiter_connections_refused_total{reason=\"limit\"}").await >= 100.0);
}

/// Also where the files run out, so that accepting itself fails.
#[tokio::test]
async fn no_file_at_all_is_no_reason_to_spin() {
    let program = Program::start(&["--handshake-timeout", "60"]).await;
    // From its first answer on it has opened what it needs itself, and has seen how many files it may open.
    until(|| is_served(program.address)).await;
    until(|| async { value(program.admin, "arbiter_connections").await == 0.0 }).await;
    let id = Pid::from_raw(program.id().try_into().unwrap());
    let open_files = std::fs::read_dir(format!("/proc/{}/fd", program.id())).unwrap().count();
    let limits = getrlimit(Resource::Nofile);
    prlimit(id, Resource::Nofile, Rlimit { current: Some(open_files as u64 + 5), ..limits }).unwrap();
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(TcpStream::connect(program.address).await.unwrap());
    }
    assert_rests(&program).await;
    drop(open);
    prlimit(id, Resource::Nofile, limits).unwrap();
    until(|| is_served(program.address)).await;
    let failed = value(program.admin, "arbiter_connections_refused_total{reason=\"accept\"}").await;
    assert!(failed >= 1.0, "no accept failed");
}

/// It takes less than half of the time of one processor. That of a program which spins is all it can get.
async fn assert_rests(program: &Program) {
    let (begun, before) = (Instant::now(), program.processor_seconds());
    sleep(Duration::from_secs(1)).await;
    let share = (program.processor_seconds() - before) / begun.elapsed().as_secs_f64();
    assert!(share < 0.5, "{share} of a processor");
}
