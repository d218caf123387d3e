//! The span of a call, with the names of OpenTelemetry's conventions for RPCs.

use tonic::Code;
use tonic::codegen::http::HeaderMap;
use tracing::{Span, debug_span, field};

/// The span of a call of this method, below the one that the caller's headers name.
pub(super) fn span(path: &str, headers: &HeaderMap) -> Span {
    let method = path.trim_start_matches('/');
    let span = debug_span!(
        "rpc",
        otel.name = method,
        otel.kind = "server",
        otel.status_code = field::Empty,
        rpc.system.name = "grpc",
        rpc.method = method,
        rpc.response.status_code = field::Empty,
        error.type = field::Empty,
    );
    #[cfg(feature = "otlp")]
    super::telemetry::otlp::adopt(&span, headers);
    #[cfg(not(feature = "otlp"))]
    let _ = headers;
    span
}

/// The call of the span ended so.
pub(super) fn end(span: &Span, code: Code, reason: Option<&str>) {
    if span.is_disabled() {
        return;
    }
    span.record("rpc.response.status_code", field::display(code as i32));
    if code != Code::Ok {
        span.record("error.type", reason.map_or_else(|| format!("{code:?}"), str::to_owned));
    }
    // By the conventions only these are failures of the server.
    if matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    ) {
        span.record("otel.status_code", "ERROR");
    }
}
