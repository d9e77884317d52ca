//! `/exports` (`docs/guide/src/exports.md`)

mod all;
mod objects;
mod parameters;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::stream;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use stockroom_service::export::{Broken, ExportFile, PipeReader};

use crate::routing::{Routes, routes};

pub(super) use self::parameters::{check_known, names};

/// What is encoded in the name of a file (RFC 8187).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(objects::handle))
        .routes(routes!(all::handle))
}

/// The answer with a file, which is written while it is sent.
fn answer(file: ExportFile, content_type: &'static str) -> Response {
    // The answer to HEAD has no length either.
    let body = match file.content {
        Some(content) => Body::from_stream(stream::unfold(content, next)),
        None => Body::from_stream(stream::empty::<Result<Bytes, Broken>>()),
    };
    let mut answer = Response::new(body);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let Ok(disposition) = HeaderValue::from_str(&disposition(&file.name)) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    answer
}

/// A failure breaks the connection, so that no client takes a part for the whole.
async fn next(mut content: PipeReader) -> Option<(Result<Bytes, Broken>, PipeReader)> {
    let part = content.next().await?;
    Some((part.map(Bytes::from), content))
}

/// The header that names a file (RFC 6266).
pub(super) fn disposition(name: &str) -> String {
    let is_plain = |byte: &char| byte.is_ascii_alphanumeric() || "-._".contains(*byte);
    let plain: String = name
        .chars()
        .map(|character| Some(character).filter(is_plain).unwrap_or('_'))
        .collect();
    if plain == name {
        return format!("attachment; filename=\"{name}\"");
    }
    let encoded = utf8_percent_encode(name, ENCODED);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe_in_a_header() {
        for (name, expected) in [
            (
                "server-2026-01-31.csv",
                r#"attachment; filename="server-2026-01-31.csv""#,
            ),
            (
                "gerät-2026.csv",
                r#"attachment; filename="ger_t-2026.csv"; filename*=UTF-8''ger%C3%A4t-2026.csv"#,
            ),
            (
                "a\"\r\n;b.csv",
                r#"attachment; filename="a____b.csv"; filename*=UTF-8''a%22%0D%0A%3Bb.csv"#,
            ),
        ] {
            assert_eq!(disposition(name), expected);
        }
    }
}
