//! The columns of tables, and the cells below them.

use jiff::Timestamp;
use serde_json::Value;

use super::text::json_line;

/// A path into a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column(String);

impl Column {
    pub(crate) fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    /// The title of the column.
    pub(crate) fn title(&self) -> &str {
        &self.0
    }

    /// The title for people.
    pub(crate) fn heading(&self) -> &str {
        self.0.strip_prefix("fields.").unwrap_or(&self.0)
    }

    /// The value in a record. A path that leads nowhere from the record is that of a field.
    pub(crate) fn value<'r>(&self, record: &'r Value) -> Option<&'r Value> {
        walk(record, &self.0).or_else(|| walk(record.get("fields")?, &self.0))
    }
}

/// Follows a path. An item of a list is found by its name, and stands for its value.
fn walk<'r>(value: &'r Value, path: &str) -> Option<&'r Value> {
    let (first, rest) = match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    };
    let inner = match value {
        Value::Object(members) => members.get(first)?,
        Value::Array(items) => {
            let is_named = |item: &&Value| item.get("name").is_some_and(|name| name == first);
            let item = items.iter().find(is_named)?;
            item.get("value").unwrap_or(item)
        }
        _ => return None,
    };
    rest.map_or(Some(inner), |rest| walk(inner, rest))
}

/// The text of a value in a cell.
pub(crate) fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) if items.iter().all(is_scalar) => {
            let items: Vec<_> = items.iter().map(|item| cell(Some(item))).collect();
            items.join(", ")
        }
        Some(value) => date(value).unwrap_or_else(|| json_line(value)),
    }
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// `{"$date": milliseconds}` in words.
fn date(value: &Value) -> Option<String> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    let time = Timestamp::from_millisecond(members.get("$date")?.as_i64()?);
    time.ok().map(|time| time.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_column_finds_members_fields_and_parts_of_lists() {
        let object = json!({"public_id": 3, "fields": [
            {"name": "hostname", "value": "web-01"}, {"name": "cores", "value": null}]});
        let r#type = json!({"meta": {"icon": "x"}, "fields": [{"name": "site", "type": "ref"}]});
        for (record, path, expected) in [
            (&object, "public_id", "3"),
            (&object, "hostname", "web-01"),
            (&object, "fields.hostname", "web-01"),
            (&object, "cores", ""),
            (&object, "memory", ""),
            (&r#type, "meta.icon", "x"),
            (&r#type, "fields.site.type", "ref"),
        ] {
            assert_eq!(cell(Column::new(path).value(record)), expected, "{path}");
        }
    }

    #[test]
    fn cells_are_short() {
        for (value, expected) in [
            (json!(true), "true"),
            (json!([1, "a"]), "1, a"),
            (json!([{"a": 1}]), r#"[{"a":1}]"#),
            (
                json!({"$date": 1_772_600_767_089_i64}),
                "2026-03-04T05:06:07.089Z",
            ),
        ] {
            assert_eq!(cell(Some(&value)), expected);
        }
    }
}
