//! TLS with files that may change while the server runs.
//!
//! The files are looked at from time to time rather than watched: an orchestrator swaps links to folders, which watchers
//! miss. A change that cannot be used leaves the last good pair in use.

use std::fmt::{self, Debug, Formatter};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use tracing::{error, info};

use super::Error;
use super::config::TlsConfig;
use super::metrics::Metrics;

/// The certificate in use, and where it comes from.
pub(super) struct Tls {
    config: TlsConfig,
    http1: bool,
    acceptor: RwLock<TlsAcceptor>,
}

impl Debug for Tls {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tls").field("config", &self.config).finish_non_exhaustive()
    }
}

/// The contents of the files.
#[derive(PartialEq, Eq)]
struct Files {
    certificate: Vec<u8>,
    key: Vec<u8>,
    client_authorities: Option<Vec<u8>>,
}

impl Tls {
    /// TLS, if a certificate is given, with its files as they are now.
    pub(super) fn read(config: &TlsConfig, http1: bool) -> Result<Option<(Arc<Self>, Watch)>, Error> {
        let Some(files) = Files::read(config)? else { return Ok(None) };
        let acceptor = files.acceptor(http1)?;
        let tls = Arc::new(Self { config: config.clone(), http1, acceptor: RwLock::new(acceptor) });
        let watch = Watch { tls: Arc::clone(&tls), seen: files };
        Ok(Some((tls, watch)))
    }

    /// What accepts the next connection.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, files: &Files) -> Result<(), Error> {
        let acceptor = files.acceptor(self.http1)?;
        *self.acceptor.write().unwrap_or_else(PoisonError::into_inner) = acceptor;
        Ok(())
    }
}

/// Looks whether the files have changed.
pub(super) struct Watch {
    tls: Arc<Tls>,
    /// The files that are in use, or that could not be used.
    seen: Files,
}

impl Watch {
    /// Looks again and again.
    pub(super) async fn run(mut self, interval: Duration, metrics: Arc<Metrics>) {
        loop {
            sleep(interval).await;
            match self.look() {
                Ok(false) => {}
                Ok(true) => {
                    info!("the new certificate is in use");
                    metrics.tls_reloaded(true);
                }
                Err(error) => {
                    error!(error, "the changed TLS files cannot be used; those from before stay in use");
                    metrics.tls_reloaded(false);
                }
            }
        }
    }

    /// Whether the files have changed and are in use.
    fn look(&mut self) -> Result<bool, Error> {
        let Some(files) = Files::read(&self.tls.config)? else { return Ok(false) };
        if files == self.seen {
            return Ok(false);
        }
        let replaced = self.tls.replace(&files);
        // What could not be used is reported once and not at each look.
        self.seen = files;
        replaced.map(|()| true)
    }
}

impl Files {
    fn read(config: &TlsConfig) -> Result<Option<Self>, Error> {
        let (Some(certificate), Some(key)) = (&config.tls_cert, &config.tls_key) else { return Ok(None) };
        let client_authorities = config.tls_client_ca.as_deref().map(read).transpose()?;
        Ok(Some(Self { certificate: read(certificate)?, key: read(key)?, client_authorities }))
    }

    fn acceptor(&self, http1: bool) -> Result<TlsAcceptor, Error> {
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match &self.client_authorities {
            None => builder.with_no_client_auth(),
            Some(authorities) => {
                let mut roots = RootCertStore::empty();
                for authority in certificates(authorities, "client authorities")? {
                    roots.add(authority)?;
                }
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let certificates = certificates(&self.certificate, "certificate")?;
        let key =
            PrivateKeyDer::from_pem_slice(&self.key).map_err(|error| format!("no private key: {error}"))?;
        let mut config = builder.with_single_cert(certificates, key)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        if http1 {
            config.alpn_protocols.push(b"http/1.1".to_vec());
        }
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

fn certificates(pem: &[u8], what: &str) -> Result<Vec<CertificateDer<'static>>, Error> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let certificates = read.map_err(|error| format!("no {what}: {error}"))?;
    if certificates.is_empty() {
        return Err(format!("no {what}: the file holds none").into());
    }
    Ok(certificates)
}
