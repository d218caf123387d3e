//! Traces, where they are built in: what a collector gets.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use arbiter::grpc::v1;
use bytes::Bytes;
use http::{HeaderMap, Response};
use prost::Message;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::ask;
use crate::program::Program;
use crate::raw::{Raw, frame, next_data, path};
use crate::server::{soon, until};

/// The parts of OTLP's messages that these tests look at.
#[derive(Clone, PartialEq, Message)]
struct Export {
    #[prost(message, repeated, tag = "1")]
    resources: Vec<ResourceSpans>,
}

#[derive(Clone, PartialEq, Message)]
struct ResourceSpans {
    #[prost(message, optional, tag = "1")]
    resource: Option<Resource>,
    #[prost(message, repeated, tag = "2")]
    scopes: Vec<ScopeSpans>,
}

#[derive(Clone, PartialEq, Message)]
struct Resource {
    #[prost(message, repeated, tag = "1")]
    attributes: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message)]
struct ScopeSpans {
    #[prost(message, repeated, tag = "2")]
    spans: Vec<Span>,
}

#[derive(Clone, PartialEq, Message)]
struct Span {
    #[prost(bytes = "vec", tag = "1")]
    trace_id: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    parent_span_id: Vec<u8>,
    #[prost(string, tag = "5")]
    name: String,
    /// 2 is a server's.
    #[prost(int32, tag = "6")]
    kind: i32,
    #[prost(message, repeated, tag = "9")]
    attributes: Vec<KeyValue>,
    #[prost(message, optional, tag = "15")]
    status: Option<SpanStatus>,
}

#[derive(Clone, PartialEq, Message)]
struct SpanStatus {
    /// 2 is an error.
    #[prost(int32, tag = "3")]
    code: i32,
}

#[derive(Clone, PartialEq, Message)]
struct KeyValue {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(message, optional, tag = "2")]
    value: Option<AnyValue>,
}

#[derive(Clone, PartialEq, Message)]
struct AnyValue {
    #[prost(string, optional, tag = "1")]
    text: Option<String>,
}

fn texts(attributes: &[KeyValue]) -> BTreeMap<&str, &str> {
    attributes
        .iter()
        .filter_map(|attribute| Some((&*attribute.key, attribute.value.as_ref()?.text.as_deref()?)))
        .collect()
}

/// Takes what is exported, and passes it on.
async fn collect(listener: TcpListener, exports: mpsc::UnboundedSender<Export>) {
    while let Ok((stream, _)) = listener.accept().await {
        let exports = exports.clone();
        tokio::spawn(async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((request, mut answer))) = connection.accept().await {
                let exports = exports.clone();
                tokio::spawn(async move {
                    let mut body = request.into_body();
                    let mut bytes = Vec::new();
                    while let Some(data) = next_data(&mut body).await {
                        bytes.extend(data.unwrap());
                    }
                    exports.send(Export::decode(&bytes[5..]).unwrap()).unwrap();
                    let head =
                        Response::builder().header("content-type", "application/grpc").body(()).unwrap();
                    let mut answer = answer.send_response(head, false).unwrap();
                    answer.send_data(Bytes::from_static(&[0; 5]), false).unwrap();
                    let mut trailers = HeaderMap::new();
                    trailers.insert("grpc-status", "0".parse().unwrap());
                    answer.send_trailers(trailers).unwrap();
                });
            }
        });
    }
}

/// Calls of a good, a bad and an unknown method below a span of the caller's.
async fn call(program: &Program) {
    let raw = Raw::connect(program.address).await;
    let headers = [("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")];
    for variant in ["chess", "go"] {
        let request = v1::GameStatusRequest { position: Some(ask::initial(variant)) };
        soon(raw.call(&path("GameStatus"), &headers, frame(&request.encode_to_vec()))).await.status();
    }
    soon(raw.call("/made.Up/ByACaller", &[], frame(&[]))).await.status();
}

#[tokio::test]
async fn spans_of_calls_reach_the_collector() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let (exports, mut exported) = mpsc::unbounded_channel();
    let collecting = tokio::spawn(collect(listener, exports));
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint)];
    let program = Program::with_variables(&["--drain-delay", "0"], &variables).await;
    call(&program).await;
    // What has not been sent yet is sent before the program ends.
    program.signal("TERM").await;
    assert!(program.ended().await.0.success());
    collecting.abort();

    let mut spans = Vec::new();
    while let Some(export) = soon(exported.recv()).await {
        for resource in export.resources {
            assert_eq!(texts(&resource.resource.unwrap().attributes)["service.name"], "arbiter");
            spans.extend(resource.scopes.into_iter().flat_map(|scope| scope.spans));
        }
    }
    assert_eq!(spans.len(), 3, "{spans:?}");
    let told: Vec<_> = spans
        .iter()
        .map(|span| {
            assert_eq!(span.kind, 2);
            let attributes = texts(&span.attributes);
            assert_eq!((attributes["rpc.method"], attributes["rpc.system.name"]), (&*span.name, "grpc"));
            let status = span.status.as_ref().map_or(0, |status| status.code);
            (
                &*span.name,
                attributes["rpc.response.status_code"],
                attributes.get("error.type").copied(),
                status,
            )
        })
        .collect();
    let method = "arbiter.v1.ArbiterService/GameStatus";
    assert!(told.contains(&(method, "OK", None, 0)), "{told:?}");
    assert!(told.contains(&(method, "INVALID_ARGUMENT", Some("UNKNOWN_VARIANT"), 0)), "{told:?}");
    assert!(told.contains(&("_OTHER", "UNIMPLEMENTED", Some("UNIMPLEMENTED"), 2)), "{told:?}");
    for span in spans.iter().filter(|span| span.name == method) {
        assert_eq!(span.trace_id, 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c_u128.to_be_bytes());
        assert_eq!(span.parent_span_id, 0xb7ad_6b71_6920_3331_u64.to_be_bytes());
    }
}

/// Without a word from the environment nothing is sent, not even to where collectors usually are.
#[tokio::test]
async fn nothing_is_sent_unasked() {
    let usual = Arc::new(Mutex::new(None));
    until(|| async {
        let listener = TcpListener::bind("127.0.0.1:4317").await.ok();
        let is_bound = listener.is_some();
        *usual.lock().unwrap() = listener;
        is_bound
    })
    .await;
    let listener = usual.lock().unwrap().take().unwrap();
    let program =
        Program::with_variables(&["--drain-delay", "0"], &[("OTEL_BSP_SCHEDULE_DELAY", "50")]).await;
    call(&program).await;
    program.signal("TERM").await;
    assert!(program.ended().await.0.success());
    let reached = tokio::time::timeout(std::time::Duration::from_millis(100), listener.accept()).await;
    assert!(reached.is_err(), "something was sent");
}
