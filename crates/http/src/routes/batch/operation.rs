//! The operations in the body of a batch.

use axum::http::Method;
use stockroom_model::body::Report;
use stockroom_model::json::{Map, Value};
use stockroom_service::Error;

use super::references;
use crate::answer::Problem;
use crate::open_transaction::{Dispatcher, dry_run};
use crate::request::Parameters;

/// A write.
pub(super) struct Operation {
    pub(super) method: Method,
    /// Path and query below `/rest`.
    pub(super) path: String,
    pub(super) body: Option<Value>,
    /// The value of the header.
    pub(super) if_match: Option<String>,
}

/// Reads the body; reports all problems together.
pub(super) fn operations(
    body: Value,
    most: usize,
    dispatcher: &Dispatcher,
) -> Result<Vec<Operation>, Problem> {
    let wanted = || {
        let detail = format!("must be a list of 1 to {most} operations");
        Problem::invalid("/operations", detail)
    };
    let Value::Object(mut members) = body else {
        return Err(Problem::invalid("", "must be an object with `operations`"));
    };
    let Some(Value::Array(sent)) = members.shift_remove("operations") else {
        return Err(wanted());
    };
    if sent.is_empty() || sent.len() > most {
        return Err(wanted());
    }
    let report = Report::default();
    let mut operations: Vec<Operation> = Vec::with_capacity(sent.len());
    for (index, value) in sent.into_iter().enumerate() {
        let pointer = format!("/operations/{index}");
        let reader = Reader {
            report: &report,
            pointer: &pointer,
            dispatcher,
        };
        let operation = reader.read(value);
        let gives_id = |other: usize| {
            let other = operations.get(other);
            other.is_some_and(|other| other.method == Method::POST)
        };
        references::check(&operation, &pointer, gives_id, &report);
        operations.push(operation);
    }
    Ok(report.finish(Some(operations)).map_err(Error::from)?)
}

/// Reads one operation.
struct Reader<'r> {
    report: &'r Report,
    pointer: &'r str,
    dispatcher: &'r Dispatcher,
}

impl Reader<'_> {
    fn problem(&self, member: &str, detail: &str) {
        let pointer = format!("{}{member}", self.pointer);
        self.report.problem(pointer, detail.to_owned());
    }

    fn read(&self, value: Value) -> Operation {
        let mut members = if let Value::Object(members) = value {
            members
        } else {
            self.problem("", "must be an object with `method` and `path`");
            Map::new()
        };
        let method = self.method(members.get("method"));
        let path = members.get("path").and_then(Value::as_str).unwrap_or("");
        self.check_path(&method, path);
        Operation {
            path: without_slash(path),
            if_match: self.if_match(members.get("if_match")),
            body: members.shift_remove("body"),
            method,
        }
    }

    fn method(&self, sent: Option<&Value>) -> Method {
        match sent.and_then(Value::as_str) {
            Some("POST") => Method::POST,
            Some("PUT") => Method::PUT,
            Some("PATCH") => Method::PATCH,
            Some("DELETE") => Method::DELETE,
            _ => {
                self.problem("/method", "must be POST, PUT, PATCH or DELETE");
                Method::POST
            }
        }
    }

    fn check_path(&self, method: &Method, path: &str) {
        if !path.starts_with('/') {
            let detail = "must be a path below /rest, such as /objects/7";
            return self.problem("/path", detail);
        }
        // The ids are not known yet, but any of them leads to the same route.
        let target = format!("/rest{}", references::with_any_ids(&without_slash(path)));
        if let Err(detail) = self.dispatcher.target(method, &target) {
            self.problem("/path", detail);
        }
        let (_, query) = path.split_once('?').unwrap_or((path, ""));
        let parameters = Parameters::of_query(query);
        if parameters.is_ok_and(|parameters| parameters.has(dry_run::PARAMETER)) {
            self.problem("/path", "has dry_run, which is a parameter of the batch");
        }
    }

    /// A header, or a revision.
    fn if_match(&self, sent: Option<&Value>) -> Option<String> {
        let is_revision = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match sent? {
            Value::Null => None,
            Value::Number(number) => Some(format!("\"{number}\"")),
            Value::String(text) if is_revision(text) => Some(format!("\"{text}\"")),
            Value::String(text) => Some(text.clone()),
            _ => {
                self.problem("/if_match", "must be an entity tag, or a revision");
                None
            }
        }
    }
}

/// The router knows paths without a slash at their end.
fn without_slash(path: &str) -> String {
    match path.split_once('?') {
        Some((path, query)) => format!("{}?{query}", path.trim_end_matches('/')),
        None => path.trim_end_matches('/').to_owned(),
    }
}
