//! `sort` and `order`: the key by which a list is ordered.

use std::cmp::Ordering;

use serde_json::Value;

use crate::datum::{Datum, object};
use crate::key::{Key, TEXT_BYTES};
use crate::path::{Path, Paths, Secrecy, Segment};

/// The direction of a sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// Smallest first.
    #[default]
    Ascending,
    /// Largest first.
    Descending,
}

impl From<i64> for Order {
    /// 1 is ascending, any other value descending (`docs/guide/src/lists.md`).
    fn from(order: i64) -> Self {
        if order == 1 {
            Self::Ascending
        } else {
            Self::Descending
        }
    }
}

/// The sort of a list. The list itself orders equal keys by `public_id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// Where the sort value is.
    pub path: SortPath,
    /// The direction.
    pub order: Order,
}

/// Where the sort value of a document is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortPath {
    /// At a path of the document.
    Path(Path),
    /// In the field of an object with this name.
    Field(String),
    /// Nowhere: the path is secret, so every document lacks it.
    Missing,
}

impl Sort {
    /// A sort of objects. After `fields.`, a path that starts with an integer is a path into the
    /// document; anything else is the name of a field, which may contain dots. So is what stands
    /// after `values.`.
    #[must_use]
    pub fn objects(path: &str, order: Order) -> Self {
        let after_fields = path.strip_prefix("fields.").filter(|rest| {
            let first = rest.split('.').next().unwrap_or_default();
            first.is_empty() || !first.bytes().all(|byte| byte.is_ascii_digit())
        });
        let path = match after_fields.or_else(|| path.strip_prefix("values.")) {
            Some(name) => SortPath::Field(name.to_owned()),
            None => SortPath::Path(Path::new(path)),
        };
        Self { path, order }
    }

    /// A sort of any other resource, whose secrets sort as missing.
    #[must_use]
    pub fn records(path: &str, order: Order, paths: &Paths) -> Self {
        let path = Path::new(path);
        let way: Vec<&Segment> = path.segments().iter().collect();
        let path = match paths.secrecy(&way) {
            Secrecy::Open => SortPath::Path(path),
            Secrecy::Secret | Secrecy::HoldsSecret => SortPath::Missing,
        };
        Self { path, order }
    }

    /// The sort key of a document: the smallest of the values at the path when ascending, the
    /// largest when descending. Keeps the first [`TEXT_BYTES`] of texts.
    #[must_use]
    pub fn key(&self, document: &Value) -> Key {
        let mut extreme = Extreme {
            order: self.order,
            found: None,
        };
        match &self.path {
            SortPath::Path(path) => collect(document, path.segments(), &mut extreme),
            SortPath::Field(name) => collect_field(document, name, &mut extreme),
            SortPath::Missing => {}
        }
        extreme.found.unwrap_or_else(|| of(&Value::Null))
    }

    /// The order of two documents by their keys, in the direction of this sort.
    #[must_use]
    pub fn compare(&self, left: &Key, right: &Key) -> Ordering {
        match self.order {
            Order::Ascending => left.cmp(right),
            Order::Descending => right.cmp(left),
        }
    }
}

/// The smallest or largest key so far.
struct Extreme {
    order: Order,
    found: Option<Key>,
}

impl Extreme {
    fn see(&mut self, key: Key) {
        let wanted = match self.order {
            Order::Ascending => Ordering::Less,
            Order::Descending => Ordering::Greater,
        };
        if self
            .found
            .as_ref()
            .is_none_or(|found| key.cmp(found) == wanted)
        {
            self.found = Some(key);
        }
    }

    fn missing(&mut self) {
        self.see(of(&Value::Null));
    }
}

fn of(value: &Value) -> Key {
    Key::of(Datum::of(value), TEXT_BYTES)
}

fn collect(value: &Value, path: &[Segment], extreme: &mut Extreme) {
    let [first, rest @ ..] = path else {
        return collect_leaf(value, extreme);
    };
    if let Value::Array(items) = value {
        return collect_items(items, first, path, rest, extreme);
    }
    match object(value).and_then(|entries| entries.get(first.name())) {
        Some(inner) => collect(inner, rest, extreme),
        None => extreme.missing(),
    }
}

/// The path continues at an existing position, or in items with the key. Without such a position,
/// every other item counts as a missing value.
fn collect_items(
    items: &[Value],
    first: &Segment,
    path: &[Segment],
    rest: &[Segment],
    extreme: &mut Extreme,
) {
    let at_position = first.index().and_then(|index| items.get(index));
    if let Some(item) = at_position {
        collect(item, rest, extreme);
    }
    for item in items {
        let has_key = object(item).is_some_and(|entries| entries.contains_key(first.name()));
        if has_key {
            collect(item, path, extreme);
        } else if at_position.is_none() {
            extreme.missing();
        }
    }
    if items.is_empty() {
        extreme.missing();
    }
}

/// An empty array sorts before null, as `undefined` in MongoDB.
fn collect_leaf(value: &Value, extreme: &mut Extreme) {
    match value.as_array().map(Vec::as_slice) {
        Some([]) => extreme.see(Key::undefined()),
        Some(items) => items.iter().for_each(|item| extreme.see(of(item))),
        None => extreme.see(of(value)),
    }
}

fn collect_field(document: &Value, name: &str, extreme: &mut Extreme) {
    let fields = document.get("fields").and_then(Value::as_array);
    for field in fields.into_iter().flatten() {
        if field.get("name").and_then(Value::as_str) == Some(name) {
            match field.get("value") {
                Some(value) => collect_leaf(value, extreme),
                None => extreme.missing(),
            }
        }
    }
}
