//! The envelopes of answers (`docs/guide/src/lists.md`). Only this module builds them.

mod list;
mod search;

use std::fmt::Write as _;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Revision, Timestamp};
use stockroom_service::object::aggregate::Aggregate;
use stockroom_service::open_transaction::Effects;
use utoipa::ToSchema;

pub(crate) use search::SearchPager;

pub(crate) use list::{Cursor, Labels, ListEnvelope, NextPage, Pager, Pages};

/// How many records match a list in all.
pub(crate) const TOTAL_COUNT_HEADER: HeaderName = HeaderName::from_static("x-total-count");
/// The revision of an object in an answer without an entity tag, because it also shows other
/// records.
pub(crate) const REVISION_HEADER: HeaderName = HeaderName::from_static("x-revision");

// docs/guide/src/lists.md
/// The kind of record in an envelope
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) enum Model {
    User,
    Group,
    Right,
    #[serde(rename = "Security-Level")]
    SecurityLevel,
    UserSetting,
    Object,
    Type,
    Category,
    View,
    Token,
    Change,
    Login,
    ObjectJob,
    Import,
    ImportRow,
    ImportMissing,
    Source,
    SourceObject,
    ObjectSource,
    ObjectGroup,
    SearchResult,
}

/// How many headers most answers have; a map that grows is hashed anew.
const TYPICAL_HEADERS: usize = 12;

impl Model {
    /// Formats `time`: with a space for users, groups, rights and settings; else ISO 8601.
    fn time(self, now: Timestamp) -> String {
        match self {
            Self::User | Self::Group | Self::Right | Self::SecurityLevel | Self::UserSetting => {
                now.to_spaced()
            }
            _ => now.to_iso(),
        }
    }

    /// The members that end every envelope.
    fn tail(self, response_type: &str, now: Timestamp) -> String {
        format!(
            r#""response_type":"{response_type}","model":{},"time":"{}"}}"#,
            to_text(&self),
            self.time(now)
        )
    }
}

/// A successful answer that is still being built.
#[derive(Debug)]
pub(crate) struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn new(status: StatusCode, body: String) -> Self {
        let mut headers = HeaderMap::with_capacity(TYPICAL_HEADERS);
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        Self {
            status,
            headers,
            body,
        }
    }

    /// A document without an envelope.
    pub(crate) fn bare(document: String) -> Self {
        Self::new(StatusCode::OK, document)
    }

    /// A document with labels as its last member.
    pub(crate) fn labelled(mut document: String, labels: &Labels) -> Self {
        if document.ends_with('}') {
            document.pop();
        }
        let comma = if document.ends_with('{') { "" } else { "," };
        // Writing to a String cannot fail.
        let _ = write!(document, r#"{comma}"labels":{labels}}}"#);
        Self::bare(document)
    }

    /// One record.
    pub(crate) fn single(model: Model, result: &Value, now: Timestamp) -> Self {
        Self::single_text(model, &to_text(result), now)
    }

    /// One record that is text already.
    pub(crate) fn single_text(model: Model, result: &str, now: Timestamp) -> Self {
        Self::new(
            StatusCode::OK,
            format!(r#"{{"result":{result},{}"#, model.tail("GET", now)),
        )
    }

    /// One record that is text already, as the only one of a list.
    pub(crate) fn only_result(model: Model, result: &str, now: Timestamp) -> Self {
        let tail = model.tail("GET", now);
        Self::new(StatusCode::OK, format!(r#"{{"results":[{result}],{tail}"#))
    }

    /// Records without pages: the settings.
    pub(crate) fn results(
        model: Model,
        results: &[Value],
        warnings: &[Problem],
        now: Timestamp,
    ) -> Self {
        let body = format!(
            r#"{{"results":{},{}{}"#,
            to_text(results),
            warned(warnings),
            model.tail("GET", now)
        );
        Self::new(StatusCode::OK, body)
    }

    /// Objects in groups.
    pub(crate) fn aggregate(found: &Aggregate, warnings: &[Problem], now: Timestamp) -> Self {
        let body = format!(
            r#"{{"results":{},"count":{},"total":{},"objects":{},{}{}"#,
            to_text(&found.groups),
            found.groups.len(),
            found.total,
            found.objects,
            warned(warnings),
            Model::ObjectGroup.tail("GET", now)
        );
        Self::new(StatusCode::OK, body)
    }

    /// An inserted record; `id` is a number, or the identifier of a setting.
    pub(crate) fn inserted(
        status: StatusCode,
        model: Model,
        id: &Value,
        raw: &str,
        warnings: &[Problem],
        now: Timestamp,
    ) -> Self {
        let body = format!(
            r#"{{"result_id":{id},"raw":{raw},{}{}"#,
            warned(warnings),
            model.tail("INSERT", now)
        );
        Self::new(status, body)
    }

    /// A changed record.
    pub(crate) fn updated(
        status: StatusCode,
        model: Model,
        result: &str,
        warnings: &[Problem],
        now: Timestamp,
    ) -> Self {
        Self::new(
            status,
            format!(
                r#"{{"result":{result},{}{}"#,
                warned(warnings),
                model.tail("UPDATE", now)
            ),
        )
    }

    /// A removed record.
    pub(crate) fn deleted(
        status: StatusCode,
        model: Model,
        entry: &str,
        warnings: &[Problem],
        now: Timestamp,
    ) -> Self {
        Self::new(
            status,
            format!(
                r#"{{"deleted_entry":{entry},{}{}"#,
                warned(warnings),
                model.tail("DELETE", now)
            ),
        )
    }

    /// Adds the secret of a new token as the last member.
    pub(crate) fn with_token(mut self, token: &str) -> Self {
        if self.body.ends_with('}') {
            self.body.pop();
        }
        // Writing to a String cannot fail.
        let _ = write!(self.body, r#","token":{}}}"#, to_text(token));
        self
    }

    /// Sets the revision as a strong entity tag.
    pub(crate) fn revision(self, revision: Revision) -> Self {
        self.header(header::ETAG, &format!("\"{}\"", revision.0))
    }

    /// Sets or removes the cookie of the session.
    pub(crate) fn cookie(mut self, cookie: Option<HeaderValue>) -> Self {
        let cookie = cookie.map(|cookie| (header::SET_COOKIE, cookie));
        self.headers.extend(cookie);
        self
    }

    /// Sets the URL of the record.
    pub(crate) fn location(self, url: &str) -> Self {
        self.header(header::LOCATION, url)
    }

    /// Forbids caches to store an answer with secrets; it is not compressed either.
    pub(crate) fn private(self, is_private: bool) -> Self {
        if is_private {
            self.header(header::CACHE_CONTROL, "no-store")
        } else {
            self
        }
    }

    /// Adds a header; a value that is not valid in a header is left out.
    pub(crate) fn header(mut self, name: impl header::IntoHeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }
}

impl axum::response::IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

/// The answer to an operation of a batch.
#[derive(Debug)]
pub(crate) struct OperationAnswer {
    pub(crate) status: u16,
    /// JSON text.
    pub(crate) body: String,
    pub(crate) etag: Option<String>,
}

impl Answer {
    /// The answers to the operations of a batch. They may have encoded passwords.
    pub(crate) fn batch(answers: &[OperationAnswer]) -> Self {
        let mut body = String::from(r#"{"results":["#);
        for (index, answer) in answers.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let etag = answer.etag.as_ref();
            let etag = etag.map_or_else(String::new, |tag| format!(r#","etag":{}"#, to_text(tag)));
            // Writing to a String cannot fail.
            let _ = write!(
                body,
                r#"{comma}{{"status":{},"body":{}{etag}}}"#,
                answer.status, answer.body
            );
        }
        body.push_str("]}");
        Self::new(StatusCode::OK, body).private(true)
    }
}

/// Adds `effects` to the envelope of a dry run.
pub(crate) fn with_effects(envelope: &[u8], effects: &Effects) -> Vec<u8> {
    let open = envelope.strip_suffix(b"}").unwrap_or(envelope);
    [
        open,
        format!(r#","effects":{}}}"#, to_text(effects)).as_bytes(),
    ]
    .concat()
}

/// Serializes to JSON text: like `Display` of a `Value`, in a fraction of its time.
pub(crate) fn to_text<T: Serialize + ?Sized>(value: &T) -> String {
    // It fails only for maps whose keys are not strings; there are none here.
    serde_json::to_string(value).unwrap_or_default()
}

fn warned(warnings: &[Problem]) -> String {
    match serde_json::to_string(warnings) {
        Ok(text) if !warnings.is_empty() => format!(r#""warnings":{text},"#),
        _ => String::new(),
    }
}
