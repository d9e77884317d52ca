//! Warnings about parts of a type's `render_meta` that show nothing.

use std::collections::HashMap;

use super::rename::{Rename, new_names};
use super::{FieldDefinition, OBJECT_ID, Type};
use crate::body::Report;
use crate::json::pointer;

impl Type {
    /// Warns of names that are not fields of the type, and of links that would show passwords.
    /// `renames` are the fields that had another name until now.
    pub fn check_named_fields(&self, renames: &[Rename], report: &Report) {
        let new = new_names(renames);
        let fields = self.fields().iter();
        let fields: HashMap<&str, &FieldDefinition> =
            fields.map(|field| (field.name.as_str(), field)).collect();
        for (at, names, is_link) in self.named_fields() {
            for (index, name) in names.iter().enumerate() {
                let detail = match fields.get(name.as_str()) {
                    None if name != OBJECT_ID => match new.get(name.as_str()) {
                        Some(new) => format!(
                            "{name:?} is called {new:?} now, so it is skipped when objects are rendered"
                        ),
                        None => format!(
                            "{name:?} is no field of this type and is skipped when objects are rendered"
                        ),
                    },
                    Some(field) if is_link && field.kind.is_secret() => format!(
                        "{name:?} is a password: the link is left out when objects are rendered"
                    ),
                    _ => continue,
                };
                report.warning(pointer(&at, index), detail);
            }
        }
    }

    /// The lists of field names in `render_meta`: pointer, names, and whether they fill a link.
    fn named_fields(&self) -> Vec<(String, &[String], bool)> {
        let meta = &self.render_meta;
        let mut named = Vec::new();
        for (index, section) in meta.sections.iter().enumerate() {
            let at = format!("/render_meta/sections/{index}/fields");
            named.push((at, section.fields.as_slice(), false));
        }
        for (index, external) in meta.externals.iter().enumerate() {
            let at = format!("/render_meta/externals/{index}/fields");
            named.push((at, external.fields.as_slice(), true));
        }
        let at = "/render_meta/summary/fields".to_owned();
        named.push((at, meta.summary.fields.as_slice(), false));
        named
    }
}
