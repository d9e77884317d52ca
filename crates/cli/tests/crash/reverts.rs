//! Reverts: all changes of an earlier request are undone.

use serde_json::{Value, json};

use crate::model::{Effect, Kind, Write};
use crate::people::GROUP_OF_ALL;
use crate::worker::{Stopped, Worker};

/// The first requests of a worker make what it always needs.
const FIRST: usize = 2;

impl Worker {
    pub(crate) fn revert(&mut self) -> Result<(), Stopped> {
        let writes = self.log.writes.iter().enumerate().skip(FIRST);
        let possible = writes.filter_map(|(number, write)| {
            let effects = self.undone(number);
            let is_possible = !effects.is_empty() && self.can_undo(write, &effects);
            is_possible.then(|| (write.request.id.clone(), effects))
        });
        let possible: Vec<(String, Vec<Effect>)> = possible.collect();
        let Some((request, effects)) = self.random.choice(possible) else {
            return Ok(());
        };
        let path = format!("/rest/history/requests/{request}/revert");
        self.send("POST", &path, Some(json!({})), effects)
    }

    /// What undoing a write does; nothing if its records were changed later.
    fn undone(&self, number: usize) -> Vec<Effect> {
        let changed = self.log.changed_by(number);
        let states = |record: usize| &self.log.records[record].states;
        if changed
            .iter()
            .any(|(record, (_, after))| states(*record).len() != *after)
        {
            return Vec::new();
        }
        let effects = changed.into_iter().map(|(record, (before, _))| Effect {
            record,
            after: before
                .checked_sub(1)
                .and_then(|last| states(record)[last].clone()),
        });
        effects
            .filter(|effect| self.log.records[effect.record].now() != effect.after.as_ref())
            .collect()
    }

    /// Whether the rules of the records allow it.
    fn can_undo(&self, write: &Write, effects: &[Effect]) -> bool {
        // A deleted group cannot come back.
        let mut done = write.effects.iter();
        done.all(|effect| effect.after.is_some() || self.kind_of(effect) != Kind::Group)
            && effects
                .iter()
                .all(|effect| match (self.kind_of(effect), &effect.after) {
                    (Kind::Group, None) => !self.is_named(Kind::User, "group_id", effect.record),
                    (Kind::Category, None) => {
                        !self.is_named(Kind::Category, "parent", effect.record)
                    }
                    (Kind::User, Some(state)) => {
                        state["group_id"] == GROUP_OF_ALL
                            || self.lives(Kind::Group, &state["group_id"])
                    }
                    (Kind::Category, Some(state)) => {
                        state["parent"].is_null()
                            || self.lives(Kind::Category, &state["parent"])
                            || self.comes_back(effects, &state["parent"])
                    }
                    _ => true,
                })
    }

    fn kind_of(&self, effect: &Effect) -> Kind {
        self.log.records[effect.record].kind
    }

    fn is_named(&self, kind: Kind, member: &str, record: usize) -> bool {
        !self.moved(kind, member, record, &Value::Null).is_empty()
    }

    fn lives(&self, kind: Kind, id: &Value) -> bool {
        let mut living = self.living(kind).into_iter();
        living.any(|(record, _)| *id == self.log.records[record].id())
    }

    fn comes_back(&self, effects: &[Effect], id: &Value) -> bool {
        effects.iter().any(|effect| {
            self.kind_of(effect) == Kind::Category
                && effect.after.is_some()
                && *id == self.log.records[effect.record].id()
        })
    }
}
