//! Cursors of a list, which a server answers page by page.

use std::collections::HashSet;

use super::Answer;
use crate::failure::Failure;

/// The most pages without records, one after the other.
const MOST_EMPTY: usize = 100;

/// The cursors of a list so far, so that one that has no end is noticed.
#[derive(Default)]
pub(crate) struct Cursors {
    seen: HashSet<String>,
    empty: usize,
}

impl Cursors {
    /// The cursor of the page after this one, which had so many records.
    ///
    /// # Errors
    ///
    /// It was there before, or page after page is empty.
    pub(crate) fn next(
        &mut self,
        answer: &Answer,
        records: usize,
    ) -> Result<Option<String>, Failure> {
        let after = answer.document.pointer("/pager/after");
        let Some(after) = after.and_then(serde_json::Value::as_str) else {
            return Ok(None);
        };
        self.empty = if records == 0 { self.empty + 1 } else { 0 };
        if self.empty > MOST_EMPTY || !self.seen.insert(after.to_owned()) {
            return Err(Failure::other("the pages of the server's list have no end"));
        }
        Ok(Some(after.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn answer(after: &Value) -> Answer {
        Answer {
            document: json!({"pager": {"after": after}}),
            tag: None,
        }
    }

    #[test]
    fn a_cursor_that_comes_back_is_an_error() {
        let mut cursors = Cursors::default();
        for after in ["a", "b"] {
            let next = cursors.next(&answer(&json!(after)), 1).unwrap();
            assert_eq!(next.as_deref(), Some(after));
        }
        assert!(cursors.next(&answer(&json!("a")), 1).is_err());
        assert_eq!(cursors.next(&answer(&Value::Null), 1).unwrap(), None);
    }

    #[test]
    fn so_are_many_empty_pages() {
        let mut cursors = Cursors::default();
        let ended = (0..1_000).position(|page| {
            let records = usize::from(page < 500);
            cursors
                .next(&answer(&json!(page.to_string())), records)
                .is_err()
        });
        assert_eq!(ended, Some(500 + MOST_EMPTY));
    }
}
