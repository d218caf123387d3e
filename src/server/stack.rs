//! The layers around the services, each with what it is there for.

use std::any::Any;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tonic::body::Body;
use tonic::codegen::http::header::{CONTENT_TYPE, HeaderName};
use tonic::codegen::http::{HeaderValue, Method, Request, Response};
use tonic::service::Routes;
use tonic_web::GrpcWebLayer;
use tower::{Service, ServiceBuilder, ServiceExt};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::config::Origin;
use super::connections::{Answerer, answerer};
use super::metrics::Metrics;
use super::observing::Observed;
use super::page;
use super::stall::Watched;
use crate::grpc::{self, Intake};

/// How long a browser remembers what it was told of other origins.
const PREFLIGHT_AGE: Duration = Duration::from_secs(7_200);

/// How pages in browsers reach the services.
#[derive(Clone, Copy, Debug)]
pub(super) struct Web<'a> {
    /// The origins from which they may.
    pub(super) origins: &'a [Origin],
    /// Whether our own page is served.
    pub(super) page: bool,
}

impl Web<'_> {
    /// Whether any page may.
    pub(super) fn is_on(&self) -> bool {
        self.page || !self.origins.is_empty()
    }
}

/// The services behind all layers, from the outermost.
pub(super) fn stack(routes: Routes, intake: &Intake, metrics: Arc<Metrics>, web: Web<'_>) -> Answerer {
    let calls = ServiceBuilder::new()
        // Counts every call, refused and panicked ones too.
        .layer_fn(|service| Observed::new(service, Arc::clone(&metrics)))
        // A panic is answered like any other defect.
        .map_response(|answer: Response<_>| answer.map(Body::new))
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| grpc::panicked()))
        .layer_fn(|service| intake.before(service))
        .service(routes.prepare());
    if !web.is_on() {
        return watched(calls);
    }
    // All of a call is behind these, so that browsers can read every answer.
    let calls = ServiceBuilder::new().layer(cors(web.origins)).layer(GrpcWebLayer::new()).service(calls);
    if !web.page {
        return watched(calls);
    }
    let calls = calls.map_request(|request: Request<axum::body::Body>| request.map(Body::new));
    let answer = |answer: Response<axum::body::Body>| answer.map(Body::new);
    watched(ServiceBuilder::new().map_response(answer).service(page::router().fallback_service(calls)))
}

/// Ends calls whose clients take nothing.
fn watched<S>(service: S) -> Answerer
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
{
    answerer(Watched(service.map_request(|request: Request<hyper::body::Incoming>| request.map(Body::new))))
}

/// What browsers may do from pages of these origins: call, and read the answers' statuses. There are no cookies and no
/// credentials to send along.
fn cors(origins: &[Origin]) -> CorsLayer {
    let name = HeaderName::from_static;
    let named: Vec<HeaderValue> = origins
        .iter()
        .filter_map(|origin| match origin {
            Origin::One(origin) => Some(origin.clone()),
            Origin::Any => None,
        })
        .collect();
    let allowed = if origins.contains(&Origin::Any) { AllowOrigin::any() } else { AllowOrigin::list(named) };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::POST])
        .allow_headers(
            [CONTENT_TYPE]
                .into_iter()
                .chain(["grpc-timeout", "traceparent", "tracestate", "x-grpc-web", "x-user-agent"].map(name))
                .collect::<Vec<_>>(),
        )
        .expose_headers(["grpc-message", "grpc-status", "grpc-status-details-bin"].map(name))
        .max_age(PREFLIGHT_AGE)
}
