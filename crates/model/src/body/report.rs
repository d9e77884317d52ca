//! Collects the problems and warnings of a body.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Problem, Problems};

/// Collects the problems and warnings of a body.
///
/// A use case makes one report. It passes the report to the reader of the body, then to each check
/// against stored records, and calls [`Report::finish`] before it writes. A reader that returns
/// `None` has noted why.
///
/// Problems and warnings keep the order in which they were noted. Readers visit members in a fixed
/// order, and checks against records follow the reader, so the same body gets the same answer.
///
/// ```
/// use serde_json::json;
/// use stockroom_model::body::Report;
/// use stockroom_model::category::CategoryDraft;
///
/// let report = Report::default();
/// let draft = CategoryDraft::read(&json!({"name": ""}), None, &report);
/// report.problem("/parent", "there is no category 7");
/// let problems = report.finish(draft).unwrap_err();
/// let pointers = problems.as_slice().iter().map(|problem| problem.pointer.as_str());
/// assert_eq!(pointers.collect::<Vec<_>>(), ["/name", "/parent"]);
/// ```
#[derive(Debug, Default)]
pub struct Report {
    /// Not a `RefCell`: a large body is checked on several threads, one after the other.
    noted: Mutex<Noted>,
}

#[derive(Debug, Clone, Default)]
struct Noted {
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl Report {
    /// Notes a problem, which refuses the body.
    pub fn problem(&self, pointer: impl Into<String>, detail: impl Into<String>) {
        let problem = Problem::new(pointer, detail);
        self.noted().problems.push(problem);
    }

    /// Notes a warning, which does not refuse the body (`docs/guide/src/errors.md`).
    pub fn warning(&self, pointer: impl Into<String>, detail: impl Into<String>) {
        let warning = Problem::new(pointer, detail);
        self.noted().warnings.push(warning);
    }

    /// Whether a problem was noted.
    #[must_use]
    pub fn has_problems(&self) -> bool {
        !self.noted().problems.is_empty()
    }

    /// The value that the reader returned, unless a problem was noted. The warnings stay, and more
    /// may follow.
    ///
    /// # Errors
    ///
    /// All problems noted so far.
    pub fn finish<T>(&self, value: Option<T>) -> Result<T, Problems> {
        value
            .filter(|_| !self.has_problems())
            .ok_or_else(|| Problems::from(self.noted().problems.clone()))
    }

    /// The warnings, after [`Report::finish`].
    #[must_use]
    pub fn into_warnings(self) -> Vec<Problem> {
        self.into_noted().warnings
    }

    /// The same report with other JSON Pointers; `pointer` translates each of them.
    #[must_use]
    pub fn with_pointers(self, pointer: impl Fn(&str) -> String) -> Self {
        let mut noted = self.into_noted();
        for note in noted.problems.iter_mut().chain(&mut noted.warnings) {
            note.pointer = pointer(&note.pointer);
        }
        Self {
            noted: noted.into(),
        }
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn into_noted(self) -> Noted {
        let noted = self.noted.into_inner();
        noted.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Report {
    fn clone(&self) -> Self {
        Self {
            noted: self.noted().clone().into(),
        }
    }
}
