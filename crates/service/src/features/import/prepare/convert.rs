//! The cell of a file as the value of a field.

use stockroom_model::json::Value;
use stockroom_model::kind::{DateOrder, guessed_value, id_value};
use stockroom_model::object::is_increment;
use stockroom_model::r#type::FieldDefinition;
use stockroom_tables::{Cell, csv};

use crate::features::import::file::File;

/// What a cell says about its field.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::features::import) enum Converted {
    /// Nothing: the field stays as it is.
    Absent,
    Value(Value),
    /// Why the cell cannot be used.
    Problem(String),
}

/// How the cells of a file are read.
#[derive(Debug, Clone, Copy)]
pub(in crate::features::import) struct Cells {
    is_table: bool,
    has_escapes: bool,
}

impl Cells {
    pub(in crate::features::import) fn of(file: &File) -> Self {
        Self {
            is_table: file.is_table(),
            has_escapes: file.has_escapes,
        }
    }

    /// The value for a field. `dates` is how its dates are written, if they are not ISO 8601. A file
    /// has values only: whoever runs an import again would add once more.
    pub(in crate::features::import) fn field(
        self,
        cell: &Cell,
        field: &FieldDefinition,
        dates: Option<DateOrder>,
    ) -> Converted {
        match self.any_value(cell, field, dates) {
            Converted::Value(value) if is_increment(&value) => {
                Converted::Problem("is no value, but an operation of PATCH".to_owned())
            }
            converted => converted,
        }
    }

    fn any_value(
        self,
        cell: &Cell,
        field: &FieldDefinition,
        dates: Option<DateOrder>,
    ) -> Converted {
        if self.is_exact(cell) {
            return self.value(cell, field.kind.holds_texts());
        }
        let value = match self.guessed(cell, field, dates) {
            Converted::Value(Value::String(text)) => option(text, field).into(),
            Converted::Value(value) => value,
            other => return other,
        };
        // Keys of rows are compared with what is stored.
        Converted::Value(field.kind.canonical(&value).unwrap_or(value))
    }

    fn guessed(self, cell: &Cell, field: &FieldDefinition, dates: Option<DateOrder>) -> Converted {
        let holds_texts = field.kind.holds_texts();
        match self.value(cell, holds_texts) {
            Converted::Value(value) if holds_texts => Converted::Value(as_text(value)),
            Converted::Value(Value::String(text)) if self.is_none(&text, field) => {
                Converted::Value(Value::Null)
            }
            Converted::Value(Value::String(text)) if self.is_table => {
                Converted::Value(field.kind.read_cell(text, dates))
            }
            other => other,
        }
    }

    /// Whether a text is no value. In our own files, spaces are one if the field can hold them.
    fn is_none(self, text: &str, field: &FieldDefinition) -> bool {
        let is_kept = || self.has_escapes && field.kind.accepts(&text.into());
        text.is_empty() || text.trim().is_empty() && !is_kept()
    }

    /// The id of an object.
    pub(in crate::features::import) fn id(self, cell: &Cell) -> Converted {
        match self.value(cell, false) {
            Converted::Value(Value::String(text)) if text.trim().is_empty() => {
                Converted::Value(Value::Null)
            }
            Converted::Value(Value::String(text)) if self.is_table => {
                Converted::Value(id_value(text))
            }
            other => other,
        }
    }

    /// The value for something that is no field.
    pub(in crate::features::import) fn other(self, cell: &Cell) -> Converted {
        match self.value(cell, false) {
            Converted::Value(Value::String(text)) if self.is_table => {
                Converted::Value(guessed_value(text))
            }
            other => other,
        }
    }

    /// The text by which a cell names an object.
    pub(in crate::features::import) fn text(self, cell: &Cell) -> Converted {
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
                match csv::cell::read_cell(Some(csv::undo(text)), holds_texts) {
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
            ("checkbox", json!("maybe"), json!("maybe")),
            (
                "mac",
                json!("00-1B-44-11-3A-B7"),
                json!("00:1b:44:11:3a:b7"),
            ),
            ("mac", json!(" "), json!(null)),
            (
                "url",
                json!("HTTPS://example.org "),
                json!("https://example.org"),
            ),
            ("email", json!("it@Example.org"), json!("it@example.org")),
            (
                "datetime",
                json!("31.12.2026"),
                json!({"$date": 1_798_675_200_000_i64}),
            ),
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
