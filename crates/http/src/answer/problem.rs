//! Errors as problem documents (RFC 9457), with one table from error to status.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use stockroom_model::Problem as Fault;
use stockroom_service::{Error, NotUnique};

/// `Retry-After` of an overloaded service, in seconds.
const RETRY_AFTER_SECONDS: u64 = 1;
/// `Retry-After` of a user with too many idempotency keys, in seconds: some end every hour.
const KEYS_RETRY_SECONDS: u64 = 3_600;
/// `Retry-After` while logins are being checked, in seconds.
const LOGINS_RETRY_SECONDS: u64 = 1;
/// `Retry-After` where places for long work are taken, in seconds.
const PLACES_RETRY_SECONDS: u64 = 5;
/// `Retry-After` of a full disk, in seconds.
const DISK_RETRY_SECONDS: u64 = 10;

const NEEDS_IF_MATCH: &str = "the header If-Match is required: send the ETag of the record as you \
     read it, or * for any state";

/// An error for the client. The middleware writes the body, as it knows request id and path.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    errors: Vec<Fault>,
    /// Members of this kind of problem.
    more: Vec<(&'static str, Value)>,
    headers: Vec<(HeaderName, String)>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
            errors: Vec::new(),
            more: Vec::new(),
            headers: Vec::new(),
        }
    }

    /// The answer for an unknown path.
    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "there is nothing at this path")
    }

    /// The answer for a method that the path does not support; the router adds `Allow`.
    pub(crate) fn method_not_allowed() -> Self {
        let detail = "this path does not know that method; see the header Allow";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, detail)
    }

    /// An error at one location in the request.
    pub(crate) fn invalid(pointer: &str, detail: impl Into<String>) -> Self {
        Error::invalid(pointer, detail).into()
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The body, for a request with this id and path.
    fn document(&self, request_id: &str, path: &str) -> String {
        let mut document = json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "detail": self.detail,
            "instance": path,
            "request_id": request_id,
        });
        if !self.errors.is_empty() {
            document["errors"] = json!(self.errors);
        }
        for (name, value) in &self.more {
            document[name] = value.clone();
        }
        document.to_string()
    }

    /// The problem of an operation of a batch.
    pub(crate) fn of_operation(mut self, index: usize) -> Self {
        let operation = format!("/operations/{index}");
        for error in &mut self.errors {
            // Other pointers name a parameter.
            if error.pointer.is_empty() || error.pointer.starts_with('/') {
                error.pointer = format!("{operation}/body{}", error.pointer);
            } else {
                error.detail = format!("{}: {}", error.pointer, error.detail);
                error.pointer = format!("{operation}/path");
            }
        }
        self.detail = format!("operation {index}: {}", self.detail);
        self.with_member("operation", index)
    }

    /// Adds a member to the body.
    fn with_member(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.more.push((name, value.into()));
        self
    }

    /// Says which fields hold values of another object, and which object that is.
    fn at_fields(self, refused: &NotUnique) -> Self {
        let detail = refused.to_string();
        let fault = |name| Fault::new(format!("fields.{name}"), detail.clone());
        let problem = Self {
            errors: refused.fields().map(fault).collect(),
            ..self
        };
        match refused.holder() {
            Some(holder) => problem.with_member("holder", holder.get()),
            None => problem,
        }
    }

    /// Writes the body of an answer that carries a problem; others pass unchanged.
    pub(crate) fn complete(mut response: Response, request_id: &str, path: &str) -> Response {
        let Some(problem) = response.extensions_mut().remove::<Self>() else {
            return response;
        };
        let document = problem.document(request_id, path);
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        // The router has set the length of the empty body.
        headers.insert(header::CONTENT_LENGTH, document.len().into());
        *response.body_mut() = document.into();
        response
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = match &error {
            Error::PreconditionRequired => NEEDS_IF_MATCH.to_owned(),
            other => other.to_string(),
        };
        let status = match &error {
            Error::Invalid { .. } => StatusCode::BAD_REQUEST,
            Error::Unauthenticated | Error::LoginFailed => StatusCode::UNAUTHORIZED,
            Error::Forbidden(_) => StatusCode::FORBIDDEN,
            Error::NotFound(_) => StatusCode::NOT_FOUND,
            Error::Stale { .. } | Error::OtherTotal { .. } => StatusCode::PRECONDITION_FAILED,
            Error::Conflict { .. } | Error::NotUnique(_) => StatusCode::CONFLICT,
            Error::Gone(_) => StatusCode::GONE,
            Error::PreconditionRequired => StatusCode::PRECONDITION_REQUIRED,
            Error::Throttled { .. }
            | Error::TooManyLogins
            | Error::TooManyOwnChanges { .. }
            | Error::TooManyKeys(_)
            | Error::TooManyRunning { .. }
            | Error::TooManyImports(_) => StatusCode::TOO_MANY_REQUESTS,
            Error::ImportsTooLarge(_) | Error::TooMuchAtOnce(..) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::Unavailable
            | Error::DatabaseUnavailable
            | Error::OpenTooLong
            | Error::WorkLimit(_)
            | Error::TimeLimit(_)
            | Error::OtherRelease
            | Error::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Error::DiskFull | Error::TemporaryFull | Error::ImportsFull(_) => {
                StatusCode::INSUFFICIENT_STORAGE
            }
            Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let problem = Self::new(status, detail);
        match error {
            Error::Invalid { problems, .. } => Self {
                errors: problems,
                ..problem
            },
            Error::Unauthenticated | Error::LoginFailed => {
                problem.with_header(header::WWW_AUTHENTICATE, "Bearer")
            }
            Error::Conflict { conflicts, .. } => problem.with_member("conflicts", conflicts),
            Error::NotUnique(refused) => problem.at_fields(&refused),
            Error::Stale { current, change } => {
                let problem = problem
                    .with_header(header::ETAG, format!("\"{current}\""))
                    .with_member("current_revision", current);
                match change {
                    Some(change) => problem
                        .with_member("changed_by", change.actor)
                        .with_member("changed_at", change.at.to_iso()),
                    None => problem,
                }
            }
            Error::OtherTotal { found, .. } => problem.with_member("matching", found),
            Error::TooManyRunning { .. } | Error::Busy(_) | Error::TooManyImports(_) => {
                problem.with_header(header::RETRY_AFTER, PLACES_RETRY_SECONDS.to_string())
            }
            Error::TooManyLogins => {
                problem.with_header(header::RETRY_AFTER, LOGINS_RETRY_SECONDS.to_string())
            }
            Error::TooManyKeys(_) => {
                problem.with_header(header::RETRY_AFTER, KEYS_RETRY_SECONDS.to_string())
            }
            Error::Throttled {
                retry_after_seconds,
            }
            | Error::TooManyOwnChanges {
                retry_after_seconds,
                ..
            } => problem.with_header(header::RETRY_AFTER, retry_after_seconds.to_string()),
            Error::Unavailable
            | Error::DatabaseUnavailable
            | Error::OpenTooLong
            | Error::WorkLimit(_)
            | Error::TimeLimit(_)
            | Error::OtherRelease => {
                problem.with_header(header::RETRY_AFTER, RETRY_AFTER_SECONDS.to_string())
            }
            Error::DiskFull | Error::TemporaryFull | Error::ImportsFull(_) => {
                problem.with_header(header::RETRY_AFTER, DISK_RETRY_SECONDS.to_string())
            }
            Error::Internal(cause) => {
                tracing::error!(
                    cause = &*cause as &dyn std::error::Error,
                    "a request failed"
                );
                problem
            }
            _ => problem,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        for (name, value) in &self.headers {
            if let Ok(value) = HeaderValue::from_str(value) {
                response.headers_mut().insert(name.clone(), value);
            }
        }
        response.extensions_mut().insert(self);
        response
    }
}
