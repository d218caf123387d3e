//! gRPC-web and cross-origin calls: whatever the answer, a browser can read it.

use std::net::SocketAddr;

use arbiter::grpc::v1;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
};
use http::{HeaderMap, Method, Request};
use http_body::Body as _;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use prost::Message;
use tokio::net::TcpStream;
use tonic::body::Body;
use tonic::{Code, Status};

use crate::admin::{get, value, whole};
use crate::ask::{self, Refusal};
use crate::data;
use crate::raw::{Raw, frame, path};
use crate::server::{self, Own, soon, until};

const ORIGIN: &str = "https://play.example.org";
const BINARY: &str = "application/grpc-web+proto";
const TEXT: &str = "application/grpc-web-text+proto";

/// What a browser sees of an answer.
#[derive(Debug)]
struct Seen {
    http: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Seen {
    /// The messages, and the trailers that come after them.
    fn frames(&self) -> (Vec<Vec<u8>>, HeaderMap) {
        let text = self.headers["content-type"] == TEXT;
        // Each part is encoded for itself, so that there may be padding in the middle.
        let decode = |group| BASE64.decode(group).unwrap();
        let decoded = if text { self.body.chunks(4).flat_map(decode).collect() } else { self.body.clone() };
        let (mut messages, mut trailers, mut rest) = (Vec::new(), HeaderMap::new(), &*decoded);
        while let [flags, a, b, c, d, others @ ..] = rest {
            let (part, others) = others.split_at(u32::from_be_bytes([*a, *b, *c, *d]) as usize);
            rest = others;
            if flags & 0x80 == 0 {
                messages.push(part.to_vec());
                continue;
            }
            for line in std::str::from_utf8(part).unwrap().lines() {
                let (name, value) = line.split_once(':').unwrap();
                let name: http::HeaderName = name.parse().unwrap();
                trailers.insert(name, value.trim().parse().unwrap());
            }
        }
        assert!(rest.is_empty());
        (messages, trailers)
    }

    /// The status, which a page of the origin may read.
    fn status(&self, origin: &str, content_type: &str) -> Status {
        assert_eq!(self.http, 200, "{self:?}");
        assert_eq!(self.headers["content-type"], content_type, "{self:?}");
        assert_eq!(self.headers[ACCESS_CONTROL_ALLOW_ORIGIN], origin, "{self:?}");
        assert!(!self.headers.contains_key(ACCESS_CONTROL_ALLOW_CREDENTIALS));
        let exposed = self.headers[ACCESS_CONTROL_EXPOSE_HEADERS].to_str().unwrap();
        for name in ["grpc-status", "grpc-message", "grpc-status-details-bin"] {
            assert!(exposed.split(',').any(|exposed| exposed.trim() == name), "{exposed}");
        }
        Status::from_header_map(&self.headers)
            .or_else(|| Status::from_header_map(&self.frames().1))
            .unwrap_or_else(|| panic!("no status: {self:?}"))
    }
}

/// Sends a request over HTTP/1.1; none where no HTTP/1.1 is spoken.
async fn send(
    address: SocketAddr,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: Bytes,
) -> Option<Seen> {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(path).header("host", address.to_string());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = if body.is_empty() { Body::empty() } else { Body::new(Whole(Some(body))) };
    let answer = soon(sender.send_request(request.body(body).unwrap())).await.ok()?;
    let (parts, mut incoming) = answer.into_parts();
    let mut body = Vec::new();
    while let Some(frame) =
        soon(std::future::poll_fn(|context| std::pin::Pin::new(&mut incoming).poll_frame(context))).await
    {
        body.extend(frame.unwrap().into_data().unwrap());
    }
    connection.abort();
    Some(Seen { http: parts.status.as_u16(), headers: parts.headers, body })
}

/// A body in one piece.
struct Whole(Option<Bytes>);

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Status>>> {
        std::task::Poll::Ready(self.0.take().map(|bytes| Ok(http_body::Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        http_body::SizeHint::with_exact(self.0.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

/// Calls as a page of the origin does.
async fn call(address: SocketAddr, origin: &str, path: &str, message: &impl Message) -> Seen {
    let headers = [("origin", origin), ("content-type", BINARY), ("x-grpc-web", "1")];
    send(address, Method::POST, path, &headers, frame(&message.encode_to_vec())).await.unwrap()
}

/// What a browser asks before it lets a page call.
async fn preflight(address: SocketAddr, origin: &str) -> Seen {
    let headers = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,x-grpc-web,grpc-timeout,x-user-agent"),
    ];
    send(address, Method::OPTIONS, &path("GameStatus"), &headers, Bytes::new()).await.unwrap()
}

fn question() -> v1::GameStatusRequest {
    v1::GameStatusRequest { position: Some(ask::initial("chess")) }
}

#[tokio::test]
async fn a_browser_is_told_who_may_call() {
    let own = Own::start(&["--web-origins", &format!("https://other.example.org,{ORIGIN}")]).await;
    for origin in [ORIGIN, "https://other.example.org"] {
        let seen = preflight(own.address, origin).await;
        assert_eq!(seen.http, 200);
        assert_eq!(seen.headers[ACCESS_CONTROL_ALLOW_ORIGIN], origin);
        assert_eq!(seen.headers[ACCESS_CONTROL_ALLOW_METHODS], "POST");
        let allowed = seen.headers[ACCESS_CONTROL_ALLOW_HEADERS].to_str().unwrap();
        for name in ["content-type", "x-grpc-web", "x-user-agent", "grpc-timeout", "traceparent"] {
            assert!(allowed.split(',').any(|allowed| allowed.trim() == name), "{name} in {allowed}");
        }
        assert_eq!(seen.headers[ACCESS_CONTROL_MAX_AGE], "7200");
        assert!(!seen.headers.contains_key(ACCESS_CONTROL_ALLOW_CREDENTIALS));
    }
    for stranger in
        ["https://example.org", "http://play.example.org", "https://play.example.org:8443", "null"]
    {
        let seen = preflight(own.address, stranger).await;
        assert!(!seen.headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN), "{stranger}");
        let seen = call(own.address, stranger, &path("GameStatus"), &question()).await;
        assert!(!seen.headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN), "{stranger}");
    }
    let own = Own::start(&["--web-origins", "*"]).await;
    assert_eq!(
        preflight(own.address, "https://anyone.example").await.headers[ACCESS_CONTROL_ALLOW_ORIGIN],
        "*"
    );
    let seen = call(own.address, "https://anyone.example", &path("GameStatus"), &question()).await;
    assert_eq!(seen.status("*", BINARY).code(), Code::Ok);
}

#[tokio::test]
async fn answers_are_read_in_both_forms() {
    let own = Own::start(&["--web-origins", ORIGIN]).await;
    let seen = call(own.address, ORIGIN, &path("GameStatus"), &question()).await;
    assert_eq!(seen.status(ORIGIN, BINARY).code(), Code::Ok);
    let (messages, _) = seen.frames();
    let answer = v1::GameStatusResponse::decode(&*messages[0]).unwrap();
    assert_eq!((messages.len(), answer.status.unwrap().state()), (1, v1::State::Ongoing));

    let headers = [("origin", ORIGIN), ("content-type", TEXT), ("accept", TEXT)];
    let body = Bytes::from(BASE64.encode(frame(&question().encode_to_vec())));
    let seen = send(own.address, Method::POST, &path("GameStatus"), &headers, body).await.unwrap();
    assert_eq!(seen.status(ORIGIN, TEXT).code(), Code::Ok);
    assert_eq!(seen.frames().0, messages);

    let mut client = server::client().await;
    let largest = data::largest(&ask::variants(&mut client).await);
    let position = largest.into_iter().max_by_key(|row| row.count).unwrap().position;
    let request = v1::StreamLegalMovesRequest { position: Some(position), ..Default::default() };
    let seen = call(own.address, ORIGIN, &path("StreamLegalMoves"), &request).await;
    assert_eq!(seen.status(ORIGIN, BINARY).code(), Code::Ok);
    let batches = seen.frames().0;
    assert!(batches.len() > 1);

    // Clients of gRPC are answered beside it, over HTTP/2, and the same.
    let raw = Raw::connect(own.address).await;
    let answer = raw.ask("StreamLegalMoves", &request).await;
    assert_eq!(answer.status().code(), Code::Ok);
    assert_eq!(answer.headers["content-type"], "application/grpc");
    let framed: Vec<u8> = batches.iter().flat_map(|batch| frame(batch)).collect();
    assert!(answer.data == framed, "the batches differ");
}

#[tokio::test]
async fn errors_are_read_like_other_answers() {
    let own = Own::with_admin(&["--web-origins", ORIGIN, "--max-calls", "2"]).await;
    let unknown = v1::GameStatusRequest { position: Some(ask::initial("go")) };
    let seen = call(own.address, ORIGIN, &path("GameStatus"), &unknown).await;
    assert_eq!(Refusal::read(&seen.status(ORIGIN, BINARY)).reason, "UNKNOWN_VARIANT");
    let seen = call(own.address, ORIGIN, &path("Resign"), &question()).await;
    assert_eq!(seen.status(ORIGIN, BINARY).code(), Code::Unimplemented);
    let seen = call(own.address, ORIGIN, "/no.such.Service/Method", &question()).await;
    assert_eq!(seen.status(ORIGIN, BINARY).code(), Code::Unimplemented);

    let headers = [("origin", ORIGIN), ("content-type", BINARY), ("grpc-timeout", "1n")];
    let body = frame(&question().encode_to_vec());
    let seen = send(own.address, Method::POST, &path("GameStatus"), &headers, body).await.unwrap();
    assert_eq!(Refusal::read(&seen.status(ORIGIN, BINARY)).reason, "DEADLINE_EXCEEDED");

    let raw = Raw::connect(own.address).await;
    let _one = raw.open(&path("GameStatus"), &[], vec![], false).await.unwrap();
    let _other = raw.open(&path("GameStatus"), &[], vec![], false).await.unwrap();
    until(|| async { value(own.admin(), "arbiter_open_calls").await == 2.0 }).await;
    let seen = call(own.address, ORIGIN, &path("GameStatus"), &question()).await;
    let refusal = Refusal::read(&seen.status(ORIGIN, BINARY));
    assert!(refusal.reason == "BUSY" && refusal.retry.is_some());
}

/// A deadline that passes when a part of the answer is on its way.
#[tokio::test]
async fn a_stream_that_is_cut_says_why() {
    let own = Own::start(&["--web-origins", ORIGIN]).await;
    let raw = Raw::with_window(own.address, 100).await;
    let request =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() };
    let headers = [("origin", ORIGIN), ("grpc-timeout", "200m")];
    let body = frame(&request.encode_to_vec());
    let (response, _body) =
        raw.open_as(BINARY, &path("StreamLegalMoves"), &headers, vec![body], true).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(250)).await;
    let answer = soon(Raw::answer(response)).await.unwrap();
    let seen = Seen { http: answer.http.as_u16(), headers: answer.headers, body: answer.data };
    assert_eq!(Refusal::read(&seen.status(ORIGIN, BINARY)).reason, "DEADLINE_EXCEEDED");
}

/// Without origins neither HTTP/1.1 nor gRPC-web is spoken, and no page is told that it may call.
#[tokio::test]
async fn browsers_are_not_answered_unless_asked_for() {
    let address = server::shared();
    let headers = [("origin", ORIGIN), ("content-type", BINARY)];
    let body = frame(&question().encode_to_vec());
    assert!(send(address, Method::POST, &path("GameStatus"), &headers, body.clone()).await.is_none());
    let raw = Raw::connect(address).await;
    let (response, _body) =
        raw.open_as(BINARY, &path("GameStatus"), &[("origin", ORIGIN)], vec![body], true).await.unwrap();
    let answer = soon(Raw::answer(response)).await.unwrap();
    assert!(!answer.headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN));
    assert_ne!(answer.headers["content-type"], BINARY);
}

/// With the page, its files and the calls share a port, and a wrong link is told from a call.
#[tokio::test]
async fn the_page_is_served_beside_the_calls() {
    let own = Own::start(&["--web"]).await;
    for (file, kind) in [("/", "text/html"), ("/arbiter.js", "text/javascript"), ("/arbiter.css", "text/css")]
    {
        let (status, head, body) = whole(own.address, file).await;
        assert_eq!(status, 200, "{file}");
        assert!(head.contains(&format!("content-type: {kind}")), "{file}: {head}");
        assert!(head.contains("content-security-policy: default-src 'self'"), "{file}: {head}");
        assert!(!body.is_empty(), "{file}");
    }
    for link in ["/nothing", "/games/chess", "/arbiter.v1.ArbiterService/GameStatus"] {
        assert_eq!(get(own.address, link).await.0, 404, "{link}");
    }
    let body = frame(&question().encode_to_vec());
    let headers = [("content-type", BINARY)];
    let seen = send(own.address, Method::POST, &path("GameStatus"), &headers, body).await.unwrap();
    assert_eq!((seen.http, seen.frames().0.len()), (200, 1));
    let answer = Raw::connect(own.address).await.ask("GameStatus", &question()).await;
    assert_eq!(answer.status().code(), Code::Ok);
}
