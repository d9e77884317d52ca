//! TLS with certificates that can be replaced while the server runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use x509_cert::der::Decode as _;

/// A certificate and its key, from two PEM files.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
}

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read or is malformed.
    #[error("{path}: {cause}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        cause: rustls::pki_types::pem::Error,
    },
    /// The certificate file has no certificate.
    #[error("{0}: there is no certificate in it")]
    Empty(String),
    /// Certificate and key cannot be used together.
    #[error("{path}: {cause}")]
    Unusable {
        /// The certificate file.
        path: String,
        /// Why.
        cause: rustls::Error,
    },
}

impl Tls {
    /// Reads the files: the server's certificate first, then its intermediates.
    ///
    /// # Errors
    ///
    /// The files cannot be used.
    pub fn load(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let config = RwLock::new(read(certificate, key)?);
        Ok(Self {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            config,
        })
    }

    /// Reads the files again, for new connections.
    ///
    /// # Errors
    ///
    /// The files cannot be used; the previous certificate stays in use.
    pub fn reload(&self) -> Result<(), TlsError> {
        let config = read(&self.certificate, &self.key)?;
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&config).into()
    }
}

fn read(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|source| file(certificate, source))?;
    if chain.is_empty() {
        return Err(TlsError::Empty(certificate.display().to_string()));
    }
    record_expiry(&chain);
    let key = PrivateKeyDer::from_pem_file(key).map_err(|source| file(key, source))?;
    let unusable = |cause| TlsError::Unusable {
        path: certificate.display().to_string(),
        cause,
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(unusable)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Sets the metric of when the server's certificate ends. One that cannot be read is refused by
/// clients anyway.
fn record_expiry(chain: &[CertificateDer<'_>]) {
    let read = |der: &CertificateDer<'_>| x509_cert::Certificate::from_der(der).ok();
    if let Some(certificate) = chain.first().and_then(read) {
        let end = certificate.tbs_certificate.validity.not_after;
        metrics::gauge!("stockroom_tls_certificate_expiry_timestamp_seconds")
            .set(end.to_unix_duration().as_secs_f64());
    }
}

fn file(path: &Path, cause: rustls::pki_types::pem::Error) -> TlsError {
    TlsError::File {
        path: path.display().to_string(),
        cause,
    }
}
