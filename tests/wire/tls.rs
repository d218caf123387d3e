//! TLS: who is let in, what is spoken, and certificates that change while the server runs.

use std::net::SocketAddr;
use std::sync::Arc;

use arbiter::grpc::v1;
use prost::Message;
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tonic::Code;

use crate::admin::{get, value};
use crate::certificates::{Authority, Pair, Secret};
use crate::raw::{Raw, frame, path};
use crate::server::{Own, is_served, soon, until};

const NAME: &str = "arbiter.example.org";

/// How a client speaks TLS.
struct Caller<'a> {
    trusts: &'a Authority,
    shows: Option<&'a Pair>,
    speaks: &'a [u8],
    name: &'static str,
}

impl<'a> Caller<'a> {
    fn new(trusts: &'a Authority) -> Self {
        Self { trusts, shows: None, speaks: b"h2", name: NAME }
    }

    fn showing(trusts: &'a Authority, pair: &'a Pair) -> Self {
        Self { shows: Some(pair), ..Self::new(trusts) }
    }

    /// Shakes hands: the stream, with what was agreed upon to speak and the server's certificate.
    async fn shake(&self, address: SocketAddr) -> Option<Shaken> {
        let mut roots = RootCertStore::empty();
        roots.add(self.trusts.der()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots);
        let mut config = match self.shows {
            None => builder.with_no_client_auth(),
            Some(pair) => builder.with_client_auth_cert(vec![pair.certificate.clone()], pair.key()).unwrap(),
        };
        config.alpn_protocols = vec![self.speaks.to_vec()];
        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from(self.name).unwrap();
        let stream = soon(TlsConnector::from(Arc::new(config)).connect(name, stream)).await.ok()?;
        let session = stream.get_ref().1;
        let spoken = session.alpn_protocol().map(<[u8]>::to_vec);
        let certificate = session.peer_certificates().unwrap()[0].clone();
        Some(Shaken { stream, spoken, certificate })
    }

    /// Calls: the connection, and the certificate of the server; none where it is not let in.
    async fn call(&self, address: SocketAddr) -> Option<(Raw, CertificateDer<'static>)> {
        let shaken = self.shake(address).await?;
        let raw = Raw::over(shaken.stream, address, 1 << 20).await.ok()?;
        answers(&raw).await.then_some((raw, shaken.certificate))
    }

    /// The certificate of the server.
    async fn sees(&self, address: SocketAddr) -> Option<CertificateDer<'static>> {
        Some(self.call(address).await?.1)
    }
}

struct Shaken {
    stream: tokio_rustls::client::TlsStream<TcpStream>,
    spoken: Option<Vec<u8>>,
    certificate: CertificateDer<'static>,
}

/// Whether a call on the connection is answered.
async fn answers(raw: &Raw) -> bool {
    let body = frame(&v1::ListVariantsRequest {}.encode_to_vec());
    let Ok((response, _body)) = raw.open(&path("ListVariants"), &[], vec![body], true).await else {
        return false;
    };
    soon(Raw::answer(response)).await.is_ok_and(|answer| answer.status().code() == Code::Ok)
}

async fn start(flags: &[String], more: &[&str]) -> Own {
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    Own::with_admin(&flags).await
}

#[tokio::test]
async fn only_tls_is_spoken_and_the_server_is_who_it_says() {
    let (authority, other) = (Authority::new("ours"), Authority::new("theirs"));
    let pair = authority.signs(NAME);
    let mut secret = Secret::new("tls-only");
    secret.put(&pair, "");
    let own = start(&secret.flags(), &[]).await;
    assert_eq!(Caller::new(&authority).sees(own.address).await, Some(pair.certificate));
    assert_eq!(Caller::new(&authority).shake(own.address).await.unwrap().spoken, Some(b"h2".to_vec()));
    assert!(!is_served(own.address).await, "a client without TLS is served");
    assert!(Caller::new(&other).shake(own.address).await.is_none());
    let mistaken = Caller { name: "other.example.org", ..Caller::new(&authority) };
    assert!(mistaken.shake(own.address).await.is_none());
    // HTTP/1.1 is spoken with browsers only.
    let browser = Caller { speaks: b"http/1.1", ..Caller::new(&authority) };
    assert!(browser.shake(own.address).await.is_none());
    let refused = "arbiter_connections_refused_total{reason=\"handshake\"}";
    until(|| async { value(own.admin(), refused).await >= 4.0 }).await;
    let web = start(&secret.flags(), &["--web-origins", "*"]).await;
    assert_eq!(browser.shake(web.address).await.unwrap().spoken, Some(b"http/1.1".to_vec()));
    assert!(Caller::new(&authority).call(web.address).await.is_some());
    // The admin port is not behind TLS, so that whoever looks after the process needs no certificate.
    assert_eq!(get(own.admin(), "/readyz").await.0, 200);
    let healthcheck = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["healthcheck", "--admin-address", &own.admin().to_string()])
        .status();
    assert!(soon(healthcheck).await.unwrap().success());
}

#[tokio::test]
async fn a_handshake_that_does_not_come_is_not_waited_for() {
    let authority = Authority::new("ours");
    let mut secret = Secret::new("tls-silent");
    secret.put(&authority.signs(NAME), "");
    let own = start(&secret.flags(), &["--handshake-timeout", "0.3"]).await;
    let silent = TcpStream::connect(own.address).await.unwrap();
    // This one shakes hands and then does not begin.
    let idle = Caller::new(&authority).shake(own.address).await.unwrap();
    assert!(Caller::new(&authority).call(own.address).await.is_some());
    until(|| async { value(own.admin(), "arbiter_connections").await == 0.0 }).await;
    assert_eq!(value(own.admin(), "arbiter_connections_refused_total{reason=\"handshake\"}").await, 1.0);
    drop((silent, idle));
}

#[tokio::test]
async fn clients_show_certificates_where_they_must() {
    let (authority, other) = (Authority::new("ours"), Authority::new("theirs"));
    let mut secret = Secret::new("tls-mutual");
    secret.put(&authority.signs(NAME), &authority.pem());
    let own = start(&secret.mutual_flags(), &[]).await;
    let (friend, stranger) = (authority.signs("friend"), other.signs("friend"));
    assert!(Caller::showing(&authority, &friend).call(own.address).await.is_some());
    assert!(Caller::showing(&authority, &stranger).call(own.address).await.is_none());
    assert!(Caller::new(&authority).call(own.address).await.is_none());
    // An authority that is replaced lets nobody in any more, and the one that replaces it does.
    let pair = authority.signs(NAME);
    secret.put(&pair, &other.pem());
    let new_caller = Caller::showing(&authority, &stranger);
    until(|| async { new_caller.sees(own.address).await.as_ref() == Some(&pair.certificate) }).await;
    assert!(Caller::showing(&authority, &friend).call(own.address).await.is_none());
}

#[tokio::test]
async fn certificates_are_replaced_while_the_server_runs() {
    let authority = Authority::new("ours");
    let mut secret = Secret::new("tls-replaced");
    let (first, second, third) = (authority.signs(NAME), authority.signs(NAME), authority.signs(NAME));
    secret.put(&first, "");
    let own = start(&secret.flags(), &[]).await;
    let caller = Caller::new(&authority);
    let reloads = |result: &str| {
        let series = format!("arbiter_tls_reloads_total{{result=\"{result}\"}}");
        let admin = own.admin();
        async move { value(admin, &series).await }
    };
    let (old, seen) = caller.call(own.address).await.unwrap();
    assert_eq!(seen, first.certificate);
    assert_eq!((reloads("used").await, reloads("failed").await), (0.0, 0.0));

    secret.put(&second, "");
    until(|| async { caller.sees(own.address).await.as_ref() == Some(&second.certificate) }).await;
    assert!(answers(&old).await, "a connection from before goes on");
    until(|| async { reloads("used").await == 1.0 }).await;

    // What cannot be used changes nothing: no certificate, another's key, no key.
    let mut failed = reloads("failed").await;
    for (certificate, key) in [("none", "none"), ("", "")] {
        secret.write(certificate, key, "");
        until(|| async { reloads("failed").await > failed }).await;
        failed = reloads("failed").await;
        assert_eq!(caller.sees(own.address).await.as_ref(), Some(&second.certificate));
    }
    secret.mix(&third, &first);
    until(|| async { reloads("failed").await > failed }).await;
    assert_eq!(caller.sees(own.address).await.as_ref(), Some(&second.certificate));
    assert_eq!(reloads("used").await, 1.0);

    secret.put(&third, "");
    until(|| async { caller.sees(own.address).await.as_ref() == Some(&third.certificate) }).await;
    assert!(answers(&old).await);
}
