//! When calls end: by their own deadlines, by the service's, and never with another code.

use std::time::{Duration, Instant};

use arbiter::grpc::v1;
use futures_util::{StreamExt, stream};
use prost::Message;
use tokio::time::sleep;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;

use crate::admin::{metrics, value};
use crate::ask::{self, Refusal};
use crate::data;
use crate::raw::{Answer, Raw, frame, path};
use crate::server::{Own, soon, until};

fn assert_too_late(status: &Status) {
    let refusal = Refusal::read(status);
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED"));
}

/// A call whose request never comes.
async fn unfinished(raw: &Raw, path: &str, headers: &[(&str, &str)]) -> Answer {
    let (response, _body) = raw.open(path, headers, vec![], false).await.unwrap();
    soon(Raw::answer(response)).await.unwrap()
}

/// A stream of a long list whose client reads nothing before this time is over.
async fn unread(raw: &Raw, headers: &[(&str, &str)], time: Duration) -> Answer {
    let request =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() };
    let body = frame(&request.encode_to_vec());
    let (response, _body) = raw.open(&path("StreamLegalMoves"), headers, vec![body], true).await.unwrap();
    sleep(time).await;
    soon(Raw::answer(response)).await.unwrap()
}

#[tokio::test]
async fn calls_without_a_deadline_have_the_usual_one() {
    let own = Own::with_admin(&["--default-deadline", "0.3"]).await;
    let raw = Raw::with_window(own.address, 1_000).await;
    let begun = Instant::now();
    for method in ["GameStatus", "ReplayGame", "StreamLegalMoves"] {
        assert_too_late(&unfinished(&raw, &path(method), &[]).await.status());
    }
    assert!(begun.elapsed() >= Duration::from_millis(900), "they had their time");
    let time = Duration::from_millis(350);
    assert_too_late(&unread(&raw, &[], time).await.status());
    // A caller may allow more.
    let answer = unread(&raw, &[("grpc-timeout", "1M")], time).await;
    assert_eq!(answer.status().code(), Code::Ok);
    let metrics = metrics(own.admin()).await;
    assert_eq!(metrics.errors("DEADLINE_EXCEEDED"), 4.0);
    assert_eq!(metrics.ends("GameStatus"), [("DeadlineExceeded", 1.0)]);
    assert_eq!(metrics.ends("StreamLegalMoves"), [("DeadlineExceeded", 2.0), ("OK", 1.0)]);
}

#[tokio::test]
async fn no_deadline_is_later_than_the_latest() {
    let own = Own::start(&["--max-deadline", "0.3"]).await;
    let raw = Raw::with_window(own.address, 1_000).await;
    // The usual deadline is later, and so are those that callers wish.
    for headers in [&[][..], &[("grpc-timeout", "99999999H")], &[("grpc-timeout", "1S")]] {
        assert_too_late(&unfinished(&raw, &path("GameStatus"), headers).await.status());
        assert_too_late(&unread(&raw, headers, Duration::from_millis(350)).await.status());
    }
}

/// Health is asked by those who wait little, so a question that does not come is not waited for either.
#[tokio::test]
async fn a_question_after_health_has_to_come() {
    let own = Own::start(&["--default-deadline", "0.3"]).await;
    let raw = Raw::connect(own.address).await;
    assert_too_late(&unfinished(&raw, "/grpc.health.v1.Health/Check", &[]).await.status());
    // Who watches goes on as long as there is something to watch.
    let body = frame(&HealthCheckRequest::default().encode_to_vec());
    let (response, _body) = raw.open("/grpc.health.v1.Health/Watch", &[], vec![body], true).await.unwrap();
    let watching = soon(response).await.unwrap();
    sleep(Duration::from_millis(400)).await;
    let mut body = watching.into_body();
    assert!(soon(body.data()).await.unwrap().is_ok());
    let more = tokio::time::timeout(Duration::from_millis(100), body.data()).await;
    assert!(more.is_err(), "the stream has ended: {more:?}");
}

/// A thousand of each kind, and every one of them with the right code.
#[tokio::test]
async fn the_code_of_a_deadline_is_always_the_same() {
    const ROUNDS: usize = 1_000;
    let own = Own::with_admin(&[]).await;
    let connections: Vec<Raw> =
        futures_util::future::join_all((0..4).map(|_| Raw::with_window(own.address, 100))).await;
    let headers = [("grpc-timeout", "5m")];
    let (connections, headers) = (&connections, &headers);
    stream::iter(0..ROUNDS)
        .for_each_concurrent(100, |round| async move {
            let raw = &connections[round % connections.len()];
            assert_too_late(&unfinished(raw, &path("GameStatus"), headers).await.status());
        })
        .await;
    stream::iter(0..ROUNDS)
        .for_each_concurrent(100, |round| async move {
            let raw = &connections[round % connections.len()];
            let answer = unread(raw, headers, Duration::from_millis(10)).await;
            assert_too_late(&answer.status());
        })
        .await;
    let metrics = metrics(own.admin()).await;
    assert_eq!(metrics.errors("DEADLINE_EXCEEDED"), 2.0 * ROUNDS as f64);
}

/// The work of calls whose time is over ends too.
#[tokio::test]
async fn work_ends_with_the_time_for_it() {
    let own = Own::with_admin(&["--workers", "1"]).await;
    let raw = Raw::connect(own.address).await;
    let replay = v1::ReplayGameRequest {
        position: Some(ask::initial("chess")),
        moves: data::long_game("chess", 1_500),
        ..Default::default()
    };
    let body = frame(&replay.encode_to_vec());
    let (method, headers) = (path("ReplayGame"), [("grpc-timeout", "20m")]);
    let calls = (0..40).map(|_| raw.call(&method, &headers, body.clone()));
    let answers = soon(futures_util::future::join_all(calls)).await;
    let late = answers.iter().filter(|answer| answer.status().code() != Code::Ok);
    assert!(late.inspect(|answer| assert_too_late(&answer.status())).count() > 0);
    for gauge in
        ["arbiter_jobs_running", "arbiter_jobs_waiting", "arbiter_open_calls", "arbiter_buffered_bytes"]
    {
        until(|| async { value(own.admin(), gauge).await == 0.0 }).await;
    }
}
