//! An HTTP client that names its requests.

use std::io::{BufRead as _, BufReader};
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http;

use crate::process::ADMIN_PASSWORD;

/// Longer than a server takes to give up, so that its answer is always received.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client with a token.
#[derive(Clone)]
pub(crate) struct Client {
    agent: Agent,
    url: String,
    token: String,
}

/// A request that can be sent again.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Its id in the history, and its idempotency key.
    pub(crate) id: String,
    method: &'static str,
    path: String,
    body: Option<Value>,
    pub(crate) has_key: bool,
}

impl Request {
    pub(crate) fn new(
        id: impl Into<String>,
        method: &'static str,
        path: impl Into<String>,
        body: Option<Value>,
    ) -> Self {
        Self {
            id: id.into(),
            method,
            path: path.into(),
            body,
            has_key: false,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// It was stored with a write that was done before.
    pub(crate) is_replayed: bool,
    /// The number in `ETag`.
    pub(crate) revision: Option<i64>,
    /// `null` if it is not JSON.
    pub(crate) body: Value,
}

impl Client {
    /// Logs in as `admin`.
    pub(crate) fn admin(url: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE));
        let client = Self {
            agent: config.build().into(),
            url: url.to_owned(),
            token: String::new(),
        };
        let body = json!({"user_name": "admin", "password": ADMIN_PASSWORD});
        let login = Request::new("login", "POST", "/rest/auth/login", Some(body));
        let answer = client.send(&login).expect("an answer");
        let token = answer.body["token"].as_str().expect("a token").to_owned();
        Self { token, ..client }
    }

    /// The same token at another address.
    pub(crate) fn at(&self, url: &str) -> Self {
        Self {
            url: url.to_owned(),
            ..self.clone()
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        let read = Request::new("read", "GET", path, None);
        self.send(&read).expect("an answer")
    }

    /// The events of a path, as they come. They end with the connection.
    pub(crate) fn events(&self, path: &str) -> impl Iterator<Item = Value> {
        let asked = http::Request::builder()
            .uri(format!("{}{path}", self.url))
            .header("accept", "text/event-stream")
            .header("authorization", format!("Bearer {}", self.token));
        let answer = self.agent.run(asked.body(()).expect("a request"));
        let body = answer.expect("an answer").into_body().into_reader();
        let lines = BufReader::new(body).lines().map_while(Result::ok);
        lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
    }

    /// # Errors
    ///
    /// The server is gone, or ended before it answered.
    pub(crate) fn send(&self, request: &Request) -> Result<Answer, ureq::Error> {
        let mut sent = http::Request::builder()
            .method(request.method)
            .uri(format!("{}{}", self.url, request.path))
            .header("x-request-id", &request.id);
        if !self.token.is_empty() {
            sent = sent.header("authorization", format!("Bearer {}", self.token));
        }
        if request.has_key {
            sent = sent.header("idempotency-key", &request.id);
        }
        let body = request.body.as_ref().map(Value::to_string);
        let mut answer = self.agent.run(sent.body(body.unwrap_or_default())?)?;
        let text = answer
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_string()?;
        let header = |name| answer.headers().get(name)?.to_str().ok();
        let revision = header("etag").and_then(|etag| etag.trim_matches('"').parse().ok());
        Ok(Answer {
            status: answer.status().as_u16(),
            is_replayed: header("idempotency-replayed").is_some(),
            revision,
            body: serde_json::from_str(&text).unwrap_or_default(),
        })
    }
}

impl Answer {
    /// The ids of the records that were made.
    pub(crate) fn ids(&self) -> Vec<i64> {
        let results = self.body["results"].as_array().into_iter().flatten();
        let bodies = results.map(|result| &result["body"]).chain([&self.body]);
        bodies
            .filter_map(|body| body["result_id"].as_i64())
            .collect()
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}
