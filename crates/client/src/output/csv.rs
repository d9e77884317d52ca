//! CSV as exports write it: RFC 4180, with a guard against formulas.

use serde_json::Value;

use super::column::{Column, cell};

/// A row of values.
pub(super) fn row<'v>(values: impl Iterator<Item = Option<&'v Value>>) -> String {
    let cells = values.map(|value| match value {
        Some(Value::Number(number)) => number.to_string(),
        value => quoted(&guarded(cell(value))),
    });
    line(&cells.collect::<Vec<_>>())
}

/// The first row.
pub(super) fn header(columns: &[Column]) -> String {
    let titles = columns.iter().map(|column| quoted(column.title()));
    line(&titles.collect::<Vec<_>>())
}

/// A record as a table of one row.
pub(super) fn record(record: &Value) -> String {
    let members = record.as_object();
    let columns: Vec<Column> = members
        .into_iter()
        .flatten()
        .map(|(name, _)| Column::new(name.clone()))
        .collect();
    let values = row(columns.iter().map(|column| column.value(record)));
    header(&columns) + &values
}

fn line(cells: &[String]) -> String {
    format!("{}\r\n", cells.join(","))
}

/// Keeps a spreadsheet from running the text as a formula. A text that begins with the guard itself
/// gets another one, so that it can be taken off again.
fn guarded(text: String) -> String {
    let rest = text.strip_prefix('\'').unwrap_or(&text);
    let is_formula = rest.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if is_formula || text.starts_with("''") {
        format!("'{text}")
    } else {
        text
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_no_formulas_and_numbers_stay() {
        let values = [
            json!("=1+1"),
            json!(-5),
            json!("-5"),
            json!("'=x"),
            json!("it's"),
            json!("a,\"b\""),
            json!(null),
        ];
        let row = row(values.iter().map(Some));
        assert_eq!(row, "'=1+1,-5,'-5,''=x,it's,\"a,\"\"b\"\"\",\r\n");
    }
}
