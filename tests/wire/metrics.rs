//! What the metrics tell of calls.

use arbiter::grpc::v1;
use prost::Message;
use tonic::Code;

use crate::admin::{metrics, of_method, value};
use crate::ask;
use crate::raw::{METHODS, Raw, frame, next_data, path};
use crate::server::{Own, soon, until};

const STARTED: &str = "grpc_server_started_total";
const HANDLED: &str = "grpc_server_handled_total";

fn question() -> v1::GameStatusRequest {
    v1::GameStatusRequest { position: Some(ask::initial("chess")) }
}

/// Waits until every call that began has ended.
async fn settled(own: &Own) {
    until(|| async {
        let metrics = metrics(own.admin()).await;
        metrics.sum(STARTED) == metrics.sum(HANDLED)
    })
    .await;
}

/// A dashboard that was written for other gRPC servers finds what it looks for, before the first call.
#[tokio::test]
async fn metrics_are_complete_from_the_beginning() {
    let own = Own::with_admin(&[]).await;
    let metrics = metrics(own.admin()).await;
    for (family, kind) in [
        (STARTED, "counter"),
        (HANDLED, "counter"),
        ("grpc_server_msg_received_total", "counter"),
        ("grpc_server_msg_sent_total", "counter"),
        ("grpc_server_handling_seconds", "histogram"),
        ("arbiter_build_info", "gauge"),
        ("arbiter_buffered_bytes", "gauge"),
        ("arbiter_connections", "gauge"),
        ("arbiter_connections_accepted_total", "counter"),
        ("arbiter_connections_refused_total", "counter"),
        ("arbiter_errors_total", "counter"),
        ("arbiter_job_wait_seconds", "histogram"),
        ("arbiter_jobs_running", "gauge"),
        ("arbiter_jobs_waiting", "gauge"),
        ("arbiter_open_calls", "gauge"),
        ("arbiter_ready", "gauge"),
        ("arbiter_stalled_calls_total", "counter"),
        ("arbiter_tls_reloads_total", "counter"),
        ("process_cpu_seconds_total", "counter"),
        ("process_resident_memory_bytes", "gauge"),
        ("process_open_fds", "gauge"),
    ] {
        assert_eq!(metrics.families[family].kind, kind, "{family}");
    }
    for method in METHODS {
        let kind = if method == "StreamLegalMoves" { "server_stream" } else { "unary" };
        assert_eq!(metrics.value(&of_method(STARTED, kind, method)), 0.0);
        for code in ["OK", "Canceled", "DeadlineExceeded", "Internal"] {
            let series = of_method(HANDLED, kind, method).replace('{', &format!("{{grpc_code=\"{code}\","));
            assert_eq!(metrics.value(&series), 0.0);
        }
    }
    assert_eq!(metrics.errors("BUSY"), 0.0);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(metrics.value(&format!("arbiter_build_info{{version=\"{version}\"}}")), 1.0);
    assert_eq!(metrics.value("arbiter_ready"), 1.0);
    // Buckets hold those before them, and the last holds all.
    for (name, family) in metrics.families.iter().filter(|(_, family)| family.kind == "histogram") {
        let has =
            |part: &str| family.series.keys().any(|series| series.starts_with(&format!("{name}{part}")));
        assert!(has("_bucket{") && has("_sum") && has("_count"), "{name}");
        assert!(family.series.keys().any(|series| series.contains("le=\"+Inf\"")), "{name}");
    }
}

#[tokio::test]
async fn calls_are_counted_to_their_ends() {
    let own = Own::with_admin(&[]).await;
    let raw = Raw::connect(own.address).await;
    for _ in 0..3 {
        assert_eq!(raw.ask("GameStatus", &question()).await.status().code(), Code::Ok);
    }
    let unknown = v1::GameStatusRequest { position: Some(ask::initial("go")) };
    assert_eq!(raw.ask("GameStatus", &unknown).await.status().code(), Code::InvalidArgument);
    // A stream that is read to its end, one that fails before it begins, one that fails late, one that is left.
    let list =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() };
    assert_eq!(raw.ask("StreamLegalMoves", &list).await.status().code(), Code::Ok);
    let wrong = v1::StreamLegalMovesRequest { position: Some(ask::initial("go")), ..Default::default() };
    assert_eq!(raw.ask("StreamLegalMoves", &wrong).await.status().code(), Code::InvalidArgument);
    let narrow = Raw::with_window(own.address, 100).await;
    let stream_path = path("StreamLegalMoves");
    for limit in ["20m", "1H"] {
        let body = frame(&list.encode_to_vec());
        let headers = [("grpc-timeout", limit)];
        let (response, _) = narrow.open(&stream_path, &headers, vec![body], true).await.unwrap();
        let mut body = soon(response).await.unwrap().into_body();
        if limit == "20m" {
            tokio::time::sleep(std::time::Duration::from_millis(30)).await;
            while let Some(data) = soon(next_data(&mut body)).await {
                data.unwrap();
            }
            assert_eq!(soon(body.trailers()).await.unwrap().unwrap()["grpc-status"], "4");
        } else {
            drop(body);
        }
    }
    // A unary call whose caller leaves before it has the whole answer.
    let (response, _) = narrow.open(&path("ListVariants"), &[], vec![frame(&[])], true).await.unwrap();
    drop(soon(response).await.unwrap());
    settled(&own).await;

    let metrics = metrics(own.admin()).await;
    assert_eq!(metrics.ends("GameStatus"), [("InvalidArgument", 1.0), ("OK", 3.0)]);
    assert_eq!(metrics.ends("ListVariants"), [("Canceled", 1.0)]);
    let one_each = ["Canceled", "DeadlineExceeded", "InvalidArgument", "OK"].map(|code| (code, 1.0));
    assert_eq!(metrics.ends("StreamLegalMoves"), one_each);
    assert_eq!(metrics.errors("UNKNOWN_VARIANT"), 2.0);
    assert_eq!(metrics.errors("DEADLINE_EXCEEDED"), 1.0);
    let seconds = of_method("grpc_server_handling_seconds_count", "unary", "GameStatus");
    assert_eq!(metrics.value(&seconds), 4.0);
    assert_eq!(metrics.value(&of_method("grpc_server_msg_received_total", "unary", "GameStatus")), 4.0);
    assert_eq!(metrics.value(&of_method("grpc_server_msg_sent_total", "unary", "GameStatus")), 3.0);
    let streamed = |family| metrics.value(&of_method(family, "server_stream", "StreamLegalMoves"));
    assert_eq!(streamed("grpc_server_msg_received_total"), 4.0);
    assert!(streamed("grpc_server_msg_sent_total") >= 1.0);
    assert!(metrics.value("arbiter_job_wait_seconds_count") >= 2.0);
    for gauge in ["arbiter_jobs_running", "arbiter_jobs_waiting", "arbiter_open_calls"] {
        until(|| async { value(own.admin(), gauge).await == 0.0 }).await;
    }
}

/// Callers choose paths, so they must not choose how many series there are.
#[tokio::test]
async fn unknown_methods_are_one_method() {
    let own = Own::with_admin(&[]).await;
    let before = metrics(own.admin()).await;
    let raw = Raw::connect(own.address).await;
    let paths = (0..1_000).map(|number| match number % 3 {
        0 => format!("/arbiter.v1.ArbiterService/Method{number}"),
        1 => format!("/service{number}/LegalMoves"),
        _ => format!("/{number}"),
    });
    for path in paths {
        assert_eq!(raw.call(&path, &[], frame(&[])).await.status().code(), Code::Unimplemented, "{path}");
    }
    settled(&own).await;
    let after = metrics(own.admin()).await;
    assert_eq!(after.names(), before.names());
    let unknown = "grpc_method=\"unknown\",grpc_service=\"unknown\",grpc_type=\"unknown\"";
    assert_eq!(after.value(&format!("{STARTED}{{{unknown}}}")), 1_000.0);
    assert_eq!(after.value(&format!("{HANDLED}{{grpc_code=\"Unimplemented\",{unknown}}}")), 1_000.0);
}

#[tokio::test]
async fn connections_are_counted() {
    let own = Own::with_admin(&[]).await;
    let (one, other) = (Raw::connect(own.address).await, Raw::connect(own.address).await);
    until(|| async { value(own.admin(), "arbiter_connections").await == 2.0 }).await;
    drop(one);
    until(|| async { value(own.admin(), "arbiter_connections").await == 1.0 }).await;
    assert_eq!(value(own.admin(), "arbiter_connections_accepted_total").await, 2.0);
    drop(other);
}
