//! Says what became of the rows.

use serde_json::{Value, json};

use super::{Flags, missing, path};
use crate::connection::{Connection, Cursors, Request};
use crate::failure::{Exit, Failure};
use crate::output::write_file;
use crate::output::{Format, ListOutputFlags, Printer, complain, printable, say};

/// The most refused rows that are printed.
pub(super) const PRINTED: usize = 100;
/// The statuses of an import, and of an undo, which also keeps those of the import.
const OF_IMPORT: [&str; 7] = [
    "new",
    "update",
    "unchanged",
    "missing",
    "kept",
    "duplicate",
    "error",
];
const OF_UNDO: [&str; 2] = ["undone", "kept"];
/// The results of rows that were not imported, or not taken back.
const REFUSED: [&str; 3] = ["duplicate", "error", "kept"];

/// Prints the import and its refused rows. Refused rows are a failure.
pub(super) fn report(
    flags: &Flags,
    connection: &Connection,
    mut import: Value,
) -> Result<(), Failure> {
    let id = import.get("id").and_then(Value::as_i64).unwrap_or_default();
    let refused = refused_statuses(&import);
    let refused: u64 = refused.map(|status| count(&import, status)).sum();
    let rows = refused_rows(connection, id, &import)?;
    if flags.output.output == Format::Table {
        if let Some(found) = found(&import).filter(|_| flags.source.is_some()) {
            say(&format!("{}\n", printable(&found)))?;
        }
        say(&format!("{}\n", printable(&summary(&import))))?;
        name_ignored_columns(&import);
        print_rows(flags, &rows)?;
        missing::print(flags, connection, &import)?;
        if refused > rows.len() as u64 {
            let shown = rows.len();
            complain(&format!("{shown} of {refused}; --failed FILE writes all"));
        }
    } else {
        if let Some(members) = import.as_object_mut() {
            // What the server found in the file is of interest before the import.
            members.shift_remove("columns");
            members.shift_remove("proposed_type");
        }
        import["refused"] = rows.into();
        flags.output.record(&import)?;
    }
    if let Some(file) = flags.failed.as_deref().filter(|_| refused > 0) {
        let path = format!("{}/failed", path(id));
        let mut content = connection.download(&Request::get(&path))?;
        write_file(file, &mut content)?;
    }
    check_refused(&import, refused)
}

/// A source says by itself which columns it takes.
fn name_ignored_columns(import: &Value) {
    let has_source = import
        .pointer("/plan/source")
        .is_some_and(|source| !source.is_null());
    let columns = import.pointer("/plan/columns").and_then(Value::as_object);
    let columns = columns.filter(|_| !has_source).into_iter().flatten();
    let ignored: Vec<_> = columns
        .filter(|(_, target)| target.is_null())
        .map(|(column, _)| format!("{column:?}"))
        .collect();
    if !ignored.is_empty() && !is_undo(import) {
        complain(&format!("columns that go nowhere: {}", ignored.join(", ")));
    }
}

/// The exit code of the command.
fn check_refused(import: &Value, refused: u64) -> Result<(), Failure> {
    let rows = |what: &str| match refused {
        1 => format!("1 row {what}"),
        _ => format!("{refused} rows {what}"),
    };
    if count(import, "kept") > 0 && is_undo(import) {
        return Err(Failure::new(Exit::Conflict, rows("could not be undone")));
    }
    if refused > 0 {
        return Err(Failure::new(Exit::BadInput, rows("refused")));
    }
    if let kept @ 1.. = count(import, "kept") {
        let message = format!("{kept} objects were kept although their records are missing");
        return Err(Failure::new(Exit::Conflict, message));
    }
    match import.get("state").and_then(Value::as_str) {
        Some(state @ ("failed" | "cancelled")) => {
            Err(Failure::other(format!("the import is {state}")))
        }
        _ => Ok(()),
    }
}

/// The statuses that the last step gave.
fn statuses(import: &Value) -> &'static [&'static str] {
    if is_undo(import) {
        &OF_UNDO
    } else {
        &OF_IMPORT
    }
}

pub(super) fn is_undo(import: &Value) -> bool {
    let state = import.get("state").and_then(Value::as_str);
    count(import, "undone") > 0 || state == Some("undone")
}

fn refused_statuses(import: &Value) -> impl Iterator<Item = &'static str> {
    let statuses = statuses(import).iter().copied();
    // An import keeps objects of missing records, not rows.
    let of_rows = if is_undo(import) {
        REFUSED
    } else {
        ["duplicate", "error", ""]
    };
    statuses.filter(move |status| of_rows.contains(status))
}

pub(super) fn count(import: &Value, status: &str) -> u64 {
    let count = import.get("counts").and_then(|counts| counts.get(status));
    count.and_then(Value::as_u64).unwrap_or_default()
}

/// `read as csv: separator ";", encoding UTF-8, header in row 3`
fn found(import: &Value) -> Option<String> {
    let file = import.get("file")?;
    let text = |name: &str| file.get(name).and_then(Value::as_str);
    let header = match file.get("header_row").and_then(Value::as_u64) {
        Some(row) => Some(format!("header in row {row}")),
        None if matches!(text("format")?, "csv" | "xlsx") => Some("no header".to_owned()),
        None => None,
    };
    let parts = [
        text("separator").map(|separator| format!("separator {separator:?}")),
        text("encoding").map(|encoding| format!("encoding {encoding}")),
        text("sheet").map(|sheet| format!("sheet {sheet:?}")),
        header,
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(format!("read as {}: {}", text("format")?, parts.join(", ")))
}

/// `import 3 is done: new 2, error 1`
fn summary(import: &Value) -> String {
    let text = |name: &str| import.get(name).and_then(Value::as_str);
    let counts = statuses(import).iter();
    let counts = counts.filter(|status| count(import, status) > 0);
    let counts: Vec<_> = counts
        .map(|status| format!("{status} {}", count(import, status)))
        .collect();
    let counts = if counts.is_empty() {
        "no rows".to_owned()
    } else {
        counts.join(", ")
    };
    let id = import.get("id").unwrap_or(&Value::Null);
    let state = text("state").unwrap_or_default();
    let reason = text("error").map(|error| format!("; {error}"));
    format!(
        "import {id} is {state}: {counts}{}",
        reason.unwrap_or_default()
    )
}

/// The first refused rows, in the order of the file.
fn refused_rows(connection: &Connection, id: i64, import: &Value) -> Result<Vec<Value>, Failure> {
    let mut rows = Vec::new();
    for status in refused_statuses(import).filter(|status| count(import, status) > 0) {
        rows.extend(rows_of(connection, id, status)?);
    }
    rows.sort_by_key(|row| row.get("row").and_then(Value::as_u64));
    rows.truncate(PRINTED);
    Ok(rows)
}

fn rows_of(connection: &Connection, id: i64, status: &str) -> Result<Vec<Value>, Failure> {
    let path = format!("{}/rows", path(id));
    let mut rows = Vec::new();
    let mut after = Some(String::new());
    let mut cursors = Cursors::default();
    while let Some(cursor) = after.filter(|_| rows.len() < PRINTED) {
        let mut request = Request::get(&path);
        request.parameters = vec![
            ("status", status.to_owned()),
            ("limit", PRINTED.to_string()),
            ("after", cursor.clone()),
        ];
        let mut answer = connection.send(&request)?;
        let records = answer.take_results();
        after = cursors.next(&answer, records.len())?;
        rows.extend(records);
    }
    Ok(rows)
}

fn print_rows(flags: &Flags, rows: &[Value]) -> Result<(), Failure> {
    if rows.is_empty() {
        return Ok(());
    }
    let rows: Vec<Value> = rows.iter().map(line).collect();
    print_table(flags, &["row", "status", "problem"], &rows)
}

pub(super) fn print_table(
    flags: &Flags,
    columns: &'static [&'static str],
    rows: &[Value],
) -> Result<(), Failure> {
    let flags = ListOutputFlags {
        format: flags.output.clone(),
        columns: Vec::new(),
        no_header: false,
    };
    let mut printer = Printer::new(&flags, columns);
    printer.page(rows)?;
    printer.finish()
}

/// A row for people.
pub(super) fn line(row: &Value) -> Value {
    let problems = row.get("problems").and_then(Value::as_array);
    let problems = problems.into_iter().flatten().map(|problem| {
        let text = |name: &str| problem.get(name).and_then(Value::as_str);
        let detail = text("detail").unwrap_or_default();
        match text("column") {
            Some(column) => format!("{column}: {detail}"),
            None => detail.to_owned(),
        }
    });
    let problems: Vec<String> = problems.collect();
    json!({"row": row.get("row"), "status": row.get("status"), "problem": problems.join("; ")})
}
