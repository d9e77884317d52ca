//! What is found while a body is read.

use std::cell::RefCell;

use crate::{Problem, Problems};

/// Collects what a body gets wrong and what is doubtful but legal.
#[derive(Debug, Default)]
pub struct Report {
    problems: RefCell<Problems>,
    warnings: RefCell<Problems>,
}

/// What a report has collected so far.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    problems: Problems,
    warnings: Problems,
}

impl From<Findings> for Report {
    /// Goes on with what was collected.
    fn from(findings: Findings) -> Self {
        Self {
            problems: findings.problems.into(),
            warnings: findings.warnings.into(),
        }
    }
}

impl From<Report> for Findings {
    fn from(report: Report) -> Self {
        Self {
            problems: report.problems.into_inner(),
            warnings: report.warnings.into_inner(),
        }
    }
}

impl Report {
    /// Notes a reason to refuse the body.
    pub fn problem(&self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.problems.borrow_mut().add(pointer, detail);
    }

    /// Notes something doubtful that is stored all the same.
    pub fn warning(&self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.warnings.borrow_mut().add(pointer, detail);
    }

    /// `value` with the warnings if there was no problem and the reader missed nothing.
    ///
    /// # Errors
    ///
    /// The problems found. A reader that gives `None` has noted why.
    pub fn finish<T>(self, value: Option<T>) -> Result<Checked<T>, Problems> {
        let problems = self.problems.into_inner();
        match value {
            Some(value) if problems.is_empty() => Ok(Checked {
                value,
                warnings: self.warnings.into_inner().into(),
            }),
            _ => Err(problems),
        }
    }
}

/// A value that obeys its rules, and what was doubtful about it.
#[derive(Debug, Clone)]
pub struct Checked<T> {
    /// The value.
    pub value: T,
    /// Doubtful but legal (contract, "Tolerance rule").
    pub warnings: Vec<Problem>,
}
