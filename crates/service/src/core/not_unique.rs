//! Values that only one object may have, as the caller may learn of them.

use std::fmt;

use stockroom_access::Scope;
use stockroom_model::ObjectId;
use stockroom_model::json::Value;
use stockroom_store::{Duplicate, SharedValues};

/// Characters of a value in a message.
const MOST_SHOWN: usize = 100;
/// Objects that a message names.
const MOST_NAMED: usize = 10;

/// An object would have values that another one holds. What they are and who holds them is told to
/// those who may read objects of the type.
#[derive(Debug, Clone)]
pub struct NotUnique {
    duplicate: Duplicate,
    is_shown: bool,
}

impl NotUnique {
    pub(crate) const fn hidden(duplicate: Duplicate) -> Self {
        Self {
            duplicate,
            is_shown: false,
        }
    }

    /// What a caller with this scope may learn.
    pub(crate) fn shown_in(mut self, scope: &Scope) -> Self {
        self.is_shown = scope.sees(self.duplicate.type_id);
        self
    }

    /// The names of the fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.duplicate.fields.iter().map(|(name, _)| name.as_str())
    }

    /// The object that has the values, for those who may read it.
    #[must_use]
    pub fn holder(&self) -> Option<ObjectId> {
        self.is_shown.then_some(self.duplicate.holder)
    }
}

impl fmt::Display for NotUnique {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles: Vec<&str> = self.duplicate.fields.iter().map(|(_, it)| &**it).collect();
        let fields = titles.join(", ");
        let (noun, is) = match titles.len() {
            1 => ("value", "is"),
            _ => ("values", "are"),
        };
        if self.is_shown {
            let values = shown(&self.duplicate.values);
            let holder = self.duplicate.holder;
            write!(
                formatter,
                "the {noun} {values} of {fields} {is} taken by object {holder}"
            )
        } else {
            write!(
                formatter,
                "the {noun} of {fields} {is} taken by another object"
            )
        }
    }
}

/// Values that objects share, for a message.
pub(crate) fn shared(shared: &SharedValues) -> String {
    let named = shared.objects.iter().take(MOST_NAMED);
    let named: Vec<String> = named.map(ToString::to_string).collect();
    let more = shared.objects.len().saturating_sub(MOST_NAMED);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} in {}{more}", shown(&shared.values), named.join(", "))
}

fn shown(values: &[Value]) -> String {
    let shown = values.iter().map(|value| {
        let text = value.to_string();
        match text.char_indices().nth(MOST_SHOWN) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}
