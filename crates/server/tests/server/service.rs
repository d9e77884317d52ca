//! A server with a simple service.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use stockroom_server::{Limits, RequestBody, Server, Stop, Tls};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A deadline that no test reaches.
pub(crate) const PATIENT: Duration = Duration::from_secs(600);
/// A deadline that a test waits for.
pub(crate) const SHORT: Duration = Duration::from_millis(200);

/// Limits whose deadlines no test reaches by accident.
pub(crate) fn patient() -> Limits {
    Limits {
        head_timeout: PATIENT,
        body_timeout: PATIENT,
        idle_timeout: PATIENT,
        stall_timeout: PATIENT,
        drain_timeout: PATIENT,
        ..Limits::default()
    }
}

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) stop: Stop,
    pub(crate) served: JoinHandle<()>,
    /// Receives a message for every endless answer that was dropped.
    pub(crate) given_up: mpsc::UnboundedReceiver<()>,
}

impl Running {
    pub(crate) async fn start(limits: Limits) -> Self {
        Self::start_with(limits, None).await
    }

    pub(crate) async fn start_with(limits: Limits, tls: Option<Arc<Tls>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (gone, given_up) = mpsc::unbounded_channel();
        let service = tower::service_fn(move |request| answer(request, gone.clone()));
        let stop = Stop::default();
        let stopping = stop.clone();
        let served = tokio::spawn(async move {
            let server = Server::new(listener, limits).tls(tls);
            server.run(service, &stopping).await;
        });
        Self {
            address,
            stop,
            served,
            given_up,
        }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// A connection from another address of this machine.
    pub(crate) async fn connect_from(&self, address: [u8; 4]) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// A connection on which `bytes` were sent.
    pub(crate) async fn sent(&self, bytes: &str) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(bytes.as_bytes()).await.unwrap();
        stream
    }
}

/// The answer to a request without a body.
pub(crate) async fn ask(stream: &mut TcpStream) -> String {
    let request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n0") {
        answer.push(stream.read_u8().await.unwrap());
    }
    String::from_utf8(answer).unwrap()
}

/// Everything that arrives until the server closes the connection.
pub(crate) async fn rest(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // A reset connection is closed, too.
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

type Answer = Result<Response<UnsyncBoxBody<Bytes, Infallible>>, Infallible>;

/// `/endless` never ends; any other path answers the length of the body, or its error.
async fn answer(request: Request<RequestBody>, gone: mpsc::UnboundedSender<()>) -> Answer {
    if request.uri().path() == "/endless" {
        return Ok(Response::new(Endless(gone).boxed_unsync()));
    }
    let text = match request.into_body().collect().await {
        Ok(body) => body.to_bytes().len().to_string(),
        Err(error) => error.to_string(),
    };
    Ok(Response::new(Full::from(text).boxed_unsync()))
}

struct Endless(mpsc::UnboundedSender<()>);

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(Some(Ok(Frame::data(vec![b'x'; 65_536].into()))))
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}
