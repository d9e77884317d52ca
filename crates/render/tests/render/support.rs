//! A context of JSON documents.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use stockroom_model::body::merge_patch;
use stockroom_model::{ObjectId, RecordLimits, Timestamp, Type, TypeId};
use stockroom_render::{Record, RenderContext, Target, TypeTemplate, load, render};

/// 2020-01-02 00:00 UTC.
pub(crate) const NOW: Timestamp = Timestamp(1_577_923_200_000_000);

/// All types and objects, and the ids that the reader may not see.
#[derive(Default)]
pub(crate) struct Inventory {
    types: BTreeMap<i64, TypeTemplate>,
    objects: BTreeMap<i64, Record>,
    hidden: BTreeSet<i64>,
    users: BTreeMap<i64, String>,
}

impl Inventory {
    pub(crate) fn new(types: &[Value], objects: &[Value]) -> Self {
        Self {
            types: types
                .iter()
                .map(|changes| (changes["public_id"].as_i64().unwrap(), template(changes)))
                .collect(),
            objects: objects
                .iter()
                .map(|document| (document["public_id"].as_i64().unwrap(), object(document)))
                .collect(),
            ..Self::default()
        }
    }

    pub(crate) fn hide(mut self, id: i64) -> Self {
        self.hidden.insert(id);
        self
    }

    pub(crate) fn user(mut self, id: i64, name: &str) -> Self {
        self.users.insert(id, name.to_owned());
        self
    }

    pub(crate) fn object(&self, id: i64) -> (&Record, &TypeTemplate) {
        let object = &self.objects[&id];
        (object, &self.types[&object.type_id().unwrap().get()])
    }

    /// Renders an object like the service: load hop by hop, then render. Fails if rendering needs
    /// an object that was not loaded.
    pub(crate) fn render(&self, id: i64) -> Value {
        self.render_within(id, usize::MAX).0
    }

    /// The same with at most so many bytes of work; with the work that was done.
    pub(crate) fn render_within(&self, id: i64, most_work: usize) -> (Value, usize) {
        let (object, template) = self.object(id);
        let mut reader = Reader {
            inventory: self,
            fetched: BTreeSet::new(),
            unprepared: RefCell::default(),
            most_work,
            work: Cell::new(0),
        };
        load(&[(object, template)], &mut reader, |reader, ids| {
            assert!(
                ids.iter().all(|id| reader.fetched.insert(*id)),
                "fetched twice"
            );
            Ok::<(), ()>(())
        })
        .unwrap();
        reader.unprepared.borrow_mut().clear();
        let document = serde_json::from_str(&render(object, template, &reader, NOW)).unwrap();
        assert_eq!(
            *reader.unprepared.borrow(),
            [],
            "asked for without being loaded"
        );
        (document, reader.work.get())
    }

    /// The part of [`Self::render`] that most cases test.
    pub(crate) fn render_type_information(&self, id: i64) -> Value {
        self.render(id)["type_information"].take()
    }
}

struct Reader<'a> {
    inventory: &'a Inventory,
    fetched: BTreeSet<ObjectId>,
    unprepared: RefCell<Vec<ObjectId>>,
    most_work: usize,
    work: Cell<usize>,
}

impl RenderContext for Reader<'_> {
    fn template(&self, id: TypeId) -> Option<&TypeTemplate> {
        self.inventory.types.get(&id.get())
    }

    fn sees(&self, _: TypeId) -> bool {
        true
    }

    fn object(&self, id: ObjectId) -> Target<'_> {
        if !self.fetched.contains(&id) {
            self.unprepared.borrow_mut().push(id);
        }
        match self.inventory.objects.get(&id.get()) {
            None => Target::Missing,
            Some(_) if self.inventory.hidden.contains(&id.get()) => Target::Hidden,
            Some(object) => Target::Visible(object),
        }
    }

    fn user_name(&self, id: i64) -> Option<&str> {
        self.inventory.users.get(&id).map(String::as_str)
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn may_go_on(&self, bytes: usize) -> bool {
        self.work.set(self.work.get() + bytes);
        self.work.get() <= self.most_work
    }
}

pub(crate) fn object(document: &Value) -> Record {
    Record::new(document.to_string()).unwrap()
}

pub(crate) fn template(changes: &Value) -> TypeTemplate {
    TypeTemplate::new(&r#type(changes), &RecordLimits::default())
}

/// A plain type with `changes` applied.
pub(crate) fn r#type(changes: &Value) -> Type {
    let mut document = json!({
        "public_id": 1, "name": "server", "label": "Server", "author_id": 1, "editor_id": null, "active": true,
        "version": "1.0.0", "description": null, "creation_time": "2020-01-01T00:00:00.000000", "last_edit_time": null,
        "fields": [], "render_meta": {"icon": null, "sections": [], "externals": [], "summary": {"fields": []}},
        "acl": {"activated": false, "groups": {"includes": {}}},
    });
    merge_patch(&mut document, changes);
    let nulls = changes
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| value.is_null());
    for (key, null) in nulls {
        document[key] = null.clone();
    }
    serde_json::from_value(document).unwrap()
}

/// A type with one section of all its fields.
pub(crate) fn flat_type(id: i64, fields: &[Value]) -> Value {
    let names: Vec<&Value> = fields.iter().map(|field| &field["name"]).collect();
    json!({
        "public_id": id,
        "fields": fields,
        "render_meta": {"sections": [section("section", "all", &json!(names))]},
    })
}

pub(crate) fn field(kind: &str, name: &str) -> Value {
    json!({"type": kind, "name": name, "label": name})
}

pub(crate) fn section(kind: &str, name: &str, fields: &Value) -> Value {
    json!({"type": kind, "name": name, "label": name, "fields": fields})
}

pub(crate) fn record(id: i64, type_id: i64, fields: &[(&str, Value)]) -> Value {
    let fields: Vec<Value> = fields
        .iter()
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({"public_id": id, "type_id": type_id, "fields": fields})
}
