//! The history of each record, and that of all.

use serde_json::{Value, json};
use stockroom_model::difference::differences;

use crate::model::Change;
use crate::side::{Side, without_extras};
use crate::together::record;
use crate::world::World;

impl World {
    /// Every record has exactly the changes of the model, with their differences.
    pub(crate) async fn check_histories(&self) {
        for path in self.model.states.keys() {
            let shown = pages(&self.main, &format!("{path}/history"), "20").await;
            let changes = self.model.changes_of(path);
            assert_eq!(
                shown.len(),
                changes.len(),
                "{path}: {shown:#?}\n{changes:#?}"
            );
            for (shown, change) in shown.iter().rev().zip(changes) {
                check_change(shown, change);
                let expected = self.differences(change);
                assert_eq!(
                    without_extras(shown["changes"].clone()),
                    expected,
                    "{shown}"
                );
            }
        }
    }

    /// The differences that a change made.
    fn differences(&self, change: &Change) -> Value {
        let state = |revision| {
            let state = self.model.state(&change.path, revision).cloned();
            stored(state.unwrap_or_else(|| json!({})))
        };
        let (before, after) = (state(change.revision - 1), state(change.revision));
        let made = differences(&before, &after).into_iter();
        made.map(|made| json!(made)).collect()
    }

    /// Every revision is read as it was.
    pub(crate) async fn check_revisions(&self) {
        for (path, states) in &self.model.states {
            for (place, state) in states.iter().enumerate() {
                let path = format!("{path}/history/{}", place + 1);
                let answer = self.main.admin().get(&path).await;
                let Some(state) = state else {
                    assert_eq!(answer.status, 404, "{answer}");
                    continue;
                };
                let read = without_extras(answer.expect(200).json());
                assert_eq!(&whole(read), state, "{path}");
            }
            let next = format!("{path}/history/{}", states.len() + 1);
            assert_eq!(self.main.admin().get(&next).await.status, 404, "{next}");
        }
    }

    /// The history of everything has the writes in their order, as that of the twin.
    pub(crate) async fn check_everything(&self) {
        let mut shown = pages(&self.main, "/rest/history", "50").await;
        assert_eq!(shown, pages(&self.twin, "/rest/history", "1000").await);
        for changes in &self.model.writes {
            let mut of_write = shown.split_off(shown.len() - changes.len());
            of_write.sort_by_key(record);
            for (shown, change) in of_write.iter().zip(changes) {
                check_change(shown, change);
            }
        }
        assert_eq!(shown, [] as [Value; 0]);
    }
}

fn check_change(shown: &Value, change: &Change) {
    let Change {
        path,
        revision,
        action,
        context,
    } = change;
    assert_eq!(record(shown), *path, "{shown}");
    assert_eq!(shown["revision"], *revision, "{path}: {shown}");
    assert_eq!(shown["action"], *action, "{path}: {shown}");
    assert_eq!(shown["actor"], context.actor, "{path}: {shown}");
    assert_eq!(shown["at"], context.at.to_iso(), "{path}: {shown}");
    if let Some(request) = &context.request {
        assert_eq!(shown["request_id"], *request, "{path}: {shown}");
        assert_eq!(shown["via"], "session", "{path}: {shown}");
    }
}

/// All changes of a history, the newest first.
async fn pages(side: &Side, path: &str, limit: &str) -> Vec<Value> {
    let (mut after, mut changes) = (String::new(), Vec::new());
    loop {
        let mut parameters = vec![("limit", limit)];
        if !after.is_empty() {
            parameters.push(("after", &after));
        }
        let page = side.admin().query(path, &parameters).await;
        let page = page.expect(200).json();
        changes.extend(page["results"].as_array().unwrap().clone());
        match page["pager"]["after"].as_str() {
            Some(next) => next.clone_into(&mut after),
            None => return changes,
        }
    }
}

/// The record in an answer.
fn whole(answer: Value) -> Value {
    for member in [&answer["result"], &answer["results"][0]] {
        if member.is_object() {
            return member.clone();
        }
    }
    answer
}

/// A record as it is stored: a group has the names of its rights.
fn stored(mut record: Value) -> Value {
    let rights = record.get_mut("rights").and_then(Value::as_array_mut);
    for right in rights.into_iter().flatten() {
        *right = right["name"].take();
    }
    record
}
