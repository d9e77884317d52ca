//! The kinds of writes, and what each does.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::model::{Effect, Kind};
use crate::worker::{Stopped, Worker};

/// The indexes of the records that every worker has from its beginning.
pub(crate) const TYPE: usize = 0;
pub(crate) const SETTING: usize = 1;

/// The names of the field that a type has now and then.
const EXTRA: [&str; 2] = ["extra", "spare"];

impl Worker {
    /// Makes the worker's type and setting.
    pub(crate) fn begin(&mut self) -> Result<(), Stopped> {
        let name = self.name.replace('.', "_");
        let mut body = type_change(&name, None);
        body["name"] = name.clone().into();
        body["author_id"] = 1.into();
        let after = Kind::Type.view(&body);
        assert_eq!(self.insert(Kind::Type, None, body, after)?, TYPE);
        let path = format!("{}/{name}", Kind::Setting.list());
        let body = self.setting("first");
        let after = Kind::Setting.view(&body);
        let setting = self.insert(Kind::Setting, Some(path), body, after)?;
        assert_eq!(setting, SETTING);
        Ok(())
    }

    /// One write of some kind.
    pub(crate) fn step(&mut self) -> Result<(), Stopped> {
        match self.random.u32(0..100) {
            0..18 => self.insert_object(),
            18..22 => self.write_view(),
            22..31 => self.patch_object(),
            31..37 => self.replace_object(),
            37..42 => self.switch_object(),
            42..47 => self.delete_and_clear(),
            47..51 => self.delete_some(),
            51..56 => self.bring_back(),
            56..61 => self.go_back(),
            61..66 => self.change_type(),
            66..70 => self.clean(),
            70..75 => self.write_setting(),
            75..80 => self.write_category(),
            80..86 => self.write_person(),
            86..92 => self.batch(),
            92..96 => self.revert(),
            _ => self.job(),
        }
    }

    fn insert_object(&mut self) -> Result<(), Stopped> {
        let body = self.object();
        let mut after = Kind::Object.view(&body);
        after["active"] = true.into();
        self.insert(Kind::Object, None, body, after).map(drop)
    }

    fn patch_object(&mut self) -> Result<(), Stopped> {
        let Some((record, mut after)) = self.pick() else {
            return Ok(());
        };
        let value = self.next_value();
        after["fields"]["value"] = value.as_str().into();
        let body = json!({"fields": [{"name": "value", "value": value}]});
        self.write("PATCH", "", record, Some(body), Some(after))
    }

    fn replace_object(&mut self) -> Result<(), Stopped> {
        let Some((record, before)) = self.pick() else {
            return Ok(());
        };
        let body = self.object();
        let mut after = Kind::Object.view(&body);
        after["active"] = before["active"].clone();
        self.write("PUT", "", record, Some(body), Some(after))
    }

    fn switch_object(&mut self) -> Result<(), Stopped> {
        let Some((record, mut after)) = self.pick() else {
            return Ok(());
        };
        let active = json!(after["active"] != true);
        after["active"] = active.clone();
        self.write("PUT", "/state", record, Some(active), Some(after))
    }

    /// Deletes an object, and clears the references to it in the same transaction.
    fn delete_and_clear(&mut self) -> Result<(), Stopped> {
        let Some((target, _)) = self.pick() else {
            return Ok(());
        };
        let id = json!(self.log.records[target].id());
        let mut effects = vec![Effect {
            record: target,
            after: None,
        }];
        for (record, mut after) in self.objects() {
            if record != target && after["fields"]["parent"] == id {
                after["fields"]["parent"] = Value::Null;
                let after = Some(after);
                effects.push(Effect { record, after });
            }
        }
        let path = format!("{}/{id}?references=clear", Kind::Object.list());
        self.send("DELETE", &path, None, effects)
    }

    /// Deletes three objects in one request.
    fn delete_some(&mut self) -> Result<(), Stopped> {
        let mut all = self.objects();
        if all.len() < 6 {
            return Ok(());
        }
        self.random.shuffle(&mut all);
        all.truncate(3);
        let ids: Vec<String> = all
            .iter()
            .map(|(record, _)| self.log.records[*record].id().to_string())
            .collect();
        let effects = all.iter().map(|(record, _)| Effect {
            record: *record,
            after: None,
        });
        let path = format!("{}/{}", Kind::Object.list(), ids.join(","));
        self.send("DELETE", &path, None, effects.collect())
    }

    /// Restores a deleted object.
    fn bring_back(&mut self) -> Result<(), Stopped> {
        let records = self.log.records.iter().enumerate();
        let deleted = records.filter(|(_, record)| {
            record.kind == Kind::Object && record.states.last() == Some(&None)
        });
        let deleted: Vec<usize> = deleted.map(|(index, _)| index).collect();
        let Some(record) = self.random.choice(deleted) else {
            return Ok(());
        };
        let states = &self.log.records[record].states;
        let after = states.iter().rev().flatten().next().cloned();
        self.write("POST", "/restore", record, Some(json!({})), after)
    }

    /// Restores an earlier state of an object.
    fn go_back(&mut self) -> Result<(), Stopped> {
        let Some((record, now)) = self.pick() else {
            return Ok(());
        };
        let states = self.log.records[record].states.iter().zip(1..);
        let others = states.filter_map(|(state, revision)| Some((state.clone()?, revision)));
        let others: Vec<(Value, i64)> = others.filter(|(state, _)| *state != now).collect();
        let Some((after, revision)) = self.random.choice(others) else {
            return Ok(());
        };
        let body = json!({"revision": revision, "force": true});
        self.write("POST", "/restore", record, Some(body), Some(after))
    }

    /// Adds a field to the type, or removes it, so that its objects become unclean; or renames it.
    fn change_type(&mut self) -> Result<(), Stopped> {
        let label = self.next_value();
        let extra = match self.extra() {
            None => Some(EXTRA[0]),
            Some(old) if self.random.bool() => return self.rename(&label, old),
            Some(_) => None,
        };
        let body = type_change(&label, extra);
        let after = Some(Kind::Type.view(&body));
        self.write("PATCH", "", TYPE, Some(body), after)
    }

    /// Moves the values of all objects to another name in one transaction.
    fn rename(&mut self, label: &str, old: &str) -> Result<(), Stopped> {
        let new = EXTRA[usize::from(old == EXTRA[0])];
        let objects = self.objects();
        // A name under which any object holds a value is taken.
        if (objects.iter()).any(|(_, state)| !state["fields"][new].is_null()) {
            return Ok(());
        }
        let mut effects = Vec::new();
        for (record, mut after) in objects {
            let fields = after["fields"].as_object_mut().expect("fields");
            let Some(value) = fields.shift_remove(old) else {
                continue;
            };
            fields.insert(new.to_owned(), value);
            let after = Some(after);
            effects.push(Effect { record, after });
        }
        let mut body = type_change(label, Some(new));
        let after = Some(Kind::Type.view(&body));
        effects.push(Effect {
            record: TYPE,
            after,
        });
        body["fields"][2]["renamed_from"] = old.into();
        let path = self.path_of(TYPE);
        self.send("PATCH", &path, Some(body), effects)
    }

    /// Adapts all objects of the type in one transaction.
    fn clean(&mut self) -> Result<(), Stopped> {
        let names = field_names(self.extra());
        let names: BTreeSet<&str> = names.into_iter().collect();
        let mut effects = Vec::new();
        for (record, mut after) in self.objects() {
            let fields = after["fields"].as_object().expect("fields");
            let before: BTreeSet<&str> = fields.keys().map(String::as_str).collect();
            if before != names {
                let value = |name: &str| fields.get(name).cloned().unwrap_or_default();
                let cleaned = names.iter().map(|name| ((*name).to_owned(), value(name)));
                after["fields"] = cleaned.collect::<Map<_, _>>().into();
                let after = Some(after);
                effects.push(Effect { record, after });
            }
        }
        let id = self.log.records[TYPE].id();
        self.send("PUT", &format!("/rest/objects/clean/{id}"), None, effects)
    }

    fn write_setting(&mut self) -> Result<(), Stopped> {
        let value = self.next_value();
        let body = self.setting(&value);
        let after = Some(Kind::Setting.view(&body));
        if self.log.records[SETTING].now().is_none() {
            let record = SETTING;
            let effects = vec![Effect { record, after }];
            let list = Kind::Setting.list();
            return self.send("POST", list, Some(body), effects);
        }
        if self.random.u32(0..4) == 0 {
            return self.write("DELETE", "", SETTING, None, None);
        }
        self.write("PUT", "", SETTING, Some(body), after)
    }

    /// A write with an effect on one record.
    pub(crate) fn write(
        &mut self,
        method: &'static str,
        more: &str,
        record: usize,
        body: Option<Value>,
        after: Option<Value>,
    ) -> Result<(), Stopped> {
        let path = self.log.records[record].path.as_deref().expect("a path");
        let path = format!("{path}{more}");
        let effects = vec![Effect { record, after }];
        self.send(method, &path, body, effects)
    }

    /// The body of an object, which may refer to another one.
    pub(crate) fn object(&mut self) -> Value {
        let parent = match self.pick() {
            Some((record, _)) if self.random.bool() => self.log.records[record].id().into(),
            _ => Value::Null,
        };
        let mut fields = vec![
            json!({"name": "value", "value": self.next_value()}),
            json!({"name": "parent", "value": parent}),
        ];
        if let Some(extra) = self.extra().filter(|_| self.random.bool()) {
            fields.push(json!({"name": extra, "value": self.next_value()}));
        }
        json!({"type_id": self.log.records[TYPE].id(), "author_id": 1, "fields": fields})
    }

    pub(crate) fn setting(&self, value: &str) -> Value {
        let identifier = self.name.replace('.', "_");
        json!({"identifier": identifier, "setting_type": "GLOBAL", "user_id": 1, "payload": {"value": value}})
    }

    /// The name of the field that the type has now and then.
    fn extra(&self) -> Option<&'static str> {
        let view = self.log.records[TYPE].now()?;
        let mut names = EXTRA.into_iter();
        names.find(|name| view["fields"].get(*name).is_some())
    }

    /// An object that exists, and its state.
    pub(crate) fn pick(&mut self) -> Option<(usize, Value)> {
        let all = self.objects();
        self.random.choice(all)
    }

    pub(crate) fn objects(&self) -> Vec<(usize, Value)> {
        self.living(Kind::Object)
    }

    pub(crate) fn living(&self, kind: Kind) -> Vec<(usize, Value)> {
        let records = self.log.records.iter().enumerate();
        let living = records.filter(|(_, record)| record.kind == kind);
        living
            .filter_map(|(index, record)| Some((index, record.now()?.clone())))
            .collect()
    }
}

fn field_names(extra: Option<&'static str>) -> Vec<&'static str> {
    let names = ["value", "parent"].into_iter();
    names.chain(extra).collect()
}

fn type_change(label: &str, extra: Option<&'static str>) -> Value {
    let field = |name: &str| {
        let kind = if name == "parent" { "ref" } else { "text" };
        json!({"type": kind, "name": name, "label": name})
    };
    let fields: Vec<Value> = field_names(extra).into_iter().map(field).collect();
    json!({"label": label, "fields": fields})
}
