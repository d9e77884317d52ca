//! The same objects as rows of a CSV file, whose references name objects by their host names.

use std::ops::Range;

use serde_json::Value;
use stockroom_model::Timestamp;

use super::{FIRST_WITH_REFERENCES, hostname, insert_body};

/// The first row of the file.
pub(crate) fn header() -> String {
    let names: Vec<String> = fields(FIRST_WITH_REFERENCES)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    names.join(",") + "\n"
}

/// The file of these objects.
pub(crate) fn file(numbers: Range<i64>) -> String {
    let mut text = header();
    for number in numbers {
        add_row(number, 0, &mut text);
    }
    text
}

/// Appends the row of object `number` of an inventory that has the first objects only, with the
/// values of the object `shift` numbers further. No value needs quotes.
pub(crate) fn add_row(number: i64, shift: i64, text: &mut String) {
    let mut cells = vec![hostname(number)];
    let values = fields(number + shift).into_iter().skip(1);
    cells.extend(values.map(|(name, value)| cell(&name, &value)));
    text.push_str(&cells.join(","));
    text.push('\n');
}

fn fields(number: i64) -> Vec<(String, Value)> {
    let body = insert_body(number, FIRST_WITH_REFERENCES);
    let items = body["fields"].as_array().into_iter().flatten();
    items
        .map(|item| {
            let name = item["name"].as_str().unwrap_or_default();
            (name.to_owned(), item["value"].clone())
        })
        .collect()
}

fn cell(name: &str, value: &Value) -> String {
    if let Some(milliseconds) = value["$date"].as_i64() {
        return Timestamp(milliseconds * 1_000).to_iso();
    }
    match (name, value) {
        ("site" | "owner", Value::Number(id)) => hostname(id.as_i64().unwrap_or_default()),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_cell_for_each_column() {
        let columns = header().split(',').count();
        let mut row = String::new();
        add_row(4_711, 0, &mut row);
        assert_eq!(row.split(',').count(), columns, "{row}");
        assert!(row.starts_with("host-0004711,"), "{row}");
        assert!(!row.contains(['"', '{']), "{row}");
    }
}
