//! The health service: true, for every name, and at once, however busy the server is.

use arbiter::grpc::v1;
use arbiter::server::Stop;
use prost::Message;
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::admin::value;
use crate::ask::{self, Refusal};
use crate::data;
use crate::raw::{Raw, frame, path};
use crate::server::{self, Own, soon, until};

/// The names that are answered for.
pub const NAMES: [&str; 2] = ["", "arbiter.v1.ArbiterService"];

pub fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

#[tokio::test]
async fn health_is_told_of_the_process_and_its_service() {
    let mut health = HealthClient::new(server::channel(server::shared()).await);
    for service in NAMES {
        let answer = health.check(of(service)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service:?}");
        let mut watched = health.watch(of(service)).await.unwrap().into_inner();
        assert_eq!(watched.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
    }
}

/// By the protocol an unknown name is an error when it is asked after, and no error when it is watched.
#[tokio::test]
async fn unknown_names_are_unknown() {
    let own = Own::start(&["--drain-delay", "0.5"]).await;
    let mut health = HealthClient::new(server::channel(own.address).await);
    for name in ["arbiter.v2.ArbiterService", "ArbiterService", " "] {
        assert_eq!(health.check(of(name)).await.unwrap_err().code(), Code::NotFound);
    }
    let mut watched = health.watch(of("arbiter.v2.ArbiterService")).await.unwrap().into_inner();
    assert_eq!(watched.message().await.unwrap().unwrap().status(), ServingStatus::ServiceUnknown);
    own.stop.send(Stop::Gradually).unwrap();
    // It was open all the time, and never says anything else of that name.
    loop {
        match soon(watched.message()).await {
            Ok(told) => assert_eq!(told.unwrap().status(), ServingStatus::ServiceUnknown),
            Err(status) => break assert_eq!(Refusal::read(&status).reason, "UNAVAILABLE"),
        }
    }
    soon(own.running).await.unwrap().unwrap();
}

/// Health is not behind the work, and not among the calls that are counted.
#[tokio::test]
async fn health_is_answered_when_nothing_else_is() {
    let own = Own::with_admin(&["--workers", "1", "--max-calls", "40"]).await;
    let replay = v1::ReplayGameRequest {
        position: Some(ask::initial("chess")),
        moves: data::long_game("chess", 1_500),
        ..Default::default()
    };
    let busy = Raw::connect(own.address).await;
    let mut held = Vec::new();
    for _ in 0..20 {
        held.push(busy.open(&path("GameStatus"), &[], vec![], false).await.unwrap());
    }
    for _ in 0..20 {
        let body = frame(&replay.encode_to_vec());
        held.push(busy.open(&path("ReplayGame"), &[], vec![body], true).await.unwrap());
    }
    until(|| async { value(own.admin(), "arbiter_jobs_running").await == 1.0 }).await;
    let raw = Raw::connect(own.address).await;
    for name in NAMES {
        let body = frame(&of(name).encode_to_vec());
        let answer = soon(raw.call("/grpc.health.v1.Health/Check", &[], body)).await;
        assert_eq!(answer.message::<HealthCheckResponse>().status(), ServingStatus::Serving);
    }
    let waiting = value(own.admin(), "arbiter_jobs_waiting").await;
    assert!(waiting > 0.0, "health was answered after all work was done");
    drop(held);

    // And with not one place free.
    let own = Own::with_admin(&["--max-calls", "1"]).await;
    let raw = Raw::connect(own.address).await;
    let _held = raw.open(&path("GameStatus"), &[], vec![], false).await.unwrap();
    until(|| async { value(own.admin(), "arbiter_open_calls").await == 1.0 }).await;
    let refused = soon(raw.ask("GameStatus", &v1::GameStatusRequest::default())).await;
    assert_eq!(Refusal::read(&refused.status()).reason, "BUSY");
    for _ in 0..100 {
        let body = frame(&of("").encode_to_vec());
        let answer = soon(raw.call("/grpc.health.v1.Health/Check", &[], body)).await;
        assert_eq!(answer.message::<HealthCheckResponse>().status(), ServingStatus::Serving);
    }
}
