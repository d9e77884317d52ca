//! TLS with the certificate authorities of the system, or of a file.

use std::path::Path;
use std::sync::Arc;

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem};

use crate::failure::Failure;

/// The configuration for requests.
pub(super) fn config(ca_file: Option<&Path>) -> Result<TlsConfig, Failure> {
    let certificates = match ca_file {
        Some(file) => from_file(file)?,
        None => from_system()?,
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(provider)
        .root_certs(RootCerts::new_with_certs(&certificates))
        .build())
}

fn from_file(file: &Path) -> Result<Vec<Certificate<'static>>, Failure> {
    let pem = std::fs::read(file)
        .map_err(|error| Failure::other(format!("cannot read {}: {error}", file.display())))?;
    let certificates: Vec<_> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if certificates.is_empty() {
        let message = format!("there is no certificate in {}", file.display());
        return Err(Failure::other(message));
    }
    Ok(certificates)
}

fn from_system() -> Result<Vec<Certificate<'static>>, Failure> {
    let found = rustls_native_certs::load_native_certs();
    let certificates = found.certs.iter();
    let certificates: Vec<_> = certificates
        .map(|certificate| Certificate::from_der(certificate).to_owned())
        .collect();
    if certificates.is_empty() {
        return Err(Failure::other(
            "this system has no certificate authorities; name a file with --ca-file",
        ));
    }
    Ok(certificates)
}
