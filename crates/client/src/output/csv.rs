//! CSV as exports write it: RFC 4180, with a guard against formulas.

use serde_json::Value;
use stockroom_tables::csv::{Cell, Writer};

use super::column::{Column, cell};

/// A row of values.
pub(super) fn row<'v>(values: impl Iterator<Item = Option<&'v Value>>) -> String {
    let texts = values.map(|value| match value {
        None | Some(Value::Null) => None,
        Some(value) => Some((cell(Some(value)), value.is_number())),
    });
    let texts: Vec<Option<(String, bool)>> = texts.collect();
    line(texts.iter().map(|text| match text {
        None => Cell::Nothing,
        Some((number, true)) => Cell::Number(number),
        Some((text, false)) => Cell::Text(text.into()),
    }))
}

/// The first row.
pub(super) fn header(columns: &[Column]) -> String {
    line(
        columns
            .iter()
            .map(|column| Cell::Text(column.title().into())),
    )
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

fn line<'c>(cells: impl Iterator<Item = Cell<'c>>) -> String {
    let mut line = String::new();
    Writer::new(b',').line(&mut line, cells);
    line
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
            json!(""),
        ];
        let row = row(values.iter().map(Some));
        assert_eq!(row, "'=1+1,-5,'-5,''=x,it's,\"a,\"\"b\"\"\",,\"\"\r\n");
    }
}
