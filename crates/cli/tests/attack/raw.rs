//! Raw requests that no client library would send.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::process::Server;

/// An answer that takes longer counts as missing.
const PATIENCE: Duration = Duration::from_secs(60);
const ATTACKER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The server to attack.
#[derive(Clone)]
pub(crate) struct Target {
    address: SocketAddr,
    token: String,
}

impl Target {
    pub(crate) fn new(server: &Server, token: &str) -> Self {
        let address = server.url().trim_start_matches("http://");
        Self {
            address: address.parse().unwrap(),
            token: token.to_owned(),
        }
    }

    /// Connects from the attacker's address; fails if the server or the system refuses.
    pub(crate) async fn connect(&self) -> std::io::Result<TcpStream> {
        self.connect_from(ATTACKER).await
    }

    pub(crate) async fn connect_from(&self, source: IpAddr) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(source, 0))?;
        socket.connect(self.address).await
    }

    /// The head of a request, up to the empty line.
    pub(crate) fn head(&self, method: &str, path: &str, more: &str) -> String {
        let token = &self.token;
        format!(
            "{method} {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n{more}\r\n"
        )
    }

    /// Sends one request on its own connection. Returns the status, or `None` if the connection
    /// broke.
    pub(crate) async fn send(&self, method: &str, path: &str, body: &[u8]) -> Option<u16> {
        self.send_from(ATTACKER, method, path, body).await
    }

    /// Like [`Target::send`], from another address.
    pub(crate) async fn send_from(
        &self,
        source: IpAddr,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> Option<u16> {
        let more = format!("Content-Length: {}\r\nConnection: close\r\n", body.len());
        let head = self.head(method, path, &more);
        let mut stream = self.connect_from(source).await.ok()?;
        // The server may refuse the head and stop reading.
        let _ = stream.write_all(head.as_bytes()).await;
        let _ = stream.write_all(body).await;
        status(&mut stream).await
    }
}

/// Reads an answer to its end or until the timeout, and returns its status.
pub(crate) async fn status(stream: &mut TcpStream) -> Option<u16> {
    let mut answer = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    let line = String::from_utf8_lossy(answer.get(..12)?).into_owned();
    line.strip_prefix("HTTP/1.1 ")?.parse().ok()
}
