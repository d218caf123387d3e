//! What is counted, under the names that dashboards for gRPC know, and a few of our own.

mod methods;

use std::sync::Arc;

use prometheus::core::Collector;
use prometheus::{
    Encoder, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};

pub(super) use methods::MethodMetrics;
use methods::Methods;

use crate::grpc::reasons;

/// Bounds of the histograms of times, in seconds: calls take from some microseconds to some seconds.
const SECONDS: [f64; 14] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The metrics of a server.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    methods: Methods,
    errors: IntCounterVec,
    connections: IntGauge,
    connections_accepted: IntCounter,
    connections_refused: IntCounterVec,
    tls_reloads: IntCounterVec,
    /// Calls ended because their clients took nothing.
    pub(super) stalled_calls: IntCounter,
    /// Calls open now; set when the metrics are read.
    pub(super) open_calls: IntGauge,
    /// Memory held now for what is large; set when the metrics are read.
    pub(super) buffered_bytes: IntGauge,
    /// Whether health says SERVING; set when the metrics are read.
    pub(super) ready: IntGauge,
    /// Jobs that wait for a thread.
    pub(super) jobs_waiting: IntGauge,
    jobs_running: IntGauge,
    /// How long jobs waited.
    pub(super) job_wait: Histogram,
}

impl Metrics {
    /// All of them, at nothing.
    pub(super) fn new() -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        registry.register(Box::new(prometheus::process_collector::ProcessCollector::for_self()))?;
        let build = IntGauge::with_opts(
            Opts::new("arbiter_build_info", "Always 1; the label tells which release this is.")
                .const_label("version", env!("CARGO_PKG_VERSION")),
        )?;
        build.set(1);
        registered(&registry, build)?;
        let metrics = Self {
            methods: Methods::new(&registry)?,
            errors: counters(
                &registry,
                "arbiter_errors_total",
                "Calls answered with an error, by the reason of its ErrorInfo.",
                "reason",
            )?,
            connections: gauge(&registry, "arbiter_connections", "Connections open now.")?,
            connections_accepted: counter(
                &registry,
                "arbiter_connections_accepted_total",
                "Connections that were accepted.",
            )?,
            connections_refused: counters(
                &registry,
                "arbiter_connections_refused_total",
                "Connections that were not served: over the limit, failed or late handshakes, failed accepts.",
                "reason",
            )?,
            tls_reloads: counters(
                &registry,
                "arbiter_tls_reloads_total",
                "Changes of the TLS files, by whether they could be used.",
                "result",
            )?,
            stalled_calls: counter(
                &registry,
                "arbiter_stalled_calls_total",
                "Calls ended because their clients did not take what was sent to them.",
            )?,
            open_calls: gauge(&registry, "arbiter_open_calls", "Calls open now.")?,
            buffered_bytes: gauge(
                &registry,
                "arbiter_buffered_bytes",
                "Memory held now for large requests, answers and lists.",
            )?,
            ready: gauge(&registry, "arbiter_ready", "1 while health says SERVING, else 0.")?,
            jobs_waiting: gauge(&registry, "arbiter_jobs_waiting", "Pieces of heavy work that wait.")?,
            jobs_running: gauge(&registry, "arbiter_jobs_running", "Pieces of heavy work that run.")?,
            job_wait: registered(
                &registry,
                Histogram::with_opts(
                    HistogramOpts::new(
                        "arbiter_job_wait_seconds",
                        "How long pieces of heavy work waited for a thread.",
                    )
                    .buckets(SECONDS.to_vec()),
                )?,
            )?,
            registry,
        };
        metrics.begin_at_zero();
        Ok(metrics)
    }

    /// Makes the series that are known beforehand, as a series that appears with its first count shows no increase.
    fn begin_at_zero(&self) {
        for reason in reasons() {
            self.errors.with_label_values(&[reason]);
        }
        for reason in ["limit", "handshake", "accept"] {
            self.connections_refused.with_label_values(&[reason]);
        }
        for result in ["used", "failed"] {
            self.tls_reloads.with_label_values(&[result]);
        }
    }

    /// The metrics of the method with this path.
    pub(super) fn method(&self, path: &str) -> Arc<MethodMetrics> {
        self.methods.of(path)
    }

    /// Counts an answer with an error of this reason.
    pub(super) fn error(&self, reason: &str) {
        if reasons().any(|known| known == reason) {
            self.errors.with_label_values(&[reason]).inc();
        }
    }

    /// Counts a connection that was not served.
    pub(super) fn connections_refused(&self, reason: &str) {
        self.connections_refused.with_label_values(&[reason]).inc();
    }

    /// Counts a connection, and among those that are open until the guard goes.
    pub(super) fn connection_opened(&self) -> impl Drop + use<> {
        self.connections_accepted.inc();
        self.connections.inc();
        Down(self.connections.clone())
    }

    /// Counts a job among those that run until the guard goes.
    pub(super) fn job_runs(&self) -> impl Drop + use<> {
        self.jobs_running.inc();
        Down(self.jobs_running.clone())
    }

    /// Counts a change of the TLS files.
    pub(super) fn tls_reloaded(&self, could_be_used: bool) {
        self.tls_reloads.with_label_values(&[if could_be_used { "used" } else { "failed" }]).inc();
    }

    /// All metrics in Prometheus' text form.
    pub(super) fn text(&self) -> Result<Vec<u8>, prometheus::Error> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

/// The media type of [`Metrics::text`].
pub(super) const TEXT_TYPE: &str = prometheus::TEXT_FORMAT;

/// A gauge that goes down when this goes.
struct Down(IntGauge);

impl Drop for Down {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn registered<C: Collector + Clone + 'static>(
    registry: &Registry,
    metric: C,
) -> Result<C, prometheus::Error> {
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

fn gauge(registry: &Registry, name: &str, help: &str) -> Result<IntGauge, prometheus::Error> {
    registered(registry, IntGauge::new(name, help)?)
}

fn counter(registry: &Registry, name: &str, help: &str) -> Result<IntCounter, prometheus::Error> {
    registered(registry, IntCounter::new(name, help)?)
}

fn counters(
    registry: &Registry,
    name: &str,
    help: &str,
    label: &str,
) -> Result<IntCounterVec, prometheus::Error> {
    registered(registry, IntCounterVec::new(Opts::new(name, help), &[label])?)
}
