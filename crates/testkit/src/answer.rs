//! An answer, with checks for tests.

use std::fmt;

use axum::http::{HeaderMap, Method};
use serde_json::Value;

/// An answer of the server.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The method of the request.
    pub method: Method,
    /// Path and query of the request.
    pub path: String,
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body, decoded if it was compressed.
    pub body: Vec<u8>,
    /// The size of the body as sent, in bytes.
    pub sent: usize,
}

/// The members that every problem has.
const PROBLEM: [&str; 6] = [
    "type",
    "title",
    "status",
    "detail",
    "instance",
    "request_id",
];

impl Answer {
    /// Checks the status.
    #[must_use]
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert!(self.status == status, "expected {status}\n{self}");
        self
    }

    /// The body as JSON.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// A member of the body.
    #[must_use]
    #[track_caller]
    pub fn member(&self, name: &str) -> Value {
        let body = self.json();
        let member = body.get(name).cloned();
        member.unwrap_or_else(|| panic!("there is no member {name}\n{self}"))
    }

    /// The names of the body's members, in order.
    #[must_use]
    #[track_caller]
    pub fn keys(&self) -> Vec<String> {
        let body = self.json();
        let members = body.as_object().expect("an object");
        members.keys().cloned().collect()
    }

    /// The `public_id` of every result of a list.
    #[must_use]
    #[track_caller]
    pub fn ids(&self) -> Vec<i64> {
        let results = self.member("results");
        let results = results.as_array().expect("a list");
        let id = |result: &Value| result["public_id"].as_i64().expect("a public_id");
        results.iter().map(id).collect()
    }

    /// The value of a header; empty if missing.
    #[must_use]
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("a header of ASCII"))
    }

    /// The body of an error, checked to be a problem document (RFC 9457).
    #[must_use]
    #[track_caller]
    pub fn problem(&self) -> Value {
        let kind = self.header("content-type");
        assert_eq!(kind, "application/problem+json", "{self}");
        let problem = self.json();
        for member in PROBLEM {
            let member = &problem[member];
            let is_there = member.is_number() || member.as_str().is_some_and(|it| !it.is_empty());
            assert!(is_there, "a member of the problem is missing\n{self}");
        }
        let path = self.path.split('?').next().unwrap_or_default();
        assert_eq!(problem["status"], self.status, "{self}");
        assert_eq!(problem["instance"], path, "{self}");
        assert_eq!(problem["request_id"], self.header("x-request-id"), "{self}");
        problem
    }

    /// `detail` of a problem.
    #[must_use]
    #[track_caller]
    pub fn detail(&self) -> String {
        let detail = self.problem()["detail"].clone();
        detail.as_str().unwrap_or_default().to_owned()
    }

    /// The pointers of the problems of a 400 or 409, in order.
    #[must_use]
    #[track_caller]
    pub fn pointers(&self) -> Vec<String> {
        let is_refused = [400, 409].contains(&self.status);
        assert!(is_refused, "expected 400 or 409\n{self}");
        pointers(&self.problem()["errors"])
    }

    /// The pointers of the warnings of a write, in order.
    #[must_use]
    #[track_caller]
    pub fn warnings(&self) -> Vec<String> {
        pointers(&self.json()["warnings"])
    }

    /// Checks that `head` has the status and headers of this answer to GET, and no body.
    pub(crate) fn is_announced_by(&self, head: &Self) -> Result<(), String> {
        if !head.body.is_empty() {
            return Err("an answer to HEAD has a body".to_owned());
        }
        if head.status != self.status {
            return Err(format!("GET answers {}", self.status));
        }
        for (name, value) in &self.headers {
            // The length and coding of a streamed list are unknown in advance; the request id
            // always differs.
            let is_unknown = !head.headers.contains_key("content-length");
            let may_miss = match name.as_str() {
                "content-length" => is_unknown,
                "content-encoding" | "vary" => {
                    is_unknown && !head.header("x-total-count").is_empty()
                }
                _ => false,
            };
            if !may_miss && name != "x-request-id" && head.headers.get(name) != Some(value) {
                return Err(format!("GET answers with {name}: {value:?}"));
            }
        }
        Ok(())
    }
}

fn pointers(faults: &Value) -> Vec<String> {
    let faults = faults.as_array().map(Vec::as_slice).unwrap_or_default();
    let pointer = |fault: &Value| fault["pointer"].as_str().unwrap_or_default().to_owned();
    faults.iter().map(pointer).collect()
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{} {}: {}", self.method, self.path, self.status)?;
        for (name, value) in &self.headers {
            writeln!(
                formatter,
                "{name}: {}",
                String::from_utf8_lossy(value.as_bytes())
            )?;
        }
        write!(formatter, "\n{}", String::from_utf8_lossy(&self.body))
    }
}
