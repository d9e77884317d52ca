//! A proxy in front of two nodes.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rcgen::CertifiedKey;
use rustls::pki_types::CertificateDer;
use stockroom_testcluster::{Cluster, Settings};
use tempfile::TempDir;

use crate::process::{ADMIN_PASSWORD, Server, stockroom};
use crate::waiting::{PATIENCE, eventually};

pub(crate) const NGINX: &str = include_str!("../../../../docs/proxy/nginx.conf");
pub(crate) const HAPROXY: &str = include_str!("../../../../docs/proxy/haproxy.cfg");

/// The name in the certificate.
pub(crate) const NAME: &str = "inventory.example.org";

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Nginx,
    Haproxy,
}

/// A running proxy with its nodes.
pub(crate) struct Front {
    pub(crate) plain: SocketAddr,
    pub(crate) encrypted: SocketAddr,
    pub(crate) certificate: CertificateDer<'static>,
    pub(crate) nodes: Vec<Server>,
    _proxy: Proxy,
    _folder: TempDir,
    _cluster: Cluster,
}

struct Proxy(Child);

impl Front {
    pub(crate) fn start(kind: Kind) -> Self {
        let cluster = Cluster::create(&Settings::for_tests()).unwrap();
        let mut nodes = [node(&cluster), node(&cluster)];
        let folder = tempfile::tempdir().unwrap();
        let certificate = make_certificate(folder.path());
        let (plain, encrypted) = (free_address(), free_address());
        let mut text = match kind {
            Kind::Nginx => nginx(folder.path()),
            Kind::Haproxy => haproxy(folder.path()),
        };
        for (documented, address) in [(":80", plain), (":443", encrypted)] {
            text = text.replace(&format!("bind {documented}"), &format!("bind {address}"));
            let port = documented.trim_start_matches(':');
            text = text.replace(&format!("listen {port}"), &format!("listen {address}"));
        }
        for (node, documented) in nodes.iter_mut().zip(["10.0.0.11", "10.0.0.12"]) {
            let address = node.url().trim_start_matches("http://").to_owned();
            let line = node.next_line_with("Metrics");
            let metrics: SocketAddr = line
                .split_once("http://")
                .and_then(|(_, url)| url.strip_suffix("/metrics")?.parse().ok())
                .unwrap();
            let check = format!("{documented}:4000 check port 4001");
            let own_check = format!("{address} check port {}", metrics.port());
            text = text.replace(&check, &own_check);
            text = text.replace(&format!("{documented}:4000"), &address);
        }
        let file = folder.path().join("configuration");
        fs::write(&file, text).unwrap();
        let front = Self {
            plain,
            encrypted,
            certificate,
            nodes: nodes.into(),
            _proxy: Proxy::start(kind, &file),
            _folder: folder,
            _cluster: cluster,
        };
        eventually("the proxy", PATIENCE, || {
            TcpStream::connect(encrypted).ok().map(drop)
        });
        front
    }
}

impl Proxy {
    fn start(kind: Kind, file: &Path) -> Self {
        let (program, arguments): (_, &[&str]) = match kind {
            Kind::Nginx => ("nginx", &["-g", "daemon off;", "-c"]),
            Kind::Haproxy => ("haproxy", &["-db", "-f"]),
        };
        // Debian installs them where not everybody looks for programs.
        let search_path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin";
        let child = Command::new("env")
            .arg(program)
            .args(arguments)
            .arg(file)
            .env("PATH", search_path)
            .stdin(Stdio::null())
            .spawn();
        Self(child.expect("nginx and haproxy are installed by `make test`"))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // nginx stops its workers when it is terminated, but not when it is killed.
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.0),
            rustix::process::Signal::TERM,
        );
        let _ = self.0.wait();
    }
}

fn node(cluster: &Cluster) -> Server {
    let mut command = stockroom(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--metrics-listen",
        "127.0.0.1:0",
        "--trusted-proxy",
        "127.0.0.1/32,10.0.0.0/29",
        "--shutdown-delay",
        "4s",
        "--database",
        &cluster.url(),
    ]);
    command.env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
    Server::start(command)
}

/// The documented file for this account and folder.
fn nginx(folder: &Path) -> String {
    let folder = folder.display();
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/{name};"))
        .join(" ");
    without(NGINX, &["user ", "listen [::]"])
        .replace("\nhttp {", &format!("\nhttp {{ {paths}"))
        .replace("/run/nginx.pid", &format!("{folder}/pid"))
        .replace("/var/log/nginx", &folder.to_string())
        .replace("/etc/ssl/private", &folder.to_string())
        .replace("/etc/ssl", &folder.to_string())
}

/// The documented file for this account and folder.
fn haproxy(folder: &Path) -> String {
    let certificate = folder.join("both.pem").display().to_string();
    without(HAPROXY, &["user ", "group ", "log "])
        .replace("/etc/haproxy/inventory.example.org.pem", &certificate)
}

/// A file without the lines that begin like this.
fn without(text: &str, beginnings: &[&str]) -> String {
    let is_kept = |line: &&str| {
        let line = line.trim_start();
        !beginnings
            .iter()
            .any(|beginning| line.starts_with(beginning))
    };
    let kept: Vec<&str> = text.lines().filter(is_kept).collect();
    kept.join("\n") + "\n"
}

fn make_certificate(folder: &Path) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed([NAME.to_owned()]).unwrap();
    let (chain, key) = (cert.pem(), signing_key.serialize_pem());
    for (name, text) in [
        ("inventory.example.org.pem", &chain),
        ("inventory.example.org.key", &key),
        ("both.pem", &format!("{chain}{key}")),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    cert.der().clone()
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap()
}
