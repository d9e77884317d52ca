//! What to do with the rows: the body of a run, from flags and a file.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::{fields, path, withdraw};
use crate::command::resource::Lookup;
use crate::connection::{Connection, Request};
use crate::failure::Failure;
use crate::input;
use crate::resource::{SOURCE, TYPE};

/// What happens when a row is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Policy {
    /// End the import there
    Stop,
    /// Go on with the next row
    Skip,
    /// Import all rows or none
    All,
}

/// Where the rows go.
#[derive(Args)]
pub(super) struct PlanFlags {
    /// Name or id of the type of the objects
    #[arg(long = "type", value_name = "TYPE", requires = "source")]
    type_name: Option<String>,
    /// Name or id of a saved source, which says where the columns go and what happens to objects
    /// whose records are missing
    #[arg(long = "source", value_name = "SOURCE", requires = "source", conflicts_with_all = ["type_name", "new_type", "maps", "keys", "policy", "plan"])]
    saved: Option<String>,
    /// Make a type of this name that fits the columns. It is deleted again after a dry run, and if
    /// no row could be imported
    #[arg(
        long,
        value_name = "NAME",
        requires = "source",
        conflicts_with = "type_name"
    )]
    new_type: Option<String>,
    /// Where a column goes: to a field, to `public_id` or to `active`; with :BY to the object whose
    /// field BY has the value; nowhere if FIELD is empty. The other columns go to the fields of their
    /// names. Repeat it for more
    #[arg(long = "map", value_name = "COLUMN=FIELD[:BY]", requires = "source")]
    maps: Vec<String>,
    /// Leave out the columns that go to no field. Without it they are an error, and nothing is
    /// imported
    #[arg(long, requires = "source", conflicts_with = "saved")]
    ignore_columns: bool,
    /// Add a field to the type for each column that the plan does not name. A dry run names the
    /// columns
    #[arg(long, requires = "source", conflicts_with_all = ["saved", "new_type", "ignore_columns"])]
    add_fields: bool,
    /// A field by which objects are found; repeat it for more
    #[arg(long = "key", value_name = "FIELD", requires = "source")]
    keys: Vec<String>,
    /// What happens when a row is refused [default: stop]
    #[arg(long, value_enum, value_name = "POLICY", requires = "source")]
    policy: Option<Policy>,
    /// Say what would become of the rows, and write nothing
    #[arg(long, requires = "source")]
    pub(super) dry_run: bool,
    /// The body of a run, as YAML or JSON; other flags go before it
    #[arg(long, value_name = "FILE", requires = "source")]
    plan: Option<PathBuf>,
}

/// What to do with the rows of a file.
pub(super) struct Plan {
    pub(super) body: Value,
    /// The type that was made for it.
    pub(super) made: Option<i64>,
}

impl PlanFlags {
    /// Whether they say where rows go.
    pub(super) fn is_of_rows(&self) -> bool {
        let names = [&self.type_name, &self.new_type, &self.saved];
        names.into_iter().any(Option::is_some) || self.plan.is_some()
    }

    /// Finds mistakes before anything is sent.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let mut fields = HashMap::new();
        for map in &self.maps {
            let (column, target) = assignment(map)?;
            let Some(field) = target.as_ref().map(field_of) else {
                continue;
            };
            if let Some(other) = fields.insert(field.clone(), column) {
                let message = format!("--map sends both {other:?} and {column:?} to {field}");
                return Err(Failure::usage(message));
            }
        }
        if !self.is_of_rows() {
            let message = "name the type with --type, or a source with --source, or let --new-type make a type";
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    /// The body of the run of an import whose file was uploaded.
    pub(super) fn read(&self, connection: &Connection, import: i64) -> Result<Plan, Failure> {
        let mut body = match &self.plan {
            Some(file) => input::document(file)?,
            None => json!({}),
        };
        if !body.is_object() {
            return Err(Failure::usage("--plan must hold an object"));
        }
        if let Some(name) = &self.saved {
            let sources = Lookup {
                connection,
                resource: &SOURCE,
            };
            body["source"] = json!(sources.id(name)?);
        }
        let mut made = None;
        if let Some(name) = &self.new_type {
            let id = make_type(connection, import, name)?;
            body["type_id"] = json!(id);
            made = Some(id);
        } else if let Some(name) = self.type_in(&body) {
            let resource = &TYPE;
            let types = Lookup {
                connection,
                resource,
            };
            body["type_id"] = json!(types.id(&name)?);
        }
        self.overlay(&mut body);
        let mut plan = Plan { body, made };
        if let Err(failure) = self.map(connection, import, &mut plan.body) {
            withdraw(connection, plan.made);
            return Err(failure);
        }
        Ok(plan)
    }

    /// The name of the type, from the flag or the plan.
    fn type_in(&self, plan: &Value) -> Option<String> {
        let of_plan = || plan.get("type_id")?.as_str();
        let name = self.type_name.as_deref().or_else(of_plan);
        name.map(str::to_owned)
    }

    fn overlay(&self, body: &mut Value) {
        if !self.keys.is_empty() {
            body["key"] = json!(self.keys);
        }
        if let Some(policy) = self.policy.and_then(|policy| policy.to_possible_value()) {
            body["policy"] = json!(policy.get_name());
        }
        if self.dry_run {
            body["dry_run"] = json!(true);
        }
        if self.saved.is_none() && body.get("ignore_columns").is_none() {
            body["ignore_columns"] = json!(self.ignore_columns);
        }
    }

    /// Adds the columns of `--map` to those of the plan, or else to those that the server suggests,
    /// and new fields to the type.
    fn map(&self, connection: &Connection, import: i64, body: &mut Value) -> Result<(), Failure> {
        if self.maps.is_empty() && !self.add_fields {
            return Ok(());
        }
        let mut columns = match body.get("columns").and_then(Value::as_object) {
            Some(columns) => columns.clone(),
            None => suggested(connection, import, &body["type_id"])?,
        };
        for map in &self.maps {
            let (column, target) = assignment(map)?;
            put(&mut columns, column, target);
        }
        if self.add_fields {
            let type_id = body["type_id"].as_i64();
            let type_id = type_id.ok_or_else(|| Failure::usage("--add-fields needs a type"))?;
            let import = super::read(connection, import)?;
            // The flag, or the plan.
            let is_dry = body["dry_run"] == true;
            fields::add(connection, &import, type_id, &mut columns, is_dry)?;
        }
        body["columns"] = columns.into();
        Ok(())
    }
}

/// A column, and where it goes; `None` for nowhere.
fn assignment(map: &str) -> Result<(&str, Option<Value>), Failure> {
    // A column may have any name.
    let split = map
        .rsplit_once('=')
        .filter(|(column, _)| !column.is_empty());
    let (column, target) = split.ok_or_else(|| {
        let message = format!("--map {map:?} must have the form COLUMN=FIELD or COLUMN=FIELD:BY");
        Failure::usage(message)
    })?;
    let target = match target.split_once(':') {
        _ if target.is_empty() => None,
        None => Some(json!(target)),
        Some((field, by)) => Some(json!({"field": field, "by": by})),
    };
    Ok((column, target))
}

/// Lets a column go to a field, and no other column; or nowhere.
fn put(columns: &mut Map<String, Value>, column: &str, target: Option<Value>) {
    if let Some(target) = &target {
        columns.retain(|_, other| field_of(other) != field_of(target));
    }
    columns.insert(column.to_owned(), target.unwrap_or_default());
}

fn field_of(target: &Value) -> &Value {
    target.get("field").unwrap_or(target)
}

/// Where the server lets the columns go by their names. The others are left to the server.
fn suggested(
    connection: &Connection,
    import: i64,
    type_id: &Value,
) -> Result<Map<String, Value>, Failure> {
    let path = path(import);
    let mut request = Request::get(&path);
    request.parameters.push(("type_id", type_id.to_string()));
    let import = connection.send(&request)?.into_record();
    let columns = import.pointer("/suggested/columns");
    let mut columns = columns
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    columns.retain(|_, target| !target.is_null());
    Ok(columns)
}

/// Makes the type that the server proposes for the file.
fn make_type(connection: &Connection, import: i64, name: &str) -> Result<i64, Failure> {
    let mut import = super::read(connection, import)?;
    let mut proposed = import.get_mut("proposed_type").map(Value::take);
    let proposed = proposed.as_mut().and_then(Value::as_object_mut);
    let proposed = proposed.ok_or_else(|| Failure::other("the server proposes no type"))?;
    proposed.insert("name".to_owned(), json!(name));
    // The server makes the label of the name.
    proposed.shift_remove("label");
    let body = Value::Object(proposed.clone());
    let made = connection.send(&Request::post(TYPE.path, &body))?;
    let id = made.document.get("result_id").and_then(Value::as_i64);
    id.ok_or_else(|| Failure::other("the server does not say which type this is"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_where_they_are_sent() {
        let mut columns = json!({"Name": "name", "Ort": "site", "Kerne": "cores", "x": "note"});
        let columns = columns.as_object_mut().unwrap();
        for map in ["Ort=site:city", "a=b=cores", "x="] {
            let (column, target) = assignment(map).unwrap();
            put(columns, column, target);
        }
        let expected = json!({"Name": "name", "Ort": {"field": "site", "by": "city"}, "a=b": "cores", "x": null});
        assert_eq!(json!(columns), expected);
        for wrong in ["", "a", "=a"] {
            assert!(assignment(wrong).is_err(), "{wrong}");
        }
    }
}
