//! Random writes of objects and their types.

use serde_json::{Value, json};
use stockroom_testkit::inventory;

use crate::change::Write;
use crate::model::id_of;
use crate::world::World;

const NAMES: [&str; 4] = ["name", "serial", "place", "notes"];
/// So many objects are to be there.
const ENOUGH: usize = 6;

impl World {
    /// Some write of some record, which may be refused.
    pub(crate) fn any_write(&mut self) -> Write {
        if self.ids("types").len() < 2 {
            return self.new_type();
        }
        match self.random.u8(0..16) {
            0..8 => self.object_write(),
            8 | 9 => self.type_write(),
            _ => self.record_write(),
        }
    }

    fn object_write(&mut self) -> Write {
        let Some(path) = self.any("objects") else {
            return self.new_object();
        };
        if self.ids("objects").len() < ENOUGH {
            return self.new_object();
        }
        match self.random.u8(0..20) {
            0..5 => self.new_object(),
            5 => {
                let mut body = self.object_body();
                body["type_id"] = self.model.now[&path]["type_id"].clone();
                Write::put(path, body)
            }
            6..10 => {
                let body = self.object_body();
                Write::patch(path, json!({"fields": body["fields"]}))
            }
            10 => Write::patch(
                path,
                json!({"version": format!("1.{}", self.random.u8(0..3))}),
            ),
            11 => Write::state(&path, self.random.bool()),
            12 => {
                let type_id = self.any_id("types").unwrap();
                Write::clean(type_id)
            }
            13..16 => self.object_delete(path),
            _ => self.restore_of("objects"),
        }
    }

    fn object_delete(&mut self, path: String) -> Write {
        Write::delete(match self.random.u8(0..5) {
            0 => path,
            1 => format!("{path}?references=protect"),
            2 => {
                let other = self.any_id("objects").unwrap();
                format!("{path},{other}?references=clear")
            }
            _ => format!("{path}?references=clear"),
        })
    }

    /// Sometimes under the id of a deleted object.
    fn new_object(&mut self) -> Write {
        let mut body = self.object_body();
        if self.random.u8(0..6) == 0
            && let Some(path) = self.any_ever("objects")
        {
            body["public_id"] = json!(id_of(&path));
        }
        Write::insert("/rest/objects", body)
    }

    fn object_body(&mut self) -> Value {
        let type_id = self.any_id("types").unwrap();
        let names: Vec<&str> = NAMES.into_iter().filter(|_| self.random.bool()).collect();
        let values: Vec<(&str, Value)> = names
            .into_iter()
            .map(|name| (name, self.value(name)))
            .collect();
        inventory::object(type_id, &values)
    }

    pub(crate) fn value(&mut self, name: &str) -> Value {
        if name == "place" {
            return self.any_id("objects").map_or(Value::Null, Value::from);
        }
        self.text(name)
    }

    fn new_type(&mut self) -> Write {
        let body = json!({
            "name": self.new_name("type"), "label": self.text("type"), "author_id": 1,
            "fields": self.definitions(),
        });
        Write::insert("/rest/types", body)
    }

    /// Definitions of some fields, in any order and with any labels.
    fn definitions(&mut self) -> Value {
        let mut names = NAMES.to_vec();
        self.random.shuffle(&mut names);
        names.truncate(self.random.usize(1..=4));
        let definition = |name: &str| {
            let kind = if name == "place" { "ref" } else { "text" };
            json!({"type": kind, "name": name, "label": format!("{name} {}", self.random.u8(0..3))})
        };
        names.into_iter().map(definition).collect()
    }

    fn type_write(&mut self) -> Write {
        let path = self.any("types").unwrap();
        match self.random.u8(0..12) {
            0..3 => Write::patch(path, json!({"fields": self.definitions()})),
            10 | 11 => self.rename(path),
            3 => Write::patch(
                path,
                json!({"label": "renamed", "description": self.text("type")}),
            ),
            4 => {
                let mut body = self.model.now[&path].clone();
                body["version"] = json!(format!("2.{}", self.random.u8(0..3)));
                Write::put(path, body)
            }
            5 => Write::patch(path, self.access_list()),
            6 => self.new_type(),
            7 => Write::delete(path),
            _ => self.restore_of("types"),
        }
    }

    /// Gives a field another name, which objects may have already.
    fn rename(&mut self, path: String) -> Write {
        let mut fields = self.model.now[&path]["fields"].clone();
        let had: Vec<Value> = fields.as_array().into_iter().flatten().cloned().collect();
        let is_free = |name: &&str| had.iter().all(|field| field["name"] != **name);
        let free = NAMES.into_iter().filter(|name| *name != "place");
        let to = self.random.choice(free.filter(is_free).collect::<Vec<_>>());
        let texts = (0..had.len()).filter(|index| had[*index]["name"] != "place");
        let from = self.random.choice(texts.collect::<Vec<_>>());
        if let (Some(from), Some(to)) = (from, to) {
            fields[from]["renamed_from"] = fields[from]["name"].take();
            fields[from]["name"] = json!(to);
        }
        Write::patch(path, json!({"fields": fields}))
    }

    /// The writers may do everything, and some group may read.
    fn access_list(&mut self) -> Value {
        let all = ["CREATE", "READ", "UPDATE", "DELETE"];
        let mut includes = json!({"1": all, "3": all});
        if let Some(group) = self.any_id("groups") {
            includes[group.to_string()] = json!(["READ"]);
        }
        json!({"acl": {"activated": self.random.bool(), "groups": {"includes": includes}}})
    }
}
