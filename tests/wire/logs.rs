//! What is written to the log, and what is not.

use std::time::Duration;

use arbiter::grpc::v1;
use prost::Message;
use serde_json::Value;
use tokio::time::sleep;
use tonic::Code;

use crate::admin::value;
use crate::ask;
use crate::program::Program;
use crate::raw::{Raw, frame, path};
use crate::server::{soon, until};

/// Does what could be worth a line, and ends the program: the lines that it wrote.
async fn lines(level: &str) -> Vec<Value> {
    let program = Program::start(&["--log", level, "--drain-delay", "0"]).await;
    let raw = Raw::connect(program.address).await;
    // A caller's mistake, a position in good order, and a move that is illegal.
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "8/8/8/8/3k4/8/8/3K3R w - - 0 1"]
    {
        let request = v1::GameStatusRequest { position: Some(ask::at("chess", fen)) };
        soon(raw.ask("GameStatus", &request)).await.status();
    }
    let request = v1::ApplyMoveRequest {
        position: Some(ask::initial("chess")),
        r#move: Some(ask::text("h1h8")),
        ..Default::default()
    };
    assert_eq!(soon(raw.ask("ApplyMove", &request)).await.status().code(), Code::Ok);
    // A slow call: its request takes its time.
    let (response, mut body) = raw.open(&path("ReplayGame"), &[], vec![], false).await.unwrap();
    sleep(Duration::from_millis(1_200)).await;
    let request = v1::ReplayGameRequest { position: Some(ask::initial("chess")), ..Default::default() };
    body.send_data(frame(&request.encode_to_vec()), true).unwrap();
    assert_eq!(soon(Raw::answer(response)).await.unwrap().status().code(), Code::Ok);
    // A stream may be open for long without anything being slow.
    let watch = frame(&tonic_health::pb::HealthCheckRequest::default().encode_to_vec());
    let (response, _) = raw.open("/grpc.health.v1.Health/Watch", &[], vec![watch], true).await.unwrap();
    let watched = soon(response).await.unwrap();
    sleep(Duration::from_millis(1_100)).await;
    drop((watched, raw));
    until(|| async { value(program.admin, "arbiter_open_calls").await == 0.0 }).await;
    program.signal("TERM").await;
    let (status, lines) = program.ended().await;
    assert!(status.success());
    for line in &lines {
        for position in ["RNBQKBNR", "3k4", "h1h8"] {
            assert!(!line.contains(position), "a log tells of a position or a move: {line}");
        }
    }
    lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// The lines about calls.
fn of_calls(lines: &[Value]) -> Vec<&Value> {
    lines.iter().filter(|line| line["fields"]["method"].is_string()).collect()
}

#[tokio::test]
async fn slow_calls_are_logged_and_mistakes_of_callers_are_not() {
    let lines = lines("info").await;
    for line in &lines {
        for key in ["timestamp", "level", "target"] {
            assert!(line[key].is_string(), "{line}");
        }
        assert!(line["fields"]["message"].is_string(), "{line}");
    }
    let calls = of_calls(&lines);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!((&calls[0]["level"], &calls[0]["fields"]["code"]), (&"WARN".into(), &"Ok".into()));
    let method = calls[0]["fields"]["method"].as_str().unwrap();
    assert!(method.ends_with("arbiter.v1.ArbiterService/ReplayGame"), "{method}");
    assert!(calls[0]["fields"]["micros"].as_u64().unwrap() >= 1_000_000);
}

#[tokio::test]
async fn every_call_is_logged_to_those_who_ask_for_it() {
    let lines = lines("trace").await;
    let calls = of_calls(&lines);
    let with = |code: &str| calls.iter().filter(|line| line["fields"]["code"] == code).count();
    assert_eq!((with("Ok"), with("InvalidArgument"), with("Cancelled")), (3, 1, 1), "{calls:?}");
    let mistake = calls.iter().find(|line| line["fields"]["code"] == "InvalidArgument").unwrap();
    assert_eq!(
        (&mistake["level"], &mistake["fields"]["reason"]),
        (&"DEBUG".into(), &"INVALID_POSITION".into())
    );
}
