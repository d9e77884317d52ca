//! An HTTP client for a server process.

use std::io::{Read, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};
use ureq::http::Request;
use ureq::{Agent, Body};

use crate::process::{ADMIN_PASSWORD, Server};

/// A client with or without a token.
#[derive(Clone)]
pub(crate) struct Client {
    agent: Agent,
    url: String,
    token: Option<String>,
    /// The header `traceparent`.
    trace: Option<String>,
}

/// Status and body of an answer; the body is `null` if it is not JSON.
pub(crate) type Answer = (u16, Value);

impl Client {
    /// A client without a token.
    pub(crate) fn anonymous(server: &Server) -> Self {
        Self::at(server.url())
    }

    /// A client without a token, for another address.
    pub(crate) fn at(url: &str) -> Self {
        let agent = Agent::config_builder().http_status_as_error(false).build();
        Self {
            agent: agent.into(),
            url: url.to_owned(),
            token: None,
            trace: None,
        }
    }

    /// Logs in as `admin` with the password of the tests.
    pub(crate) fn admin(server: &Server) -> Self {
        let client = Self::anonymous(server);
        let (status, login) = client.login("admin", ADMIN_PASSWORD);
        assert_eq!(status, 200, "{login}");
        client.with_token(login["token"].as_str().expect("a token"))
    }

    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..self.clone()
        }
    }

    /// Names the trace that requests belong to.
    pub(crate) fn with_trace(&self, trace: &str) -> Self {
        Self {
            trace: Some(trace.to_owned()),
            ..self.clone()
        }
    }

    pub(crate) fn login(&self, user_name: &str, password: &str) -> Answer {
        let body = json!({"user_name": user_name, "password": password});
        self.send("POST", "/rest/auth/login", Some(&body))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None)
    }

    /// Inserts a record and returns its id.
    #[track_caller]
    pub(crate) fn insert(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.send("POST", path, Some(body));
        assert!(matches!(status, 200 | 201), "{status} {answer}");
        answer["result_id"].clone()
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.try_send(method, path, body).expect("an answer")
    }

    /// Like [`Client::send`], for a server that may be gone.
    pub(crate) fn try_send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, ureq::Error> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut answer = self.agent.run(self.request(method, path).body(body)?)?;
        let body = answer.body_mut().with_config().limit(u64::MAX);
        // Some answers are files.
        let value = serde_json::from_slice(&body.read_to_vec()?).unwrap_or_default();
        Ok((answer.status().as_u16(), value))
    }

    /// Sends a file.
    pub(crate) fn upload(&self, path: &str, bytes: &[u8]) -> Answer {
        let request = self.request("POST", path).body(bytes);
        let answer = self.agent.run(request.expect("a request"));
        let mut answer = answer.expect("an answer");
        let read = answer.body_mut().read_to_vec().expect("a body");
        let value = serde_json::from_slice(&read).unwrap_or_default();
        (answer.status().as_u16(), value)
    }

    /// The answer to a GET, as it is.
    pub(crate) fn text(&self, path: &str) -> String {
        let mut text = String::new();
        self.open(path).read_to_string(&mut text).expect("UTF-8");
        text
    }

    /// Starts to read the answer to a GET.
    pub(crate) fn open(&self, path: &str) -> impl Read + use<> {
        self.read(self.request("GET", path))
    }

    /// Starts to read a stream of events.
    pub(crate) fn open_events(&self, path: &str) -> impl Read + use<> {
        self.read(
            self.request("GET", path)
                .header("accept", "text/event-stream"),
        )
    }

    fn read(&self, request: ureq::http::request::Builder) -> impl Read + use<> {
        let answer = self.agent.run(request.body(()).expect("a request"));
        let body: Body = answer.expect("an answer").into_body();
        body.into_with_config().limit(u64::MAX).reader()
    }

    /// Sends a POST, and returns when the server works on it.
    pub(crate) fn begin(&self, path: &str, body: &Value) -> TcpStream {
        let body = body.to_string();
        let address = self.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("a server");
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\nExpect: 100-continue\r\n\
             Content-Length: {}\r\n\r\n",
            self.token.as_deref().unwrap_or_default(),
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("a server");
        let mut asked = [0; 25];
        stream.read_exact(&mut asked).expect("an answer");
        assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
        stream.write_all(body.as_bytes()).expect("a server");
        stream
    }

    /// Sends a GET, and does not wait for the answer.
    pub(crate) fn ask(&self, path: &str) -> TcpStream {
        let address = self.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("a server");
        let token = self.token.as_deref().unwrap_or_default();
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("a server");
        stream
    }

    fn request(&self, method: &str, path: &str) -> ureq::http::request::Builder {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url));
        let request = match &self.trace {
            Some(trace) => request.header("traceparent", trace),
            None => request,
        };
        match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }
}
