//! The items of a stored object, indexed by name.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::json::Value;

/// The items that an update may keep; finding one takes constant time.
pub(super) struct StoredItems<'a> {
    items: &'a [Value],
    /// By name: the first item, and the number of items with that name.
    named: HashMap<&'a str, (&'a Value, usize)>,
    /// Built only for old documents with duplicate names or items without a name.
    all: OnceCell<HashSet<&'a Value>>,
}

impl<'a> StoredItems<'a> {
    pub(super) fn new(items: &'a [Value]) -> Self {
        let mut named = HashMap::with_capacity(items.len());
        for item in items {
            if let Some(name) = name(item) {
                named.entry(name).or_insert((item, 0)).1 += 1;
            }
        }
        Self {
            items,
            named,
            all: OnceCell::new(),
        }
    }

    /// Whether an equal item is stored.
    pub(super) fn contains(&self, item: &Value) -> bool {
        match name(item).map(|name| self.named.get(name)) {
            Some(None) => false,
            Some(Some((stored, 1))) => *stored == item,
            _ => self
                .all
                .get_or_init(|| self.items.iter().collect())
                .contains(item),
        }
    }

    pub(super) fn count(&self, name: &str) -> usize {
        self.named.get(name).map_or(0, |(_, count)| *count)
    }
}

pub(super) fn name(item: &Value) -> Option<&str> {
    item.get("name")?.as_str()
}
