//! Requests and answers in the notation of the guide.
//!
//! A request is a method and a target, headers, and a body after an empty line. A target may
//! continue in lines that begin with a space; its parameters are written without percent-encoding.
//! `<token of NAME>` is the token of the last login of that user, or the API token of that name;
//! `<cursor>` is the cursor of the last page. Without `Authorization`, the user `admin` sends the request.

use std::collections::HashMap;

use axum::http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use stockroom_testkit::Answer;

use crate::elision;
use crate::notation;

/// Characters to encode in the value of a parameter.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b':')
    .remove(b',')
    .remove(b'*');

/// Values from answers that later requests use.
#[derive(Default)]
pub(crate) struct Memory {
    tokens: HashMap<String, String>,
    cursor: String,
}

impl Memory {
    /// Keeps the token of a login, a new API token, and the cursor of a page.
    pub(crate) fn note(&mut self, answer: &Answer) {
        let Ok(body) = serde_json::from_slice::<Value>(&answer.body) else {
            return;
        };
        let token = body["token"].as_str();
        let name = body["user"]["user_name"].as_str();
        let name = name.or(body["raw"]["name"].as_str());
        if let (Some(token), Some(name)) = (token, name) {
            self.tokens.insert(name.to_owned(), token.to_owned());
        }
        if let Some(cursor) = body["pager"]["after"].as_str() {
            cursor.clone_into(&mut self.cursor);
        }
    }

    fn with_token(&self, value: &str) -> String {
        let Some((before, name)) = value.split_once("<token of ") else {
            return value.to_owned();
        };
        let name = name.trim_end_matches('>');
        let token = self.tokens.get(name);
        let token = token.unwrap_or_else(|| panic!("no token of {name}"));
        format!("{before}{token}")
    }
}

/// A request of the guide.
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// Whether a block is a request and not an answer.
pub(crate) fn is_request(text: &str) -> bool {
    !text.starts_with("HTTP/")
}

impl Request {
    pub(crate) fn parse(text: &str, memory: &Memory) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines().peekable();
        let first = lines.next().unwrap_or_default();
        let (method, target) = first.split_once(' ').expect("a method and a target");
        let mut target = target.to_owned();
        while let Some(more) = lines.next_if(|line| line.starts_with(' ')) {
            target += more.trim();
        }
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').expect("a header");
            (name.to_owned(), memory.with_token(value.trim()))
        });
        let mut headers: Vec<_> = headers.collect();
        let has_type = |name: &str| name.eq_ignore_ascii_case("content-type");
        if !body.is_empty() && !headers.iter().any(|(name, _)| has_type(name)) {
            headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        Self {
            method: method.parse().expect("a method"),
            target: encoded(&target.replace("<cursor>", &memory.cursor)),
            headers,
            body: body.to_owned(),
        }
    }
}

/// The target with its parameters percent-encoded.
fn encoded(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else {
        return target.to_owned();
    };
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) => format!("{name}={}", utf8_percent_encode(value, ENCODED)),
        None => pair.to_owned(),
    });
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

/// An answer in the notation of the guide; `shown` is the current text. A `json` block has the body
/// of a success, an `http` block also the status and the headers that it names.
pub(crate) fn answer(language: &str, shown: &str, answer: &Answer) -> String {
    if language == "json" {
        assert!((200..300).contains(&answer.status), "{answer}");
        return body(shown, answer);
    }
    let (head, shown_body) = shown.split_once("\n\n").unwrap_or((shown, ""));
    let status = axum::http::StatusCode::from_u16(answer.status).expect("a status");
    let mut text = format!("HTTP/1.1 {status}");
    for line in head.lines().skip(1) {
        let (name, value) = line.split_once(':').expect("a header");
        let sent = elision::merge_text(value.trim(), answer.header(&name.to_lowercase()));
        text.extend(["\n", name, ": ", &sent]);
    }
    if !answer.body.is_empty() {
        text.extend(["\n\n", &body(shown_body, answer)]);
    }
    text
}

fn body(shown: &str, answer: &Answer) -> String {
    if !answer.header("content-type").contains("json") {
        return elision::merge_text(shown, &String::from_utf8_lossy(&answer.body));
    }
    let merged = elision::merge(elision::parse(shown).as_ref(), &answer.json());
    notation::write(&merged)
}
