//! The span of a call, with the names of OpenTelemetry's conventions for RPCs.

use tonic::Code;
use tonic::codegen::http::HeaderMap;
use tracing::{Span, debug_span, field};

/// The span of a call of this method, below the one that the caller's headers name.
pub(super) fn span(method: &str, headers: &HeaderMap) -> Span {
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
    let name = name(code);
    span.record("rpc.response.status_code", &*name);
    if code != Code::Ok {
        span.record("error.type", reason.unwrap_or(&name));
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

/// The name of a code as the specification of gRPC writes it, such as `INVALID_ARGUMENT`.
fn name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_named_as_grpc_names_them() {
        for (code, wanted) in [
            (Code::Ok, "OK"),
            (Code::Cancelled, "CANCELLED"),
            (Code::InvalidArgument, "INVALID_ARGUMENT"),
            (Code::OutOfRange, "OUT_OF_RANGE"),
        ] {
            assert_eq!(name(code), wanted);
        }
    }
}
