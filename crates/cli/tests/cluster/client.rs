//! An HTTP client for a node.

use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::{HeaderMap, Request};

use crate::node::{Address, Node};
use crate::process::ADMIN_PASSWORD;

/// Longer than a node takes to give up, so that its answer is always received.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client with a token for one node.
#[derive(Clone)]
pub(crate) struct Client {
    agent: Agent,
    address: Address,
    token: String,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The number in `ETag`.
    pub(crate) revision: Option<i64>,
    /// `X-Total-Count`
    pub(crate) total: Option<usize>,
    pub(crate) retry_after: Option<u64>,
    /// `null` if it is not JSON.
    pub(crate) body: Value,
}

impl Client {
    /// Logs in as `admin`, with a password that is the same on all nodes.
    pub(crate) fn admin(node: &Node) -> Self {
        Self::login(node, "admin", ADMIN_PASSWORD).expect("the password is right")
    }

    /// `None` if the login is refused.
    pub(crate) fn login(node: &Node, user_name: &str, password: &str) -> Option<Self> {
        let client = Self {
            agent: agent(),
            address: node.address(),
            token: String::new(),
        };
        let body = json!({"user_name": user_name, "password": password});
        let answer = client.post("/rest/auth/login", &body);
        let token = answer.body["token"].as_str()?.to_owned();
        Some(Self { token, ..client })
    }

    /// The same user on another node.
    pub(crate) fn at(&self, node: &Node) -> Self {
        Self {
            agent: agent(),
            address: node.address(),
            token: self.token.clone(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None, None).expect("an answer")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, None, Some(body))
            .expect("an answer")
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, None, Some(body))
            .expect("an answer")
    }

    /// Inserts a record and returns its id.
    #[track_caller]
    pub(crate) fn insert(&self, path: &str, body: &Value) -> i64 {
        let answer = self.post(path, body);
        assert!(matches!(answer.status, 200 | 201), "{answer:?}");
        answer.body["result_id"].as_i64().expect("an id")
    }

    /// # Errors
    ///
    /// The node is gone, or ended before it answered.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        if_match: Option<i64>,
        body: Option<&Value>,
    ) -> Result<Answer, ureq::Error> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.address.get()));
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        if let Some(revision) = if_match {
            request = request.header("if-match", format!("\"{revision}\""));
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut answer = self.agent.run(request.body(body)?)?;
        let text = answer
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_string()?;
        Ok(Answer {
            status: answer.status().as_u16(),
            revision: number(answer.headers(), "etag"),
            total: number(answer.headers(), "x-total-count"),
            retry_after: number(answer.headers(), "retry-after"),
            body: serde_json::from_str(&text).unwrap_or_default(),
        })
    }
}

/// The path of a list of objects.
pub(crate) fn objects_where(filter: &Value, more: &str) -> String {
    let filter = filter.to_string();
    let filter = utf8_percent_encode(&filter, NON_ALPHANUMERIC);
    format!("/rest/objects?filter={filter}{more}")
}

fn agent() -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE));
    config.build().into()
}

fn number<T: std::str::FromStr>(headers: &HeaderMap, name: &str) -> Option<T> {
    let text = headers.get(name)?.to_str().ok()?;
    text.trim_matches('"').parse().ok()
}
