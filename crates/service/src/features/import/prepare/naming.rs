//! Puts objects in the place of what names them.

use serde_json::json;
use stockroom_model::Object;
use stockroom_model::json::Value;
use stockroom_model::object::item;

use super::{Context, PreparedRow, ReadRow, Several, is_same};
use crate::features::import::plan::Target;
use crate::features::import::prepare::lookup::ReferencedObjects;
use crate::features::import::prepare::names::FileNames;
use crate::features::import::prepare::references::{self, Reference};
use crate::features::import::row_result::RowProblem;

impl Context {
    /// Puts ids in the place of the texts that name objects.
    pub(super) fn resolve(
        &self,
        values: &mut [Option<Value>],
        named: (&ReferencedObjects, &FileNames),
        ready: &mut PreparedRow,
    ) {
        let (mut untold, mut telling) = (None, None);
        for (index, reference) in references::resolve(&self.plan, &self.order, values, named) {
            let Some(mapping) = self.plan.columns.get(index) else {
                continue;
            };
            let otherwise = self.plan.otherwise(index).map(|(index, _)| index);
            let (id, text) = match reference {
                Reference::Empty => (Some(Value::Null), Text::Clear),
                Reference::Object(id) => (Some(id.get().into()), Text::Clear),
                Reference::New => {
                    ready.refers_to_new = true;
                    (None, Text::Leave)
                }
                Reference::Later { .. } => {
                    ready.later.push(mapping.column);
                    (None, Text::Leave)
                }
                Reference::Several { .. } | Reference::Refused(_) | Reference::Untold
                    if otherwise.is_some() =>
                {
                    (Some(Value::Null), Text::Keep)
                }
                Reference::Several { ids, detail } => {
                    if let Target::Field { name, .. } = &mapping.target {
                        ready.several.push(Several {
                            field: name.clone(),
                            ids,
                            problem: RowProblem::of_column(mapping.column, detail),
                        });
                    }
                    (None, Text::Leave)
                }
                Reference::Refused(detail) => {
                    let problem = RowProblem::of_column(mapping.column, detail);
                    match &mapping.target {
                        // Matters only if a column that it tells has nowhere else to go.
                        Target::Nowhere { .. } => telling = telling.or(Some(problem)),
                        _ => ready.problems.push(problem),
                    }
                    (None, Text::Leave)
                }
                Reference::Untold => {
                    untold = Some(mapping.column);
                    (None, Text::Leave)
                }
            };
            if let Some(value) = values.get_mut(index) {
                *value = id;
            }
            if let Some(value) = otherwise.and_then(|index| values.get_mut(index)) {
                text.apply(value);
            }
        }
        // The column that tells it may keep its own text.
        if let Some(column) = untold.filter(|_| ready.problems.is_empty()) {
            let detail = "is found by a column that names no object";
            let problem = telling.unwrap_or_else(|| RowProblem::of_column(column, detail));
            ready.problems.push(problem);
        }
    }

    /// The patch that sets what the row refers to further down, or what still cannot be found.
    /// `named` is by all rows of the file.
    pub(in crate::features::import) fn link(
        &self,
        row: &ReadRow,
        columns: &[usize],
        named: (&ReferencedObjects, &FileNames),
    ) -> Result<Links, Vec<RowProblem>> {
        let mut refers_to_new = false;
        let mut items = Vec::new();
        let mut problems = Vec::new();
        for (index, reference) in references::resolve(&self.plan, &self.order, &row.values, named) {
            let Some(mapping) = self.plan.columns.get(index) else {
                continue;
            };
            let Target::Field {
                name, by: Some(_), ..
            } = &mapping.target
            else {
                continue;
            };
            if !columns.contains(&mapping.column) {
                continue;
            }
            let otherwise = self.plan.otherwise(index);
            match reference {
                Reference::Object(id) => {
                    items.push(item(name, id.get().into()));
                    items.extend(otherwise.map(|(_, text)| item(text, Value::Null)));
                }
                Reference::New => refers_to_new = true,
                Reference::Later { detail, .. }
                | Reference::Several { detail, .. }
                | Reference::Refused(detail) => match otherwise {
                    Some((index, text)) => {
                        items.push(item(name, Value::Null));
                        let value = row.values.get(index).cloned().flatten();
                        items.push(item(text, value.unwrap_or_default()));
                    }
                    None => problems.push(RowProblem::of_column(mapping.column, detail)),
                },
                Reference::Empty | Reference::Untold => {}
            }
        }
        if problems.is_empty() {
            Ok(Links {
                patch: json!({ "fields": items }),
                refers_to_new,
            })
        } else {
            Err(problems)
        }
    }
}

/// What a row refers to further down.
pub(in crate::features::import) struct Links {
    pub(in crate::features::import) patch: Value,
    /// In a dry run, whether it refers to objects that other rows would make, which is not in the
    /// patch.
    pub(in crate::features::import) refers_to_new: bool,
}

impl Links {
    /// Whether they change an object.
    pub(in crate::features::import) fn change(&self, stored: &Object) -> bool {
        let items = self.patch.get("fields").and_then(Value::as_array);
        let is_other = |item: &Value| {
            let name = item.get("name").and_then(Value::as_str);
            name.zip(item.get("value"))
                .is_some_and(|(name, value)| !is_same(value, stored.value(name)))
        };
        self.refers_to_new || items.is_some_and(|items| items.iter().any(is_other))
    }
}

/// What becomes of the field for the text of a reference.
enum Text {
    /// The reference is set, or empty.
    Clear,
    /// It names no object.
    Keep,
    /// Not known yet.
    Leave,
}

impl Text {
    fn apply(&self, value: &mut Option<Value>) {
        match self {
            Self::Clear => *value = Some(Value::Null),
            Self::Keep => {}
            Self::Leave => *value = None,
        }
    }
}
