//! Fields for the columns that a plan does not name, such as those that users of another system
//! have defined.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::command::resource::Lookup;
use crate::connection::{Connection, Request};
use crate::failure::{Exit, Failure};
use crate::output::complain;
use crate::resource::TYPE;

/// The column of refused rows that has the reasons.
const PROBLEM: &str = "import_problem";
/// How often the type may change while fields are added to it.
const ATTEMPTS: usize = 5;
/// The section of the type that has the added fields.
const SECTION: &str = "added";

/// Adds a field to the type for each column with values that `columns` does not name, and sends the
/// column there. A dry run names the columns, and sends them nowhere.
pub(super) fn add(
    connection: &Connection,
    import: &Value,
    type_id: i64,
    columns: &mut Map<String, Value>,
    is_dry: bool,
) -> Result<(), Failure> {
    let unnamed = unnamed(import, columns);
    if unnamed.is_empty() {
        return Ok(());
    }
    if is_dry {
        let names: Vec<String> = unnamed.iter().map(|name| format!("{name:?}")).collect();
        let fields = names.join(", ");
        complain(&format!("fields would be added for the columns {fields}"));
        columns.extend(unnamed.into_iter().map(|name| (name, Value::Null)));
        return Ok(());
    }
    let proposed = import.pointer("/proposed_type/fields");
    let proposed = proposed.and_then(Value::as_array).map(Vec::as_slice);
    let fields = extend(connection, type_id, proposed.unwrap_or_default(), &unnamed)?;
    for field in &fields {
        let text = |member: &str| field.get(member).and_then(Value::as_str);
        let (Some(name), Some(column)) = (text("name"), text("label")) else {
            continue;
        };
        complain(&format!("added the field {name} for the column {column:?}"));
        columns.insert(column.to_owned(), json!(name));
    }
    Ok(())
}

/// Adds the proposed fields of the columns to the type, and returns them. If somebody else changes
/// the type meanwhile, it tries again.
fn extend(
    connection: &Connection,
    type_id: i64,
    proposed: &[Value],
    columns: &[String],
) -> Result<Vec<Value>, Failure> {
    let types = Lookup {
        connection,
        resource: &TYPE,
    };
    let path = TYPE.record(type_id);
    let mut attempt = 1;
    loop {
        let (definition, tag) = types.tagged(type_id)?;
        let fields = new_fields(&definition, proposed, columns);
        let body = patch(&definition, &fields);
        let mut request = Request::post(&path, &body);
        request.method = "PATCH";
        request.headers.extend(tag.map(|tag| ("if-match", tag)));
        match connection.send(&request) {
            Ok(_) => return Ok(fields),
            Err(failure) if failure.exit == Exit::Conflict && attempt < ATTEMPTS => attempt += 1,
            Err(failure) => return Err(failure),
        }
    }
}

/// The columns with values that the plan does not name.
fn unnamed(import: &Value, columns: &Map<String, Value>) -> Vec<String> {
    let all = import.get("columns").and_then(Value::as_array);
    let filled = all.into_iter().flatten().filter(|column| {
        let filled = column.get("filled").and_then(Value::as_u64);
        filled.unwrap_or_default() > 0
    });
    let names = filled.filter_map(|column| column.get("name")?.as_str());
    names
        .filter(|name| *name != PROBLEM && !columns.contains_key(*name))
        .map(str::to_owned)
        .collect()
}

/// The fields that the server proposes for the columns, with names that are free in the type.
fn new_fields(definition: &Value, proposed: &[Value], columns: &[String]) -> Vec<Value> {
    let mut names: HashSet<String> = items(definition, "fields")
        .filter_map(|field| Some(field.get("name")?.as_str()?.to_owned()))
        .collect();
    let is_wanted = |field: &&Value| {
        let label = field.get("label").and_then(Value::as_str);
        label.is_some_and(|label| columns.iter().any(|column| column == label))
    };
    let mut fields = Vec::new();
    for field in proposed.iter().filter(is_wanted) {
        let base = field.get("name").and_then(Value::as_str);
        let base = base.unwrap_or_default();
        let mut name = base.to_owned();
        let mut number = 2;
        while !names.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        fields.push(renamed(field, name));
    }
    fields
}

/// The field with another name. The next file may have other values than the options of this one.
fn renamed(field: &Value, name: String) -> Value {
    let mut field = field.clone();
    if field.get("options").is_some() {
        field = json!({"type": "text", "name": null, "label": field.get("label")});
    }
    field["name"] = Value::String(name);
    field
}

/// The change of the type: its fields, and the section that shows the new ones.
fn patch(definition: &Value, added: &[Value]) -> Value {
    let fields: Vec<Value> = items(definition, "fields").chain(added).cloned().collect();
    let names = added.iter().filter_map(|field| field.get("name")).cloned();
    let meta = definition.get("render_meta").unwrap_or(&Value::Null);
    let mut sections: Vec<Value> = items(meta, "sections").cloned().collect();
    let is_ours = |section: &&mut Value| section.get("name") == Some(&json!(SECTION));
    let ours = sections.iter_mut().find(is_ours);
    match ours.and_then(|section| section.get_mut("fields")?.as_array_mut()) {
        Some(shown) => shown.extend(names),
        None => sections.push(json!({
            "type": "section",
            "name": SECTION,
            "label": "More",
            "fields": names.collect::<Vec<Value>>(),
        })),
    }
    json!({"fields": fields, "render_meta": {"sections": sections}})
}

fn items<'v>(of: &'v Value, member: &str) -> impl Iterator<Item = &'v Value> {
    let list = of.get(member).and_then(Value::as_array);
    list.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_the_plan_does_not_name_become_fields() {
        let import = json!({"columns": [
            {"name": "ID", "filled": 2},
            {"name": "Cost center", "filled": 1},
            {"name": "Empty", "filled": 0},
            {"name": "Left out", "filled": 2},
            {"name": "import_problem", "filled": 2},
        ]});
        let columns = json!({"ID": "id", "Left out": null});
        let unnamed = unnamed(&import, columns.as_object().unwrap());
        assert_eq!(unnamed, ["Cost center"]);
        let definition = json!({
            "fields": [{"name": "id", "label": "ID"}, {"name": "cost_center", "label": "Old"}],
            "render_meta": {"icon": "fa fa-cube", "sections": [
                {"type": "section", "name": "main", "label": "Main", "fields": ["id"]}]},
        });
        let proposed = [
            json!({"type": "text", "name": "id", "label": "ID"}),
            json!({"type": "select", "name": "cost_center", "label": "Cost center", "options": []}),
        ];
        let fields = new_fields(&definition, &proposed, &unnamed);
        let added = json!({"type": "text", "name": "cost_center_2", "label": "Cost center"});
        assert_eq!(fields, std::slice::from_ref(&added));
        let change = patch(&definition, &fields);
        assert_eq!(change["fields"][2], added);
        assert_eq!(
            change["render_meta"]["sections"][1]["fields"],
            json!(["cost_center_2"])
        );
        let again = patch(&change, &[json!({"name": "x"})]);
        let shown = &again["render_meta"]["sections"][1]["fields"];
        assert_eq!(*shown, json!(["cost_center_2", "x"]));
    }
}
