//! Replaces names of other records by their ids.
//!
//! `{"$type": "server"}` stands for the id of the type, and `$category`, `$group`, `$view` and
//! `$source` do the same. `{"$object": {"type": "site", "name": "Berlin"}}` stands for the id of the object with
//! these fields. A record that the same files make has no id yet: `{"$made": 3}` stands for what the
//! write 3 makes. `{"$later": …}` stands for an object that the files make further down.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::command::resource::{Lookup, has_value};
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::resource::{CATEGORY, GROUP, OBJECT, Resource, SOURCE, TYPE, VIEW};

/// Stands for the id of a record that a write makes.
pub(super) const MADE: &str = "$made";

/// Stands for an object that a later write makes.
const LATER: &str = "$later";

const NAMED: [(&str, &Resource); 5] = [
    ("$type", &TYPE),
    ("$category", &CATEGORY),
    ("$group", &GROUP),
    ("$view", &VIEW),
    ("$source", &SOURCE),
];

/// Finds records on the server, and among those that are made.
pub(super) struct References<'a> {
    pub(super) connection: &'a Connection,
    /// Ids of records and numbers of writes, by what names the record.
    known: HashMap<String, Value>,
    /// What names the objects of the files, and the records that are planned.
    promised: HashSet<String>,
    planned: HashSet<String>,
}

impl<'a> References<'a> {
    pub(super) fn new(connection: &'a Connection) -> Self {
        Self {
            connection,
            known: HashMap::new(),
            promised: HashSet::new(),
            planned: HashSet::new(),
        }
    }

    /// Notes that the files have an object of this type with these fields.
    pub(super) fn promise(&mut self, of_type: &Value, fields: &Map<String, Value>) {
        let identity = object_identity(of_type, fields);
        self.promised.insert(key(&OBJECT, &identity));
    }

    /// Remembers the id of a record of the files, or the write that makes it. Says whether the files
    /// have it once so far; others may have referred to it.
    pub(super) fn plan(&mut self, resource: &Resource, name: &Value, id: Value) -> bool {
        self.learn(resource, name, id);
        self.planned.insert(key(resource, name))
    }

    fn learn(&mut self, resource: &Resource, name: &Value, id: Value) {
        self.known.insert(key(resource, name), id);
    }

    /// The id of a record of this name.
    pub(super) fn id(
        &mut self,
        resource: &'static Resource,
        name: &Value,
    ) -> Result<Value, Failure> {
        if let Some(id) = self.known.get(&key(resource, name)) {
            return Ok(id.clone());
        }
        let lookup = Lookup {
            connection: self.connection,
            resource,
        };
        let id = match name {
            Value::String(name) => json!(lookup.id(name)?),
            id => id.clone(),
        };
        self.learn(resource, name, id.clone());
        Ok(id)
    }

    /// Replaces all references in a value.
    pub(super) fn resolve(&mut self, value: &Value) -> Result<Value, Failure> {
        match value {
            Value::Array(items) => items.iter().map(|item| self.resolve(item)).collect(),
            Value::Object(members) => {
                if let Some(id) = self.reference(members)? {
                    return Ok(id);
                }
                let mut resolved = Map::new();
                for (name, value) in members {
                    resolved.insert(name.clone(), self.resolve(value)?);
                }
                Ok(Value::Object(resolved))
            }
            other => Ok(other.clone()),
        }
    }

    fn reference(&mut self, members: &Map<String, Value>) -> Result<Option<Value>, Failure> {
        if members.len() != 1 {
            return Ok(None);
        }
        for (mark, resource) in NAMED {
            if let Some(name) = members.get(mark) {
                return self.id(resource, name).map(Some);
            }
        }
        match members.get("$object") {
            Some(Value::Object(fields)) => self.object(fields).map(Some),
            _ => Ok(None),
        }
    }

    fn object(&mut self, given: &Map<String, Value>) -> Result<Value, Failure> {
        let mut fields = given.clone();
        let of_type = fields.shift_remove("type").unwrap_or_default();
        let of_type = self.id(&TYPE, &of_type)?;
        let mut resolved = Map::new();
        for (name, value) in &fields {
            resolved.insert(name.clone(), self.resolve(value)?);
        }
        let identity = object_identity(&of_type, &resolved);
        let name = key(&OBJECT, &identity);
        if let Some(id) = self.known.get(&name) {
            return Ok(id.clone());
        }
        let found = self.find_object(&of_type, &resolved)?;
        let id = found.and_then(|object| object.get("public_id").cloned());
        if id.is_none() && self.promised.contains(&name) {
            return Ok(json!({ LATER: identity }));
        }
        let id = id.ok_or_else(|| {
            let message = format!("there is no object {}", Value::from(given.clone()));
            Failure::new(Exit::NotFound, message)
        })?;
        self.learn(&OBJECT, &identity, id.clone());
        Ok(id)
    }

    /// The stored object of a type with these fields. What is yet to be made has none.
    pub(super) fn find_object(
        &self,
        of_type: &Value,
        fields: &Map<String, Value>,
    ) -> Result<Option<Value>, Failure> {
        if is_made(of_type) || fields.values().any(is_made) {
            return Ok(None);
        }
        let mut conditions = vec![json!({ "type_id": of_type })];
        conditions.extend(fields.iter().map(|(name, value)| has_value(name, value)));
        let lookup = Lookup {
            connection: self.connection,
            resource: &OBJECT,
        };
        lookup.find(&json!({ "$and": conditions }))
    }
}

/// What names an object: its type and the values of its key, in whichever order.
pub(super) fn object_identity(of_type: &Value, fields: &Map<String, Value>) -> Value {
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_key(|(name, _)| *name);
    json!([of_type, fields])
}

fn is_made(value: &Value) -> bool {
    value.get(MADE).is_some() || is_later(value)
}

/// Whether a resolved value refers to an object that a later write makes.
pub(super) fn is_later(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_later),
        Value::Object(members) => members.contains_key(LATER) || members.values().any(is_later),
        _ => false,
    }
}

fn key(resource: &Resource, name: &Value) -> String {
    format!("{} {name}", resource.name)
}
