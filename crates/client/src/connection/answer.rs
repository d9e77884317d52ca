//! Answers, and what a refusal says.

use std::fmt::Write as _;
use std::io::Read;

use serde_json::Value;
use ureq::Body;
use ureq::http::Response;

use crate::failure::{Exit, Failure};
use crate::output::{complain, printable};

/// No answer that this program asks for is longer.
const LONGEST: u64 = 1 << 28;
/// Nor is a refusal.
const LONGEST_REFUSAL: u64 = 1 << 20;
/// Nor has one more values: each takes up to a hundred bytes of memory.
const MOST_VALUES: usize = 4_000_000;

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
        let document = document(&mut response.body_mut().as_reader(), LONGEST);
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

    pub(super) fn print_warnings(&self) {
        let warnings = self.document.get("warnings").and_then(Value::as_array);
        for warning in warnings.into_iter().flatten() {
            complain(&format!("warning: {}", place_and_detail(warning)));
        }
    }
}

/// Reads a document of at most so many bytes, after they were decompressed.
fn document(body: &mut impl Read, most: u64) -> Result<Value, String> {
    let mut bytes = Vec::new();
    let read = body.take(most.saturating_add(1)).read_to_end(&mut bytes);
    let read = read.map_err(|error| error.to_string())?;
    if read as u64 > most {
        return Err(format!("it is longer than {most} bytes"));
    }
    if values(&bytes) > MOST_VALUES {
        return Err(format!("it has more than {MOST_VALUES} values"));
    }
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
    let problem =
        document(&mut response.body_mut().as_reader(), LONGEST_REFUSAL).unwrap_or_default();
    let text = |name: &str| problem.get(name).and_then(Value::as_str);
    let title = text("title").or(status.canonical_reason());
    let mut message = format!("{} ({})", title.unwrap_or("refused"), status.as_u16());
    if let Some(detail) = text("detail") {
        let _ = write!(message, ": {detail}");
    }
    let errors = problem.get("errors").and_then(Value::as_array);
    // A single fault without a pointer is the detail.
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

/// The number of values, roughly: each but the first has a comma, a colon or a bracket before it.
fn values(json: &[u8]) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts() {
        for (json, count) in [
            (r#""a,b""#, 0),
            ("[1,2,3]", 3),
            (r#"{"a":"[,\",","b":[{}]}"#, 4),
            (r#"["\\",1]"#, 2),
        ] {
            assert_eq!(values(json.as_bytes()), count, "{json}");
        }
    }

    #[test]
    fn long_documents_and_those_of_many_values_are_refused() {
        let read = |json: &str, most| document(&mut json.as_bytes(), most);
        assert!(read("[1]", 3).is_ok());
        assert!(read("[1, 2]", 3).unwrap_err().contains("longer"));
        let many = format!("[{}1]", "1,".repeat(MOST_VALUES));
        assert!(read(&many, u64::MAX).unwrap_err().contains("values"));
    }
}
