//! Clients of a proxy, from several addresses of this machine.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::Value;
use tokio::net::TcpSocket;

use crate::front::{Front, NAME};

/// A client at 127.0.0.`address`.
#[derive(Clone)]
pub(crate) struct Client {
    encrypted: SocketAddr,
    config: Arc<ClientConfig>,
    address: u8,
    token: String,
}

pub(crate) type Stream = BufReader<StreamOwned<ClientConnection, TcpStream>>;

/// An answer; the body is `null` if it is not JSON.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Client {
    pub(crate) fn at(front: &Front, address: u8) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(front.certificate.clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self {
            encrypted: front.encrypted,
            config: Arc::new(config),
            address,
            token: String::new(),
        }
    }

    pub(crate) fn with_token(self, token: &Value) -> Self {
        let token = token.as_str().unwrap().to_owned();
        Self { token, ..self }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "")
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> Answer {
        let mut stream = self.begin(method, path, "", body.len());
        stream.get_mut().write_all(body.as_bytes()).unwrap();
        answer(stream)
    }

    /// Sends the head of a request.
    pub(crate) fn begin(&self, method: &str, path: &str, headers: &str, length: usize) -> Stream {
        let name = ServerName::try_from(NAME).unwrap();
        let connection = ClientConnection::new(Arc::clone(&self.config), name).unwrap();
        let stream = connect(self.encrypted, self.address);
        let mut stream = BufReader::new(StreamOwned::new(connection, stream));
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {NAME}\r\nAuthorization: Bearer {}\r\n\
             Connection: close\r\n{headers}Content-Length: {length}\r\n\r\n",
            self.token
        );
        stream.get_mut().write_all(head.as_bytes()).unwrap();
        stream
    }
}

/// A connection from 127.0.0.`from`.
pub(crate) fn connect(to: SocketAddr, from: u8) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .unwrap();
    let connected = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.bind(([127, 0, 0, from], 0).into())?;
        socket.connect(to).await?.into_std()
    });
    let stream = connected.unwrap();
    stream.set_nonblocking(false).unwrap();
    stream
}

/// Reads an answer to its end.
pub(crate) fn answer(mut stream: impl Read) -> Answer {
    let mut bytes = Vec::new();
    // Not every proxy ends TLS in order.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let status = text.get(9..12).and_then(|status| status.parse().ok());
    // Between the lengths of chunks.
    let json = text.find('{').zip(text.rfind('}'));
    let body = json.and_then(|(from, to)| serde_json::from_str(&text[from..=to]).ok());
    Answer {
        status: status.unwrap_or_else(|| panic!("no answer: {text:?}")),
        body: body.unwrap_or_default(),
    }
}

/// Reads lines until one begins with `start`, and returns it.
pub(crate) fn line_with(stream: &mut Stream, start: &str) -> String {
    loop {
        let mut line = String::new();
        assert!(stream.read_line(&mut line).unwrap() > 0, "no {start:?}");
        if line.starts_with(start) {
            return line;
        }
    }
}
