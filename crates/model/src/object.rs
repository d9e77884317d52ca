//! Objects: the inventory records (`docs/guide/src/objects.md`).

mod canonical;
pub mod check;
pub mod merge;
pub mod read;
pub mod rename;
pub mod secret;
mod stored_items;
pub mod unsaved;
pub mod violation;

pub use canonical::make_canonical;
pub use check::{Reference, check_fields, is_empty, listed};
pub use merge::{Merged, is_increment};
pub use read::ObjectDraft;
pub use unsaved::UnsavedObject;
pub use violation::Violation;

use crate::Timestamp;
use crate::body::integer;
use crate::id::{ObjectId, TypeId};
use crate::json::{Map, Value};

/// An object as its native document, without `views`: the store counts these separately.
///
/// It wraps the stored JSON instead of parsing it: old documents may lack keys or hold values that
/// no insert accepts today, and a read must return them unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    document: Map<String, Value>,
}

impl Object {
    /// The members of a document, in their order.
    pub const MEMBERS: [&str; 10] = [
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
    ];

    /// Wraps a stored document; anything but a JSON object becomes one without keys.
    #[must_use]
    pub fn from_document(document: Value) -> Self {
        match document {
            Value::Object(document) => Self { document },
            _ => Self {
                document: Map::new(),
            },
        }
    }

    /// The stored document.
    #[must_use]
    pub fn into_document(self) -> Value {
        Value::Object(self.document)
    }

    /// All members of the document.
    #[must_use]
    pub const fn members(&self) -> &Map<String, Value> {
        &self.document
    }

    /// Its id.
    #[must_use]
    pub fn public_id(&self) -> Option<ObjectId> {
        ObjectId::new(self.integer("public_id")?)
    }

    /// The id of its type.
    #[must_use]
    pub fn type_id(&self) -> Option<TypeId> {
        TypeId::new(self.integer("type_id")?)
    }

    /// Whether it is active; true unless the document says otherwise.
    #[must_use]
    pub fn active(&self) -> bool {
        self.document
            .get("active")
            .and_then(Value::as_bool)
            .unwrap_or(true)
    }

    /// A whole number in a member of the document.
    #[must_use]
    pub fn integer(&self, key: &str) -> Option<i64> {
        self.document.get(key).and_then(integer)
    }

    /// Removes a whole number from the document; any other value stays.
    pub fn take_integer(&mut self, key: &str) -> Option<i64> {
        let number = self.integer(key)?;
        self.document.shift_remove(key);
        Some(number)
    }

    /// A text in a member of the document.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.document.get(key)?.as_str()
    }

    /// A `{"$date": …}` in a member of the document.
    #[must_use]
    pub fn time(&self, key: &str) -> Option<Timestamp> {
        Timestamp::from_date(self.document.get(key)?)
    }

    /// The items of `fields`, as stored.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        items(self.document.get("fields"))
    }

    /// Names and values of the fields; skips items that lack one of them.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.items()
            .iter()
            .filter_map(|item| Some((item.get("name")?.as_str()?, item.get("value")?)))
    }

    /// The value of a field.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.fields()
            .find(|(field, _)| *field == name)
            .map(|(_, value)| value)
    }

    /// The names of its fields, duplicates included.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.items()
            .iter()
            .filter_map(|item| item.get("name")?.as_str())
    }

    /// Replaces `fields`.
    pub fn set_items(&mut self, items: Vec<Value>) {
        self.document
            .insert("fields".to_owned(), Value::Array(items));
    }

    /// Sets one member; a new one is appended.
    pub fn set(&mut self, key: &str, value: Value) {
        self.document.insert(key.to_owned(), value);
    }
}

pub(crate) fn items(fields: Option<&Value>) -> &[Value] {
    fields
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

/// One item of `fields`.
#[must_use]
pub fn item(name: &str, value: Value) -> Value {
    let mut item = Map::new();
    item.insert("name".to_owned(), Value::String(name.to_owned()));
    item.insert("value".to_owned(), value);
    Value::Object(item)
}
