//! What bounds the calls of one connection, and what is no HTTP/2.

use std::net::SocketAddr;

use arbiter::grpc::v1;
use http::StatusCode;
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;

use crate::ask;
use crate::frames::{
    ENHANCE_YOUR_CALM, Frame, Frames, GOAWAY, HEADERS, MAX_CONCURRENT_STREAMS, MAX_HEADER_LIST_SIZE, PREFACE,
    REFUSED_STREAM, RST_STREAM, SETTINGS,
};
use crate::raw::{Raw, frame, path};
use crate::server::{self, Own, is_served, soon};

fn question() -> Vec<u8> {
    v1::GameStatusRequest { position: Some(ask::initial("chess")) }.encode_to_vec()
}

#[tokio::test]
async fn the_calls_of_a_connection_are_bounded_as_its_settings_say() {
    let mut usual = Frames::connect(server::shared(), &[]).await;
    let settings = usual.first(SETTINGS).await.unwrap();
    assert_eq!(settings.setting(MAX_CONCURRENT_STREAMS), Some(128));
    assert_eq!(settings.setting(MAX_HEADER_LIST_SIZE), Some(16 << 10));

    let own = Own::start(&["--max-concurrent-streams", "3"]).await;
    let mut frames = Frames::connect(own.address, &[]).await;
    let settings = frames.first(SETTINGS).await.unwrap();
    assert_eq!(settings.setting(MAX_CONCURRENT_STREAMS), Some(3));
    let status = path("GameStatus");
    for stream in [1, 3, 5, 7] {
        assert!(frames.send(&[Frame::headers(stream, &status)]).await);
    }
    let refused = frames.first(RST_STREAM).await.unwrap();
    assert_eq!((refused.stream, refused.reason()), (7, REFUSED_STREAM));
    // A call that ends makes room for another.
    assert!(frames.send(&[Frame::message(1, &question())]).await);
    assert_eq!(frames.end_of(1).await, None);
    frames.ask(9, &status, &question()).await;
    assert_eq!(frames.end_of(9).await, None);
}

/// Calls opened and taken back as fast as they can be are a flood, and cost a client its connection.
#[tokio::test]
async fn a_flood_of_resets_ends_its_connection_and_no_other() {
    let own = Own::start(&[]).await;
    let peaceful = Raw::connect(own.address).await;
    let mut frames = Frames::connect(own.address, &[]).await;
    let mut streams = (1..).step_by(2);
    let farewell = soon(async {
        loop {
            let flood: Vec<Frame> = streams
                .by_ref()
                .take(400)
                .flat_map(|stream| [Frame::headers(stream, &path("GameStatus")), Frame::reset(stream)])
                .collect();
            if !frames.send(&flood).await {
                break;
            }
        }
        frames.first(GOAWAY).await
    });
    // A connection that is closed while more comes may lose its farewell on the way.
    if let Some(farewell) = farewell.await {
        assert_eq!(farewell.reason(), ENHANCE_YOUR_CALM);
    }
    let answer = peaceful.call(&path("GameStatus"), &[], frame(&question())).await;
    assert_eq!(answer.status().code(), Code::Ok);
    own.stop().await;
}

#[tokio::test]
async fn headers_over_their_limit_are_refused() {
    let raw = Raw::connect(server::shared()).await;
    let fits = "a".repeat(15 << 10);
    let answer = raw.call(&path("GameStatus"), &[("x-long", &fits)], frame(&question())).await;
    assert_eq!(answer.status().code(), Code::Ok);
    let too_long = "a".repeat(17 << 10);
    let answer = raw.call(&path("GameStatus"), &[("x-long", &too_long)], frame(&question())).await;
    assert_eq!(answer.http, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    let answer = raw.call(&path("GameStatus"), &[], frame(&question())).await;
    assert_eq!(answer.status().code(), Code::Ok, "the connection goes on");
}

/// Sends bytes, and reads what comes back until the connection is closed.
async fn thrown_at(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    // A reset is an end as well.
    let _ = soon(stream.read_to_end(&mut answer)).await;
    answer
}

/// What is not HTTP/2 ends its connection, with HTTP/2's own words and no others, and long before its time to begin.
#[tokio::test]
async fn what_is_no_http_2_is_not_listened_to() {
    let own = Own::start(&["--handshake-timeout", "60"]).await;
    for bytes in [
        &b"GET /metrics HTTP/1.1\r\nhost: arbiter\r\n\r\n"[..],
        b"POST /arbiter.v1.ArbiterService/ListVariants HTTP/1.1\r\nhost: arbiter\r\ncontent-length: 5\r\n\r\n\0\0\0\0\0",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS client says hello like this",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r? almost",
        &[0; 100],
        &[0xff; 5_000],
    ] {
        let answer = thrown_at(own.address, bytes).await;
        assert!(!answer.starts_with(b"HTTP/1.1 200") && !answer.windows(4).any(|part| part == b"HELP"));
    }
    // Frames that are none, after a beginning that is right.
    let settings = Frame::new(SETTINGS, 0, 0, []).bytes();
    for bytes in [
        &[0xff; 100][..],
        &Frame::new(HEADERS, 4, 0, [0x83]).bytes(),
        &Frame::new(HEADERS, 4, 2, [0x83]).bytes(),
        &Frame::new(HEADERS, 4, 1, [0xff; 40]).bytes(),
        &Frame::new(SETTINGS, 0, 0, [0, 4, 0xff, 0xff, 0xff, 0xff]).bytes(),
        &Frame::window(0, 0).bytes(),
    ] {
        let answer = thrown_at(own.address, &[PREFACE, &settings, bytes].concat()).await;
        assert!(!answer.is_empty());
    }
    assert!(is_served(own.address).await);
    own.stop().await;
}
