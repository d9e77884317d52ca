//! Notes on how a record changed to fit.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Longest detail of an example, in characters.
const MAX_DETAIL: usize = 160;

/// Reasons why a record changed, each with its first detail or the first members that are left out,
/// and all of these members. The reasons are texts of the program, so a hostile dump cannot make
/// many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    reasons: BTreeMap<&'static str, String>,
    left_out: Vec<Value>,
}

impl Notes {
    /// Notes a reason.
    pub fn add(&mut self, why: &'static str, detail: &str) {
        let detail = || shortened(detail);
        self.reasons.entry(why).or_insert_with(detail);
    }

    /// Notes a member that is left out, and why. `member` is its path in the record.
    pub(crate) fn leave_out(&mut self, why: &'static str, member: &str, value: Value) {
        let detail = self.reasons.entry(why).or_default();
        if detail.len() < MAX_DETAIL {
            *detail += if detail.is_empty() { "" } else { ", " };
            *detail += &shortened(member);
        }
        let mut line = json!({"member": member});
        line["value"] = value;
        line["why"] = why.into();
        self.left_out.push(line);
    }

    /// The members that are left out.
    pub(crate) fn take_left_out(&mut self) -> Option<Value> {
        let members = std::mem::take(&mut self.left_out);
        (!members.is_empty()).then_some(Value::Array(members))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let reasons = self.reasons.iter();
        reasons.map(|(why, detail)| (*why, detail.as_str()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.reasons.is_empty()
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
