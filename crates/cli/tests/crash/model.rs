//! What a client knows of its records: each state that was acknowledged, and one write at most
//! whose outcome is unknown.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::client::{Answer, Request};

/// The resources whose records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Type,
    Category,
    User,
    Group,
    Setting,
    View,
}

/// A record with a single writer.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) kind: Kind,
    /// `None`: its insert was not answered.
    pub(crate) path: Option<String>,
    /// By revision, from the first one; `None` where it was deleted.
    pub(crate) states: Vec<Option<Value>>,
}

/// What a write does to one record.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    /// The index of the record.
    pub(crate) record: usize,
    /// The state after the write; `None` after a delete.
    pub(crate) after: Option<Value>,
}

/// A write that was sent.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) request: Request,
    /// All of them happen, or none.
    pub(crate) effects: Vec<Effect>,
    pub(crate) is_acknowledged: bool,
    /// The body of the answer.
    pub(crate) answer: Value,
}

/// The records and writes of one client in one round.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) records: Vec<Record>,
    pub(crate) writes: Vec<Write>,
    pub(crate) violations: Vec<String>,
}

impl Log {
    /// What was known when so many writes were acknowledged and the next one was sent.
    pub(crate) fn after(&self, acknowledged: usize) -> Self {
        let mut log = Self::default();
        for record in &self.records {
            log.records
                .push(Record::new(record.kind, record.path.clone()));
        }
        for (number, write) in self.writes.iter().take(acknowledged + 1).enumerate() {
            let is_acknowledged = number < acknowledged;
            for effect in write.effects.iter().filter(|_| is_acknowledged) {
                log.apply(effect);
            }
            log.writes.push(Write {
                is_acknowledged,
                ..write.clone()
            });
        }
        log
    }

    /// Notes that the newest write was acknowledged.
    pub(crate) fn acknowledge(&mut self, answer: Answer) {
        let write = self.writes.last_mut().expect("the write that was sent");
        write.is_acknowledged = true;
        let (name, effects) = (write.request.id.clone(), write.effects.clone());
        let mut ids = answer.ids().into_iter();
        for effect in &effects {
            let record = &mut self.records[effect.record];
            if record.path.is_none() {
                let path = |id| format!("{}/{id}", record.kind.list());
                record.path = ids.next().map(path);
            }
            self.apply(effect);
        }
        if let ([effect], Some(revision)) = (effects.as_slice(), answer.revision)
            && revision != self.records[effect.record].revision()
        {
            let record = &self.records[effect.record];
            self.violations
                .push(format!("{name}: {answer:?}, not of {record:?}"));
        }
        if let Some(write) = self.writes.last_mut() {
            write.answer = answer.body;
        }
    }

    fn apply(&mut self, effect: &Effect) {
        let after = effect.after.as_ref();
        let state = after.map(|after| with_ids(after, &self.records));
        self.records[effect.record].states.push(state);
    }

    /// The records that a write changed, with their revisions before and after it.
    pub(crate) fn changed_by(&self, number: usize) -> BTreeMap<usize, (usize, usize)> {
        let mut revisions = vec![0; self.records.len()];
        let mut changed = BTreeMap::new();
        for (index, write) in self.writes[..=number].iter().enumerate() {
            for effect in write.effects.iter().filter(|_| write.is_acknowledged) {
                let before = revisions[effect.record];
                revisions[effect.record] += 1;
                if index == number {
                    changed.entry(effect.record).or_insert((before, 0)).1 = before + 1;
                }
            }
        }
        changed
    }
}

/// A reference to a record that the same write makes.
pub(crate) fn id_of(record: usize) -> Value {
    json!({ "id_of": record })
}

/// A state with the ids of the records that it refers to.
pub(crate) fn with_ids(after: &Value, records: &[Record]) -> Value {
    let mut state = after.clone();
    if let Some(record) = after["fields"]["parent"]["id_of"].as_u64() {
        let record = usize::try_from(record).ok().map(|index| &records[index]);
        state["fields"]["parent"] = record.map(Record::id).into();
    }
    state
}

impl Record {
    pub(crate) const fn new(kind: Kind, path: Option<String>) -> Self {
        Self {
            kind,
            path,
            states: Vec::new(),
        }
    }

    pub(crate) fn now(&self) -> Option<&Value> {
        self.states.last()?.as_ref()
    }

    pub(crate) fn revision(&self) -> i64 {
        i64::try_from(self.states.len()).expect("a few")
    }

    /// The id in its path.
    pub(crate) fn id(&self) -> i64 {
        let id = self
            .path
            .as_deref()
            .and_then(|path| path.rsplit('/').next());
        id.and_then(|id| id.parse().ok()).expect("an id")
    }
}

impl Kind {
    pub(crate) const ALL: [Self; 7] = [
        Self::Object,
        Self::Type,
        Self::Category,
        Self::User,
        Self::Group,
        Self::Setting,
        Self::View,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Type => "type",
            Self::Category => "category",
            Self::User => "user",
            Self::Group => "group",
            Self::Setting => "setting",
            Self::View => "view",
        }
    }

    /// The path of its list.
    pub(crate) const fn list(self) -> &'static str {
        match self {
            Self::Object => "/rest/objects",
            Self::Type => "/rest/types",
            Self::Category => "/rest/categories",
            Self::User => "/rest/users",
            Self::Group => "/rest/groups",
            Self::Setting => "/rest/users/1/settings",
            Self::View => "/rest/views",
        }
    }

    /// The part of a document that the clients change.
    pub(crate) fn view(self, document: &Value) -> Value {
        let members: &[&str] = match self {
            Self::Object => &["active", "type_id"],
            Self::Type | Self::Group => &["label"],
            Self::Category => &["label", "parent"],
            Self::User => &["email", "group_id"],
            Self::Setting => &["payload"],
            Self::View => &["name", "visibility", "definition"],
        };
        let mut view = Map::new();
        for member in members {
            view.insert((*member).to_owned(), document[member].clone());
        }
        let fields = document["fields"].as_array().into_iter().flatten();
        let fields = fields.map(|field| {
            let name = field["name"].as_str().unwrap_or_default().to_owned();
            (name, field["value"].clone())
        });
        view.insert("fields".to_owned(), fields.collect::<Map<_, _>>().into());
        view.into()
    }
}
