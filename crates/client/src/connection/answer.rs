//! Answers, and what a refusal says.

use std::fmt::Write as _;

use serde_json::Value;
use ureq::Body;
use ureq::http::Response;

use crate::failure::{Exit, Failure};
use crate::output::{complain, printable};

/// No answer that this program asks for is longer.
const LONGEST: u64 = 1 << 28;
/// Nor is a refusal.
const LONGEST_REFUSAL: u64 = 1 << 20;

/// The answer to a request that was not refused.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The JSON document.
    pub(crate) document: Value,
    /// The entity tag of the record, if the answer has one.
    pub(crate) tag: Option<String>,
}

impl Answer {
    pub(super) fn read(mut response: Response<Body>) -> Result<Self, Failure> {
        if !response.status().is_success() {
            return Err(refusal(response));
        }
        let document = document(response.body_mut(), LONGEST);
        let document = document.map_err(|reason| {
            let message = format!("the answer is not that of a Stockroom server: {reason}");
            Failure::other(message)
        })?;
        let tag = response.headers().get("etag");
        let tag = tag.and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        Ok(Self { document, tag })
    }

    /// The record in the envelope of a read or a write.
    pub(crate) fn into_record(self) -> Value {
        let Value::Object(mut members) = self.document else {
            return self.document;
        };
        ["result", "raw", "deleted_entry"]
            .into_iter()
            .find_map(|name| members.shift_remove(name))
            .unwrap_or(Value::Object(members))
    }

    /// The records of a list.
    pub(crate) fn take_results(&mut self) -> Vec<Value> {
        match self.document.get_mut("results").map(Value::take) {
            Some(Value::Array(records)) => records,
            _ => Vec::new(),
        }
    }

    /// The cursor of the page after the one at `cursor`.
    ///
    /// # Errors
    ///
    /// It is the same one, so that there would be no end.
    pub(crate) fn next_page(&self, cursor: &str) -> Result<Option<String>, Failure> {
        let after = self.document.pointer("/pager/after");
        match after.and_then(Value::as_str) {
            Some(after) if after == cursor => Err(Failure::other(format!(
                "the server answers that the page after {after:?} comes after itself"
            ))),
            after => Ok(after.map(str::to_owned)),
        }
    }

    pub(super) fn print_warnings(&self) {
        let warnings = self.document.get("warnings").and_then(Value::as_array);
        for warning in warnings.into_iter().flatten() {
            complain(&format!("warning: {}", place_and_detail(warning)));
        }
    }
}

fn document(body: &mut Body, most: u64) -> Result<Value, String> {
    let bytes = body.with_config().limit(most).read_to_vec();
    let bytes = bytes.map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}

/// What the problem document of a refusal says.
pub(super) fn refusal(mut response: Response<Body>) -> Failure {
    let status = response.status();
    let exit = Exit::of_status(status.as_u16());
    if status.is_redirection() {
        let target = response.headers().get("location");
        let target = target.and_then(|target| target.to_str().ok());
        let message = format!(
            "the server is at another address: {}",
            printable(target.unwrap_or("unknown"))
        );
        return Failure::new(exit, message);
    }
    let problem = document(response.body_mut(), LONGEST_REFUSAL).unwrap_or_default();
    let text = |name: &str| problem.get(name).and_then(Value::as_str);
    let title = text("title").or(status.canonical_reason());
    let mut message = format!("{} ({})", title.unwrap_or("refused"), status.as_u16());
    if let Some(detail) = text("detail") {
        let _ = write!(message, ": {detail}");
    }
    let errors = problem.get("errors").and_then(Value::as_array);
    // A single fault without a place is the detail.
    let faults = errors.into_iter().flatten().map(place_and_detail);
    for fault in faults.filter(|fault| text("detail") != Some(fault)) {
        let _ = write!(message, "\n  {fault}");
    }
    if let Some(id) = text("request_id") {
        let _ = write!(message, "\n  request id: {id}");
    }
    let operation = problem.get("operation").and_then(Value::as_u64);
    Failure {
        operation: operation.and_then(|number| usize::try_from(number).ok()),
        ..Failure::new(exit, message)
    }
}

fn place_and_detail(fault: &Value) -> String {
    let text = |name: &str| fault.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("pointer") {
        "" => text("detail").to_owned(),
        pointer => format!("{pointer}: {}", text("detail")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_that_comes_after_itself_is_an_error() {
        let answer = |pager: Value| Answer {
            document: json!({ "pager": pager }),
            tag: None,
        };
        let next = answer(json!({"after": "b"}));
        assert_eq!(next.next_page("a").unwrap().as_deref(), Some("b"));
        assert!(next.next_page("b").is_err());
        assert_eq!(answer(json!({"after": null})).next_page("b").unwrap(), None);
    }
}
