//! HTTP/1.1 for the load generator: keep-alive, without pipelining.

use anyhow::{Context as _, bail};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// More headers than any answer has.
const MAX_HEADERS: usize = 32;

/// A `GET` request with a token.
pub(crate) fn get(token: &str, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n")
        .into_bytes()
}

/// A `POST` request of a JSON text, with a token.
pub(crate) fn post(token: &str, path: &str, body: &str) -> Vec<u8> {
    with_body("POST", token, path, body)
}

/// A `PATCH` request of a JSON text, with a token.
pub(crate) fn patch(token: &str, path: &str, body: &str) -> Vec<u8> {
    with_body("PATCH", token, path, body)
}

fn with_body(method: &str, token: &str, path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// The path of a list of objects.
pub(crate) fn list(filter: &Value, more: &str) -> String {
    let filter = filter.to_string();
    let filter = utf8_percent_encode(&filter, NON_ALPHANUMERIC);
    format!("/rest/objects/?filter={filter}{more}")
}

/// The length of the answer at the start of `buffer`, head and body; `None` if the head is
/// incomplete.
///
/// # Errors
///
/// It is not HTTP, has no length, or is not a success.
pub(crate) fn answer_length(buffer: &[u8]) -> anyhow::Result<Option<usize>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut answer = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = answer.parse(buffer)? else {
        return Ok(None);
    };
    let length = answer
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"))
        .and_then(|header| {
            std::str::from_utf8(header.value)
                .ok()?
                .parse::<usize>()
                .ok()
        })
        .context("an answer without a length")?;
    match answer.code {
        Some(200..300) => Ok(Some(head + length)),
        code => bail!(
            "answered {}: {}",
            code.unwrap_or_default(),
            String::from_utf8_lossy(&buffer[head..])
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_complete_when_its_body_is() {
        let text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        assert_eq!(answer_length(text).unwrap(), Some(text.len()));
        assert_eq!(answer_length(&text[..20]).unwrap(), None);
    }

    #[test]
    fn a_refusal_is_an_error_that_shows_it() {
        let text = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy";
        let error = answer_length(text).unwrap_err().to_string();
        assert!(error.contains("503") && error.contains("busy"), "{error}");
    }
}
