//! The cell of a file as the value of a field.

use stockroom_model::Timestamp;
use stockroom_model::json::Value;
use stockroom_model::r#type::FieldDefinition;
use stockroom_tables::{Cell, csv};

use super::file::File;
use super::plan::DateOrder;

/// What a cell says about its field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Converted {
    /// Nothing: the field stays as it is.
    Absent,
    Value(Value),
    /// Why the cell cannot be used.
    Problem(String),
}

/// How the cells of a file are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells {
    is_table: bool,
    has_escapes: bool,
}

impl Cells {
    pub(super) fn of(file: &File) -> Self {
        Self {
            is_table: file.is_table(),
            has_escapes: file.has_escapes,
        }
    }

    /// The value for a field. `dates` is how its dates are written, if they are not ISO 8601.
    pub(super) fn field(
        self,
        cell: &Cell,
        field: &FieldDefinition,
        dates: Option<DateOrder>,
    ) -> Converted {
        if self.is_exact(cell) {
            return self.value(cell, field.is_text());
        }
        match self.guessed(cell, field, dates) {
            Converted::Value(Value::String(text)) => Converted::Value(option(text, field).into()),
            other => other,
        }
    }

    fn guessed(self, cell: &Cell, field: &FieldDefinition, dates: Option<DateOrder>) -> Converted {
        match self.value(cell, field.is_text()) {
            Converted::Value(Value::String(text)) if !field.is_text() && text.trim().is_empty() => {
                Converted::Value(Value::Null)
            }
            Converted::Value(Value::String(text)) if self.is_table && !field.is_text() => {
                Converted::Value(of_text(text, field, dates))
            }
            Converted::Value(value) if field.is_text() => Converted::Value(as_text(value)),
            other => other,
        }
    }

    /// The value for something that is no field.
    pub(super) fn other(self, cell: &Cell) -> Converted {
        match self.value(cell, false) {
            Converted::Value(Value::String(text)) if self.is_table => {
                Converted::Value(boolean(&text).map_or_else(|| json(text), Value::from))
            }
            other => other,
        }
    }

    /// The text by which a cell names an object.
    pub(super) fn text(self, cell: &Cell) -> Converted {
        match self.value(cell, true) {
            Converted::Value(value) => Converted::Value(as_text(value)),
            other => other,
        }
    }

    /// Whether a cell says what value it means, so that nothing is to be guessed.
    fn is_exact(self, cell: &Cell) -> bool {
        let Cell::Value(Value::String(text)) = cell else {
            return false;
        };
        self.has_escapes && csv::cell::is_marked(csv::undo(text))
    }

    fn value(self, cell: &Cell, holds_texts: bool) -> Converted {
        match cell {
            Cell::Missing => Converted::Absent,
            Cell::Nothing => Converted::Value(Value::Null),
            Cell::Broken(problem) => Converted::Problem(problem.clone()),
            Cell::Value(Value::String(text)) if self.has_escapes => {
                match csv::cell::read(Some(csv::undo(text)), holds_texts) {
                    Ok(Some(value)) => Converted::Value(value),
                    Ok(None) => Converted::Absent,
                    Err(error) => {
                        Converted::Problem(format!("has no JSON after its backslash: {error}"))
                    }
                }
            }
            Cell::Value(value) => Converted::Value(value.clone()),
        }
    }
}

/// A text of a table as the value of a field that holds no texts. What cannot be read stays a
/// text, so that the check of the field says what is wrong.
fn of_text(text: String, field: &FieldDefinition, dates: Option<DateOrder>) -> Value {
    let trimmed = text.trim();
    if field.is_reference() {
        return trimmed
            .parse::<i64>()
            .map_or(Value::String(text), Value::from);
    }
    if field.is_date() {
        let told = || dates.and_then(|order| order.iso(trimmed));
        return date(trimmed)
            .or_else(told)
            .map_or(Value::String(text), Value::String);
    }
    if field.kind == "checkbox"
        && let Some(value) = boolean(trimmed)
    {
        return Value::Bool(value);
    }
    json(text)
}

/// People see the labels of options, and so do files for people.
fn option(text: String, field: &FieldDefinition) -> String {
    if field.options.is_empty() || field.options.contains(&text) {
        return text;
    }
    let option = field.option_with_label(text.trim());
    option.map_or(text, str::to_owned)
}

/// Other values than texts are written as such; a date written as an object stays one.
fn as_text(value: Value) -> Value {
    match value {
        Value::Number(_) | Value::Bool(_) | Value::Array(_) => Value::String(value.to_string()),
        Value::Object(ref members) if !members.contains_key("$date") => {
            Value::String(value.to_string())
        }
        other => other,
    }
}

/// A number or boolean if the text is one, else the text. So is an integer of more than 64 bits: as
/// a number it would lose its last digits.
fn json(text: String) -> Value {
    match serde_json::from_str(text.trim()) {
        Ok(Value::Number(number)) if number.is_f64() && !text.contains(['.', 'e', 'E']) => {
            Value::String(text)
        }
        Ok(value @ (Value::Number(_) | Value::Bool(_) | Value::Object(_))) => value,
        _ => Value::String(text),
    }
}

fn boolean(text: &str) -> Option<bool> {
    match &*text.to_ascii_lowercase() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// A date as ISO 8601. `31.12.2026` is one, too; `12/31/2026` means different days to different
/// people.
fn date(text: &str) -> Option<String> {
    if Timestamp::from_text(text).is_some() {
        return Some(text.to_owned());
    }
    let mut parts = text.split('.').map(str::trim);
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    // Two digits may be of any century.
    if year.len() != 4 || parts.next().is_some() {
        return None;
    }
    let (day, month) = (day.parse::<u32>().ok()?, month.parse::<u32>().ok()?);
    let iso = format!("{year}-{month:02}-{day:02}");
    Timestamp::from_text(&iso).is_some().then_some(iso)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(kind: &str) -> FieldDefinition {
        let definition = json!({"type": kind, "name": "f", "label": "f"});
        FieldDefinition::new(definition.as_object().unwrap().clone())
    }

    #[test]
    fn cells_of_tables_take_the_kind_of_their_field() {
        let cells = Cells {
            is_table: true,
            has_escapes: false,
        };
        for (kind, cell, expected) in [
            ("text", json!("012"), json!("012")),
            ("text", json!(12), json!("12")),
            ("text", json!(""), json!("")),
            ("number", json!("12.50"), json!(12.50)),
            ("number", json!(""), json!(null)),
            ("number", json!("twelve"), json!("twelve")),
            ("number", json!("18446744073709551615"), json!(u64::MAX)),
            (
                "number",
                json!("89490200001234567890"),
                json!("89490200001234567890"),
            ),
            ("checkbox", json!("Yes"), json!(true)),
            ("checkbox", json!("0"), json!(false)),
            ("date", json!("31.12.2026"), json!("2026-12-31")),
            ("date", json!("31.02.2026"), json!("31.02.2026")),
            ("date", json!("31.12.24"), json!("31.12.24")),
            ("date", json!("12/31/2026"), json!("12/31/2026")),
            ("ref", json!(" 7 "), json!(7)),
            ("ref", json!("web"), json!("web")),
        ] {
            let converted = cells.field(&Cell::Value(cell.clone()), &field(kind), None);
            assert_eq!(converted, Converted::Value(expected), "{kind}: {cell}");
        }
        assert_eq!(
            cells.field(&Cell::Missing, &field("text"), None),
            Converted::Absent
        );
        assert_eq!(
            cells.field(&Cell::Nothing, &field("text"), None),
            Converted::Value(json!(null))
        );
    }

    #[test]
    fn escapes_are_undone_in_our_own_files_only() {
        let own = Cells {
            is_table: true,
            has_escapes: true,
        };
        let foreign = Cells {
            is_table: true,
            has_escapes: false,
        };
        for (cell, undone) in [
            ("'=1+1", Converted::Value(json!("=1+1"))),
            ("\\\\n", Converted::Value(json!("\\n"))),
            ("\\", Converted::Absent),
        ] {
            let cell = Cell::Value(json!(cell));
            assert_eq!(own.field(&cell, &field("text"), None), undone);
            let Cell::Value(as_is) = cell.clone() else {
                unreachable!()
            };
            assert_eq!(
                foreign.field(&cell, &field("text"), None),
                Converted::Value(as_is)
            );
        }
        let exact = own.field(&Cell::Value(json!("\\\"4\"")), &field("number"), None);
        assert_eq!(exact, Converted::Value(json!("4")));
        let broken = own.field(&Cell::Value(json!("\\{")), &field("number"), None);
        assert!(matches!(broken, Converted::Problem(_)), "{broken:?}");
    }
}
