//! Says what became of objects whose records are missing from the file.

use serde_json::{Value, json};

use super::report::{PRINTED, count, is_undo, line, print_table};
use super::{Flags, path};
use crate::connection::{Connection, Request};
use crate::failure::Failure;
use crate::output::complain;

/// Prints the first objects whose records are missing, unless they were just taken back.
pub(super) fn print(flags: &Flags, connection: &Connection, import: &Value) -> Result<(), Failure> {
    let all = count(import, "missing") + count(import, "kept");
    if all == 0 || is_undo(import) {
        return Ok(());
    }
    let id = import.get("id").and_then(Value::as_i64).unwrap_or_default();
    let path = format!("{}/missing", path(id));
    let mut request = Request::get(&path);
    request.parameters = vec![("limit", PRINTED.to_string())];
    let found = connection.send(&request)?.take_results();
    let rows: Vec<Value> = found.iter().map(row).collect();
    print_table(flags, &["object", "key", "status", "problem"], &rows)?;
    if all > rows.len() as u64 {
        complain(&format!("{} of {all} missing records", rows.len()));
    }
    Ok(())
}

fn row(missing: &Value) -> Value {
    let key = missing.get("external_key").and_then(Value::as_array);
    let key: Vec<&str> = key
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut row = line(missing);
    row["object"] = json!(missing.get("object"));
    row["key"] = json!(key.join(", "));
    row
}
