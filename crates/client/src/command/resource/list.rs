//! `stockroom RESOURCE list`

use clap::Args;
use serde_json::{Value, json};

use super::lookup::{Lookup, has_value, id};
use super::{ListScope, Scope};
use crate::connection::{Connection, ConnectionFlags, Cursors, Request};
use crate::failure::Failure;
use crate::output::{ListOutputFlags, Printer, complain};
use crate::resource::{Resource, TYPE};

/// How many records are read at once.
const PAGE: u64 = 500;
/// How many fields a table shows if the type does not say which are important.
const FIELDS: usize = 5;

/// Which records to list.
#[derive(Args)]
pub struct Flags<L: ListScope> {
    #[command(flatten)]
    scope: L,
    /// Filter in JSON, such as '{"label": {"$regex": "^S"}}'
    #[arg(long, value_name = "JSON")]
    filter: Option<String>,
    /// A value that a member or field must have; repeat it for more
    #[arg(long = "where", value_name = "NAME=VALUE")]
    conditions: Vec<String>,
    /// Path to sort by; a minus in front reverses the order
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Records at most
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    limit: u64,
    /// All records
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    #[command(flatten)]
    output: ListOutputFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

impl<L: ListScope> Flags<L> {
    pub(super) fn run(&self, resource: &'static Resource) -> Result<(), Failure> {
        let connection = self.connection.connect()?;
        let scope = self.scope.scope();
        let of_type = of_type(&connection, &scope)?;
        let body = self.body(resource, &scope, of_type.as_ref())?;
        let columns = of_type.as_ref().map(columns).unwrap_or_default();
        let mut printer = if columns.is_empty() {
            Printer::new(&self.output, resource.columns)
        } else {
            Printer::new(&self.output, &columns)
        };
        let limit = if self.all { u64::MAX } else { self.limit };
        let path = format!("{}/query", resource.path);
        let mut pages = Pages::new(&connection, path, body, limit);
        while let Some(records) = pages.next()? {
            printer.page(&records)?;
        }
        printer.finish()?;
        if let Some(total) = pages.total.filter(|total| *total > printer.printed())
            && printer.is_table()
        {
            complain(&format!(
                "{} of {total}; --all lists all",
                printer.printed()
            ));
        }
        Ok(())
    }

    fn body(
        &self,
        resource: &Resource,
        scope: &Scope<'_>,
        of_type: Option<&Value>,
    ) -> Result<Value, Failure> {
        let mut conditions = Vec::new();
        if let Some(of_type) = of_type {
            conditions.push(json!({"type_id": id(of_type)}));
        }
        if let Some(filter) = &self.filter {
            let filter = serde_json::from_str(filter);
            let filter: Value =
                filter.map_err(|error| Failure::usage(format!("--filter is no JSON: {error}")))?;
            conditions.push(filter);
        }
        for condition in &self.conditions {
            conditions.push(equality(condition, resource, of_type)?);
        }
        let mut body = match conditions.as_slice() {
            [] => json!({}),
            [filter] => json!({ "filter": filter }),
            _ => json!({"filter": {"$and": conditions}}),
        };
        if let Some(sort) = &self.sort {
            let path = sort.strip_prefix('-');
            body["order"] = json!(if path.is_some() { -1 } else { 1 });
            body["sort"] = json!(field_path(path.unwrap_or(sort), resource, of_type));
        }
        if let Some(words) = scope.words {
            body["q"] = json!(words);
        }
        if scope.active {
            body["active"] = json!(true);
        }
        Ok(body)
    }
}

/// `name=value` as a filter.
pub(crate) fn equality(
    condition: &str,
    resource: &Resource,
    of_type: Option<&Value>,
) -> Result<Value, Failure> {
    let (name, value) = condition.split_once('=').ok_or_else(|| {
        Failure::usage(format!(
            "--where {condition:?} must have the form NAME=VALUE"
        ))
    })?;
    let path = field_path(name, resource, of_type);
    let text = json!(value);
    // Who writes 12 may mean the number or the text.
    let alternatives = match serde_json::from_str(value) {
        Ok(Value::String(text)) => json!(text),
        Ok(other @ (Value::Number(_) | Value::Bool(_))) => json!({"$in": [other, text]}),
        Ok(other) => other,
        Err(_) => text,
    };
    Ok(match path.strip_prefix("fields.") {
        Some(field) => has_value(field, &alternatives),
        None => json!({ path: alternatives }),
    })
}

/// The path of a member, or of a field of the type that is listed.
fn field_path(name: &str, resource: &Resource, of_type: Option<&Value>) -> String {
    let fields = of_type.and_then(|of_type| of_type.get("fields")?.as_array());
    let is_field = fields.is_some_and(|fields| {
        fields
            .iter()
            .any(|field| field.get("name").is_some_and(|found| found == name))
    });
    if is_field && !resource.columns.contains(&name) {
        format!("fields.{name}")
    } else {
        name.to_owned()
    }
}

fn of_type(connection: &Connection, scope: &Scope<'_>) -> Result<Option<Value>, Failure> {
    let types = Lookup {
        connection,
        resource: &TYPE,
    };
    scope.type_name.map(|name| types.record(name)).transpose()
}

/// The columns for objects of a type: the fields of its summary, or its first ones.
fn columns(of_type: &Value) -> Vec<String> {
    let summary = of_type.pointer("/render_meta/summary/fields");
    let summary = summary.and_then(Value::as_array).into_iter().flatten();
    let mut names: Vec<&str> = summary.filter_map(Value::as_str).collect();
    if names.is_empty() {
        let fields = of_type.get("fields").and_then(Value::as_array);
        let fields = fields.into_iter().flatten().take(FIELDS);
        names.extend(fields.filter_map(|field| field.get("name")?.as_str()));
    }
    let fields = names.into_iter().map(|name| format!("fields.{name}"));
    std::iter::once("public_id".to_owned())
        .chain(fields)
        .collect()
}

/// The pages of a list, by cursor.
pub(super) struct Pages<'a> {
    connection: &'a Connection,
    path: String,
    body: Value,
    left: u64,
    after: Option<String>,
    cursors: Cursors,
    /// The number of all records, if the server counted them.
    pub(super) total: Option<u64>,
}

impl<'a> Pages<'a> {
    /// The pages of the list at `path`, with its parameters.
    pub(super) fn new(connection: &'a Connection, path: String, body: Value, limit: u64) -> Self {
        Self {
            connection,
            path,
            body,
            left: limit,
            after: Some(String::new()),
            cursors: Cursors::default(),
            total: None,
        }
    }

    /// Reads the next page.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Value>>, Failure> {
        let Some(after) = self.after.take().filter(|_| self.left > 0) else {
            return Ok(None);
        };
        self.body["limit"] = json!(self.left.min(PAGE));
        if !after.is_empty() {
            // Counted with the first page.
            self.body["total"] = json!(false);
        }
        self.body["after"] = json!(after);
        let mut answer = self
            .connection
            .send(&Request::post(&self.path, &self.body))?;
        if after.is_empty() {
            self.total = answer.document.get("total").and_then(Value::as_u64);
        }
        let records = answer.take_results();
        self.left = self.left.saturating_sub(records.len() as u64);
        self.after = self.cursors.next(&answer, records.len())?;
        Ok(Some(records))
    }
}
