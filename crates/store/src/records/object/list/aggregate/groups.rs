//! The groups found so far.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use stockroom_filter::{Datum, Key, Order, TEXT_BYTES};
use stockroom_model::json::Value;
use stockroom_model::{Period, Timestamp};

use super::sum::Sum;
use super::{Aggregate, Aggregation, Function, Group, GroupOrder};
use crate::Error;
use crate::records::object::index::null;

/// The memory of all groups.
pub(super) const MAX_BYTES: usize = 32 * 1_024 * 1_024;
/// The memory of a group, of each of its keys and of each of its measures, besides their values.
const GROUP_BYTES: usize = 128;
const ITEM_BYTES: usize = 64;

/// The groups found so far.
pub(super) struct Groups<'a> {
    aggregation: &'a Aggregation,
    indices: HashMap<Rc<[Key]>, usize>,
    found: Vec<Counted>,
    bytes: usize,
}

struct Counted {
    key: Rc<[Key]>,
    count: i64,
    measures: Vec<Measured>,
}

enum Measured {
    /// The key of the smallest or largest value.
    Extreme(Ordering, Option<Vec<u8>>),
    Sum(Sum),
}

impl<'a> Groups<'a> {
    pub(super) fn new(aggregation: &'a Aggregation) -> Self {
        Self {
            aggregation,
            indices: HashMap::new(),
            found: Vec::new(),
            bytes: 0,
        }
    }

    pub(super) fn aggregation(&self) -> &'a Aggregation {
        self.aggregation
    }

    /// Adds an object by its document.
    pub(super) fn add_document(
        &mut self,
        document: &str,
        extra: &[(&str, i64)],
    ) -> Result<(), Error> {
        let Aggregation {
            group_by, measures, ..
        } = self.aggregation;
        let mut keys = Vec::with_capacity(group_by.len());
        for grouping in group_by {
            keys.push(grouping.value.key_of_text(document, extra)?);
        }
        let keys: Vec<&[u8]> = keys.iter().map(Key::as_bytes).collect();
        let group = self.group(&keys)?;
        self.count(group, 1);
        for (index, measure) in measures.iter().enumerate() {
            let key = measure.value.key_of_text(document, extra)?;
            self.measure(group, index, key.as_bytes(), 1)?;
        }
        Ok(())
    }

    /// The group of objects with these keys.
    pub(super) fn group(&mut self, keys: &[&[u8]]) -> Result<usize, Error> {
        let groupings = &self.aggregation.group_by;
        let keys = groupings.iter().zip(keys);
        let keys = keys.map(|(grouping, key)| common(key, grouping.period));
        self.group_of(keys.collect())
    }

    /// The group with these common keys.
    pub(super) fn group_of(&mut self, keys: Vec<Key>) -> Result<usize, Error> {
        if let Some(index) = self.indices.get(keys.as_slice()) {
            return Ok(*index);
        }
        let items = keys.len() + self.aggregation.measures.len();
        let bytes: usize = keys.iter().map(|key| key.as_bytes().len()).sum();
        self.charge(GROUP_BYTES + items * ITEM_BYTES + bytes)?;
        let key: Rc<[Key]> = keys.into();
        let index = self.found.len();
        self.indices.insert(Rc::clone(&key), index);
        let measures = self.aggregation.measures.iter();
        self.found.push(Counted {
            key,
            count: 0,
            measures: measures
                .map(|measure| Measured::new(measure.function))
                .collect(),
        });
        Ok(index)
    }

    /// Adds objects to a group.
    pub(super) fn count(&mut self, group: usize, objects: i64) {
        if let Some(group) = self.found.get_mut(group) {
            group.count += objects;
        }
    }

    /// Adds the value with this key, which some objects have, to a measure.
    pub(super) fn measure(
        &mut self,
        group: usize,
        measure: usize,
        key: &[u8],
        objects: i64,
    ) -> Result<(), Error> {
        let group = self.found.get_mut(group);
        match group.and_then(|group| group.measures.get_mut(measure)) {
            Some(Measured::Sum(sum)) => {
                if let Some(Datum::Number(number)) = Key::decode(key) {
                    sum.add(number, objects);
                }
            }
            Some(Measured::Extreme(wanted, found)) => {
                if let Some(key) = presentable(key)
                    && found
                        .as_deref()
                        .is_none_or(|found| (*key).cmp(found) == *wanted)
                {
                    let (old, new) = (found.as_ref().map_or(0, Vec::len), key.len());
                    *found = Some(key.into_owned());
                    self.bytes = self.bytes.saturating_sub(old);
                    self.charge(new)?;
                }
            }
            None => {}
        }
        Ok(())
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Error> {
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            return Err(Error::TooManyGroups);
        }
        Ok(())
    }

    /// The result.
    pub(super) fn finish(mut self) -> Aggregate {
        let is_single = self.aggregation.group_by.is_empty();
        if is_single && self.found.is_empty() {
            // There is room for one group.
            let _ = self.group_of(Vec::new());
        }
        let order = self.aggregation.order;
        let objects = self.found.iter().map(|group| group.count).sum();
        let total = self.found.len();
        self.found.sort_unstable_by(|left, right| match order {
            GroupOrder::Count(order) => {
                let by_count = directed(left.count.cmp(&right.count), order);
                by_count.then_with(|| left.key.cmp(&right.key))
            }
            GroupOrder::Key(order) => directed(left.key.cmp(&right.key), order),
        });
        self.found.truncate(self.aggregation.limit);
        Aggregate {
            groups: self.found.into_iter().map(Counted::finish).collect(),
            total,
            objects,
        }
    }
}

fn directed(ordering: Ordering, order: Order) -> Ordering {
    match order {
        Order::Ascending => ordering,
        Order::Descending => ordering.reverse(),
    }
}

impl Counted {
    fn finish(self) -> Group {
        Group {
            key: self.key.iter().map(|key| value(key.as_bytes())).collect(),
            count: self.count,
            measures: self.measures.into_iter().map(Measured::finish).collect(),
        }
    }
}

impl Measured {
    fn new(function: Function) -> Self {
        match function {
            Function::Min => Self::Extreme(Ordering::Less, None),
            Function::Max => Self::Extreme(Ordering::Greater, None),
            Function::Sum => Self::Sum(Sum::default()),
        }
    }

    fn finish(self) -> Value {
        match self {
            Self::Extreme(_, found) => found.map_or(Value::Null, |key| value(&key)),
            Self::Sum(sum) => sum.finish(),
        }
    }
}

/// The key that objects of a group have in common.
pub(super) fn common(key: &[u8], period: Option<Period>) -> Key {
    let time = period.and_then(|_| match Key::decode(key)? {
        Datum::Date(time) => Some(time),
        Datum::Text(text) => Timestamp::from_text(text),
        _ => None,
    });
    if let Some((period, time)) = period.zip(time) {
        return Key::of(Datum::Date(time.start_of(period)), TEXT_BYTES);
    }
    presentable(key).map_or_else(null, |key| Key::from(key.into_owned()))
}

/// The key of a value that can be shown: without an incomplete last character. `None` for null, for
/// objects and for empty arrays.
fn presentable(key: &[u8]) -> Option<Cow<'_, [u8]>> {
    match Key::decode(key)? {
        Datum::Null => None,
        Datum::Text(text) if text.len() + 1 < key.len() => {
            let whole = Key::of(Datum::Text(text), TEXT_BYTES);
            Some(Cow::Owned(whole.into_bytes()))
        }
        _ => Some(Cow::Borrowed(key)),
    }
}

fn value(key: &[u8]) -> Value {
    Key::decode(key).map_or(Value::Null, Datum::to_value)
}
