//! Traces over OTLP, as OpenTelemetry's environment variables say. Without an endpoint in them nothing is sent.

use std::env;

use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tonic::codegen::http::HeaderMap;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Layer;
use tracing_subscriber::registry::LookupSpan;

use super::AnyLayer;
use crate::server::Error;

/// The variables that say where to.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// What sends traces. The rest is sent when it goes.
#[derive(Debug)]
pub(super) struct Traces(SdkTracerProvider);

impl Drop for Traces {
    fn drop(&mut self) {
        // There is nobody left to tell that it failed.
        let _ = self.0.shutdown();
    }
}

/// The layer that sends the spans of calls, if there is somewhere to send them.
pub(super) fn layer<S>() -> Result<Option<(AnyLayer<S>, Traces)>, Error>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    if ENDPOINTS.iter().all(|name| env::var_os(name).is_none_or(|value| value.is_empty())) {
        return Ok(None);
    }
    let exporter = SpanExporter::builder().with_tonic().build()?;
    // The environment may name the service differently.
    let resource = match env::var_os("OTEL_SERVICE_NAME") {
        Some(_) => Resource::builder().build(),
        None => Resource::builder().with_service_name("arbiter").build(),
    };
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    let spans = tracing_opentelemetry::layer().with_tracer(provider.tracer("arbiter"));
    let of_calls = Targets::new().with_target("arbiter", tracing::Level::DEBUG);
    Ok(Some((spans.with_filter(of_calls).boxed(), Traces(provider))))
}

/// Puts the span below the one that the headers name.
pub(in crate::server) fn adopt(span: &Span, headers: &HeaderMap) {
    if span.is_disabled() {
        return;
    }
    let parent = TraceContextPropagator::new().extract(&Headers(headers));
    // A span that no layer sends has no parent either.
    let _ = span.set_parent(parent);
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|key| key.as_str()).collect()
    }
}
