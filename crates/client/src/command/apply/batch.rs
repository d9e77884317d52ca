//! Sends planned writes in batches; a batch is done as a whole or not at all.

use serde_json::{Value, json};

use super::plan::{Action, Write};
use super::references::MADE;
use crate::connection::{Connection, Request};
use crate::failure::{Exit, Failure};
use crate::output::complain;
use crate::progress::Progress;
use crate::resource::OBJECT;

/// The server takes no more in one batch.
const LARGEST: usize = 1_000;

/// Sends all writes. A dry run of more than one batch is not sent, as later ones need what earlier
/// ones make.
pub(super) fn send(
    connection: &Connection,
    writes: &[Write],
    is_dry_run: bool,
    comment: Option<&str>,
) -> Result<(), Failure> {
    if is_dry_run && writes.len() > LARGEST {
        complain("the server checks at most 1,000 writes; these were only compared");
        return Ok(());
    }
    let mut progress = Progress::start("writes", Some(writes.len() as u64));
    let mut ids: Vec<Value> = Vec::new();
    let mut done = 0;
    for batch in writes.chunks(LARGEST) {
        let mut body = json!({"operations": operations(batch, &ids)});
        if let Some(comment) = comment {
            body["comment"] = json!(comment);
        }
        let mut request = Request::post("/batch", &body);
        if is_dry_run {
            request.parameters.push(("dry_run", "true".to_owned()));
        }
        let answer = connection.send(&request);
        let mut answer = answer.map_err(|failure| explain(failure, batch, done))?;
        let results = answer.take_results();
        print_warnings(batch, &results);
        ids.extend(results.iter().map(|result| {
            let id = result.pointer("/body/result_id");
            id.cloned().unwrap_or_default()
        }));
        done += batch.len();
        progress.show(done as u64);
    }
    Ok(())
}

/// The operations of a batch. Objects that are deleted may refer to each other, so they are deleted
/// together; they come last.
fn operations(batch: &[Write], ids: &[Value]) -> Vec<Value> {
    let is_deletion = |write: &&Write| write.action == Action::Delete;
    let others = batch.iter().filter(|write| !is_deletion(write));
    let mut operations: Vec<Value> = others.map(|write| operation(write, ids)).collect();
    let deleted: Vec<&str> = batch
        .iter()
        .filter(is_deletion)
        .filter_map(|write| write.path.rsplit('/').next())
        .collect();
    if !deleted.is_empty() {
        let path = format!("{}/{}?references=protect", OBJECT.path, deleted.join(","));
        operations.push(json!({"method": "DELETE", "path": path}));
    }
    operations
}

/// An insert or a change.
fn operation(write: &Write, ids: &[Value]) -> Value {
    let path = path(&write.path, ids);
    let method = if write.action == Action::Insert {
        "POST"
    } else {
        "PATCH"
    };
    let mut body = write.body.clone();
    put_ids(&mut body, ids);
    let mut operation = json!({"method": method, "path": path, "body": body});
    if let Some(tag) = &write.tag {
        operation["if_match"] = json!(tag);
    }
    operation
}

/// A path with the id of what an earlier write made.
fn path(path: &str, ids: &[Value]) -> String {
    let Some((before, made)) = path.split_once("{$made:") else {
        return path.to_owned();
    };
    let made: usize = made.trim_end_matches('}').parse().unwrap_or_default();
    match ids.get(made) {
        Some(id) => format!("{before}{id}"),
        None => format!("{before}{{$result:{}}}", made - ids.len()),
    }
}

/// Replaces references to what earlier batches made by ids, and those to the same batch by what the
/// server understands.
fn put_ids(value: &mut Value, ids: &[Value]) {
    let made = value.get(MADE).and_then(Value::as_u64);
    if let Some(made) = made.and_then(|made| usize::try_from(made).ok()) {
        *value = match ids.get(made) {
            Some(id) => id.clone(),
            None => json!({"$result": made - ids.len()}),
        };
        return;
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| put_ids(item, ids)),
        Value::Object(members) => members.values_mut().for_each(|item| put_ids(item, ids)),
        _ => {}
    }
}

/// Adds which record is refused, and what was done before.
fn explain(mut failure: Failure, batch: &[Write], done: usize) -> Failure {
    if let Some(write) = failure.operation.and_then(|number| batch.get(number)) {
        failure.message = format!("{}: {}", write.title, failure.message);
    }
    if failure.exit == Exit::Unreachable {
        failure.message += "\n  the last batch may have been done; apply again to find out";
    }
    if done > 0 {
        let note = format!("\n  {done} writes of earlier batches are done");
        failure.message += &note;
    }
    failure
}

fn print_warnings(batch: &[Write], results: &[Value]) {
    for (write, result) in batch.iter().zip(results) {
        let warnings = result.pointer("/body/warnings").and_then(Value::as_array);
        for warning in warnings.into_iter().flatten() {
            let detail = warning.get("detail").and_then(Value::as_str);
            complain(&format!(
                "warning: {}: {}",
                write.title,
                detail.unwrap_or_default()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_to_the_same_batch_or_to_ids_of_earlier_ones() {
        let mut body = json!({"parent": {"$made": 1}, "types": [{"$made": 3}, 7]});
        put_ids(&mut body, &[json!(10), json!(11)]);
        assert_eq!(body, json!({"parent": 11, "types": [{"$result": 1}, 7]}));
        let ids = [json!(10), json!(11)];
        assert_eq!(path("/objects/7", &ids), "/objects/7");
        assert_eq!(path("/objects/{$made:1}", &ids), "/objects/11");
        assert_eq!(path("/objects/{$made:3}", &ids), "/objects/{$result:1}");
    }

    #[test]
    fn changes_are_bound_to_what_was_seen_and_deletions_are_one() {
        let write = |action, path: &str, tag: Option<&str>| Write {
            title: String::new(),
            differences: Vec::new(),
            action,
            path: path.to_owned(),
            body: json!({"label": "Rack"}),
            tag: tag.map(str::to_owned),
        };
        let writes = [
            write(Action::Change, "/types/3", Some("\"7\"")),
            write(Action::Delete, "/objects/5", None),
            write(Action::Delete, "/objects/6", None),
        ];
        let expected = [
            json!({"method": "PATCH", "path": "/types/3", "body": {"label": "Rack"}, "if_match": "\"7\""}),
            json!({"method": "DELETE", "path": "/objects/5,6?references=protect"}),
        ];
        assert_eq!(operations(&writes, &[]), expected);
    }
}
