//! The admin port: how tests ask it, and what it must tell.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::server::{Own, soon};

/// The status and the body of a page.
pub async fn get(address: SocketAddr, path: &str) -> (u16, String) {
    let (status, _, body) = whole(address, path).await;
    (status, body)
}

/// The status, the head and the body of a page.
pub async fn whole(address: SocketAddr, path: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    soon(stream.read_to_string(&mut answer)).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_lowercase(), body.to_owned())
}

/// The metrics of a server.
pub async fn metrics(address: SocketAddr) -> Exposition {
    let (status, body) = get(address, "/metrics").await;
    assert_eq!(status, 200);
    Exposition::read(&body)
}

/// The value of one series now.
pub async fn value(address: SocketAddr, series: &str) -> f64 {
    metrics(address).await.value(series)
}

/// Metrics in Prometheus' text form.
#[derive(Debug)]
pub struct Exposition {
    pub families: BTreeMap<String, Family>,
}

/// The series under one name.
#[derive(Debug, Default)]
pub struct Family {
    pub help: String,
    pub kind: String,
    /// Values by series as it is written, with its labels.
    pub series: BTreeMap<String, f64>,
}

impl Exposition {
    /// Reads the text strictly: every family has a sentence and a type before its series, every series is there once.
    pub fn read(text: &str) -> Self {
        let mut families: BTreeMap<String, Family> = BTreeMap::new();
        let mut present = String::new();
        assert!(text.ends_with('\n'), "the last line has no end");
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, help) = rest.split_once(' ').unwrap();
                let family = Family { help: help.to_owned(), ..Family::default() };
                assert!(families.insert(name.to_owned(), family).is_none(), "{name} is there twice");
                name.clone_into(&mut present);
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').unwrap();
                assert_eq!(name, present, "a type without a sentence before it");
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                kind.clone_into(&mut families.get_mut(name).unwrap().kind);
            } else {
                let (series, value) = line.rsplit_once(' ').unwrap();
                let name = series.split('{').next().unwrap();
                assert_eq!(series.contains('{'), series.ends_with('}'), "{line}");
                let family = families.get_mut(&present).unwrap();
                let suffix = name.strip_prefix(&*present).unwrap_or_else(|| panic!("{line} below {present}"));
                let suffixes: &[&str] =
                    if family.kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
                assert!(suffixes.contains(&suffix), "{line}");
                let value: f64 = value.parse().unwrap();
                assert!(family.series.insert(series.to_owned(), value).is_none(), "{series} is there twice");
            }
        }
        for (name, family) in &families {
            assert!(!family.help.is_empty() && !family.kind.is_empty(), "{name}");
        }
        Self { families }
    }

    /// The value of a series, written as it stands there.
    pub fn value(&self, series: &str) -> f64 {
        let found = self.families.values().find_map(|family| family.series.get(series));
        *found.unwrap_or_else(|| panic!("no series {series}"))
    }

    /// The sum of all series of a family.
    pub fn sum(&self, family: &str) -> f64 {
        self.families[family].series.values().sum()
    }

    /// How many calls of a method of the service ended with which codes.
    pub fn ends(&self, method: &str) -> Vec<(&str, f64)> {
        let of_method = format!("grpc_method=\"{method}\",grpc_service=\"arbiter.v1.ArbiterService\"");
        let ends = self.families["grpc_server_handled_total"].series.iter();
        ends.filter(|(series, count)| series.contains(&of_method) && **count > 0.0)
            .map(|(series, count)| (series.split('"').nth(1).unwrap(), *count))
            .collect()
    }

    /// How many answers were errors of this reason.
    pub fn errors(&self, reason: &str) -> f64 {
        self.value(&format!("arbiter_errors_total{{reason=\"{reason}\"}}"))
    }

    /// All series by their names and labels.
    pub fn names(&self) -> BTreeSet<&String> {
        self.families.values().flat_map(|family| family.series.keys()).collect()
    }
}

/// The series of a method of the service in a family.
pub fn of_method(family: &str, kind: &str, method: &str) -> String {
    format!(
        "{family}{{grpc_method=\"{method}\",grpc_service=\"arbiter.v1.ArbiterService\",grpc_type=\"{kind}\"}}"
    )
}

#[tokio::test]
async fn the_admin_port_has_three_pages() {
    let own = Own::with_admin(&[]).await;
    assert_eq!(get(own.admin(), "/livez").await, (200, "alive\n".to_owned()));
    assert_eq!(get(own.admin(), "/readyz").await, (200, "ready\n".to_owned()));
    let (status, head, _) = whole(own.admin(), "/metrics").await;
    assert!(status == 200 && head.contains("content-type: text/plain; version=0.0.4"), "{head}");
    for path in ["/", "/metrics/", "/healthz", "/arbiter.v1.ArbiterService/ListVariants", "/../etc/passwd"] {
        assert_eq!(get(own.admin(), path).await.0, 404, "{path}");
    }
}

/// What is no request is refused, and the port goes on.
#[tokio::test]
async fn the_admin_port_survives_garbage() {
    let own = Own::with_admin(&[]).await;
    for garbage in [
        &b"\x00\x01\x02\x03\xff\xfe\r\n\r\n0123456789abcdef"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        &[b'a'; 1 << 20],
    ] {
        let mut stream = TcpStream::connect(own.admin()).await.unwrap();
        // It may be closed before all was sent.
        let _ = stream.write_all(garbage).await;
        let mut answer = Vec::new();
        let _ = soon(stream.read_to_end(&mut answer)).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    assert_eq!(get(own.admin(), "/livez").await.0, 200);
}

/// Silent connections to the admin port are closed too, and without a flag there is none.
#[tokio::test]
async fn the_admin_port_waits_for_nobody() {
    let own = Own::with_admin(&["--handshake-timeout", "0.2"]).await;
    let mut stream = TcpStream::connect(own.admin()).await.unwrap();
    let mut answer = Vec::new();
    let _ = soon(stream.read_to_end(&mut answer)).await;
    assert!(Own::start(&[]).await.admin.is_none());
}
