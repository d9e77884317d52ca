//! Dotted paths into a document.

use std::sync::Arc;

/// A dotted path, split once when it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    segments: Arc<[Segment]>,
    timestamp: bool,
    field: Option<Arc<str>>,
}

/// One step of a path: a key of an object, or the position of an item where an array is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    name: Box<str>,
    index: Option<usize>,
}

/// What a resource says about the paths of its documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paths {
    /// The record's own timestamps: they also compare with texts (`docs/guide/src/filters.md`).
    pub timestamps: &'static [&'static str],
    /// Paths that do not exist for callers, nor does anything below them.
    pub secrets: &'static [&'static str],
}

impl Path {
    /// Splits `a.b.0` at its dots. Every text is a path; an empty step is a key without characters.
    #[must_use]
    pub fn new(dotted: &str) -> Self {
        Self {
            segments: dotted.split('.').map(Segment::new).collect(),
            timestamp: false,
            field: None,
        }
    }

    /// The steps, at least one.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether this is one of the record's own timestamps. A document may hold these as texts;
    /// compared with a date such a text counts as the date that it spells.
    #[must_use]
    pub fn is_timestamp(&self) -> bool {
        self.timestamp
    }

    /// The name of the field of an object whose value this path means, instead of what is at its
    /// steps.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// The name of a field that this path may mean: what follows `fields.`, dots included. A
    /// position, `name` and `value` are steps into the items of `fields`.
    #[must_use]
    pub fn named_field(&self) -> Option<String> {
        let [fields, rest @ ..] = &*self.segments else {
            return None;
        };
        if fields.name() != "fields" || is_step_into_items(rest.first()?.name()) {
            return None;
        }
        let names: Vec<&str> = rest.iter().map(Segment::name).collect();
        Some(names.join("."))
    }

    /// The steps, joined with dots again.
    #[must_use]
    pub fn to_dotted(&self) -> String {
        let names: Vec<&str> = self.segments.iter().map(Segment::name).collect();
        names.join(".")
    }

    /// The same path, meaning the value of the field with this name.
    pub(crate) fn as_field(&self, name: &str) -> Self {
        Self {
            field: Some(name.into()),
            ..self.clone()
        }
    }

    pub(crate) fn as_timestamp(&self) -> Self {
        Self {
            timestamp: true,
            ..self.clone()
        }
    }
}

fn is_step_into_items(step: &str) -> bool {
    let is_position = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    is_position || matches!(step, "name" | "value")
}

impl Segment {
    fn new(name: &str) -> Self {
        let plain =
            name == "0" || !name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit());
        Self {
            name: name.into(),
            index: if plain { name.parse().ok() } else { None },
        }
    }

    /// The key.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The position it means where an array is met, if the key is a whole number without leading
    /// zeros.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        self.index
    }
}

/// How a path relates to a secret one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// Neither leads to the other.
    Open,
    /// The path is the secret or lies below it.
    Secret,
    /// The secret lies below the path.
    HoldsSecret,
}

impl Paths {
    pub(crate) fn is_timestamp(&self, path: &[&Segment]) -> bool {
        self.timestamps.iter().any(|timestamp| {
            timestamp
                .split('.')
                .eq(path.iter().map(|segment| segment.name()))
        })
    }

    pub(crate) fn secrecy(&self, path: &[&Segment]) -> Secrecy {
        let mut found = Secrecy::Open;
        for secret in self.secrets {
            match secrecy_of(secret, path) {
                Secrecy::Secret => return Secrecy::Secret,
                Secrecy::HoldsSecret => found = Secrecy::HoldsSecret,
                Secrecy::Open => {}
            }
        }
        found
    }
}

/// Positions are stepped over: `logins.0.password` is as secret as `logins.password`.
fn secrecy_of(secret: &str, path: &[&Segment]) -> Secrecy {
    let mut steps = path.iter();
    for name in secret.split('.') {
        let step = steps.find(|step| step.name() == name || step.index().is_none());
        match step {
            Some(step) if step.name() == name => {}
            Some(_) => return Secrecy::Open,
            None => return Secrecy::HoldsSecret,
        }
    }
    Secrecy::Secret
}
