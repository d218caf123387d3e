//! The gRPC health service, version 1, as honest as the server's phase.
//!
//! Own, as the library's service keeps `Watch` streams open while the server stops, and refuses to watch a name that it
//! does not know, where the protocol says that it tells so and goes on.

use std::pin::Pin;

use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use super::phase::{Phase, Phases};
use crate::grpc;

/// What can be asked after: the process, and its service by name.
const NAMES: [&str; 2] = ["", "arbiter.v1.ArbiterService"];

/// The health service of a server.
#[derive(Debug)]
pub(super) struct Doctor(Phases);

impl Doctor {
    pub(super) fn service(phases: Phases) -> HealthServer<Self> {
        HealthServer::new(Self(phases))
    }
}

fn answer(phase: Phase) -> HealthCheckResponse {
    let status = match phase {
        Phase::Serving => ServingStatus::Serving,
        Phase::Leaving | Phase::Draining => ServingStatus::NotServing,
    };
    HealthCheckResponse { status: status.into() }
}

#[tonic::async_trait]
impl Health for Doctor {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        if NAMES.contains(&request.get_ref().service.as_str()) {
            Ok(Response::new(answer(self.0.now())))
        } else {
            Err(grpc::no_such_service())
        }
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let is_known = NAMES.contains(&request.get_ref().service.as_str());
        let unknown = HealthCheckResponse { status: ServingStatus::ServiceUnknown.into() };
        // The last phase ends the stream, with the status of a server that goes, so that its client looks for another.
        let told = WatchStream::new(self.0.changes()).map(move |phase| match phase {
            Phase::Draining => Err(grpc::going_away()),
            Phase::Serving | Phase::Leaving if is_known => Ok(answer(phase)),
            Phase::Serving | Phase::Leaving => Ok(unknown),
        });
        Ok(Response::new(Box::pin(told)))
    }
}
