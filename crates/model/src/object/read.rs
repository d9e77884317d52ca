//! Reads an object from a body, before the check against its type (`docs/guide/src/objects.md`).

use std::collections::HashMap;

use super::stored_items::{StoredItems, name};
use super::{Object, UnsavedObject};
use crate::body::{Body, Report};
use crate::id::{ObjectId, TypeId};
use crate::json::{self, Value, longer_than, pointer};
use crate::r#type::read::author;
use crate::{DEFAULT_VERSION, RecordLimits, Timestamp};

/// An object as a body describes it; the store sets id and edit times.
#[derive(Debug, Clone)]
pub struct ObjectDraft {
    /// The requested id.
    pub public_id: Option<ObjectId>,
    /// Its type; the fields are not yet checked against it.
    pub type_id: TypeId,
    /// The initial view count of a new object; updates ignore it.
    pub views: i64,
    /// The items of `fields`. Each has a name and a value, except stored items that lacked one.
    pub fields: Vec<Value>,
    status: Value,
    version: Value,
    author_id: Value,
    active: Value,
    creation_time: Option<Timestamp>,
    last_edit_time: Option<Timestamp>,
    editor_id: Option<i64>,
}

/// As many values as a body may have.
const MAX_VALUES: usize = json::MAX_VALUES;

/// What bodies and answers have.
const MEMBERS: [&str; 13] = [
    "public_id",
    "type_id",
    "status",
    "version",
    "author_id",
    "creation_time",
    "last_edit_time",
    "editor_id",
    "active",
    "fields",
    "views",
    "revision",
    "labels",
];

impl ObjectDraft {
    /// Reads a body; `stored` is the object that it replaces.
    #[must_use]
    pub fn read(
        body: &Value,
        stored: Option<&Object>,
        limits: &RecordLimits,
        report: &Report,
    ) -> Option<Self> {
        let changes = stored.map(|stored| changes(body, stored));
        let body = Body::open(changes.as_ref().unwrap_or(body), "", report)?;
        let draft = Self::members(&body, stored, report, limits)?;
        draft.check_length(stored, report, limits);
        Some(draft)
    }

    /// The parts of unlimited length may not exceed the limit, or their length in the stored
    /// object.
    fn check_length(&self, stored: Option<&Object>, report: &Report, limits: &RecordLimits) {
        let limit = limits.document_bytes;
        let most: usize = self.fields.iter().map(json::most_bytes).sum();
        // Each value has bytes.
        if most > MAX_VALUES {
            self.check_values(stored, report);
        }
        if most + json::most_bytes(&self.version) <= limit {
            return;
        }
        let bytes = json::length(&self.fields) + json::length(&self.version);
        let before = stored.map_or(0, |stored| {
            let parts = ["fields", "version"].map(|key| stored.members().get(key));
            parts.into_iter().flatten().map(json::length).sum()
        });
        if bytes > limit.max(before) {
            report.problem(
                "",
                format!(
                    "the object has {bytes} bytes as JSON; the limit is {limit} bytes of a record"
                ),
            );
        }
    }

    /// A parsed document takes many times the memory of its text if its values are short, and changes
    /// of parts could add up to any number of them.
    fn check_values(&self, stored: Option<&Object>, report: &Report) {
        let count = |items: &[Value]| items.iter().map(json::values_in).sum::<usize>();
        let values = count(&self.fields);
        let before = stored.map_or(0, |stored| count(stored.items()));
        if values > MAX_VALUES.max(before) {
            let detail = format!(
                "the object has {values} JSON values; the limit is {MAX_VALUES} of a record"
            );
            report.problem("/fields", detail);
        }
    }

    fn members<'a>(
        body: &Body<'a>,
        stored: Option<&Object>,
        report: &'a Report,
        limits: &RecordLimits,
    ) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        let public_id = body.id("public_id");
        if let Some(id) = stored.and_then(Object::public_id) {
            body.must_be("public_id", id);
        }
        let stored_type = stored.and_then(Object::type_id);
        let type_id = match stored_type {
            Some(type_id) => {
                check_type(body, type_id);
                Some(type_id)
            }
            None => body
                .require("type_id")
                .then(|| body.id("type_id"))
                .flatten(),
        };
        let author_id = as_stored(body, stored, "author_id").or_else(|| {
            let author = author(body, stored.and_then(|stored| stored.integer("author_id")));
            author.map(Value::from)
        });
        let active = as_stored(body, stored, "active")
            .or_else(|| body.boolean("active", true).map(Value::Bool));
        let version = as_stored(body, stored, "version")
            .unwrap_or_else(|| Value::from(body.text("version").unwrap_or(DEFAULT_VERSION)));
        let views = body.integer("views").unwrap_or(0);
        if views < 0 {
            body.problem("views", "must be 0 or more");
        }
        let status = as_stored(body, stored, "status")
            .or_else(|| body.boolean("status", true).map(Value::Bool));
        let times = ["creation_time", "last_edit_time"].map(|key| body.time(key));
        let editor_id = body.integer("editor_id");
        let fields = fields(body, stored, report, limits);
        Some(Self {
            public_id,
            type_id: type_id?,
            views,
            fields: fields?,
            status: status?,
            version,
            author_id: author_id?,
            active: active?,
            creation_time: times[0],
            last_edit_time: times[1],
            editor_id,
        })
    }

    /// The object to insert. Takes times and editor from the body if given, so that records
    /// migrated from another system keep theirs.
    #[must_use]
    pub fn into_unsaved(self) -> UnsavedObject {
        let [creation_time, last_edit_time] = [self.creation_time, self.last_edit_time]
            .map(|time| time.map_or(Value::Null, Timestamp::to_date));
        let editor_id = Value::from(self.editor_id);
        UnsavedObject {
            lacks_id: true,
            lacks_creation_time: creation_time.is_null(),
            object: self.into_object(0, creation_time, last_edit_time, editor_id),
        }
    }

    /// The object that replaces `stored`, with its times and editor.
    #[must_use]
    pub fn into_replacement(self, public_id: ObjectId, stored: &Object) -> Object {
        let kept = |key| stored.members().get(key).cloned().unwrap_or(Value::Null);
        let [creation_time, last_edit_time, editor_id] = SETTLED.map(kept);
        self.into_object(public_id.get(), creation_time, last_edit_time, editor_id)
    }

    fn into_object(
        self,
        public_id: i64,
        creation_time: Value,
        last_edit_time: Value,
        editor_id: Value,
    ) -> Object {
        let values = [
            public_id.into(),
            self.type_id.get().into(),
            self.status,
            self.version,
            self.author_id,
            creation_time,
            last_edit_time,
            editor_id,
            self.active,
            Value::Array(self.fields),
        ];
        let keys = Object::MEMBERS.map(str::to_owned).into_iter();
        Object::from_document(Value::Object(keys.zip(values).collect()))
    }
}

/// The members that an update keeps when the body omits them or sends the stored value.
const KEPT: [&str; 4] = ["status", "version", "author_id", "active"];
/// The members that the store sets; sent back unchanged, they are not checked.
const SETTLED: [&str; 3] = ["creation_time", "last_edit_time", "editor_id"];

/// The body without members that repeat the stored value: old documents hold values that a body may
/// not set.
fn changes(body: &Value, stored: &Object) -> Value {
    let mut changes = body.clone();
    if let Some(members) = changes.as_object_mut() {
        let stored = stored.members();
        for key in KEPT.into_iter().chain(SETTLED) {
            if members.contains_key(key) && members.get(key) == stored.get(key) {
                members.shift_remove(key);
            }
        }
    }
    changes
}

/// Notes a problem if the body names another type than that of the stored object.
fn check_type(body: &Body<'_>, stored: TypeId) {
    if let Some(sent) = body.id::<TypeId>("type_id").filter(|sent| *sent != stored) {
        let detail = format!(
            "is {sent}, but the type of an object never changes: this one is of type {stored}; add an object of type {sent}, and delete this one"
        );
        body.problem("type_id", detail);
    }
}

/// The stored value, whatever it is, if the body omits the key. A stored object may lack an author.
fn as_stored(body: &Body<'_>, stored: Option<&Object>, key: &str) -> Option<Value> {
    let stored = stored.filter(|_| !body.members().contains_key(key))?;
    let value = stored.members().get(key).cloned();
    value.or_else(|| (key == "author_id").then_some(Value::Null))
}

fn fields<'a>(
    body: &Body<'a>,
    stored: Option<&Object>,
    report: &'a Report,
    limits: &RecordLimits,
) -> Option<Vec<Value>> {
    let sent = body.members().get("fields");
    if stored.is_some_and(|stored| sent == stored.members().get("fields")) {
        return Some(super::items(sent).to_vec());
    }
    if !body.require("fields") {
        return None;
    }
    let list = body.list("fields")?;
    let stored: &[Value] = stored.map(Object::items).unwrap_or_default();
    let most = limits.object_fields.max(stored.len());
    body.at_most("fields", most, "fields of an object")?;
    let stored_items = StoredItems::new(stored);
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut items = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        let at = || pointer("/fields", index);
        let name = if stored_items.contains(item) {
            items.push(item.clone());
            name(item)
        } else if let Some((name, value)) = field(item, at, report, limits) {
            items.push(super::item(name, value.clone()));
            Some(name)
        } else {
            None
        };
        let Some(name) = name else { continue };
        let count = names.entry(name).or_default();
        *count += 1;
        // Old documents may contain a name several times, and may keep the duplicates.
        if *count > stored_items.count(name).max(1) {
            report.problem(
                pointer(&at(), "name"),
                format!("the field {name:?} stands twice"),
            );
        }
    }
    Some(items)
}

fn field<'a>(
    item: &'a Value,
    at: impl Fn() -> String,
    report: &'a Report,
    limits: &RecordLimits,
) -> Option<(&'a str, &'a Value)> {
    let field = Body::open(item, at(), report)?;
    let name = field.required_text("name");
    let value = field.members().get("value");
    match value {
        None => field.problem("value", "is required; null stands for no value"),
        Some(value) => {
            if let Some(bytes) = longer_than(value, limits.value_bytes) {
                let limit = limits.value_bytes;
                field.problem(
                    "value",
                    format!("has {bytes} bytes as JSON; the limit is {limit} bytes of a value"),
                );
            }
        }
    }
    Some((name?, value?))
}
