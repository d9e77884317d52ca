//! Random restores, and what must come of them.

use serde_json::{Value, json};

use crate::change::{Kind, Write};
use crate::filter::value;
use crate::model::Records;
use crate::world::World;

/// Told by each edit, and no difference that a restore undoes.
const EDIT: [&str; 2] = ["last_edit_time", "editor_id"];

impl World {
    /// A restore of a record of a kind.
    pub(crate) fn restore_of(&mut self, folder: &str) -> Write {
        let Some(path) = self.any_ever(folder) else {
            return self.record_write();
        };
        let newest = self.model.states[&path].len();
        let unknown = usize::from(self.random.u8(0..8) == 0);
        let revision = self.random.usize(1..=newest + unknown);
        let force = self.random.u8(0..4) > 0;
        let body = match self.random.u8(0..4) {
            0 if !self.model.now.contains_key(&path) => json!({}),
            1 => {
                let fields = self.some_fields(folder);
                json!({"revision": revision, "force": force, "fields": fields})
            }
            _ => json!({"revision": revision, "force": force}),
        };
        Write::restore(&path, body)
    }

    fn some_fields(&mut self, folder: &str) -> Vec<&'static str> {
        let known: &[&str] = match folder {
            "objects" => &["name", "serial", "place", "notes"],
            "types" => &["label", "fields", "acl"],
            "categories" => &["label", "types", "parent"],
            "views" => &["description", "definition", "type_id"],
            "users" => &["email", "first_name"],
            "groups" => &["label", "rights"],
            _ => &["payload"],
        };
        let count = self.random.usize(1..=2.min(known.len()));
        self.random.choose_multiple(known.iter().copied(), count)
    }

    /// The status of a restore, where it is certain.
    pub(crate) fn forecast(&self, write: &Write) -> Option<u16> {
        let path = restored_path(write)?;
        let states = &self.model.states[path];
        let is_there = self.model.now.contains_key(path);
        let Some(revision) = self.revision(write) else {
            return Some(400);
        };
        if self.model.state(path, revision).is_none() {
            return Some(404);
        }
        let mut later = self.model.changes_of(path).into_iter().skip(revision);
        if later.any(|change| change.action == "insert") {
            return Some(409);
        }
        let fields = names(write);
        if !is_there && fields.is_some() {
            return Some(400);
        }
        let is_object = path.starts_with("/rest/objects/");
        if is_there && write.body["force"] != true {
            let overwritten = match &fields {
                None => states.len() - revision,
                Some(names) if is_object => self.touching(path, revision, names),
                Some(_) => return None,
            };
            // The first of them is the one that the restore undoes.
            if overwritten > 1 {
                return Some(409);
            }
        }
        // Other records are restored by the rules of now.
        is_object.then(|| self.forecast_of_object(path, revision, fields.as_deref()))
    }

    fn forecast_of_object(&self, path: &str, revision: usize, fields: Option<&[String]>) -> u16 {
        let past = self.model.state(path, revision).unwrap();
        let Some(present) = self.model.now.get(path) else {
            let of_type = format!("/rest/types/{}", past["type_id"]);
            return match self.model.now.get(&of_type) {
                None => 400,
                Some(definition) if definition["active"] == false => 403,
                Some(_) => 200,
            };
        };
        let is_known = |name: &String| [past, present].iter().any(|of| value(of, name).is_some());
        if fields.is_none_or(|names| names.iter().all(is_known)) {
            200
        } else {
            400
        }
    }

    /// How many changes after a revision touched some of these fields of an object.
    fn touching(&self, path: &str, revision: usize, names: &[String]) -> usize {
        let pairs = self.model.states[path][revision - 1..].windows(2);
        let touched = pairs.filter(|pair| match (&pair[0], &pair[1]) {
            (Some(before), Some(after)) => names
                .iter()
                .any(|name| value(before, name) != value(after, name)),
            _ => false,
        });
        touched.count()
    }

    /// The revision that a restore means; `None` if it must name one.
    fn revision(&self, write: &Write) -> Option<usize> {
        let path = restored_path(write)?;
        match write.body["revision"].as_u64() {
            Some(revision) => usize::try_from(revision).ok(),
            None if self.model.now.contains_key(path) => None,
            None => Some(self.model.states[path].len() - 1),
        }
    }

    /// After a restore, the record is what it was.
    pub(crate) fn check_restored(&self, write: &Write, before: &Records) {
        let Some(path) = restored_path(write) else {
            return;
        };
        let was_there = before.contains_key(path);
        let revision = match write.body["revision"].as_u64() {
            Some(revision) => usize::try_from(revision).unwrap(),
            // The delete, and the restore itself.
            None => self.model.states[path].len() - 2,
        };
        let past = self.model.state(path, revision).unwrap();
        let restored = &self.model.now[path];
        let expected = match names(write) {
            None => past.clone(),
            Some(names) => overlaid(&before[path], past, &names),
        };
        assert_eq!(
            without_edit(restored),
            without_edit(&expected),
            "{write:?}, which was there: {was_there}"
        );
    }
}

/// The path of the record that a write restores.
fn restored_path(write: &Write) -> Option<&str> {
    let is_restore = write.kind == Kind::Restore;
    is_restore.then(|| write.path.strip_suffix("/restore").unwrap())
}

/// The fields to restore: a set, so those that come back are in the order of their names.
fn names(write: &Write) -> Option<Vec<String>> {
    let names = write.body["fields"].as_array()?.iter();
    let mut names: Vec<String> = names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    names.sort_unstable();
    Some(names)
}

/// The present record with some fields as they were.
fn overlaid(present: &Value, past: &Value, names: &[String]) -> Value {
    let mut overlaid = present.clone();
    // Types have fields, and views have a type; only objects have both.
    let is_object = present.get("type_id").is_some() && present.get("fields").is_some();
    if !is_object {
        for name in names {
            overlaid[name] = past[name].clone();
        }
        return overlaid;
    }
    let fields = overlaid["fields"].as_array_mut().unwrap();
    for name in names {
        let place = fields.iter().position(|field| field["name"] == *name);
        let then = value(past, name).map(|value| json!({"name": name, "value": value}));
        match (place, then) {
            (Some(place), Some(then)) => fields[place] = then,
            (Some(place), None) => _ = fields.remove(place),
            (None, Some(then)) => fields.push(then),
            (None, None) => panic!("an unknown field was restored"),
        }
    }
    overlaid
}

pub(crate) fn without_edit(record: &Value) -> Value {
    let mut record = record.clone();
    for member in EDIT {
        record.as_object_mut().unwrap().shift_remove(member);
    }
    record
}
