//! TLS of the connections.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::Error;
use crate::options::Options;

/// What connects with TLS; none if it was not asked for.
pub(crate) fn connector(options: &Options) -> Result<Option<TlsConnector>, Error> {
    let Some(ca) = &options.tls_ca else { return Ok(None) };
    let mut roots = RootCertStore::empty();
    for certificate in certificates(ca)? {
        roots.add(certificate)?;
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots);
    let mut config = match (&options.tls_cert, &options.tls_key) {
        (Some(certificate), Some(key)) => {
            config.with_client_auth_cert(certificates(certificate)?, PrivateKeyDer::from_pem_file(key)?)?
        }
        _ => config.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(Some(TlsConnector::from(Arc::new(config))))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let reader = BufReader::new(File::open(file).map_err(|error| format!("{}: {error}", file.display()))?);
    Ok(CertificateDer::pem_reader_iter(reader).collect::<Result<_, _>>()?)
}
