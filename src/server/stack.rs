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
    watched(ServiceBuilder::new().map_response(answer).service(page::before(calls)))
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

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::Mutex;
    use std::task::{Context, Poll};

    use h2::client;
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use hyper_util::server::conn::auto;
    use hyper_util::service::TowerToHyperService;
    use tokio::io::DuplexStream;
    use tonic::codegen::BoxFuture;
    use tonic::codegen::http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
    use tonic::codegen::http::{HeaderMap, HeaderValue};
    use tonic::server::NamedService;
    use tonic::{Code, Status};
    use tracing_subscriber::fmt;

    use super::*;
    use crate::grpc::Memory;
    use crate::server::Error;

    const ORIGIN: HeaderValue = HeaderValue::from_static("https://example.org");

    /// A service with two methods that panic, early and late, beside one that answers.
    #[derive(Clone)]
    struct Broken;

    impl NamedService for Broken {
        const NAME: &'static str = "test.Broken";
    }

    impl Service<Request<Body>> for Broken {
        type Response = Response<Body>;
        type Error = Infallible;
        type Future = BoxFuture<Response<Body>, Infallible>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: Request<Body>) -> Self::Future {
            assert!(!request.uri().path().ends_with("Early"), "an early panic");
            Box::pin(async move {
                assert!(!request.uri().path().ends_with("Late"), "a late panic");
                let mut answer = Response::new(Body::empty());
                answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
                answer.headers_mut().insert(Status::GRPC_STATUS, HeaderValue::from_static("0"));
                Ok(answer)
            })
        }
    }

    /// Serves this one connection.
    async fn serve(stream: DuplexStream, answerer: Answerer) {
        let http = auto::Builder::new(TokioExecutor::new());
        // How it ends does not matter.
        let _ = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(answerer)).await;
    }

    /// The headers of the answers to calls of each method, in this order, all open at once.
    async fn answers(
        answerer: Answerer,
        content_type: &'static str,
        methods: &[&str],
    ) -> Result<Vec<HeaderMap>, Error> {
        let (ours, theirs) = tokio::io::duplex(64 << 10);
        tokio::spawn(serve(theirs, answerer));
        let (sender, connection) = client::handshake(ours).await?;
        tokio::spawn(connection);
        let mut open = Vec::new();
        for method in methods {
            let request = Request::post(format!("http://arbiter/test.Broken/{method}"))
                .header(CONTENT_TYPE, content_type)
                .header("origin", ORIGIN)
                .body(())?;
            open.push(sender.clone().ready().await?.send_request(request, true)?.0);
        }
        let mut answers = Vec::new();
        for answer in open {
            answers.push(answer.await?.into_parts().0.headers);
        }
        Ok(answers)
    }

    /// The lines that were logged.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().map_err(|_| io::Error::other("a panic"))?.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_panic_is_answered_counted_and_logged_and_harms_no_other_call() -> Result<(), Error> {
        let lines = Lines::default();
        let writer = lines.clone();
        let logged = tracing::subscriber::set_default(fmt().with_writer(move || writer.clone()).finish());
        let metrics = Arc::new(Metrics::new()?);
        let intake = Intake::new(10, Memory::new(1 << 20));
        let origins = [Origin::One(ORIGIN)];
        for (content_type, origins) in [
            ("application/grpc", &[][..]),
            ("application/grpc", &origins),
            ("application/grpc-web", &origins),
        ] {
            let web = Web { origins, page: false };
            let answerer = stack(Routes::new(Broken), &intake, Arc::clone(&metrics), web);
            let answers = answers(answerer, content_type, &["Early", "Fine", "Late", "Fine"]).await?;
            let said: Vec<_> = answers.iter().map(grpc::verdict).collect();
            let (defect, fine) = ((Code::Internal, Some("INTERNAL".to_owned())), (Code::Ok, None));
            assert_eq!(said, [defect.clone(), fine.clone(), defect, fine]);
            for headers in &answers {
                let said = headers.get(CONTENT_TYPE).and_then(|said| said.to_str().ok());
                assert!(said.is_some_and(|said| said.split('+').next() == Some(content_type)), "{headers:?}");
                let readable = headers.get(ACCESS_CONTROL_ALLOW_ORIGIN) == Some(&ORIGIN);
                assert_eq!(readable, !origins.is_empty());
            }
        }
        drop(logged);
        let text = String::from_utf8(metrics.text()?)?;
        assert!(text.contains("arbiter_errors_total{reason=\"INTERNAL\"} 6\n"), "{text}");
        assert_eq!(intake.open_calls(), 0);
        let lines = lines.0.lock().map_err(|_| "a panic")?;
        let defects = String::from_utf8_lossy(&lines).matches("a call met a defect").count();
        assert_eq!(defects, 6);
        Ok(())
    }
}
