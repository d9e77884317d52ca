//! The header `traceparent` of W3C Trace Context, so that logs can be found by the trace of a client.

use axum::http::HeaderValue;

/// Which trace a request belongs to, in lower-case hexadecimal digits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TraceContext<'h> {
    pub(super) trace_id: &'h str,
    /// The span of the client.
    pub(super) parent_id: &'h str,
}

impl<'h> TraceContext<'h> {
    /// The trace that the header names; `None` if it is malformed.
    pub(super) fn of(header: &'h HeaderValue) -> Option<Self> {
        let mut parts = header.to_str().ok()?.split('-');
        let (version, trace_id, parent_id) = (parts.next()?, parts.next()?, parts.next()?);
        let _flags = parts.next().filter(|flags| is_hex(flags, 2))?;
        // Later versions may append parts; version 0 has none.
        let is_known = version != "00" || parts.next().is_none();
        let is_valid = is_hex(version, 2) && version != "ff";
        let has_ids = is_id(trace_id, 32) && is_id(parent_id, 16);
        (is_known && is_valid && has_ids).then_some(Self {
            trace_id,
            parent_id,
        })
    }
}

fn is_hex(text: &str, length: usize) -> bool {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == length && text.bytes().all(is_digit)
}

fn is_id(text: &str, length: usize) -> bool {
    is_hex(text, length) && text.bytes().any(|byte| byte != b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    fn read(value: &str) -> bool {
        let header = HeaderValue::from_str(value).unwrap();
        let known = TraceContext {
            trace_id: TRACE,
            parent_id: PARENT,
        };
        TraceContext::of(&header).is_some_and(|context| context == known)
    }

    #[test]
    fn well_formed_headers_are_taken_up() {
        assert!(read(&format!("00-{TRACE}-{PARENT}-01")));
        assert!(read(&format!("01-{TRACE}-{PARENT}-00-more")));
    }

    #[test]
    fn others_are_ignored() {
        let zeros = "0".repeat(32);
        for header in [
            String::new(),
            format!("00-{TRACE}-{PARENT}"),
            format!("00-{TRACE}-{PARENT}-01-more"),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("00-{zeros}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}x-{PARENT}-01"),
        ] {
            assert!(!read(&header), "{header:?}");
        }
    }
}
