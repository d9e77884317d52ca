//! Encrypted connections to the database, with verification of the server.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use stockroom_testcluster::{Cluster, Settings};

use crate::client::Client;
use crate::node::Node;
use crate::process::{ADMIN_PASSWORD, run, stockroom};

const ENCRYPTED: &str = "SELECT COUNT(*) FILTER (WHERE ssl), COUNT(*) FILTER (WHERE NOT ssl) FROM pg_stat_ssl \
    JOIN pg_stat_activity USING (pid) WHERE application_name = 'stockroom'";

/// What is said of a certificate that cannot be verified: the fault, and what to do.
const CERTIFICATE: &[&str] = &["certificate", "--database-ca", "sslmode=disable"];

/// A certificate authority, and the file of its certificate.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(folder: &Path, name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let file = folder.join(name);
        fs::write(&file, issuer.pem()).unwrap();
        Self { issuer, file }
    }

    /// A server with a certificate for this name.
    fn server(&self, name: &str) -> Cluster {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let settings = Settings::for_tests().encrypted(&certificate.pem(), &key.serialize_pem());
        Cluster::create(&settings).unwrap()
    }
}

#[test]
fn a_node_talks_to_a_server_with_a_good_certificate_and_encrypts_everything() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new(folder.path(), "authority.pem");
    let cluster = authority.server("127.0.0.1");
    for mode in ["", "?sslmode=require", "?sslmode=verify-full"] {
        let url = cluster.url() + mode;
        let node = Node::start(&url, &["--database-ca", authority.file.to_str().unwrap()]);
        assert_eq!(Client::admin(&node).get("/rest/users").status, 200);
        let connections = cluster.query(ENCRYPTED).unwrap();
        let (encrypted, plain) = connections.split_once('|').unwrap();
        assert_ne!(encrypted, "0", "{mode}");
        assert_eq!(plain, "0", "{mode}");
        node.stop();
    }
}

#[test]
fn a_certificate_that_signed_itself_is_good_once_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let signed = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let file = folder.path().join("snakeoil.pem");
    fs::write(&file, signed.cert.pem()).unwrap();
    let key = signed.signing_key.serialize_pem();
    let settings = Settings::for_tests().encrypted(&signed.cert.pem(), &key);
    let cluster = Cluster::create(&settings).unwrap();
    let mut unnamed = stockroom(&["serve", "--listen", "127.0.0.1:0"]);
    unnamed.args(["--database", &cluster.url(), "--database-patience", "1"]);
    let said = run(&mut unnamed).failed();
    assert!(CERTIFICATE.iter().all(|word| said.contains(word)), "{said}");
    let node = Node::start(&cluster.url(), &["--database-ca", file.to_str().unwrap()]);
    assert_eq!(Client::admin(&node).get("/rest/users").status, 200);
    node.stop();
}

#[test]
fn a_server_that_is_not_the_one_that_is_meant_gets_no_word() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new(folder.path(), "authority.pem");
    let another = Authority::new(folder.path(), "another.pem");
    let good = authority.server("127.0.0.1");
    let elsewhere = authority.server("elsewhere.example");
    let plain = Cluster::create(&Settings::for_tests()).unwrap();
    for (cluster, mode, known, reason) in [
        (&good, "", &another, CERTIFICATE),
        (&good, "?sslmode=require", &another, CERTIFICATE),
        (&elsewhere, "?sslmode=require", &authority, CERTIFICATE),
        (&elsewhere, "?sslmode=verify-full", &authority, CERTIFICATE),
        (&plain, "?sslmode=require", &authority, &["TLS"][..]),
    ] {
        let url = cluster.url() + mode;
        let mut command = stockroom(&["serve", "--listen", "127.0.0.1:0"]);
        command
            .args(["--database", &url, "--database-patience", "1"])
            .arg("--database-ca")
            .arg(&known.file)
            .env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
        let said = run(&mut command).failed();
        assert!(
            reason.iter().all(|word| said.contains(word)),
            "{mode}: {said}"
        );
        let tables = cluster.query("SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'");
        assert_eq!(tables.unwrap(), "0", "{mode}");
    }
}
