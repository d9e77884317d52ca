//! The rows of an object in `object_field`: one for every field of its type, so that filters and
//! sorts become key ranges.
//!
//! An object is *regular* if its rows fully represent these fields and its indexed members. Of each
//! other field it has a row with the name: only its document has the value. An object with arrays or
//! objects in fields of its type, or with one of them twice, is irregular: it only has rows of the
//! objects that it may reference, and lists evaluate its document.

mod frequent_keys;

use std::collections::{BTreeSet, HashMap};

use stockroom_filter::{Datum, Key, Numeric};
use stockroom_model::json::Value;
use stockroom_model::kind::reference_target;
use stockroom_model::{Object, ObjectId};

pub(crate) use self::frequent_keys::FrequentKeys;
use crate::Error;

/// The indexed members besides `fields`.
pub(crate) const MEMBERS: [&str; 3] = ["creation_time", "last_edit_time", "author_id"];
/// In these members, only null and dates are regular: texts would compare as the dates that they
/// contain.
const TIMES: [&str; 2] = ["creation_time", "last_edit_time"];
/// The id of the rows of irregular objects; columns have others.
pub(crate) const TARGETS: i64 = 0;
/// The id of the rows with the names of fields that the type of an object never had.
pub(crate) const UNKNOWN_FIELDS: i64 = i64::MAX;
/// Bytes of a name in these rows: an object may have 2,000 long names.
const UNKNOWN_FIELD_BYTES: usize = 32;

/// The column of a field or member: its rows in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Column {
    /// Its id, unique over all types.
    pub(crate) id: i64,
    /// Bytes of a text that its keys hold.
    pub(crate) text_bytes: usize,
}

impl Column {
    /// The id of the rows of objects that lack the field.
    pub(crate) const fn absent(self) -> i64 {
        -self.id
    }
}

/// The columns of a type: all fields that it has or once had, and the members.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    fields: HashMap<String, Column>,
    members: HashMap<String, Column>,
}

/// A row of `object_field`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct IndexRow {
    pub(crate) field_id: i64,
    pub(crate) key: Vec<u8>,
    pub(crate) object_id: ObjectId,
}

/// What the index has of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Indexed {
    pub(crate) shape: Shape,
    pub(crate) rows: Vec<IndexRow>,
}

/// How much the index rows of an object tell of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All of its indexed members and the fields of its type, and the names of its other fields.
    Regular,
    /// The objects that it may reference.
    Irregular,
    /// Nothing yet.
    Unindexed,
}

impl Layout {
    /// Adds the column in a row of `type_field`.
    pub(crate) fn add(&mut self, is_member: bool, name: String, column: Column) {
        let columns = if is_member {
            &mut self.members
        } else {
            &mut self.fields
        };
        columns.insert(name, column);
    }

    /// The column of a field.
    pub(crate) fn field(&self, name: &str) -> Option<Column> {
        self.fields.get(name).copied()
    }

    /// The column of a member.
    pub(crate) fn member(&self, name: &str) -> Option<Column> {
        self.members.get(name).copied()
    }

    /// Whether it has the column with this id.
    pub(crate) fn has(&self, id: i64) -> bool {
        let mut columns = self.fields.values().chain(self.members.values());
        columns.any(|column| column.id == id)
    }

    /// All fields with their columns.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, Column)> {
        self.fields
            .iter()
            .map(|(name, column)| (name.as_str(), *column))
    }

    /// The values of a regular object with their columns, without the fields that it lacks.
    pub(crate) fn values<'o>(
        &self,
        object: &'o Object,
    ) -> impl Iterator<Item = (Column, Datum<'o>)> {
        let members = object.members();
        let of_members = self
            .members
            .iter()
            .filter_map(|(name, column)| Some((*column, Datum::of(members.get(name)?))));
        let of_fields = object
            .fields()
            .filter_map(|(name, value)| Some((self.field(name)?, Datum::of(value))));
        of_members.chain(of_fields)
    }

    /// The index rows of an object.
    pub(crate) fn index(&self, object_id: ObjectId, object: &Object) -> Indexed {
        let (shape, keys) = self.keys(object);
        Indexed {
            shape,
            rows: rows(object_id, keys),
        }
    }

    /// The index rows of an object; `None` if it is irregular.
    pub(crate) fn rows(&self, object_id: ObjectId, object: &Object) -> Option<Vec<IndexRow>> {
        Some(rows(object_id, self.regular_keys(object)?))
    }

    /// The fields and keys of the index rows of an object.
    pub(crate) fn keys(&self, object: &Object) -> (Shape, Vec<(i64, Vec<u8>)>) {
        match self.regular_keys(object) {
            Some(keys) => (Shape::Regular, keys),
            None => (Shape::Irregular, target_keys(object)),
        }
    }

    fn regular_keys(&self, object: &Object) -> Option<Vec<(i64, Vec<u8>)>> {
        if !has_regular_head(object) {
            return None;
        }
        let mut keys = Vec::with_capacity(self.fields.len() + self.members.len());
        for (name, column) in &self.members {
            let datum = scalar(object.members().get(name)?)?;
            if TIMES.contains(&name.as_str()) && !matches!(datum, Datum::Null | Datum::Date(_)) {
                return None;
            }
            keys.push((column.id, Key::of(datum, column.text_bytes).into_bytes()));
        }
        let fields = object.members().get("fields")?.as_array()?;
        let mut seen = Vec::with_capacity(fields.len());
        let mut unknown = BTreeSet::new();
        for item in fields {
            let (name, value) = name_and_value(item)?;
            let Some(column) = self.field(name) else {
                unknown.insert(unknown_field(name).into_bytes());
                continue;
            };
            seen.push(column.id);
            let key = Key::of(scalar(value)?, column.text_bytes);
            keys.push((column.id, key.into_bytes()));
        }
        keys.extend(unknown.into_iter().map(|name| (UNKNOWN_FIELDS, name)));
        seen.sort_unstable();
        if seen.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        if seen.len() < self.fields.len() {
            for column in self.fields.values() {
                if seen.binary_search(&column.id).is_err() {
                    keys.extend(missing_keys(*column));
                }
            }
        }
        Some(keys)
    }
}

impl Indexed {
    /// What the index has of a stored object that gives this, and that is `listed` as irregular, or
    /// else regular.
    pub(super) fn stored(self, listed: Option<Shape>, id: ObjectId) -> Result<Self, Error> {
        match (listed, self.shape) {
            (None, Shape::Irregular) => Err(Error::Damaged(format!("object {id} lost its shape"))),
            (None, _) | (Some(Shape::Irregular), Shape::Irregular) => Ok(self),
            (Some(_), _) => Ok(Self {
                shape: Shape::Unindexed,
                rows: Vec::new(),
            }),
        }
    }
}

impl Shape {
    /// The shape of an object in `object_irregular`, by the column `targets_indexed`.
    pub(crate) const fn listed(targets_indexed: i64) -> Self {
        if targets_indexed == 0 {
            Self::Unindexed
        } else {
            Self::Irregular
        }
    }

    /// Whether lists must read the document.
    pub(crate) const fn is_irregular(self) -> bool {
        !matches!(self, Self::Regular)
    }
}

/// The rows that an object has while it is irregular: whichever of its fields are references now or
/// become some, these are what they name.
pub(crate) fn target_rows(object_id: ObjectId, object: &Object) -> Vec<IndexRow> {
    rows(object_id, target_keys(object))
}

fn rows(object_id: ObjectId, keys: Vec<(i64, Vec<u8>)>) -> Vec<IndexRow> {
    let row = |(field_id, key)| IndexRow {
        field_id,
        key,
        object_id,
    };
    keys.into_iter().map(row).collect()
}

fn target_keys(object: &Object) -> Vec<(i64, Vec<u8>)> {
    let values = object.fields().map(|(_, value)| value);
    let targets: BTreeSet<ObjectId> = values.filter_map(reference_target).collect();
    let key = |target: ObjectId| Key::of(Datum::Number(Numeric::Integer(target.get().into())), 0);
    let keys = targets.into_iter().map(key);
    keys.map(|key| (TARGETS, key.into_bytes())).collect()
}

/// The keys of an object that lacks a field: as if it were null, and that it is missing.
pub(crate) fn missing_keys(column: Column) -> [(i64, Vec<u8>); 2] {
    let null = null().into_bytes();
    [(column.id, null), (column.absent(), Vec::new())]
}

/// The key of null, also used for fields that an object lacks.
pub(crate) fn null() -> Key {
    Key::of(Datum::Null, 0)
}

/// The key of an object with a field of this name that its type never had. Long names that begin
/// alike have the same.
pub(crate) fn unknown_field(name: &str) -> Key {
    Key::of(Datum::Text(name), UNKNOWN_FIELD_BYTES)
}

/// Whether ids and activity have their usual types, so that the columns of `object` represent them,
/// and nothing else stands beside the usual members.
fn has_regular_head(object: &Object) -> bool {
    let members = object.members();
    if members.keys().any(|name| !is_member(name)) {
        return false;
    }
    let is_id = |key| {
        members
            .get(key)
            .is_some_and(|value: &Value| value.is_i64() || value.is_u64())
    };
    is_id("public_id") && is_id("type_id") && members.get("active").is_some_and(Value::is_boolean)
}

/// Whether regular objects may have this member: the views are not in the document, but shown.
pub(crate) fn is_member(name: &str) -> bool {
    Object::MEMBERS.contains(&name) || name == "views"
}

fn name_and_value(item: &Value) -> Option<(&str, &Value)> {
    let item = item.as_object()?;
    if item.len() != 2 {
        return None;
    }
    Some((item.get("name")?.as_str()?, item.get("value")?))
}

fn scalar(value: &Value) -> Option<Datum<'_>> {
    match Datum::of(value) {
        Datum::Object(_) | Datum::Array(_) => None,
        scalar => Some(scalar),
    }
}
