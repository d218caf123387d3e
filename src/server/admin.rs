//! The admin port: metrics, and whether the process lives and is ready, over plain HTTP/1.1.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tonic::body::Body;
use tonic::codegen::http::Request;
use tower::ServiceExt;

use super::connections::{Answerer, answerer};
use super::metrics::{Metrics, TEXT_TYPE};
use super::phase::{Phase, Phases};
use crate::grpc::{Intake, Memory};

/// What the admin port tells of.
#[derive(Clone, Debug)]
pub(super) struct Admin {
    pub(super) metrics: Arc<Metrics>,
    pub(super) intake: Intake,
    pub(super) memory: Memory,
    pub(super) phases: Phases,
}

impl Admin {
    /// What answers the requests of the port.
    pub(super) fn answerer(self) -> Answerer {
        let router = Router::new()
            .route("/livez", get(async || "alive\n"))
            .route("/readyz", get(readyz))
            .route("/metrics", get(metrics))
            .with_state(self);
        answerer(router.map_request(Request::from).map_response(|answer: Response| answer.map(Body::new)))
    }

    fn is_ready(&self) -> bool {
        self.phases.now() == Phase::Serving
    }
}

async fn readyz(State(admin): State<Admin>) -> (StatusCode, &'static str) {
    if admin.is_ready() {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
    }
}

async fn metrics(State(admin): State<Admin>) -> Response {
    let metrics = &admin.metrics;
    metrics.ready.set(admin.is_ready().into());
    metrics.open_calls.set(admin.intake.open_calls().try_into().unwrap_or(i64::MAX));
    metrics.buffered_bytes.set(admin.memory.held().try_into().unwrap_or(i64::MAX));
    match metrics.text() {
        Ok(text) => ([(CONTENT_TYPE, TEXT_TYPE)], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}
