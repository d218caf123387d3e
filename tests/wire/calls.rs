//! How many calls are open at once, how large they are, and how much memory they take together.

use arbiter::grpc::v1;
use bytes::Bytes;
use http::HeaderMap;
use prost::Message;
use tonic::Code;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::admin::{metrics, value};
use crate::ask::{self, Refusal};
use crate::data;
use crate::frames::{Frame, Frames, INITIAL_WINDOW_SIZE};
use crate::raw::{Raw, frame, path};
use crate::server::{Own, soon, until};

fn question() -> v1::GameStatusRequest {
    v1::GameStatusRequest { position: Some(ask::initial("chess")) }
}

fn assert_busy(status: &tonic::Status) {
    let refusal = Refusal::read(status);
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::ResourceExhausted, "BUSY"));
    assert!(refusal.retry.is_some_and(|wait| !wait.is_zero()));
}

/// Waits until so many calls are open.
async fn are_open(own: &Own, calls: f64) {
    until(|| async { value(own.admin(), "arbiter_open_calls").await == calls }).await;
}

/// The places are of the server and not of a connection, and whoever leaves in whatever way gives its place back.
#[tokio::test]
async fn calls_beyond_the_limit_are_refused_at_once() {
    let own = Own::with_admin(&["--max-calls", "4"]).await;
    let (one, other) = (Raw::connect(own.address).await, Raw::connect(own.address).await);
    let status = path("GameStatus");
    let mut held = Vec::new();
    for raw in [&one, &one, &other] {
        held.push(raw.open(&status, &[], vec![], false).await.unwrap());
    }
    let mut breaking = Frames::connect(own.address, &[]).await;
    assert!(breaking.send(&[Frame::headers(1, &status)]).await);
    are_open(&own, 4.0).await;

    let third = Raw::connect(own.address).await;
    for raw in [&one, &other, &third] {
        assert_busy(&soon(raw.ask("GameStatus", &question())).await.status());
        assert_busy(&soon(raw.ask("StreamLegalMoves", &question())).await.status());
    }
    let body = frame(&HealthCheckRequest::default().encode_to_vec());
    let health = soon(third.call("/grpc.health.v1.Health/Check", &[], body)).await;
    assert_eq!(health.message::<HealthCheckResponse>().status, 1);

    // One is answered, one is taken back, one loses its connection.
    let (response, mut body) = held.pop().unwrap();
    body.send_data(frame(&question().encode_to_vec()), true).unwrap();
    assert_eq!(soon(Raw::answer(response)).await.unwrap().status().code(), Code::Ok);
    are_open(&own, 3.0).await;
    drop(held.pop());
    are_open(&own, 2.0).await;
    drop(breaking);
    are_open(&own, 1.0).await;
    assert_eq!(soon(third.ask("GameStatus", &question())).await.status().code(), Code::Ok);

    // A stream has its place to its end.
    let request =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() };
    let narrow = Raw::with_window(own.address, 100).await;
    let body = frame(&request.encode_to_vec());
    let (response, _) = narrow.open(&path("StreamLegalMoves"), &[], vec![body], true).await.unwrap();
    let response = soon(response).await.unwrap();
    are_open(&own, 2.0).await;
    drop(response);
    are_open(&own, 1.0).await;
    drop(held);
    are_open(&own, 0.0).await;
    assert!(metrics(own.admin()).await.errors("BUSY") >= 6.0);
}

/// A question of so many bytes.
fn question_of(bytes: usize) -> Bytes {
    let mut message = question().encode_to_vec();
    // A field of a later contract, which is passed over. Its number takes two bytes, and its length two or three.
    let rest = bytes - message.len() - if bytes < 16_384 { 4 } else { 5 };
    prost::encoding::bytes::encode(1_000, &vec![0; rest], &mut message);
    assert_eq!(message.len(), bytes);
    frame(&message)
}

#[tokio::test]
async fn a_request_may_be_as_large_as_the_flag_says_and_not_a_byte_larger() {
    let own = Own::start(&["--max-request-bytes", "2048"]).await;
    let raw = Raw::connect(own.address).await;
    let answer = raw.call(&path("GameStatus"), &[], question_of(2_048)).await;
    assert_eq!(answer.status().code(), Code::Ok);
    let answer = raw.call(&path("GameStatus"), &[], question_of(2_049)).await;
    let refusal = Refusal::read(&answer.status());
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::OutOfRange, "REQUEST_TOO_LARGE"));
}

/// The status with which a call was refused before its body had come.
async fn refusal(response: h2::client::ResponseFuture) -> tonic::Status {
    let headers: HeaderMap = soon(response).await.unwrap().into_parts().0.headers;
    tonic::Status::from_header_map(&headers).unwrap()
}

/// Large requests that come slowly do not fill the memory: what is too much is refused, and small calls go on.
#[tokio::test]
async fn memory_for_large_requests_is_bounded() {
    const PIECE: usize = 300 << 10;
    let own = Own::with_admin(&["--max-buffered-bytes", "1048576"]).await;
    let held = || value(own.admin(), "arbiter_buffered_bytes");
    // The beginning of a request that says it is much larger.
    let beginning = || {
        let mut bytes = vec![0];
        bytes.extend((4_u32 << 20).to_be_bytes());
        bytes.resize(PIECE, 0);
        Bytes::from(bytes)
    };
    let status = path("GameStatus");
    let mut open = Vec::new();
    for count in 1..=3 {
        let raw = Raw::connect(own.address).await;
        let (response, body) = raw.open(&status, &[], vec![beginning()], false).await.unwrap();
        open.push((raw, response, body));
        until(|| async { held().await == (count * (PIECE - (16 << 10))) as f64 }).await;
    }
    let raw = Raw::connect(own.address).await;
    let (response, body) = raw.open(&status, &[], vec![beginning()], false).await.unwrap();
    assert_busy(&refusal(response).await);
    drop(body);
    // What is small needs none of that memory.
    assert_eq!(soon(raw.ask("GameStatus", &question())).await.status().code(), Code::Ok);
    drop(open);
    until(|| async { held().await == 0.0 }).await;
    // What would be read again is looked at again.
    let answer = soon(raw.call(&status, &[], question_of(2 * PIECE))).await;
    assert_eq!(Refusal::read(&answer.status()).code, Code::InvalidArgument);
    until(|| async { held().await == 0.0 }).await;
}

/// Large answers that are not taken do not fill it either: further lists are refused, and verdicts are given.
#[tokio::test]
async fn memory_for_large_answers_is_bounded() {
    let own = Own::with_admin(&["--max-buffered-bytes", "1048576"]).await;
    let page = data::large_page().await;
    let mut frames = Frames::connect(own.address, &[(INITIAL_WINDOW_SIZE, 0)]).await;
    for stream in [1, 3, 5, 7] {
        frames.ask(stream, &path("LegalMoves"), &page).await;
    }
    until(|| async { value(own.admin(), "arbiter_buffered_bytes").await >= 1_048_576.0 }).await;
    let raw = Raw::connect(own.address).await;
    assert_busy(&soon(raw.call(&path("LegalMoves"), &[], frame(&page))).await.status());
    assert_eq!(soon(raw.ask("GameStatus", &question())).await.status().code(), Code::Ok);
    drop(frames);
    until(|| async { value(own.admin(), "arbiter_buffered_bytes").await == 0.0 }).await;
    assert_eq!(soon(raw.call(&path("LegalMoves"), &[], frame(&page))).await.status().code(), Code::Ok);
}
