//! Values that only one object may have, as the caller may learn of them.

use std::fmt;

use stockroom_access::Scope;
use stockroom_model::ObjectId;
use stockroom_model::json::Value;
use stockroom_store::{Duplicate, SharedValues};

/// Characters of a value in a message.
const MOST_SHOWN: usize = 100;
/// Values that a message tells as shared, and objects that it names for each.
const MOST_NAMED: usize = 5;

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
        self.duplicate.fields.iter().map(String::as_str)
    }

    /// The object that has the values, for those who may read it.
    #[must_use]
    pub fn holder(&self) -> Option<ObjectId> {
        let is_known = self.is_shown && !self.duplicate.is_new;
        is_known.then_some(self.duplicate.holder)
    }
}

impl fmt::Display for NotUnique {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.duplicate.titles.join(", ");
        let (noun, is) = match self.duplicate.fields.len() {
            1 => ("value", "is"),
            _ => ("values", "are"),
        };
        write!(formatter, "the {noun} ")?;
        if self.is_shown {
            write!(formatter, "{} ", shown(&self.duplicate.values))?;
        }
        write!(formatter, "of {fields} {is} ")?;
        match self.holder() {
            Some(holder) => write!(formatter, "taken by object {holder}"),
            None if self.duplicate.is_new => {
                formatter.write_str("given to another object in the same change")
            }
            None => formatter.write_str("taken by another object"),
        }
    }
}

/// Values that objects share, for a message: the first of them.
pub(crate) fn shared(found: &[SharedValues]) -> String {
    let told = found.iter().take(MOST_NAMED).map(|shared| {
        let named = shared.objects.iter().take(MOST_NAMED);
        let named: Vec<String> = named.map(ToString::to_string).collect();
        let more = match shared.count.saturating_sub(named.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "{} in objects {}{more}",
            shown(&shared.values),
            named.join(", ")
        )
    });
    let told: Vec<String> = told.collect();
    let more = if found.len() > MOST_NAMED {
        "; and more values"
    } else {
        ""
    };
    format!("objects share values: {}{more}", told.join("; "))
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
