//! Dotted paths into a document.

use std::sync::Arc;

/// A dotted path, split when the filter is parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    segments: Arc<[Segment]>,
    timestamp: bool,
    field: Option<Arc<str>>,
}

/// One step of a path: a key of an object, or a position in an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    name: Box<str>,
    index: Option<usize>,
}

/// The special paths of a resource's documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paths {
    /// The record's own timestamps: they also compare with texts (`docs/guide/src/filters.md`).
    pub timestamps: &'static [&'static str],
    /// Paths that do not exist for callers, including everything below them.
    pub secrets: &'static [&'static str],
}

impl Path {
    /// Splits `a.b.0` at its dots. Every text is a path; an empty step is an empty key.
    #[must_use]
    pub fn new(dotted: &str) -> Self {
        Self {
            segments: dotted.split('.').map(Segment::new).collect(),
            timestamp: false,
            field: None,
        }
    }

    /// The steps; there is at least one.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether this is one of the record's own timestamps. Documents may store them as text, which
    /// then compares with dates as the date in that text.
    #[must_use]
    pub fn is_timestamp(&self) -> bool {
        self.timestamp
    }

    /// The name of the object field that this path means. If set, the steps do not count.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// The name of the field that this path means, dots included: the part after `values.`, or
    /// after `fields.` if `is_field` accepts it. `None` if the part after `fields.` starts with a
    /// position, `name` or `value`: these are steps into the items of `fields`.
    pub(crate) fn named_field(&self, is_field: impl Fn(&str) -> bool) -> Option<String> {
        let [first, rest @ ..] = &*self.segments else {
            return None;
        };
        let next = rest.first()?.name();
        match first.name() {
            "values" => Some(dotted(rest)),
            "fields" if !is_step_into_items(next) => {
                Some(dotted(rest)).filter(|name| is_field(name))
            }
            _ => None,
        }
    }

    /// The part after `fields.` if it is a path into the items of `fields`, which a reader may take
    /// for the name of a field.
    pub(crate) fn mistakable_field(&self) -> Option<String> {
        match &*self.segments {
            [fields, rest @ ..] if fields.name() == "fields" => {
                let next = rest.first()?.name();
                is_step_into_items(next).then(|| dotted(rest))
            }
            _ => None,
        }
    }

    /// The first step: a member of the document.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        self.segments.first().map(Segment::name)
    }

    /// The steps, joined with dots again.
    #[must_use]
    pub fn to_dotted(&self) -> String {
        dotted(&self.segments)
    }

    /// The same path, read as the value of the field with this name.
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

fn dotted(segments: &[Segment]) -> String {
    let names: Vec<&str> = segments.iter().map(Segment::name).collect();
    names.join(".")
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

    /// The position in an array, if the key is a whole number without leading zeros.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        self.index
    }
}

/// How a path relates to the secret paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// Neither path contains the other.
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

/// Positions are skipped: `logins.0.password` is as secret as `logins.password`.
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
