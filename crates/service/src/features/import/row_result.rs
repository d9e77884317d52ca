//! What became of a row, and how many rows have each status.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stockroom_model::{ObjectId, Revision};
use utoipa::ToSchema;

use super::sync::LinkChange;
use crate::Error;

/// What became of a row, or in a dry run what would become of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RowStatus {
    /// It makes an object.
    New,
    /// It changes an object.
    Update,
    /// The object holds all of it already.
    Unchanged,
    /// Its record is missing from the file.
    Missing,
    /// An earlier row of the file has the same key.
    Duplicate,
    /// It is refused.
    Error,
    /// What it did was taken back.
    Undone,
    /// What it did was not taken back.
    Kept,
}

impl RowStatus {
    const ALL: [Self; 8] = [
        Self::New,
        Self::Update,
        Self::Unchanged,
        Self::Missing,
        Self::Duplicate,
        Self::Error,
        Self::Undone,
        Self::Kept,
    ];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Update => "update",
            Self::Unchanged => "unchanged",
            Self::Missing => "missing",
            Self::Duplicate => "duplicate",
            Self::Error => "error",
            Self::Undone => "undone",
            Self::Kept => "kept",
        }
    }

    /// The status of a row that a word names.
    pub(super) fn named(word: &str) -> Option<Self> {
        let mut of_rows = Self::ALL
            .into_iter()
            .filter(|status| *status != Self::Missing);
        of_rows.find(|status| status.as_str() == word)
    }

    /// Whether the row can be repaired and imported again.
    pub(super) const fn is_failure(self) -> bool {
        matches!(self, Self::Duplicate | Self::Error | Self::Kept)
    }
}

/// What became of a row, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RowResult {
    #[serde(rename = "o")]
    pub(super) status: RowStatus,
    #[serde(rename = "p", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<RowProblem>,
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<ObjectId>,
    /// What it wrote, which can be taken back.
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    pub(super) written: Option<Revisions>,
    /// The columns that refer to rows further down, until their references are set.
    #[serde(rename = "l", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) later: Vec<usize>,
    /// Whether an undo has taken back its references to rows further down, and kept its object.
    #[serde(rename = "b", default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_turned_back: bool,
    /// What it changed in the links of a source.
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<LinkChange>,
    /// Whether it does not tell which record of the source it is.
    #[serde(rename = "u", default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) lacks_record: bool,
    /// In a dry run, whether the object belongs to another record of the source until then.
    #[serde(rename = "t", default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) takes_over: bool,
}

/// The revisions of an object before and after a row was written; 0 is before its insert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Revisions(pub(super) Revision, pub(super) Revision);

/// Why a row is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RowProblem {
    /// The column of the file, unless the row as a whole is wrong.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<usize>,
    #[serde(rename = "d")]
    pub(super) detail: String,
}

/// Why a row is refused
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportProblem)]
pub(super) struct ProblemAnswer {
    /// The column, unless the row as a whole is wrong
    #[schema(required)]
    column: Option<String>,
    detail: String,
}

impl RowProblem {
    pub(super) fn of_row(detail: impl Into<String>) -> Self {
        Self {
            column: None,
            detail: detail.into(),
        }
    }

    pub(super) fn of_column(column: usize, detail: impl Into<String>) -> Self {
        Self {
            column: Some(column),
            detail: detail.into(),
        }
    }

    pub(super) fn answer(&self, columns: &[&str]) -> ProblemAnswer {
        let column = self.column.and_then(|column| columns.get(column));
        ProblemAnswer {
            column: column.map(|column| (*column).to_owned()),
            detail: self.detail.clone(),
        }
    }
}

impl RowResult {
    pub(super) const fn new(status: RowStatus) -> Self {
        Self {
            status,
            problems: Vec::new(),
            object: None,
            written: None,
            later: Vec::new(),
            is_turned_back: false,
            link: None,
            lacks_record: false,
            takes_over: false,
        }
    }

    /// The result of a second run on a row, which takes back the first one, too, if it is undone.
    pub(super) fn after(mut self, first: &Self) -> Self {
        self.object = self.object.or(first.object);
        self.link = match (self.link, &first.link) {
            (Some(link), Some(first)) => Some(link.following(first)),
            (link, first) => link.or_else(|| first.clone()),
        };
        let Some(written) = first.written else {
            return self;
        };
        // What others wrote in between must not be taken back with it.
        let next = self.written.filter(|next| next.0 == written.1);
        let after = next.map_or(written.1, |Revisions(_, after)| after);
        self.written = Some(Revisions(written.0, after));
        if !self.status.is_failure() {
            self.status = if written.0 == Revision(0) {
                RowStatus::New
            } else {
                RowStatus::Update
            };
        }
        self
    }

    /// Whether the row was refused as such, and not because of what it refers to further down.
    pub(super) fn is_refused(&self) -> bool {
        self.status.is_failure() && self.later.is_empty()
    }

    pub(super) fn error(problems: Vec<RowProblem>) -> Self {
        Self {
            problems,
            ..Self::new(RowStatus::Error)
        }
    }
}

/// The results of the rows of a chunk, from their stored text.
pub(super) fn read_results(text: &str) -> Result<Vec<RowResult>, Error> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_str(text).map_err(Error::internal)
}

/// The text to store.
pub(super) fn results_text(row_results: &[RowResult]) -> Result<String, Error> {
    serde_json::to_string(row_results).map_err(Error::internal)
}

/// How many rows have each status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    /// The rows that do not tell which record of the source they are.
    #[serde(default, skip_serializing_if = "is_zero")]
    without_record: i64,
    /// The rows that failed, but have written something.
    #[serde(default, skip_serializing_if = "is_zero")]
    failed_in_part: i64,
    #[serde(flatten)]
    by_status: BTreeMap<RowStatus, i64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(count: &i64) -> bool {
    *count == 0
}

impl Counts {
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(Error::internal)
    }

    pub(super) fn text(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    pub(super) fn add(&mut self, status: RowStatus, count: i64) {
        *self.by_status.entry(status).or_default() += count;
    }

    /// Notes that a row with the result `before` has the result `after`.
    pub(super) fn note(&mut self, before: Option<&RowResult>, after: &RowResult) {
        let change =
            |of: fn(&RowResult) -> bool| i64::from(of(after)) - i64::from(before.is_some_and(of));
        self.without_record += change(|result| result.lacks_record);
        self.failed_in_part +=
            change(|result| result.status.is_failure() && result.written.is_some());
    }

    /// How many rows do not tell which record of the source they are.
    pub(super) const fn without_record(&self) -> i64 {
        self.without_record
    }

    /// How many rows failed, but have written something.
    pub(super) const fn failed_in_part(&self) -> i64 {
        self.failed_in_part
    }

    pub(super) fn of(&self, status: RowStatus) -> i64 {
        self.by_status.get(&status).copied().unwrap_or_default()
    }

    /// How many rows were refused.
    pub(super) fn failures(&self) -> i64 {
        self.of(RowStatus::Error) + self.of(RowStatus::Duplicate)
    }

    pub(super) fn answer(&self) -> BTreeMap<&'static str, i64> {
        let counts = RowStatus::ALL.map(|status| (status.as_str(), self.of(status)));
        counts.into_iter().collect()
    }
}
