//! The items of a stored object, which are found by their names.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::json::Value;

/// The items that an update may keep. To ask for one takes the same time however many there are.
pub(super) struct Known<'a> {
    items: &'a [Value],
    /// By name the first item, and how many have that name.
    named: HashMap<&'a str, (&'a Value, usize)>,
    /// For old documents, which may hold a name several times, or items without one.
    all: OnceCell<HashSet<&'a Value>>,
}

impl<'a> Known<'a> {
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

    /// Whether this very item is stored.
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

    /// How many items have that name.
    pub(super) fn count(&self, name: &str) -> usize {
        self.named.get(name).map_or(0, |(_, count)| *count)
    }
}

/// The name of an item.
pub(super) fn name(item: &Value) -> Option<&str> {
    item.get("name")?.as_str()
}
