//! Batches: several writes, of which all happen or none.

use serde_json::{Value, json};

use crate::model::{Effect, Kind, id_of};
use crate::worker::{Stopped, Worker};
use crate::writes::SETTING;

#[derive(Default)]
struct Batch {
    operations: Vec<Value>,
    effects: Vec<Effect>,
}

impl Batch {
    fn add(&mut self, method: &str, path: &str, body: &Value, record: usize, after: Option<Value>) {
        self.operations
            .push(json!({"method": method, "path": path, "body": body}));
        self.effects.push(Effect { record, after });
    }
}

impl Worker {
    pub(crate) fn batch(&mut self) -> Result<(), Stopped> {
        let path = "/rest/batch";
        if self.random.u32(0..5) == 0 {
            let body = self.wrong_batch();
            return self.send_wrong("POST", path, body);
        }
        let mut batch = Batch::default();
        self.add_inserts(&mut batch);
        if self.random.bool() {
            self.add_object_changes(&mut batch);
        }
        if self.random.bool() {
            self.add_others(&mut batch);
        }
        let body = json!({"operations": batch.operations});
        self.send("POST", path, Some(body), batch.effects)
    }

    /// Its last operation is refused.
    fn wrong_batch(&mut self) -> Value {
        let object = self.object();
        json!({"operations": [
            {"method": "POST", "path": "/objects", "body": object},
            {"method": "POST", "path": "/categories", "body": {"name": ""}},
        ]})
    }

    /// Makes an object and one that refers to it, and changes the first.
    fn add_inserts(&mut self, batch: &mut Batch) {
        let (target, source) = (
            self.new_record(Kind::Object, None),
            self.new_record(Kind::Object, None),
        );
        let body = self.object();
        let mut first = Kind::Object.view(&body);
        first["active"] = true.into();
        batch.add("POST", "/objects", &body, target, Some(first.clone()));
        let mut body = self.object();
        let mut after = Kind::Object.view(&body);
        after["active"] = true.into();
        after["fields"]["parent"] = id_of(target);
        body["fields"][1]["value"] = json!({"$result": 0});
        batch.add("POST", "/objects", &body, source, Some(after));
        let value = self.next_value();
        first["fields"]["value"] = value.as_str().into();
        let body = json!({"fields": [{"name": "value", "value": value}]});
        batch.add("PATCH", "/objects/{$result:0}", &body, target, Some(first));
    }

    /// Changes one object and deletes another.
    fn add_object_changes(&mut self, batch: &mut Batch) {
        let mut all = self.objects();
        self.random.shuffle(&mut all);
        if let Some((record, mut after)) = all.pop() {
            let value = self.next_value();
            after["fields"]["value"] = value.as_str().into();
            let body = json!({"fields": [{"name": "value", "value": value}]});
            batch.add(
                "PATCH",
                &self.short_path(record),
                &body,
                record,
                Some(after),
            );
        }
        if let Some((record, _)) = all.pop() {
            let path = self.short_path(record);
            batch.add("DELETE", &path, &Value::Null, record, None);
        }
    }

    /// Makes a category and changes the setting.
    fn add_others(&mut self, batch: &mut Batch) {
        let category = self.new_record(Kind::Category, None);
        let body = json!({"name": "of-batch", "label": self.next_value()});
        let after = Some(Kind::Category.view(&body));
        batch.add("POST", "/categories", &body, category, after);
        if self.log.records[SETTING].now().is_some() {
            let value = self.next_value();
            let body = self.setting(&value);
            let (path, after) = (self.short_path(SETTING), Kind::Setting.view(&body));
            batch.add("PUT", &path, &body, SETTING, Some(after));
        }
    }

    /// The path of a record in a batch.
    fn short_path(&self, record: usize) -> String {
        let path = self.path_of(record);
        path.trim_start_matches("/rest").to_owned()
    }
}
