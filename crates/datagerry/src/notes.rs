//! What had to change so that a record fits.

use std::collections::BTreeMap;

/// Longest detail of an example, in characters.
const MAX_DETAIL: usize = 160;

/// Reasons why a record changed, each with its first detail. The reasons are texts of the program,
/// so a hostile dump cannot make many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<&'static str, String>);

impl Notes {
    /// Notes a reason.
    pub fn add(&mut self, why: &'static str, detail: &str) {
        self.0.entry(why).or_insert_with(|| shortened(detail));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(why, detail)| (*why, detail.as_str()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A text for a report: one line, not too long.
pub(crate) fn shortened(text: &str) -> String {
    let visible = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut short: String = visible.clone().take(MAX_DETAIL).collect();
    if visible.count() > MAX_DETAIL {
        short.push('…');
    }
    short
}
