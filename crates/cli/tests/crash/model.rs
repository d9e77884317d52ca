//! What a client knows of its records: each state that was acknowledged, and one write at most
//! whose outcome is unknown.

use serde_json::{Map, Value};

/// The resources whose records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Type,
    Category,
    Setting,
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
    /// The id of its request.
    pub(crate) request: String,
    /// All of them happen, or none.
    pub(crate) effects: Vec<Effect>,
    pub(crate) is_acknowledged: bool,
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
                let states = &mut log.records[effect.record].states;
                states.push(effect.after.clone());
            }
            log.writes.push(Write {
                is_acknowledged,
                ..write.clone()
            });
        }
        log
    }
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
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Type => "type",
            Self::Category => "category",
            Self::Setting => "setting",
        }
    }

    /// The path of its list.
    pub(crate) const fn list(self) -> &'static str {
        match self {
            Self::Object => "/rest/objects",
            Self::Type => "/rest/types",
            Self::Category => "/rest/categories",
            Self::Setting => "/rest/users/1/settings",
        }
    }

    /// The part of a document that the clients change.
    pub(crate) fn view(self, document: &Value) -> Value {
        let members: &[&str] = match self {
            Self::Object => &["active", "type_id"],
            Self::Type | Self::Category => &["label"],
            Self::Setting => &["payload"],
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
