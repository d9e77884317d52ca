//! Under which names objects of the past hold the values of fields, as fields get other names.

use std::collections::BTreeSet;

use stockroom_model::Type;
use stockroom_model::json::Value;
use stockroom_store::{RecordKey, Resource, WriteTx};

use super::past_definitions::each_definition;
use crate::Error;

/// The names and labels that fields of a type have, or ever had. Renames are not stored: a name
/// that came and one that went, or a name at another place, may be one. So these may be the names
/// of other fields, too, but none is missing if the history is whole.
pub(crate) struct FormerNames {
    names: BTreeSet<String>,
    labels: BTreeSet<String>,
    /// The names of all fields of the type.
    current: BTreeSet<String>,
    /// Whether the history tells all names.
    is_whole: bool,
}

impl FormerNames {
    /// Those of `fields` of a type, whose new definition is `after`.
    pub(crate) fn read(
        tx: &mut WriteTx<'_>,
        after: &Type,
        fields: &BTreeSet<&str>,
    ) -> Result<Self, Error> {
        let own = after.fields().iter();
        let own = own.filter(|field| fields.contains(field.name.as_str()));
        let mut labels: BTreeSet<String> = own.map(|field| field.label.clone()).collect();
        let mut names: BTreeSet<String> = fields.iter().map(|name| (*name).to_owned()).collect();
        let all = after.fields().iter().map(|field| field.name.clone());
        let current: Vec<String> = all.collect();
        let mut later = current.clone();
        let record = RecordKey::new(Resource::Type, after.public_id.get());
        let is_whole = each_definition(tx, &record, |definition| {
            let earlier = names_in(definition);
            follow(&mut names, &earlier, &later);
            labels.extend(labels_in(definition, &names));
            later = earlier;
        })?;
        Ok(Self {
            names,
            labels,
            current: current.into_iter().collect(),
            is_whole,
        })
    }

    /// The names; `None` if the history does not tell all of them.
    pub(crate) fn names(&self) -> Option<BTreeSet<&str>> {
        let names = self.names.iter().map(String::as_str);
        self.is_whole.then(|| names.collect())
    }

    /// The names and labels; `None` if the history does not tell all of them.
    pub(crate) fn names_and_labels(&self) -> Option<impl Iterator<Item = &str>> {
        let texts = self.names.iter().chain(&self.labels).map(String::as_str);
        self.is_whole.then_some(texts)
    }

    /// Whether it may have been the name of one of the fields.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name) || (!self.is_whole && !self.current.contains(name))
    }
}

/// Adds the names of fields before a change of their type.
fn follow(names: &mut BTreeSet<String>, earlier: &[String], later: &[String]) {
    let mut found = Vec::new();
    for (index, name) in later
        .iter()
        .enumerate()
        .filter(|(_, name)| names.contains(*name))
    {
        if earlier.get(index) == Some(name) {
            continue;
        }
        if earlier.contains(name) {
            found.extend(earlier.get(index));
        } else {
            found.extend(earlier.iter().filter(|name| !later.contains(name)));
        }
    }
    names.extend(found.into_iter().cloned());
}

/// The names of the fields of a type, in their order.
fn names_in(definition: Option<&Value>) -> Vec<String> {
    let names = fields_in(definition).map(|(name, _)| name.to_owned());
    names.collect()
}

/// The labels of the fields with these names.
fn labels_in(definition: Option<&Value>, names: &BTreeSet<String>) -> Vec<String> {
    let fields = fields_in(definition).filter(|(name, _)| names.contains(*name));
    let labels = fields.filter_map(|(_, field)| Some(field.get("label")?.as_str()?.to_owned()));
    labels.collect()
}

/// The fields of a type with their names.
fn fields_in(definition: Option<&Value>) -> impl Iterator<Item = (&str, &Value)> {
    let fields = definition.and_then(|definition| definition.get("fields")?.as_array());
    let fields = fields.into_iter().flatten();
    fields.filter_map(|field| Some((field.get("name")?.as_str()?, field)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(earlier: &[&str], later: &[&str]) -> Vec<String> {
        let owned = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let mut names = BTreeSet::from(["pin".to_owned()]);
        follow(&mut names, &owned(earlier), &owned(later));
        names.into_iter().collect()
    }

    #[test]
    fn names_are_followed_through_changes() {
        for (earlier, later, expected) in [
            (&["name", "pin"][..], &["name", "pin"][..], &["pin"][..]),
            (&["name"], &["name", "pin"], &["pin"]),
            (&["name", "code"], &["name", "pin"], &["code", "pin"]),
            (
                &["code", "old", "name"],
                &["name", "pin"],
                &["code", "old", "pin"],
            ),
            (&["pin", "name"], &["name", "pin"], &["name", "pin"]),
            (
                &["name", "pin", "other"],
                &["pin", "other"],
                &["name", "pin"],
            ),
            (&["code"], &["code"], &["pin"]),
        ] {
            assert_eq!(followed(earlier, later), expected, "{earlier:?} {later:?}");
        }
    }
}
