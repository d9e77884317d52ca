//! The envelopes of answers (`docs/guide/src/lists.md`). Only this file builds them.

use std::fmt::Write as _;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use serde_json::json;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Revision, Timestamp};
use stockroom_service::open_transaction::{Effects, RecordChange};

/// How many records match a list in all.
pub(crate) const TOTAL_COUNT_HEADER: HeaderName = HeaderName::from_static("x-total-count");
/// The revision of an object in an answer without an entity tag, because it also shows other
/// records.
pub(crate) const REVISION_HEADER: HeaderName = HeaderName::from_static("x-revision");

/// The kind of record in an envelope (`docs/guide/src/lists.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    User,
    Group,
    Right,
    SecurityLevel,
    UserSetting,
    Object,
    Type,
    Category,
    Change,
    Login,
    ObjectJob,
}

impl Model {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Group => "Group",
            Self::Right => "Right",
            Self::SecurityLevel => "Security-Level",
            Self::UserSetting => "UserSetting",
            Self::Object => "Object",
            Self::Type => "Type",
            Self::Category => "Category",
            Self::Change => "Change",
            Self::Login => "Login",
            Self::ObjectJob => "ObjectJob",
        }
    }

    /// Formats `time`: ISO 8601 for objects, types and categories; with a space for all others.
    fn time(self, now: Timestamp) -> String {
        match self {
            Self::Object
            | Self::Type
            | Self::Category
            | Self::Change
            | Self::Login
            | Self::ObjectJob => now.to_iso(),
            _ => now.to_spaced(),
        }
    }

    /// The members that end every envelope.
    fn tail(self, response_type: &str, now: Timestamp) -> String {
        format!(
            r#""response_type":"{response_type}","model":"{}","time":"{}"}}"#,
            self.as_str(),
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
        let mut headers = HeaderMap::new();
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

    /// One record.
    pub(crate) fn single(model: Model, result: &Value, now: Timestamp) -> Self {
        Self::new(
            StatusCode::OK,
            format!(
                r#"{{"result":{},{}"#,
                to_text(result),
                model.tail("GET", now)
            ),
        )
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

    /// Sets the revision as a strong entity tag.
    pub(crate) fn revision(self, revision: Revision) -> Self {
        self.header(header::ETAG, &format!("\"{}\"", revision.0))
    }

    /// Sets a header, if there is one.
    pub(crate) fn with_header(mut self, name: HeaderName, value: Option<HeaderValue>) -> Self {
        self.headers.extend(value.map(|value| (name, value)));
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
    let changes = &effects.changes;
    let change = |change: &RecordChange| {
        let mut value = json!({
            "resource": change.resource.as_str(),
            "public_id": change.id,
            "action": change.action,
        });
        if let Some(name) = &change.name {
            value["name"] = json!(name);
        }
        value
    };
    let first: Vec<Value> = changes.first.iter().map(change).collect();
    let member = json!({
        "changes": first,
        "total": changes.total,
        "dangling_references": effects.dangling_references,
    });
    let open = envelope.strip_suffix(b"}").unwrap_or(envelope);
    [open, format!(r#","effects":{member}}}"#).as_bytes()].concat()
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

/// `pager` in the envelope of a list.
#[derive(Debug)]
pub(crate) struct Pager {
    /// The number of the page, from 1.
    pub(crate) page: usize,
    /// Records per page; 0 means all.
    pub(crate) page_size: usize,
    /// How many pages there are, if known.
    pub(crate) total_pages: Option<usize>,
    /// How to get the next page.
    pub(crate) next: NextPage,
}

/// How to request the next page.
#[derive(Debug)]
pub(crate) enum NextPage {
    /// By its number.
    Number,
    /// By a cursor; the last page has none.
    Cursor(Option<Cursor>),
}

/// The start of the next page.
#[derive(Debug)]
pub(crate) struct Cursor {
    /// The value for `after`.
    pub(crate) text: String,
    /// The URL of the page.
    pub(crate) url: String,
}

/// The URL of any page: the text before its number and after it.
#[derive(Debug)]
pub(crate) struct Pages {
    pub(crate) before: String,
    pub(crate) after: Option<String>,
}

/// The envelope of a list, around results that may still be streaming.
pub(crate) struct ListEnvelope {
    /// The kind of the listed records.
    pub(crate) model: Model,
    /// How many records match in all, if requested.
    pub(crate) total: Option<usize>,
    /// The parameters of the request, as JSON text.
    pub(crate) parameters: String,
    /// The current page.
    pub(crate) pager: Pager,
    /// The URL of this page.
    pub(crate) current: String,
    /// The URLs of other pages.
    pub(crate) pages: Pages,
    /// The warnings of the request.
    pub(crate) warnings: Vec<Problem>,
    /// How the list was found, as JSON text.
    pub(crate) explain: Option<String>,
    /// The time of the answer.
    pub(crate) now: Timestamp,
}

impl ListEnvelope {
    /// The text before the results.
    pub(crate) const HEAD: &'static str = r#"{"results":["#;

    /// The text after the results; `count` is their number.
    pub(crate) fn tail(&self, count: usize) -> String {
        let Pager {
            page,
            page_size,
            total_pages,
            next,
        } = &self.pager;
        let after = match next {
            NextPage::Number => String::new(),
            NextPage::Cursor(None) => r#","after":null"#.to_owned(),
            NextPage::Cursor(Some(cursor)) => format!(r#","after":{}"#, to_text(&cursor.text)),
        };
        let mut tail = format!(
            r#"],"count":{count},"total":{},"parameters":{},"pager":{{"page":{page},"page_size":{page_size},"total_pages":{}{after}}},"#,
            or_null(self.total),
            self.parameters,
            or_null(*total_pages)
        );
        self.pagination(&mut tail);
        tail.push_str(&warned(&self.warnings));
        if let Some(explain) = &self.explain {
            // Writing to a String cannot fail.
            let _ = write!(tail, r#""explain":{explain},"#);
        }
        tail.push_str(&self.model.tail("GET", self.now));
        tail
    }

    /// `pagination` in the envelope of a list.
    fn pagination(&self, tail: &mut String) {
        // If the number of pages is unknown, any page may be the last.
        let last = self.pager.total_pages.map(|pages| pages.max(1));
        let up_to = last.unwrap_or(usize::MAX);
        let page = self.pager.page;
        let before = to_text(&self.pages.before);
        let before = before.strip_suffix('"').unwrap_or(&before);
        let after = self.pages.after.as_deref().map(to_text);
        let after = after.as_deref().and_then(|after| after.strip_prefix('"'));
        let after = after.unwrap_or("\"");
        // Writing to a String cannot fail.
        let _ = write!(
            tail,
            r#""pagination":{{"current":{}"#,
            to_text(&self.current)
        );
        let link = |number: usize| format!("{before}{number}{after}");
        let (previous, next) = match &self.pager.next {
            NextPage::Number => (
                link((page - 1).clamp(1, up_to)),
                link(page.saturating_add(1).clamp(1, up_to)),
            ),
            // Cursors lead forward only.
            NextPage::Cursor(next) => {
                let url = next.as_ref().map(|cursor| to_text(&cursor.url));
                ("null".to_owned(), url.unwrap_or_else(|| "null".to_owned()))
            }
        };
        let first = link(1);
        let _ = write!(tail, r#","first":{first},"prev":{previous},"next":{next}"#);
        let _ = match last {
            Some(last) => write!(tail, r#","last":{before}{last}{after}"#),
            None => write!(tail, r#","last":null"#),
        };
        tail.push_str("},");
    }

    /// The answer around complete results.
    pub(crate) fn answer(&self, results: &[Value]) -> Answer {
        let mut body = Self::HEAD.to_owned();
        for (index, result) in results.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(body, "{comma}{}", to_text(result));
        }
        body.push_str(&self.tail(results.len()));
        self.headed(Answer::new(StatusCode::OK, body))
    }

    /// The answer around a body that was written with [`Self::HEAD`] and [`Self::tail`].
    pub(crate) fn stream(&self, body: Body) -> Response {
        let answer = self.headed(Answer::new(StatusCode::OK, String::new()));
        let mut response = axum::response::IntoResponse::into_response(answer);
        *response.body_mut() = body;
        response
    }

    /// An answer without pages, for settings.
    pub(crate) fn plain_answer(&self, results: &[Value]) -> Answer {
        self.headed(Answer::results(
            self.model,
            results,
            &self.warnings,
            self.now,
        ))
    }

    fn headed(&self, mut answer: Answer) -> Answer {
        if let Some(total) = self.total {
            answer = answer.header(TOTAL_COUNT_HEADER, &total.to_string());
        }
        answer
    }
}

fn or_null(number: Option<usize>) -> String {
    number.map_or_else(|| "null".to_owned(), |number| number.to_string())
}
