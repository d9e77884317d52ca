//! The one form of each value of a strict kind (`docs/guide/src/values.md`).

use std::cell::OnceCell;

use super::stored_items::{StoredItems, name};
use crate::Type;
use crate::json::Value;

/// Gives the items of an object the form in which their kinds store values, except for those
/// unchanged from `stored`, the items of the replaced object. Values that their kinds do not take
/// stay as they are.
pub fn make_canonical(definition: &Type, items: &mut [Value], stored: Option<&[Value]>) {
    let stored_items = OnceCell::new();
    let is_stored = |item: &Value| {
        stored.is_some_and(|stored| {
            let known = stored_items.get_or_init(|| StoredItems::new(stored));
            known.contains(item)
        })
    };
    for item in items {
        let field = name(item).and_then(|name| definition.field(name));
        let value = item.get("value");
        let canonical = field
            .zip(value)
            .and_then(|(field, value)| field.kind.canonical(value));
        if let Some(canonical) = canonical
            && !is_stored(item)
            && let Some(value) = item.get_mut("value")
        {
            *value = canonical;
        }
    }
}
