//! Certificates, and files of them as an orchestrator changes them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rcgen::{BasicConstraints, Certificate, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Who signs certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: Certificate,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Self { issuer: Issuer::new(params, key), certificate }
    }

    pub fn der(&self) -> CertificateDer<'static> {
        self.certificate.der().clone()
    }

    pub fn pem(&self) -> String {
        pem("CERTIFICATE", self.certificate.der())
    }

    /// A certificate for this name, signed by this authority.
    pub fn signs(&self, name: &str) -> Pair {
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().der().clone();
        Pair { certificate, key: key.serialize_der() }
    }
}

/// A certificate and its key.
pub struct Pair {
    pub certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

impl Pair {
    pub fn key(&self) -> PrivateKeyDer<'static> {
        self.key.clone().try_into().unwrap()
    }

    fn certificate_pem(&self) -> String {
        pem("CERTIFICATE", &self.certificate)
    }

    fn key_pem(&self) -> String {
        pem("PRIVATE KEY", &self.key)
    }
}

fn pem(what: &str, der: &[u8]) -> String {
    let text = BASE64.encode(der);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {what}-----\n{}\n-----END {what}-----\n", lines.join("\n"))
}

/// A folder of files as Kubernetes mounts a secret: links into a folder which is a link itself, and which is swapped
/// as a whole.
pub struct Secret {
    folder: PathBuf,
    version: usize,
}

impl Secret {
    /// A new one, with a name of its own.
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for file in ["tls.crt", "tls.key", "ca.crt"] {
            symlink(Path::new("..data").join(file), folder.join(file)).unwrap();
        }
        Self { folder, version: 0 }
    }

    /// Swaps the files for those of this pair, and this text as the client authorities.
    pub fn put(&mut self, pair: &Pair, authorities: &str) {
        self.write(&pair.certificate_pem(), &pair.key_pem(), authorities);
    }

    /// Swaps the files for a certificate and the key of another.
    pub fn mix(&mut self, certificate: &Pair, key: &Pair) {
        self.write(&certificate.certificate_pem(), &key.key_pem(), "");
    }

    pub fn write(&mut self, certificate: &str, key: &str, authorities: &str) {
        self.version += 1;
        let version = format!("..version-{}", self.version);
        let inner = self.folder.join(&version);
        fs::create_dir(&inner).unwrap();
        for (file, text) in [("tls.crt", certificate), ("tls.key", key), ("ca.crt", authorities)] {
            fs::write(inner.join(file), text).unwrap();
        }
        let link = self.folder.join("..new");
        symlink(version, &link).unwrap();
        fs::rename(link, self.folder.join("..data")).unwrap();
    }

    fn path(&self, file: &str) -> String {
        self.folder.join(file).to_str().unwrap().to_owned()
    }

    /// The flags of a server with these files, which it looks at often.
    pub fn flags(&self) -> Vec<String> {
        let (certificate, key) = (self.path("tls.crt"), self.path("tls.key"));
        ["--tls-cert", &certificate, "--tls-key", &key, "--tls-reload-interval", "0.1"]
            .map(str::to_owned)
            .to_vec()
    }

    /// The same for a server that wants certificates of its clients.
    pub fn mutual_flags(&self) -> Vec<String> {
        let mut flags = self.flags();
        flags.extend(["--tls-client-ca".to_owned(), self.path("ca.crt")]);
        flags
    }
}
