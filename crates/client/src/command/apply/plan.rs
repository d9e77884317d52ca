//! Compares manifests with stored records, and plans writes.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::difference::{Difference, differences, overlay};
use super::manifest::Manifest;
use super::references::{MADE, References, is_later, object_identity};
use super::types::Types;
use crate::command::resource::{Lookup, author, complete, id};
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::cell;
use crate::resource::{OBJECT, Resource, TYPE};

/// A write that is planned.
#[derive(Debug)]
pub(super) struct Write {
    /// The kind and the name of the record.
    pub(super) title: String,
    pub(super) differences: Vec<Difference>,
    pub(super) action: Action,
    /// It may have `{$made:3}`.
    pub(super) path: String,
    pub(super) body: Value,
    /// The entity tag of the record that it was compared with.
    pub(super) tag: Option<String>,
}

/// What a write does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Insert,
    Change,
    Delete,
}

/// The references of an object to others that stand further down, or to itself.
struct Later {
    title: String,
    /// The id of the object, or the write that makes it.
    object: Value,
    /// The fields as the file has them.
    fields: Vec<Value>,
}

/// Plans writes.
pub(super) struct Planner<'a> {
    references: References<'a>,
    author: Option<Value>,
    types: Types<'a>,
    later: Vec<Later>,
    /// The stored objects that the files have.
    found: HashSet<i64>,
    /// The types that the files have objects of.
    filled: HashSet<i64>,
    pub(super) writes: Vec<Write>,
    pub(super) unchanged: usize,
}

impl<'a> Planner<'a> {
    pub(super) fn new(connection: &'a Connection) -> Self {
        Self {
            references: References::new(connection),
            author: None,
            types: Types::new(connection),
            later: Vec::new(),
            found: HashSet::new(),
            filled: HashSet::new(),
            writes: Vec::new(),
            unchanged: 0,
        }
    }

    /// Notes which objects the manifests have, so that others may refer to them before they are
    /// planned. Those that are found by a reference of their own must come first.
    pub(super) fn promise(&mut self, manifests: &[Manifest]) -> Result<(), Failure> {
        for manifest in manifests {
            let of_type = manifest.body.get("type_id").cloned().unwrap_or_default();
            let of_type = self.references.resolve(&of_type)?;
            let key = key(&manifest.key, &manifest.body);
            if !key.values().any(Value::is_object) {
                self.references.promise(&of_type, &key);
            }
        }
        Ok(())
    }

    /// Plans what one manifest needs.
    pub(super) fn add(&mut self, manifest: &Manifest) -> Result<(), Failure> {
        let mut body = self.references.resolve(&manifest.body)?;
        let later = take_later(&mut body, &manifest.body);
        if let Some(field) = later.iter().find(|field| manifest.has_key(field)) {
            let message = format!(
                "an object is found by its {}, which refers to an object that stands further down",
                cell(field.get("name"))
            );
            return Err(Failure::new(Exit::BadInput, message));
        }
        let target = self.target(manifest, &body)?;
        let stored_id = target.stored.as_ref().map(id);
        let reference = match stored_id {
            Some(id) => json!(id),
            None => json!({ MADE: self.writes.len() }),
        };
        if manifest.resource.name == OBJECT.name {
            self.found.extend(stored_id);
            self.filled
                .extend(body.get("type_id").and_then(Value::as_i64));
        }
        if !later.is_empty() {
            self.later.push(Later {
                title: target.title.clone(),
                object: reference.clone(),
                fields: later,
            });
        }
        let resource = manifest.resource;
        if !self.references.plan(resource, &target.identity, reference) {
            let message = format!("{} stands twice in the files", target.title);
            return Err(Failure::new(Exit::BadInput, message));
        }
        match target.stored {
            Some(stored) => self.change(resource, &target.title, &stored, &body),
            None => self.insert(resource, target.title, body),
        }
    }

    /// Plans the references that had to wait until all objects were planned.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        for later in std::mem::take(&mut self.later) {
            let differences = later.fields.iter().flat_map(|field| {
                let after = field.get("value").unwrap_or(&Value::Null);
                differences(&cell(field.get("name")), &Value::Null, after)
            });
            let differences = differences.collect();
            let fields = self.references.resolve(&Value::from(later.fields))?;
            let id = match later.object.get(MADE) {
                Some(made) => format!("{{{MADE}:{made}}}"),
                None => later.object.to_string(),
            };
            self.writes.push(Write {
                title: later.title,
                differences,
                action: Action::Change,
                path: format!("{}/{id}", OBJECT.path),
                body: json!({ "fields": fields }),
                tag: None,
            });
        }
        Ok(())
    }

    /// Plans the deletion of all objects of a type that the files do not have.
    pub(super) fn prune(&mut self, name: &str) -> Result<(), Failure> {
        let of_type = self.references.id(&TYPE, &json!(name))?;
        // What is to be made has no objects yet.
        let Some(of_type) = of_type.as_i64() else {
            return Ok(());
        };
        // A file that was cut off or never written must not delete everything.
        if !self.filled.contains(&of_type) {
            let message = format!(
                "the files have no object of the type {name}, so --prune would delete them all; a job does that: POST /rest/objects/jobs"
            );
            return Err(Failure::new(Exit::BadInput, message));
        }
        let lookup = Lookup {
            connection: self.references.connection,
            resource: &OBJECT,
        };
        for object in lookup.ids(&json!({ "type_id": of_type }))? {
            if self.found.contains(&object) {
                continue;
            }
            self.writes.push(Write {
                title: format!("object {name} ({object})"),
                differences: Vec::new(),
                action: Action::Delete,
                path: OBJECT.record(object),
                body: Value::Null,
                tag: None,
            });
        }
        Ok(())
    }

    fn target(&self, manifest: &Manifest, body: &Value) -> Result<Target, Failure> {
        let resource = manifest.resource;
        let Some(identity) = resource.identity else {
            return self.target_object(manifest, body);
        };
        let lookup = Lookup {
            connection: self.references.connection,
            resource,
        };
        Ok(Target {
            title: format!("{} {}", resource.name, cell(Some(&manifest.name))),
            identity: manifest.name.clone(),
            stored: lookup.find(&json!({ identity: manifest.name }))?,
        })
    }

    fn target_object(&self, manifest: &Manifest, body: &Value) -> Result<Target, Failure> {
        let key = key(&manifest.key, body);
        let of_type = body.get("type_id").cloned().unwrap_or_default();
        let named: Vec<_> = key
            .iter()
            .map(|(name, value)| format!("{name}={}", cell(Some(value))))
            .collect();
        Ok(Target {
            title: format!("object {} {}", cell(Some(&manifest.name)), named.join(" ")),
            identity: object_identity(&of_type, &key),
            stored: self.references.find_object(&of_type, &key)?,
        })
    }

    fn insert(
        &mut self,
        resource: &'static Resource,
        title: String,
        mut body: Value,
    ) -> Result<(), Failure> {
        if resource.identity.is_none() {
            self.complete(&mut body)?;
        }
        if resource.has_author && body.get("author_id").is_none() {
            body["author_id"] = self.author()?;
        }
        self.writes.push(Write {
            title,
            differences: Vec::new(),
            path: resource.path.to_owned(),
            body,
            tag: None,
            action: Action::Insert,
        });
        Ok(())
    }

    fn change(
        &mut self,
        resource: &'static Resource,
        title: &str,
        listed: &Value,
        given: &Value,
    ) -> Result<(), Failure> {
        let id = id(listed);
        if compare(resource, listed, given).0.is_empty() {
            self.unchanged += 1;
            return Ok(());
        }
        // Lists hide passwords and have no entity tags.
        let lookup = Lookup {
            connection: self.references.connection,
            resource,
        };
        let (stored, tag) = lookup.tagged(id)?;
        let (mut found, body) = compare(resource, &stored, given);
        if found.is_empty() {
            self.unchanged += 1;
            return Ok(());
        }
        if resource.name == TYPE.name {
            self.types.change(&stored, &body);
        }
        let of_type = stored.get("type_id").and_then(Value::as_i64);
        if let Some(of_type) = of_type.filter(|_| resource.identity.is_none()) {
            self.types.get(of_type)?.hide(&mut found);
        }
        self.writes.push(Write {
            title: format!("{title} ({id})"),
            differences: found,
            path: resource.record(id),
            body,
            tag,
            action: Action::Change,
        });
        Ok(())
    }

    /// Adds the fields of the type that the object lacks.
    fn complete(&mut self, object: &mut Value) -> Result<(), Failure> {
        let reference = object.get("type_id").cloned().unwrap_or_default();
        let made = reference.get(MADE).and_then(Value::as_u64);
        if let Some(made) = made.and_then(|made| self.writes.get(usize::try_from(made).ok()?)) {
            complete(object, &made.body);
        } else if let Some(id) = reference.as_i64() {
            complete(object, &self.types.get(id)?.definition);
        }
        object["type_id"] = reference;
        Ok(())
    }

    fn author(&mut self) -> Result<Value, Failure> {
        if self.author.is_none() {
            self.author = Some(author(self.references.connection)?);
        }
        Ok(self.author.clone().unwrap_or_default())
    }
}

/// The record that a manifest is about.
struct Target {
    title: String,
    identity: Value,
    stored: Option<Value>,
}

/// The fields of an object by which it is found.
fn key(names: &[String], object: &Value) -> Map<String, Value> {
    let value = |name: &String| field(object, name).cloned().unwrap_or_default();
    names
        .iter()
        .map(|name| (name.clone(), value(name)))
        .collect()
}

/// Takes the fields that refer to objects further down, and returns them as the file has them.
fn take_later(resolved: &mut Value, given: &Value) -> Vec<Value> {
    let Some(fields) = resolved.get_mut("fields").and_then(Value::as_array_mut) else {
        return Vec::new();
    };
    let names: Vec<Value> = (fields.extract_if(.., |field| is_later(field)))
        .filter_map(|mut field| field.get_mut("name").map(Value::take))
        .collect();
    let given = given.get("fields").and_then(Value::as_array);
    let given = given.into_iter().flatten();
    given
        .filter(|field| names.contains(&field["name"]))
        .cloned()
        .collect()
}

/// The value of a field of an object.
fn field<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    let fields = object.get("fields")?.as_array()?;
    let is_named = |field: &&Value| field.get("name").is_some_and(|found| found == name);
    fields.iter().find(is_named)?.get("value")
}

/// What differs, and the body of a PATCH with it.
fn compare(resource: &Resource, stored: &Value, given: &Value) -> (Vec<Difference>, Value) {
    if resource.identity.is_none() {
        change_of_object(stored, given)
    } else {
        change_of_record(stored, given)
    }
}

/// The fields and members that differ, as the body of a PATCH.
fn change_of_object(stored: &Value, given: &Value) -> (Vec<Difference>, Value) {
    let mut members = given.clone();
    let mut all = Vec::new();
    let mut fields = Vec::new();
    if let Some(members) = members.as_object_mut() {
        members.shift_remove("fields");
        members.shift_remove("type_id");
    }
    let items = given.get("fields").and_then(Value::as_array);
    for item in items.into_iter().flatten() {
        let name = cell(item.get("name"));
        let after = item.get("value").unwrap_or(&Value::Null);
        let before = field(stored, &name).unwrap_or(&Value::Null);
        let found = differences(&name, before, after);
        if !found.is_empty() {
            fields.push(json!({"name": name, "value": after}));
        }
        all.extend(found);
    }
    let (found, mut body) = change_of_record(stored, &members);
    all.extend(found);
    if !fields.is_empty() {
        body["fields"] = Value::from(fields);
    }
    (all, body)
}

/// The members that differ, as the body of a PATCH.
fn change_of_record(stored: &Value, given: &Value) -> (Vec<Difference>, Value) {
    let mut all = Vec::new();
    let mut body = Map::new();
    for (name, after) in given.as_object().into_iter().flatten() {
        let before = stored.get(name).unwrap_or(&Value::Null);
        let found = differences(name, before, after);
        if !found.is_empty() {
            body.insert(name.clone(), overlay(before, after));
        }
        all.extend(found);
    }
    (all, Value::Object(body))
}
