//! An HTTP client that names its requests.

use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Request;

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

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
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
        let answer = client.send("login", "POST", "/rest/auth/login", Some(&body));
        let answer = answer.expect("an answer");
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
        self.send("read", "GET", path, None).expect("an answer")
    }

    /// # Errors
    ///
    /// The server is gone, or ended before it answered.
    pub(crate) fn send(
        &self,
        request_id: &str,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, ureq::Error> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("x-request-id", request_id);
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut answer = self.agent.run(request.body(body)?)?;
        let text = answer
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_string()?;
        let revision = answer.headers().get("etag");
        let revision = revision.and_then(|etag| etag.to_str().ok());
        Ok(Answer {
            status: answer.status().as_u16(),
            revision: revision.and_then(|etag| etag.trim_matches('"').parse().ok()),
            body: serde_json::from_str(&text).unwrap_or_default(),
        })
    }
}
