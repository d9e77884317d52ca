use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::CertifiedKey;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use stockroom_server::{Limits, Tls};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::TlsConnector;

use crate::service::{Running, SHORT, patient, rest};

/// Certificate and key as files.
struct Files {
    directory: TempDir,
}

impl Files {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory }
    }

    fn paths(&self) -> (PathBuf, PathBuf) {
        let path = |name: &str| self.directory.path().join(name);
        (path("certificate.pem"), path("key.pem"))
    }

    /// Writes a new certificate and its key, and returns the certificate.
    fn renew(&self) -> CertificateDer<'static> {
        let CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let (certificate, key) = self.paths();
        write(&certificate, &cert.pem());
        write(&key, &signing_key.serialize_pem());
        cert.der().clone()
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

/// Sends a request over TLS. Returns the answer and the negotiated protocol, or the failed
/// handshake.
async fn ask(
    server: &Running,
    trusted: &CertificateDer<'static>,
    protocol: &[u8],
) -> std::io::Result<(String, Option<Vec<u8>>)> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.to_vec()];
    let name = ServerName::try_from("localhost").unwrap();
    let stream = server.connect().await;
    let mut stream = TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await?;
    let agreed = stream.get_ref().1.alpn_protocol().map(<[u8]>::to_vec);
    let request = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    stream.write_all(request).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok((String::from_utf8_lossy(&answer).into_owned(), agreed))
}

#[tokio::test]
async fn requests_are_answered_and_http2_is_offered() {
    let files = Files::new();
    let certificate = files.renew();
    let (chain, key) = files.paths();
    let tls = Arc::new(Tls::load(&chain, &key).unwrap());
    let server = Running::start_with(patient(), Some(tls)).await;
    let (answer, agreed) = ask(&server, &certificate, b"http/1.1").await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(agreed.as_deref(), Some(&b"http/1.1"[..]));
    // HTTP/1 text is invalid in HTTP/2, but by then the protocol was negotiated.
    let (_, agreed) = ask(&server, &certificate, b"h2").await.unwrap();
    assert_eq!(agreed.as_deref(), Some(&b"h2"[..]));
}

#[tokio::test]
async fn a_new_certificate_is_used_after_a_reload_and_a_broken_one_is_not() {
    let files = Files::new();
    let old = files.renew();
    let (chain, key) = files.paths();
    let tls = Arc::new(Tls::load(&chain, &key).unwrap());
    let server = Running::start_with(patient(), Some(Arc::clone(&tls))).await;

    write(&chain, "nothing of use");
    let error = tls.reload().unwrap_err().to_string();
    assert!(error.contains("certificate.pem"), "{error}");
    assert!(ask(&server, &old, b"http/1.1").await.is_ok());

    let new = files.renew();
    assert!(ask(&server, &old, b"http/1.1").await.is_ok());
    tls.reload().unwrap();
    assert!(ask(&server, &old, b"http/1.1").await.is_err());
    assert!(ask(&server, &new, b"http/1.1").await.is_ok());
}

#[tokio::test]
async fn a_handshake_that_does_not_end_ends_the_connection() {
    let files = Files::new();
    files.renew();
    let (chain, key) = files.paths();
    let tls = Arc::new(Tls::load(&chain, &key).unwrap());
    let limits = Limits {
        head_timeout: SHORT,
        ..patient()
    };
    let server = Running::start_with(limits, Some(tls)).await;
    assert_eq!(rest(&mut server.connect().await).await, "");
}

#[tokio::test]
async fn a_handshake_that_does_not_end_delays_no_stop() {
    let files = Files::new();
    let certificate = files.renew();
    let (chain, key) = files.paths();
    let tls = Arc::new(Tls::load(&chain, &key).unwrap());
    let server = Running::start_with(patient(), Some(tls)).await;
    let mut silent = server.connect().await;
    // By now the connection before was accepted.
    assert!(ask(&server, &certificate, b"http/1.1").await.is_ok());
    server.stop.drain();
    server.served.await.unwrap();
    assert_eq!(rest(&mut silent).await, "");
}
