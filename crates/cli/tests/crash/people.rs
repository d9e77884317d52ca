//! Writes of categories, groups and users, which may change other records too.

use serde_json::{Value, json};

use crate::model::{Effect, Kind};
use crate::worker::{Stopped, Worker};

/// The group of users that belong to no group of a worker; it cannot be deleted.
pub(crate) const GROUP_OF_ALL: i64 = 2;

impl Worker {
    pub(crate) fn write_category(&mut self) -> Result<(), Stopped> {
        let known = self.living(Kind::Category);
        let chosen = self.random.choice(known);
        let label = self.next_value();
        match chosen {
            Some((record, mut after)) if self.random.bool() => {
                after["label"] = label.clone().into();
                let body = json!({"label": label});
                self.write("PATCH", "", record, Some(body), Some(after))
            }
            Some((record, _)) if self.random.bool() => self.delete_category(record),
            above => {
                let parent = above.map(|(record, _)| self.log.records[record].id());
                let name = label.replace('.', "_");
                let body = json!({"name": name, "label": label, "parent": parent});
                let after = Kind::Category.view(&body);
                self.insert(Kind::Category, None, body, after).map(drop)
            }
        }
    }

    /// Deletes a category; those below it come to the top.
    fn delete_category(&mut self, record: usize) -> Result<(), Stopped> {
        let mut effects = self.moved(Kind::Category, "parent", record, &Value::Null);
        effects.push(Effect {
            record,
            after: None,
        });
        let path = self.path_of(record);
        self.send("DELETE", &path, None, effects)
    }

    /// Writes a user or a group.
    pub(crate) fn write_person(&mut self) -> Result<(), Stopped> {
        let (users, groups) = (self.living(Kind::User), self.living(Kind::Group));
        let (user, group) = (self.random.choice(users), self.random.choice(groups));
        let group_id = group
            .as_ref()
            .map(|(record, _)| self.log.records[*record].id());
        let group_id = group_id.unwrap_or(GROUP_OF_ALL);
        match (self.random.u32(0..10), user, group) {
            (0..3, Some((record, mut after)), _) => {
                let email = self.next_value();
                after["email"] = email.clone().into();
                after["group_id"] = group_id.into();
                let body = json!({"email": email, "group_id": group_id});
                self.write("PATCH", "", record, Some(body), Some(after))
            }
            (3, Some((record, _)), _) => self.write("DELETE", "", record, None, None),
            (4..6, _, Some((record, mut after))) => {
                let label = self.next_value();
                after["label"] = label.clone().into();
                let body = json!({"label": label});
                self.write("PATCH", "", record, Some(body), Some(after))
            }
            (6, _, Some((record, _))) => self.delete_group(record),
            (0..7, ..) => self.insert_group(),
            _ => self.insert_user(group_id),
        }
    }

    fn insert_group(&mut self) -> Result<(), Stopped> {
        let label = self.next_value();
        let name = label.replace('.', "_");
        let body = json!({"name": name, "label": label, "rights": ["base.framework.object.view"]});
        let after = Kind::Group.view(&body);
        self.insert(Kind::Group, None, body, after).map(drop)
    }

    fn insert_user(&mut self, group_id: i64) -> Result<(), Stopped> {
        let name = self.next_value().replace('.', "_");
        let body = json!({
            "user_name": name,
            "group_id": group_id,
            "password": name,
            "email": name,
        });
        let after = Kind::User.view(&body);
        self.insert(Kind::User, None, body, after).map(drop)
    }

    /// Deletes a group, and moves or deletes its users in the same transaction.
    fn delete_group(&mut self, record: usize) -> Result<(), Stopped> {
        let moves = self.random.bool();
        let mut effects = self.moved(Kind::User, "group_id", record, &GROUP_OF_ALL.into());
        for effect in effects.iter_mut().filter(|_| !moves) {
            effect.after = None;
        }
        effects.push(Effect {
            record,
            after: None,
        });
        let action = if moves {
            format!("action=MOVE&group_id={GROUP_OF_ALL}")
        } else {
            "action=DELETE".to_owned()
        };
        let path = format!("{}?{action}", self.path_of(record));
        self.send("DELETE", &path, None, effects)
    }

    /// The records whose `member` names `record`, with another value there.
    pub(crate) fn moved(
        &self,
        kind: Kind,
        member: &str,
        record: usize,
        value: &Value,
    ) -> Vec<Effect> {
        let id = json!(self.log.records[record].id());
        let named = self.living(kind).into_iter();
        let named = named.filter(|(_, state)| state[member] == id);
        let moved = named.map(|(record, mut after)| {
            after[member] = value.clone();
            let after = Some(after);
            Effect { record, after }
        });
        moved.collect()
    }

    pub(crate) fn path_of(&self, record: usize) -> String {
        self.log.records[record].path.clone().expect("a path")
    }
}
