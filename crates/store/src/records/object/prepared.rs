//! Objects that are made ready before the transaction that inserts them. The writer, for which all
//! other writes wait, then only fills in what is known there.

use stockroom_filter::{Datum, Key};
use stockroom_model::object::UnsavedObject;
use stockroom_model::{ObjectId, Timestamp, TypeId};

use super::VIEWS;
use super::index::{IndexRow, Indexed, Layout, Shape};
use crate::Error;
use crate::records::catalog::TypeEntry;
use crate::records::unique::{Held, TypeRule, ValueHash, hashes, held};

/// Capacity for what belongs in the gaps of a document.
const PLACEHOLDERS: usize = 64;

const CREATION_TIME: &str = "creation_time";

/// The document of an object, and its index rows, without id and creation time.
#[derive(Debug, Clone)]
pub struct PreparedObject {
    pub(super) type_id: TypeId,
    pub(super) active: bool,
    document: String,
    /// Where the id and the creation time belong in the document, the last one first.
    gaps: Vec<(usize, Gap)>,
    shape: Shape,
    keys: Vec<FieldKey>,
    /// What it has by each rule of its type.
    unique: Vec<Option<ValueHash>>,
}

#[derive(Debug, Clone, Copy)]
enum Gap {
    Id,
    CreationTime,
}

/// An index row without its object.
#[derive(Debug, Clone)]
struct FieldKey {
    field_id: i64,
    /// `None` stands for the creation time.
    key: Option<Vec<u8>>,
}

impl PreparedObject {
    /// An object with the index rows that its type gives it.
    ///
    /// # Errors
    ///
    /// It has no type.
    pub fn new(unsaved: &UnsavedObject, entry: &TypeEntry) -> Result<Self, Error> {
        Ok(Self {
            unique: hashes(&entry.unique, &unsaved.object),
            ..Self::indexed(unsaved, &entry.layout)?
        })
    }

    fn indexed(unsaved: &UnsavedObject, layout: &Layout) -> Result<Self, Error> {
        let time = layout.member(CREATION_TIME);
        let time = time.filter(|_| unsaved.lacks_creation_time);
        let (shape, keys) = layout.keys(&unsaved.object);
        let of_row = |(field_id, key)| FieldKey {
            field_id,
            key: (Some(field_id) != time.map(|time| time.id)).then_some(key),
        };
        Ok(Self {
            shape,
            keys: keys.into_iter().map(of_row).collect(),
            ..Self::without_type(unsaved)?
        })
    }

    /// An object without index rows. Lists find it, but slowly, until
    /// [`crate::WriteTx::write_index_batch`] has indexed it.
    ///
    /// # Errors
    ///
    /// It has no type.
    pub fn unindexed(unsaved: &UnsavedObject, entry: &TypeEntry) -> Result<Self, Error> {
        Ok(Self {
            unique: hashes(&entry.unique, &unsaved.object),
            ..Self::without_type(unsaved)?
        })
    }

    /// An object of a type that is not known.
    ///
    /// # Errors
    ///
    /// It names no type.
    pub fn without_type(unsaved: &UnsavedObject) -> Result<Self, Error> {
        let object = &unsaved.object;
        let type_id = object.type_id();
        let (document, gaps) = document(unsaved)?;
        Ok(Self {
            type_id: type_id.ok_or_else(|| Error::Damaged("a document without type_id".into()))?,
            active: object.active(),
            document,
            gaps,
            shape: Shape::Unindexed,
            keys: Vec::new(),
            unique: Vec::new(),
        })
    }

    pub(in crate::records) const fn type_id(&self) -> TypeId {
        self.type_id
    }

    /// What it holds by the rules of its type.
    pub(in crate::records) fn held(&self, rules: &[TypeRule]) -> Vec<Held> {
        held(rules, &self.unique)
    }

    /// The document and the index rows of the object with that id.
    pub(in crate::records) fn finish(self, id: ObjectId, now: Timestamp) -> (String, Indexed) {
        // The document has fewer digits than the clock, and its key must be the same.
        let time = now.to_date();
        let mut document = self.document;
        for (offset, gap) in self.gaps {
            match gap {
                Gap::Id => document.insert_str(offset, &id.to_string()),
                Gap::CreationTime => document.insert_str(offset, &time.to_string()),
            }
        }
        let row = |FieldKey { field_id, key }| IndexRow {
            field_id,
            key: key.unwrap_or_else(|| Key::of(Datum::of(&time), 0).into_bytes()),
            object_id: id,
        };
        let indexed = Indexed {
            shape: self.shape,
            rows: self.keys.into_iter().map(row).collect(),
        };
        (document, indexed)
    }
}

/// The document with gaps, which come last one first.
fn document(unsaved: &UnsavedObject) -> Result<(String, Vec<(usize, Gap)>), Error> {
    let members = unsaved.object.members();
    let mut text = b"{".to_vec();
    let mut gaps = Vec::with_capacity(2);
    for (name, value) in members {
        if text.len() > 1 {
            text.push(b',');
        }
        serde_json::to_writer(&mut text, name)?;
        text.push(b':');
        match name.as_str() {
            "public_id" if unsaved.lacks_id => gaps.push((text.len(), Gap::Id)),
            CREATION_TIME if unsaved.lacks_creation_time => {
                gaps.push((text.len(), Gap::CreationTime));
            }
            _ => serde_json::to_writer(&mut text, value)?,
        }
    }
    text.push(b'}');
    gaps.reverse();
    text.shrink_to(text.len() + PLACEHOLDERS + VIEWS);
    text.reserve_exact(PLACEHOLDERS + VIEWS);
    let text = String::from_utf8(text).map_err(|error| Error::Damaged(error.to_string()))?;
    Ok((text, gaps))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use stockroom_model::Object;

    use super::super::index::{Column, MEMBERS};
    use super::*;

    fn layout() -> Layout {
        let mut layout = Layout::default();
        let fields = ["name", "rack"].map(|name| (false, name));
        let members = MEMBERS.map(|name| (true, name));
        for (id, (is_member, name)) in (1..).zip(fields.into_iter().chain(members)) {
            let text_bytes = 100;
            layout.add(is_member, name.to_owned(), Column { id, text_bytes });
        }
        layout
    }

    fn object(id: &Value, creation_time: &Value, fields: &Value) -> Object {
        Object::from_document(json!({
            "public_id": id, "type_id": 3, "status": true, "version": "a \"b\" \u{1} ü",
            "author_id": 1, "creation_time": creation_time, "last_edit_time": null,
            "editor_id": null, "active": false, "fields": fields
        }))
    }

    #[test]
    fn a_prepared_object_becomes_what_it_would_have_been_at_once() {
        let (id, now) = (ObjectId::new(70_001).unwrap(), Timestamp(1_700_000_000_123));
        let layout = layout();
        let name = json!({"name": "name", "value": "one"});
        let shapes = [
            json!([]),
            json!([name, {"name": "rack", "value": 7}]),
            json!([name]),
            json!([name, name]),
            json!([{"name": "rack", "value": [1, 2]}]),
            json!([{"name": "unknown", "value": null}]),
        ];
        let times = [
            (json!(null), true),
            (json!(null), false),
            (json!({"$date": 5}), false),
        ];
        for fields in shapes {
            for ((creation_time, lacks_creation_time), lacks_id) in
                times.iter().zip([true, true, false])
            {
                let old_id = if lacks_id { json!(0) } else { json!(7.0) };
                let unsaved = UnsavedObject {
                    object: object(&old_id, creation_time, &fields),
                    lacks_id,
                    lacks_creation_time: *lacks_creation_time,
                };
                let saved = unsaved.clone().saved(id, now);
                let text = serde_json::to_string(saved.members()).unwrap();
                let indexed = PreparedObject::indexed(&unsaved, &layout).unwrap();
                let expected = (text.clone(), layout.index(id, &saved));
                assert_eq!(indexed.finish(id, now), expected);
                let unindexed = PreparedObject::without_type(&unsaved).unwrap();
                let nothing = Indexed {
                    shape: Shape::Unindexed,
                    rows: Vec::new(),
                };
                assert_eq!(unindexed.finish(id, now), (text, nothing));
            }
        }
    }
}
