//! Objects.

use std::collections::HashSet;

use serde_json::{Value, json};
use stockroom_model::ObjectId;
use stockroom_model::body::{Report as BodyReport, integer};
use stockroom_model::kind::reference_target;
use stockroom_model::object::{ObjectDraft, check_fields};
use stockroom_model::r#type::FieldDefinition;
use stockroom_model::{Timestamp, Type};

use crate::Error;
use crate::bson::Document;
use crate::fit::{
    self, Members, make_boolean, scalar_text, take_first_time, take_integer, take_list,
    take_natural, take_objects, take_text, take_time,
};
use crate::id_set::{IdSet, TooScattered};
use crate::inventory::Inventory;
use crate::notes::Notes;
use crate::report::{Kind, Report};
use crate::rest::leave_out_rest;

const NO_AUTHOR: &str = "it names no author, and gets the author 0, who is unknown";
const NO_NAME: &str = "a field without a name is left out";
const TWICE: &str = "a field stood twice in the object, and the first one is kept";
const MOVED_PLACE: &str = "a location became a reference to the object at the location above";
const STRAY_PLACE: &str = "a location that the tree does not have is kept as it is";
const NO_PASSWORD: &str = "the value of a password field was no text, and became one";
const BREAKS_RULE: &str = "a value breaks a rule of its type, and is kept as it is";
const DANGLING: &str = "a reference names an object that does not exist, and is kept";
const MULTI_DATA: &str = "the rows of its multi-data sections are left out";

/// Members that are read without being taken.
const KEPT: [&str; 4] = ["public_id", "type_id", "active", "status"];

/// An object that is moved.
#[derive(Debug)]
pub struct Converted {
    /// The body of its insert.
    pub body: Value,
    /// The members that are left out, if there are any.
    pub left_out: Option<Value>,
}

/// Converts the objects of a dump, one after another.
pub struct Objects<'i> {
    inventory: &'i Inventory,
    seen: IdSet,
}

impl<'i> Objects<'i> {
    /// For the objects of the dump that the inventory was read from.
    #[must_use]
    pub fn of(inventory: &'i Inventory) -> Self {
        Self {
            inventory,
            seen: IdSet::default(),
        }
    }

    pub(crate) fn into_ids(self) -> IdSet {
        self.seen
    }

    /// An object, unless it is left out.
    pub fn convert(
        &mut self,
        document: Document,
        report: &mut Report,
    ) -> Result<Option<Converted>, Error> {
        let Document { members, mut notes } = document;
        let Some(id) = fit::id(&members) else {
            let name = members
                .get("public_id")
                .map(Value::to_string)
                .unwrap_or_default();
            report.left_out(Kind::Object, &name, "its public_id is no id", "");
            return Ok(None);
        };
        let name = format!("object {id}");
        let Some(definition) = self.definition(&members) else {
            let type_id = members
                .get("type_id")
                .map(Value::to_string)
                .unwrap_or_default();
            report.left_out(Kind::Object, &name, "its type is not moved", &type_id);
            return Ok(None);
        };
        if self.seen.contains(id) {
            report.left_out(Kind::Object, &name, "another object has its id", "");
            return Ok(None);
        }
        let body = body(id, members, definition, self.inventory, &mut notes);
        if let Err(why) = self.check(definition, &body, &mut notes) {
            report.left_out(Kind::Object, &name, "a rule of Stockroom refuses it", &why);
            return Ok(None);
        }
        self.seen
            .insert(id)
            .map_err(|TooScattered| too_scattered())?;
        report.moved(Kind::Object, &name, &notes);
        let left_out = notes.take_left_out();
        Ok(Some(Converted { body, left_out }))
    }

    fn definition(&self, members: &Members) -> Option<&'i Type> {
        let id = members.get("type_id").and_then(integer)?;
        self.inventory.definition(id)
    }

    /// Reads the body as the service will, and notes the rules of its type that it breaks.
    fn check(&self, definition: &Type, body: &Value, notes: &mut Notes) -> Result<(), String> {
        let report = BodyReport::default();
        let draft = ObjectDraft::read(body, None, self.inventory.record_limits(), &report);
        let draft = report.finish(draft).map_err(|problems| first(&problems))?;
        let by_type = BodyReport::default();
        for reference in check_fields(definition, &draft.fields, None, &by_type) {
            if !self.inventory.has_object(reference.target.get()) {
                notes.add(
                    DANGLING,
                    &format!("{} names {}", reference.field, reference.target),
                );
            }
        }
        if let Err(problems) = by_type.finish(Some(())) {
            notes.add(BREAKS_RULE, &first(&problems));
        }
        Ok(())
    }
}

/// The first problem as a text.
pub(crate) fn first(problems: &stockroom_model::Problems) -> String {
    let problem = problems.as_slice().first();
    problem.map_or_else(String::new, |it| format!("{} {}", it.pointer, it.detail))
}

pub(crate) fn too_scattered() -> Error {
    Error::Unsuitable("the ids of the objects have too many gaps to be remembered".to_owned())
}

fn body(
    id: i64,
    mut members: Members,
    definition: &Type,
    inventory: &Inventory,
    notes: &mut Notes,
) -> Value {
    let author = take_natural(&mut members, "author_id", notes);
    if author.is_none() {
        notes.add(NO_AUTHOR, "");
    }
    for key in ["active", "status"] {
        make_boolean(&mut members, key, notes);
    }
    if !take_list(&mut members, "multi_data_sections", notes).is_empty() {
        notes.add(MULTI_DATA, "");
    }
    let created = take_first_time(&mut members, "creation_time", notes);
    let edited = take_time(&mut members, "last_edit_time", notes);
    let body = json!({
        "public_id": id,
        "type_id": definition.public_id,
        "status": members.get("status"),
        "version": take_text(&mut members, "version", notes),
        "author_id": author.unwrap_or_default(),
        "creation_time": created.map(Timestamp::to_date),
        "last_edit_time": edited.map(Timestamp::to_date),
        "editor_id": take_integer(&mut members, "editor_id", notes),
        "active": members.get("active"),
        "views": take_natural(&mut members, "views", notes),
        "fields": fields(id, &mut members, definition, inventory, notes),
    });
    leave_out_rest(members, &KEPT, "", notes);
    body
}

fn fields(
    object: i64,
    members: &mut Members,
    definition: &Type,
    inventory: &Inventory,
    notes: &mut Notes,
) -> Vec<Value> {
    let (mut names, mut fields) = (HashSet::new(), Vec::new());
    for mut item in take_objects(members, "fields", notes) {
        let name = item.get("name").and_then(scalar_text);
        let name = name.filter(|name| !name.is_empty());
        let Some(name) = name else {
            notes.leave_out(NO_NAME, "fields", Value::Object(item));
            continue;
        };
        if !names.insert(name.clone()) {
            notes.leave_out(TWICE, &format!("fields.{name}"), Value::Object(item));
            continue;
        }
        let value = item.shift_remove("value").unwrap_or_default();
        leave_out_rest(item, &["name"], &format!("fields.{name}"), notes);
        let value = match definition.field(&name) {
            Some(field) => value_of(object, field, value, inventory, notes),
            None => value,
        };
        fields.push(stockroom_model::object::item(&name, value));
    }
    fields
}

fn value_of(
    object: i64,
    field: &FieldDefinition,
    value: Value,
    inventory: &Inventory,
    notes: &mut Notes,
) -> Value {
    if field.kind.is_secret() && !value.is_null() && !value.is_string() {
        notes.add(NO_PASSWORD, &field.name);
        return Value::String(value.to_string());
    }
    if field.kind.is_location() {
        let held = reference_target(&value).map(ObjectId::get);
        if let Some(above) = held.and_then(|held| inventory.locations.object_above(object, held)) {
            notes.add(MOVED_PLACE, &field.name);
            return above;
        }
        if let Some(held) = held {
            notes.add(STRAY_PLACE, &format!("{} names {held}", field.name));
        }
    }
    value
}
