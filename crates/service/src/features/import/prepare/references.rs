//! The objects that the references of a row name.

use stockroom_model::ObjectId;
use stockroom_model::json::Value;

use crate::features::import::plan::{By, Plan};
use crate::features::import::prepare::lookup::{ReferencedObjects, is_summary_line, key_text};
use crate::features::import::prepare::names::{FileNames, Named};

/// Of how many objects alike the one that is referred to already is told.
const MOST_ALIKE: usize = 100;

/// What a cell with a reference says.
pub(in crate::features::import) enum Reference {
    /// Nothing: it is empty.
    Empty,
    Object(ObjectId),
    /// An object that a row of the file would make, in a dry run.
    New,
    /// An object that a row of the file may make.
    Later {
        /// What is wrong if no row does.
        detail: String,
    },
    /// One of several objects, of which the one that is referred to already may stay.
    Several {
        ids: Vec<ObjectId>,
        /// What is wrong unless it stays.
        detail: String,
    },
    /// What is wrong.
    Refused(String),
    /// Another column tells the object, and what that one says is wrong.
    Untold,
}

/// The references of a row that name objects by fields, with their places in the plan. `values` are
/// the cells as they were read; `order` is that of [`crate::features::import::plan::in_order`].
pub(in crate::features::import) fn resolve(
    plan: &Plan,
    order: &[usize],
    values: &[Option<Value>],
    named: (&ReferencedObjects, &FileNames),
) -> Vec<(usize, Reference)> {
    let mut row = Row {
        plan,
        values,
        found: Vec::with_capacity(order.len()),
    };
    for index in order {
        let mapping = plan.columns.get(*index);
        if let Some(by) = mapping.and_then(|mapping| mapping.target.by())
            && values.get(*index).is_some_and(Option::is_some)
        {
            row.found.push((*index, row.reference(*index, by, named)));
        }
    }
    row.found
}

/// A row, as far as it is resolved.
struct Row<'r> {
    plan: &'r Plan,
    values: &'r [Option<Value>],
    found: Vec<(usize, Reference)>,
}

impl Row<'_> {
    fn reference(
        &self,
        index: usize,
        by: &By,
        (stored, names): (&ReferencedObjects, &FileNames),
    ) -> Reference {
        let mut texts = vec![self.text(index)];
        if texts.iter().all(String::is_empty) {
            return Reference::Empty;
        }
        let mut others = Vec::with_capacity(by.others.len());
        let mut may_come = self.may_come(by);
        for other in &by.others {
            let index = self.index_of(other.column);
            let text = index.map(|index| self.text(index)).unwrap_or_default();
            match index.and_then(|index| self.found_at(index)) {
                Some(Reference::Object(id)) => others.push(id.to_string()),
                Some(Reference::Several { .. } | Reference::Refused(_) | Reference::Untold) => {
                    return Reference::Untold;
                }
                // Nothing that is there refers to an object that is not.
                Some(Reference::New | Reference::Later { .. }) => may_come = true,
                Some(Reference::Empty) | None => others.push(text.clone()),
            }
            texts.push(text);
        }
        let first = texts.first().map(String::as_str).unwrap_or_default();
        let mut ids = stored.ids(by, first, &others);
        let in_file = self.in_file(by, &texts, &mut ids, names);
        let told = told(by, &texts);
        match (&ids[..], in_file) {
            ([id], None) => Reference::Object(*id),
            ([], Some(Named::New)) => Reference::New,
            ([], None) => {
                let detail = format!("there is no object with {told} that you may read");
                if may_come {
                    Reference::Later { detail }
                } else {
                    Reference::Refused(detail)
                }
            }
            ([first, second, ..], None) => {
                let count = ids.len();
                let detail =
                    format!("{count} objects have {told}, for example {first} and {second}");
                if count > MOST_ALIKE {
                    return Reference::Refused(detail);
                }
                Reference::Several { ids, detail }
            }
            (_, Some(_)) => Reference::Several {
                ids,
                detail: format!("several objects would have {told}"),
            },
        }
    }

    /// What a dry run knows of the rows so far: `ids` becomes what is found once they are written,
    /// as far as it is there already.
    fn in_file(
        &self,
        by: &By,
        texts: &[String],
        ids: &mut Vec<ObjectId>,
        names: &FileNames,
    ) -> Option<Named> {
        if !self.plan.dry_run || !self.may_come(by) {
            return None;
        }
        let fields: Vec<&str> = by.fields().collect();
        let name = names.name(&fields, texts);
        let line = match texts {
            [text] if is_summary_line(text) => Some(names.line(&by.field, text)),
            _ => None,
        };
        let own = [Some(name), line].into_iter().flatten();
        ids.retain(|id| !own.clone().all(|name| names.is_renamed(name, *id)));
        let mut in_file = None;
        for found in own.filter_map(|name| names.get(name)) {
            match found {
                Named::Stored(id) if ids.contains(&id) => {}
                Named::Stored(id) => ids.push(id),
                Named::New if in_file.is_none() => in_file = Some(Named::New),
                Named::New | Named::Several => in_file = Some(Named::Several),
            }
        }
        in_file
    }

    /// Whether a row of the file may make the object that a reference names.
    fn may_come(&self, by: &By) -> bool {
        by.types.contains(&self.plan.type_id.get()) && self.plan.index_of(&by.field).is_some()
    }

    fn index_of(&self, column: usize) -> Option<usize> {
        let mut columns = self.plan.columns.iter();
        columns.position(|mapping| mapping.column == column)
    }

    fn found_at(&self, index: usize) -> Option<&Reference> {
        let found = self.found.iter().find(|(known, _)| *known == index);
        found.map(|(_, reference)| reference)
    }

    /// The text of a cell; what is empty is an empty text.
    fn text(&self, index: usize) -> String {
        let value = self.values.get(index).and_then(Option::as_ref);
        value.and_then(key_text).unwrap_or_default()
    }
}

/// The fields and texts that tell an object, for people.
fn told(by: &By, texts: &[String]) -> String {
    let parts = by.fields().zip(texts);
    let parts: Vec<String> = parts
        .map(|(field, text)| format!("the {field} {text:?}"))
        .collect();
    parts.join(" and ")
}
