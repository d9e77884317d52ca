//! Images: what a record was before each change can be read, back to its first revision.

use stockroom_model::json::{Map, Value};

use crate::records::image::{self, WHOLE_EVERY};
use crate::transaction::Action;

/// A record on its way back in time. Its changes come from the newest to the oldest.
pub(super) struct Images {
    id: i64,
    /// What the record was after the next change.
    state: State,
    /// The revisions whose images cannot be read.
    pub(super) unreadable: Vec<i64>,
}

pub(super) enum State {
    /// This document, at this revision.
    Known(String, i64),
    Missing,
    /// Until the next whole image.
    Unknown,
}

impl Images {
    /// `state` is what the record is now.
    pub(super) const fn new(id: i64, state: State) -> Self {
        Self {
            id,
            state,
            unreadable: Vec::new(),
        }
    }

    /// Undoes a change.
    pub(super) fn step(&mut self, revision: i64, action: &str, image: Option<&[u8]>) {
        let before = match image {
            None => Some(State::Unknown),
            Some(image) if image::is_of_nothing(image) => self.nothing(revision, action, image),
            Some(image) => self.before(revision, action, image),
        };
        if before.is_none() {
            self.unreadable.push(revision);
        }
        self.state = before.unwrap_or(State::Unknown);
    }

    /// Nothing, if the change can make a record, and the image of what it made can be read.
    fn nothing(&self, revision: i64, action: &str, image: &[u8]) -> Option<State> {
        if image::holds_after(image) {
            let made = image::decode(image, None).ok()?;
            let is_other = match &self.state {
                State::Known(text, of) => *of == revision && *text != made,
                State::Missing | State::Unknown => false,
            };
            if is_other || !self.is_own(&made) {
                return None;
            }
        }
        can_be_first(action).then_some(State::Missing)
    }

    /// `None` if the image cannot be read.
    fn before(&self, revision: i64, action: &str, image: &[u8]) -> Option<State> {
        let is_delete = action == Action::Delete.as_str();
        let is_whole = image::is_whole(image);
        if !is_whole && (is_delete || revision % WHOLE_EVERY == 0) {
            return None;
        }
        let after = match &self.state {
            _ if is_whole => None,
            State::Known(text, of) if *of == revision => Some(text.as_str()),
            State::Missing => None,
            State::Known(..) | State::Unknown => return Some(State::Unknown),
        };
        let document = image::decode(image, after).ok()?;
        self.is_own(&document)
            .then_some(State::Known(document, revision - 1))
    }

    /// Whether a text is a document, and not that of another record.
    fn is_own(&self, document: &str) -> bool {
        let document: Result<Map<String, Value>, _> = serde_json::from_str(document);
        document.is_ok_and(|members| {
            // A setting has the id of its user only.
            let id = members.get("public_id").or_else(|| members.get("user_id"));
            id.and_then(Value::as_i64).is_none_or(|id| id == self.id)
        })
    }
}

/// Whether a change can make a record.
fn can_be_first(action: &str) -> bool {
    [Action::Insert, Action::Restore]
        .iter()
        .any(|making| making.as_str() == action)
}
