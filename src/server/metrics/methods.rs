//! The metrics of each method. Paths come from callers, so only methods that exist have series of their own.

use std::collections::HashMap;
use std::sync::Arc;

use prometheus::{Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry};
use prost::Message;
use prost_types::FileDescriptorSet;
use tonic::Code;

use super::{SECONDS, registered};
use crate::grpc;

/// The labels of a method.
const LABELS: [&str; 3] = ["grpc_type", "grpc_service", "grpc_method"];

/// The labels of a call that ended.
const HANDLED_LABELS: [&str; 4] = ["grpc_type", "grpc_service", "grpc_method", "grpc_code"];

/// What a label says of a method with one question and one answer.
const UNARY: &str = "unary";

/// What a label says of a method that does not exist.
const UNKNOWN: &str = "unknown";

/// The name of such a method elsewhere, by the conventions of OpenTelemetry.
const OTHER: &str = "_OTHER";

/// The codes in the order of their numbers, as the metrics' labels have them.
const CODES: [&str; 17] = [
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
];

/// The metrics of a method.
#[derive(Debug)]
pub(in crate::server) struct MethodMetrics {
    /// Its service and its own name. What a caller made up is not in it.
    pub(in crate::server) name: String,
    /// Whether a call is one question and one answer.
    pub(in crate::server) is_unary: bool,
    /// Calls that began.
    pub(in crate::server) started: IntCounter,
    /// Messages that came.
    pub(in crate::server) received: IntCounter,
    /// Messages that went.
    pub(in crate::server) sent: IntCounter,
    /// How long calls took to their ends.
    pub(in crate::server) seconds: Histogram,
    handled: [IntCounter; CODES.len()],
}

impl MethodMetrics {
    /// Counts a call that ended with this code.
    pub(in crate::server) fn handled(&self, code: Code) {
        if let Some(counter) = self.handled.get(code as usize) {
            counter.inc();
        }
    }
}

/// The metrics of all methods.
#[derive(Debug)]
pub(super) struct Methods {
    by_path: HashMap<String, Arc<MethodMetrics>>,
    unknown: Arc<MethodMetrics>,
}

impl Methods {
    pub(super) fn new(registry: &Registry) -> Result<Self, prometheus::Error> {
        let families = Families::new(registry)?;
        let sets = [
            grpc::DESCRIPTORS,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ];
        let by_path = sets
            .into_iter()
            .flat_map(methods)
            .map(|Method { kind, service, name }| {
                let whole = format!("{service}/{name}");
                let metrics = families.method(whole.clone(), &[kind, &service, &name]);
                (format!("/{whole}"), Arc::new(metrics))
            })
            .collect();
        let unknown = Arc::new(families.method(OTHER.to_owned(), &[UNKNOWN, UNKNOWN, UNKNOWN]));
        Ok(Self { by_path, unknown })
    }

    pub(super) fn of(&self, path: &str) -> Arc<MethodMetrics> {
        Arc::clone(self.by_path.get(path).unwrap_or(&self.unknown))
    }
}

struct Method {
    kind: &'static str,
    service: String,
    name: String,
}

/// The methods of a compiled contract.
fn methods(descriptors: &[u8]) -> Vec<Method> {
    let files = FileDescriptorSet::decode(descriptors).unwrap_or_default().file;
    let mut methods = Vec::new();
    for file in &files {
        for service in &file.service {
            for method in &service.method {
                let kind = match (method.client_streaming(), method.server_streaming()) {
                    (false, false) => UNARY,
                    (false, true) => "server_stream",
                    (true, false) => "client_stream",
                    (true, true) => "bidi_stream",
                };
                let service = format!("{}.{}", file.package(), service.name());
                methods.push(Method { kind, service, name: method.name().to_owned() });
            }
        }
    }
    methods
}

struct Families {
    started: IntCounterVec,
    handled: IntCounterVec,
    received: IntCounterVec,
    sent: IntCounterVec,
    seconds: HistogramVec,
}

impl Families {
    fn new(registry: &Registry) -> Result<Self, prometheus::Error> {
        let counters = |name: &str, help: &str, labels: &[&str]| {
            registered(registry, IntCounterVec::new(Opts::new(name, help), labels)?)
        };
        Ok(Self {
            started: counters("grpc_server_started_total", "Calls that began.", &LABELS)?,
            handled: counters(
                "grpc_server_handled_total",
                "Calls that ended, by code; those that their callers left are Canceled.",
                &HANDLED_LABELS,
            )?,
            received: counters("grpc_server_msg_received_total", "Messages that came.", &LABELS)?,
            sent: counters("grpc_server_msg_sent_total", "Messages that went.", &LABELS)?,
            seconds: registered(
                registry,
                HistogramVec::new(
                    HistogramOpts::new("grpc_server_handling_seconds", "How long calls took to their ends.")
                        .buckets(SECONDS.to_vec()),
                    &LABELS,
                )?,
            )?,
        })
    }

    fn method(&self, whole_name: String, labels: &[&str; 3]) -> MethodMetrics {
        let [kind, service, name] = *labels;
        MethodMetrics {
            name: whole_name,
            is_unary: kind == UNARY,
            started: self.started.with_label_values(labels),
            received: self.received.with_label_values(labels),
            sent: self.sent.with_label_values(labels),
            seconds: self.seconds.with_label_values(labels),
            handled: CODES.map(|code| self.handled.with_label_values(&[kind, service, name, code])),
        }
    }
}
