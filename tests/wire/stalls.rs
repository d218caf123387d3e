//! Clients that do not take what is sent to them, and clients that take it slowly.

use std::time::Duration;

use arbiter::grpc::v1;
use prost::Message;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;
use tokio::time::sleep;
use tonic::Code;

use crate::admin::value;
use crate::ask;
use crate::data;
use crate::frames::{CANCEL, Frame, Frames, HEADERS, INITIAL_WINDOW_SIZE, PREFACE, RST_STREAM, SETTINGS};
use crate::raw::{Raw, frame, path};
use crate::server::{self, Client, Own, soon, until};

async fn stalled(own: &Own) -> f64 {
    value(own.admin(), "arbiter_stalled_calls_total").await
}

/// Neither a window that is closed nor one that is filled holds a call for ever, and the connection goes on.
#[tokio::test]
async fn calls_of_clients_that_take_nothing_are_ended() {
    let own = Own::with_admin(&["--stall-limit", "0.5"]).await;
    let page = data::large_page().await;
    let streamed =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() }
            .encode_to_vec();
    let listed = v1::ListVariantsRequest {}.encode_to_vec();
    let mut ended = 0.0;
    for window in [0, 1, 1_000] {
        let mut frames = Frames::connect(own.address, &[(INITIAL_WINDOW_SIZE, window)]).await;
        frames.ask(1, &path("LegalMoves"), &page).await;
        frames.ask(3, &path("StreamLegalMoves"), &streamed).await;
        frames.ask(5, &path("ListVariants"), &listed).await;
        for stream in [1, 3, 5] {
            assert_eq!(frames.first(RST_STREAM).await.unwrap().reason(), CANCEL, "{window} {stream}");
        }
        ended += 3.0;
        assert_eq!(stalled(&own).await, ended);
        until(|| async { value(own.admin(), "arbiter_buffered_bytes").await == 0.0 }).await;
        until(|| async { value(own.admin(), "arbiter_open_calls").await == 0.0 }).await;
        // A call whose window is opened is answered.
        frames.ask(7, &path("ListVariants"), &listed).await;
        assert!(frames.send(&[Frame::window(7, 1 << 20)]).await);
        assert_eq!(frames.end_of(7).await, None);
    }
}

/// A client that does not even read from its socket loses its connection.
#[tokio::test]
async fn a_connection_that_is_not_read_is_ended() {
    let own = Own::with_admin(&["--stall-limit", "0.5", "--keepalive-interval", "0"]).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(own.address).await.unwrap();
    let settings = [0, INITIAL_WINDOW_SIZE as u8, 0x7f, 0xff, 0xff, 0xff];
    stream.write_all(PREFACE).await.unwrap();
    for frame in [Frame::new(SETTINGS, 0, 0, settings), Frame::window(0, (1 << 31) - 1 - 65_535)] {
        stream.write_all(&frame.bytes()).await.unwrap();
    }
    // More than what the system keeps for a socket.
    let page = data::large_page().await;
    for call in 0..15 {
        let stream_id = 1 + 2 * call;
        let headers = Frame::headers(stream_id, &path("LegalMoves"));
        stream
            .write_all(&[headers.bytes(), Frame::message(stream_id, &page).bytes()].concat())
            .await
            .unwrap();
    }
    until(|| async { value(own.admin(), "arbiter_connections").await == 1.0 }).await;
    until(|| async { value(own.admin(), "arbiter_connections").await == 0.0 }).await;
    assert!(server::is_served(own.address).await);
    drop(stream);
}

/// Whoever takes a little again and again is served to the end, however long it takes, also of a single large message.
#[tokio::test]
async fn a_slow_client_that_goes_on_is_served() {
    const STEPS: u32 = 12;
    let own = Own::with_admin(&["--stall-limit", "2"]).await;
    let page = data::large_page().await;
    let size = {
        let raw = Raw::connect(own.address).await;
        raw.call(&path("LegalMoves"), &[], frame(&page)).await.data.len() as u32
    };
    assert!(size > 500_000, "{size} bytes are not large");
    let mut frames = Frames::connect(own.address, &[(INITIAL_WINDOW_SIZE, 0)]).await;
    frames.ask(1, &path("LegalMoves"), &page).await;
    assert!(frames.first(HEADERS).await.is_some());
    for _ in 0..=STEPS {
        sleep(Duration::from_millis(250)).await;
        let step = size / STEPS;
        assert!(frames.send(&[Frame::window(0, step), Frame::window(1, step)]).await);
    }
    assert_eq!(frames.end_of(1).await, None, "it was ended");
    assert_eq!(stalled(&own).await, 0.0);
}

/// A client that waits for the service is not one that the service waits for.
#[tokio::test]
async fn a_service_that_has_nothing_to_say_stalls_nobody() {
    let own = Own::with_admin(&["--stall-limit", "0.3"]).await;
    let raw = Raw::connect(own.address).await;
    let watch = frame(&tonic_health::pb::HealthCheckRequest::default().encode_to_vec());
    let (response, _body) = raw.open("/grpc.health.v1.Health/Watch", &[], vec![watch], true).await.unwrap();
    let mut watched = soon(response).await.unwrap().into_body();
    assert!(soon(watched.data()).await.unwrap().is_ok());
    let (response, mut body) = raw.open(&path("ListVariants"), &[], vec![], false).await.unwrap();
    sleep(Duration::from_millis(600)).await;
    body.send_data(frame(&[]), true).unwrap();
    assert_eq!(soon(Raw::answer(response)).await.unwrap().status().code(), Code::Ok);
    assert_eq!(stalled(&own).await, 0.0);
    let mut client = Client::new(server::channel(own.address).await);
    assert!(!ask::variants(&mut client).await.is_empty());
    own.stop.send(arbiter::server::Stop::Now).unwrap();
    soon(own.running).await.unwrap().unwrap();
}
