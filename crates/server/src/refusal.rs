//! Answers that the server gives without the application, as problem documents (RFC 9457) like all
//! others.

/// The answer to a connection above the limit, from which nothing was read.
pub(crate) fn too_many_connections() -> Vec<u8> {
    answer(
        503,
        "Service Unavailable",
        "too many connections",
        "retry-after: 1\r\n",
    )
}

/// hyper answers a malformed head with a bare status. Returns the answer to send instead, or `None`
/// if `written` is any other answer.
pub(crate) fn instead_of(written: &[u8]) -> Option<Vec<u8>> {
    let status = bare_status(written)?;
    let (title, detail) = match status {
        400 => ("Bad Request", "the request is no HTTP that can be read"),
        414 => (
            "URI Too Long",
            "the URL is longer than 64 KiB; long parameters may come in a body",
        ),
        431 => (
            "Request Header Fields Too Large",
            "the head of the request is too long, or has too many headers",
        ),
        _ => return None,
    };
    Some(answer(status, title, detail, ""))
}

/// The status of an answer without headers and body.
fn bare_status(written: &[u8]) -> Option<u16> {
    /// hyper's refusals are shorter.
    const LONGEST: usize = 256;
    if written.len() > LONGEST || !written.starts_with(b"HTTP/1.1 4") {
        return None;
    }
    let head = str::from_utf8(written).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    let says_nothing = |line: &str| {
        line == "connection: close" || line == "content-length: 0" || line.starts_with("date: ")
    };
    lines.all(says_nothing).then(|| status.parse().ok())?
}

fn answer(status: u16, title: &str, detail: &str, headers: &str) -> Vec<u8> {
    let body = format!(
        r#"{{"type":"about:blank","title":"{title}","status":{status},"detail":"{detail}"}}"#
    );
    let length = body.len();
    format!(
        "HTTP/1.1 {status} {title}\r\nconnection: close\r\nx-api-version: 1.0\r\n{headers}\
         content-type: application/problem+json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answers_that_say_nothing_are_replaced() {
        const CLOSE: &str = "connection: close\r\ncontent-length: 0\r\n";
        let date = "date: Sun, 22 Nov 2026 08:00:00 GMT\r\n";
        for (written, is_replaced) in [
            (
                format!("HTTP/1.1 414 URI Too Long\r\n{CLOSE}{date}\r\n"),
                true,
            ),
            (format!("HTTP/1.1 400 Bad Request\r\n{CLOSE}\r\n"), true),
            (format!("HTTP/1.1 404 Not Found\r\n{CLOSE}\r\n"), false),
            (
                format!("HTTP/1.1 400 Bad Request\r\n{CLOSE}x-api-version: 1.0\r\n\r\n"),
                false,
            ),
            (
                "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_owned(),
                false,
            ),
            (
                "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}".to_owned(),
                false,
            ),
            (String::new(), false),
        ] {
            assert_eq!(
                instead_of(written.as_bytes()).is_some(),
                is_replaced,
                "{written}"
            );
        }
    }
}
