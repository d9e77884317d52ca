//! What became of the records of a dump.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::notes::{Notes, shortened};

/// Examples of a finding.
const MAX_EXAMPLES: usize = 5;

/// A kind of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Groups of users.
    Group,
    /// Users.
    User,
    /// Settings of users.
    Setting,
    /// Types.
    Type,
    /// Categories.
    Category,
    /// Objects.
    Object,
    /// Locations of objects.
    Location,
    /// Multi-data sections of objects, which are lists of rows.
    MultiData,
    /// Logs of objects.
    Log,
    /// Files.
    File,
    /// Records of all other collections.
    Other,
}

/// Every kind has a row in the report.
const KINDS: [Kind; 11] = [
    Kind::Group,
    Kind::User,
    Kind::Setting,
    Kind::Type,
    Kind::Category,
    Kind::Object,
    Kind::Location,
    Kind::MultiData,
    Kind::Log,
    Kind::File,
    Kind::Other,
];

impl Kind {
    /// As the report names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Group => "groups",
            Self::User => "users",
            Self::Setting => "settings",
            Self::Type => "types",
            Self::Category => "categories",
            Self::Object => "objects",
            Self::Location => "locations",
            Self::MultiData => "multi-data sections",
            Self::Log => "logs",
            Self::File => "files",
            Self::Other => "other records",
        }
    }
}

/// What became of the records of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    counts: BTreeMap<Kind, Counts>,
    changed: BTreeMap<(Kind, &'static str), Finding>,
    left_out: BTreeMap<(Kind, &'static str), Finding>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    moved: u64,
    changed: u64,
    left_out: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Finding {
    count: u64,
    examples: Vec<String>,
}

impl Finding {
    fn add(&mut self, name: &str, detail: &str) {
        self.count += 1;
        if self.examples.len() < MAX_EXAMPLES {
            let example = match (name, detail) {
                (name, "") => name.to_owned(),
                (name, detail) => format!("{name}: {detail}"),
            };
            self.examples.push(shortened(&example));
        }
    }
}

impl Report {
    /// Notes a record that is moved, and how it changed.
    pub fn moved(&mut self, kind: Kind, name: &str, notes: &Notes) {
        let counts = self.counts.entry(kind).or_default();
        counts.moved += 1;
        counts.changed += u64::from(!notes.is_empty());
        for (why, detail) in notes.iter() {
            let finding = self.changed.entry((kind, why)).or_default();
            finding.add(name, detail);
        }
    }

    /// Notes a record that is not moved.
    pub fn left_out(&mut self, kind: Kind, name: &str, why: &'static str, detail: &str) {
        self.counts.entry(kind).or_default().left_out += 1;
        let finding = self.left_out.entry((kind, why)).or_default();
        finding.add(name, detail);
    }

    /// Notes that a record, which counts as moved, was refused in the end.
    pub fn refused(&mut self, kind: Kind, name: &str, detail: &str) {
        let counts = self.counts.entry(kind).or_default();
        counts.moved = counts.moved.saturating_sub(1);
        self.left_out(kind, name, "a rule of Stockroom refuses it", detail);
    }

    /// The report for people.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{:<20} {:>12} {:>12} {:>12}\n",
            "", "moved", "changed", "left out"
        );
        for (kind, counts) in self.rows() {
            let Counts {
                moved,
                changed,
                left_out,
            } = counts;
            let name = kind.name();
            let _ = writeln!(text, "{name:<20} {moved:>12} {changed:>12} {left_out:>12}");
        }
        write_findings(&mut text, "Changed to fit:", &self.changed);
        write_findings(&mut text, "Left out:", &self.left_out);
        text
    }

    /// The report for programs.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let counts: Map<String, Value> = self
            .rows()
            .map(|(kind, counts)| {
                let Counts {
                    moved,
                    changed,
                    left_out,
                } = counts;
                let row = json!({"moved": moved, "changed": changed, "left_out": left_out});
                (kind.name().to_owned(), row)
            })
            .collect();
        json!({
            "counts": counts,
            "changed": findings(&self.changed),
            "left_out": findings(&self.left_out),
        })
    }

    fn rows(&self) -> impl Iterator<Item = (Kind, Counts)> {
        let counts = |kind| self.counts.get(&kind).copied().unwrap_or_default();
        KINDS.into_iter().map(move |kind| (kind, counts(kind)))
    }
}

type Findings = BTreeMap<(Kind, &'static str), Finding>;

fn write_findings(text: &mut String, title: &str, findings: &Findings) {
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{title}");
    for ((kind, why), Finding { count, examples }) in findings {
        let _ = writeln!(text, "  {count} {}: {why}", kind.name());
        for example in examples {
            let _ = writeln!(text, "    {example}");
        }
    }
}

fn findings(findings: &Findings) -> Vec<Value> {
    let findings = findings.iter();
    findings
        .map(|((kind, why), Finding { count, examples })| {
            json!({"kind": kind.name(), "why": why, "count": count, "examples": examples})
        })
        .collect()
}
