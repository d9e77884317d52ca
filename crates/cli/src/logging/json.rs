//! Lines of the log in JSON. Each request writes one: with the formatter of `tracing-subscriber`,
//! that was a quarter of the work of a short read.

use std::fmt::{self, Write};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// Writes an event as an object: its time, level, fields and target, and the span around it.
pub(super) struct JsonEvent;

/// Writes fields as members of an object, each after a comma.
pub(super) struct JsonFields;

impl<S, N> FormatEvent<S, N> for JsonEvent
where
    S: Subscriber + for<'l> LookupSpan<'l>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let metadata = event.metadata();
        writer.write_str(r#"{"timestamp":""#)?;
        SystemTime.format_time(&mut writer)?;
        writer.write_str(r#"","level":""#)?;
        writer.write_str(metadata.level().as_str())?;
        writer.write_char('"')?;
        context.format_fields(writer.by_ref(), event)?;
        member(&mut writer, "target", metadata.target())?;
        let span = event
            .parent()
            .and_then(|parent| context.span(parent))
            .or_else(|| (!event.is_root()).then(|| context.lookup_current())?);
        if let Some(span) = span {
            writer.write_str(r#","span":{"name":""#)?;
            Escaped(&mut writer).write_str(span.name())?;
            writer.write_char('"')?;
            if let Some(fields) = span.extensions().get::<FormattedFields<N>>() {
                writer.write_str(fields)?;
            }
            writer.write_char('}')?;
        }
        writer.write_str("}\n")
    }
}

impl<'w> FormatFields<'w> for JsonFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut members = Members {
            writer,
            result: Ok(()),
        };
        fields.record(&mut members);
        members.result
    }
}

struct Members<'w> {
    writer: Writer<'w>,
    result: fmt::Result,
}

impl Members<'_> {
    /// Writes a member whose value is JSON already.
    fn plain(&mut self, field: &Field, value: impl fmt::Display) {
        self.add(|writer| {
            name(writer, field.name())?;
            write!(writer, "{value}")
        });
    }

    fn add(&mut self, write: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        if self.result.is_ok() {
            self.result = write(&mut self.writer);
        }
    }
}

impl Visit for Members<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        if value.is_finite() {
            self.plain(field, value);
        } else {
            self.plain(field, "null");
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.plain(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.plain(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.plain(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(|writer| member(writer, field.name(), value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(|writer| {
            name(writer, field.name())?;
            writer.write_char('"')?;
            write!(Escaped(writer), "{value:?}")?;
            writer.write_char('"')
        });
    }
}

fn member(writer: &mut Writer<'_>, key: &str, value: &str) -> fmt::Result {
    name(writer, key)?;
    writer.write_char('"')?;
    Escaped(writer).write_str(value)?;
    writer.write_char('"')
}

/// Fields are named in the program, so nothing in a name needs an escape.
fn name(writer: &mut Writer<'_>, name: &str) -> fmt::Result {
    writer.write_str(",\"")?;
    writer.write_str(name.trim_start_matches("r#"))?;
    writer.write_str("\":")
}

/// Writes a text as part of a JSON string.
struct Escaped<'a, W>(&'a mut W);

impl<W: Write> Write for Escaped<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.bytes().position(needs_escape) {
            let (plain, escaped) = rest.split_at(at);
            self.0.write_str(plain)?;
            match escaped.as_bytes() {
                [byte @ (b'"' | b'\\'), ..] => write!(self.0, "\\{}", char::from(*byte))?,
                [byte, ..] => write!(self.0, "\\u{byte:04x}")?,
                [] => {}
            }
            rest = escaped.get(1..).unwrap_or_default();
        }
        self.0.write_str(rest)
    }
}

const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'"' | b'\\')
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The lines that are written meanwhile, without their times.
    fn lines(write: impl FnOnce()) -> Vec<Value> {
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt()
            .event_format(JsonEvent)
            .fmt_fields(JsonFields)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, write);
        let bytes = lines.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        let parsed = text.lines().map(|line| {
            let mut line: Value = serde_json::from_str(line).expect(line);
            let time = line["timestamp"].take();
            assert!(time.as_str().is_some_and(|time| time.ends_with('Z')));
            line
        });
        parsed.collect()
    }

    #[test]
    fn a_line_has_the_fields_the_target_and_the_span() {
        let written = lines(|| {
            let none: Option<u64> = None;
            tracing::info!(parent: None, status = 200_u16, none, seconds = 0.000_25, "answered");
            let span = tracing::info_span!("request", request_id = "ab");
            let _entered = span.enter();
            tracing::warn!(is = true, low = -5, error = %"gone", "failed {}", 7);
        });
        let target = module_path!();
        let expected = [
            json!({"timestamp": null, "level": "INFO", "message": "answered", "status": 200,
                   "seconds": 0.000_25, "target": target}),
            json!({"timestamp": null, "level": "WARN", "message": "failed 7", "is": true, "low": -5,
                   "error": "gone", "target": target, "span": {"name": "request", "request_id": "ab"}}),
        ];
        assert_eq!(written, expected);
    }

    #[test]
    fn any_text_stays_what_it_is() {
        let text: String = (0..0x100)
            .filter_map(char::from_u32)
            .chain(['\u{2028}', '😀'])
            .collect();
        let written = lines(|| {
            tracing::info!(text, shown = %text, nan = f64::NAN, r#type = "t");
        });
        let [line] = &written[..] else {
            panic!("{written:?}");
        };
        assert_eq!(line["text"], text);
        assert_eq!(line["shown"], text);
        assert_eq!(line["nan"], Value::Null);
        assert_eq!(line["type"], "t");
    }
}
