//! What a check found.

use std::collections::BTreeMap;

/// Lines kept for each kind of finding; the others are counted.
const MAX_LINES: u64 = 50;

/// The result of a check.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// The first findings of each kind.
    pub findings: Vec<Finding>,
    /// The number of findings of each kind.
    pub counts: BTreeMap<FindingKind, u64>,
    /// The number of repaired findings of each kind.
    pub repaired: BTreeMap<FindingKind, u64>,
    /// The number of objects.
    pub objects: u64,
    /// The number of rows in the history.
    pub changes: u64,
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub kind: FindingKind,
    /// What is wrong, and where.
    pub line: String,
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// The engine's own check of its files.
    Engine,
    /// A document that cannot be read, or that belongs to another row.
    Document,
    /// A column that differs from the document.
    Column,
    /// Index rows that differ from the document, or that have no object.
    Index,
    /// The list of irregular objects.
    Irregular,
    /// What objects hold of the values that only one may have.
    Unique,
    /// What the search finds objects by.
    Search,
    /// The number of objects of a type.
    Counter,
    /// The next id of a resource.
    Sequence,
    /// Revisions of a record.
    History,
    /// A record that names another one, which must exist.
    Link,
    /// The key by which a name is compared.
    NameKey,
    /// An object that names another one, which does not exist. That is legal.
    Reference,
}

pub(super) use FindingKind as Kind;

impl FindingKind {
    /// The word at the beginning of a line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Document => "document",
            Self::Column => "column",
            Self::Index => "index",
            Self::Irregular => "irregular",
            Self::Unique => "unique value",
            Self::Search => "search",
            Self::Counter => "counter",
            Self::Sequence => "sequence",
            Self::History => "history",
            Self::Link => "link",
            Self::NameKey => "name key",
            Self::Reference => "reference",
        }
    }

    /// Whether the database is damaged.
    #[must_use]
    pub const fn is_problem(self) -> bool {
        !matches!(self, Self::Reference)
    }
}

impl CheckReport {
    pub(super) fn add(&mut self, kind: Kind, line: String) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= MAX_LINES {
            self.findings.push(Finding { kind, line });
        }
    }

    /// What is left after a repair of what was `found`.
    pub(super) fn after_repair(mut self, found: Self) -> Self {
        for (kind, count) in found.counts {
            let left = self.counts.get(&kind).copied().unwrap_or(0);
            let repaired = count.saturating_sub(left);
            if repaired > 0 {
                self.repaired.insert(kind, repaired);
            }
        }
        self
    }

    /// The number of problems.
    #[must_use]
    pub fn problems(&self) -> u64 {
        let problems = self.counts.iter().filter(|(kind, _)| kind.is_problem());
        problems.map(|(_, count)| count).sum()
    }
}
