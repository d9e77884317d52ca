//! An HTTP client that calls the service without a socket.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZstdDecoder};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, header};
use axum::response::Response;
use futures_util::StreamExt as _;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use stockroom_http::App;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tower::ServiceExt as _;

use crate::{Answer, openapi};

/// The host name in requests.
pub const HOST: &str = "inventory.example";

/// A client. Paths are complete: `/rest/categories`.
///
/// It validates every answer against the OpenAPI document, and every answer to HEAD against that of
/// GET; a deviation fails the test.
#[derive(Clone)]
pub struct Client {
    app: App,
    base_path: String,
    headers: HeaderMap,
    address: IpAddr,
    is_checked: bool,
}

impl Client {
    pub(crate) fn new(app: App, base_path: &str) -> Self {
        let client = Self {
            app,
            base_path: base_path.to_owned(),
            headers: HeaderMap::new(),
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            is_checked: true,
        };
        client.with_header("host", HOST)
    }

    /// The same client with an additional or changed header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().expect("a header's name");
        let value = HeaderValue::from_str(value).expect("a header's value");
        self.headers.insert(name, value);
        self
    }

    /// The same client with another address than 127.0.0.1.
    #[must_use]
    pub fn from_address(mut self, address: IpAddr) -> Self {
        self.address = address;
        self
    }

    /// The same client without validation, for requests that the OpenAPI document does not
    /// describe.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.is_checked = false;
        self
    }

    /// GET
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Vec::new()).await
    }

    /// GET with parameters.
    pub async fn query(&self, path: &str, parameters: &[(&str, &str)]) -> Answer {
        let pair = |(name, value): &(&str, &str)| {
            let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
            format!("{name}={value}")
        };
        let pairs: Vec<String> = parameters.iter().map(pair).collect();
        self.get(&format!("{path}?{}", pairs.join("&"))).await
    }

    /// HEAD, compared with the answer to GET.
    pub async fn head(&self, path: &str) -> Answer {
        self.send(Method::HEAD, path, &[], Vec::new()).await
    }

    /// POST
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send_json(Method::POST, path, &body).await
    }

    /// PUT
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send_json(Method::PUT, path, &body).await
    }

    /// PATCH
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send_json(Method::PATCH, path, &body).await
    }

    /// DELETE
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, &[], Vec::new()).await
    }

    async fn send_json(&self, method: Method, path: &str, body: &Value) -> Answer {
        let headers = [("content-type", "application/json")];
        self.send(method, path, &headers, body.to_string().into_bytes())
            .await
    }

    /// Sends any request; `headers` replace those of the client.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Answer {
        let mut client = self.clone();
        for (name, value) in headers {
            client = client.with_header(name, value);
        }
        let answer = client.exchange(method.clone(), path, body.clone()).await;
        if client.is_checked {
            hold(openapi::check(&answer, &client.base_path), &answer);
            if method == Method::HEAD {
                let full = client.exchange(Method::GET, path, body).await;
                hold(openapi::check(&full, &client.base_path), &full);
                hold(full.is_announced_by(&answer), &answer);
            }
        }
        answer
    }

    /// GET whose body is not read yet, and not validated.
    pub async fn open(&self, path: &str) -> Response {
        self.respond(Method::GET, path, Body::empty()).await
    }

    async fn respond(&self, method: Method, path: &str, body: impl Into<Body>) -> Response {
        let mut request = Request::new(body.into());
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().expect("a path");
        *request.headers_mut() = self.headers.clone();
        // Every request of HTTP/1.1 has one.
        let host = request.headers_mut().entry(header::HOST);
        host.or_insert(HeaderValue::from_static("localhost"));
        let peer = ConnectInfo(SocketAddr::new(self.address, 50_000));
        request.extensions_mut().insert(peer);
        match self.app.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    pub(crate) async fn exchange(
        &self,
        method: Method,
        path: &str,
        body: impl Into<Body>,
    ) -> Answer {
        let response = self.respond(method.clone(), path, body).await;
        let (parts, body) = response.into_parts();
        let body = received(body).await;
        let sent = body.len();
        let coding = parts.headers.get("content-encoding");
        let body = match coding.map(HeaderValue::as_bytes) {
            Some(coding) if sent > 0 => decoded(coding, &body).await,
            _ => body,
        };
        Answer {
            method,
            path: path.to_owned(),
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
            sent,
        }
    }
}

/// The whole body. Its parts are dropped when they were received, as on a socket: they take memory
/// that later parts of a long answer wait for.
async fn received(body: Body) -> Vec<u8> {
    let mut parts = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(part) = parts.next().await {
        bytes.extend_from_slice(&part.expect("a whole body"));
    }
    bytes
}

/// The decompressed body.
async fn decoded(coding: &[u8], body: &[u8]) -> Vec<u8> {
    let mut decoder: Box<dyn AsyncRead + Send + Unpin> = match coding {
        b"br" => Box::new(BrotliDecoder::new(body)),
        b"gzip" => Box::new(GzipDecoder::new(body)),
        b"zstd" => Box::new(ZstdDecoder::new(body)),
        _ => panic!("an unknown coding: {}", String::from_utf8_lossy(coding)),
    };
    let mut whole = Vec::new();
    let read = decoder.read_to_end(&mut whole).await;
    read.expect("a body in the coding that its header names");
    whole
}

#[track_caller]
fn hold(checked: Result<(), String>, answer: &Answer) {
    if let Err(deviation) = checked {
        panic!("{deviation}\n{answer}");
    }
}
