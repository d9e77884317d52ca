//! Types of objects, as they are when the planned writes are done.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use super::difference::{Difference, overlay};
use crate::command::resource::{Lookup, id};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::resource::TYPE;

/// Reads each type once.
pub(super) struct Types<'a> {
    connection: &'a Connection,
    known: HashMap<i64, StoredType>,
}

impl<'a> Types<'a> {
    pub(super) fn new(connection: &'a Connection) -> Self {
        let known = HashMap::new();
        Self { connection, known }
    }

    /// The type with this id.
    pub(super) fn get(&mut self, id: i64) -> Result<&StoredType, Failure> {
        match self.known.entry(id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => {
                let types = Lookup {
                    connection: self.connection,
                    resource: &TYPE,
                };
                Ok(unknown.insert(StoredType::new(types.stored(id)?)))
            }
        }
    }

    /// Remembers a planned change: objects are written after it.
    pub(super) fn change(&mut self, stored: &Value, body: &Value) {
        let known = StoredType::new(stored.clone()).changed(body);
        self.known.insert(id(stored), known);
    }
}

/// A type that is stored.
#[derive(Debug)]
pub(super) struct StoredType {
    pub(super) definition: Value,
    /// The names of its password fields. A field that only was one, or is to become one, counts too:
    /// the old value or the new one is a secret.
    passwords: Vec<String>,
}

impl StoredType {
    fn new(definition: Value) -> Self {
        let passwords = passwords(&definition).collect();
        Self {
            definition,
            passwords,
        }
    }

    fn changed(mut self, body: &Value) -> Self {
        self.definition = overlay(&self.definition, body);
        self.passwords.extend(passwords(&self.definition));
        self
    }

    /// Marks the differences of password fields.
    pub(super) fn hide(&self, differences: &mut [Difference]) {
        for difference in differences {
            let is_secret = |name: &String| difference.is_in(name);
            difference.is_secret = self.passwords.iter().any(is_secret);
        }
    }
}

/// The names of the password fields of a type.
fn passwords(of_type: &Value) -> impl Iterator<Item = String> {
    let fields = of_type.get("fields").and_then(Value::as_array);
    let fields = fields.into_iter().flatten();
    let passwords = fields.filter(|field| field.get("type").is_some_and(|kind| kind == "password"));
    passwords.filter_map(|field| Some(field.get("name")?.as_str()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::difference::differences;
    use super::*;

    fn printed(known: &StoredType, before: &Value, after: &Value) -> Vec<String> {
        let mut found = differences("", before, after);
        known.hide(&mut found);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_of_password_fields_are_hidden_also_if_the_kind_changes() {
        let stored = json!({"public_id": 1, "fields": [
            {"type": "text", "name": "name"},
            {"type": "password", "name": "a.pin"},
            {"type": "password", "name": "old"},
            {"type": "text", "name": "new"}]});
        let change = json!({"fields": [
            {"type": "text", "name": "name"},
            {"type": "password", "name": "a.pin"},
            {"type": "text", "name": "old"},
            {"type": "password", "name": "new"}]});
        let known = StoredType::new(stored).changed(&change);
        let before = json!({"name": "R1", "a.pin": null, "old": {"x": 1}, "new": "x"});
        let after = json!({"name": "R2", "a.pin": "1234", "old": {"x": 2}, "new": "y"});
        let expected = [
            r#"name: "R1" → "R2""#,
            "a.pin: (hidden) → (hidden)",
            "old.x: (hidden) → (hidden)",
            "new: (hidden) → (hidden)",
        ];
        assert_eq!(printed(&known, &before, &after), expected);
        assert_eq!(known.definition["fields"], change["fields"]);
    }
}
