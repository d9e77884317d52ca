//! What is wrong with an input: every problem at once, each with the place where it stands
//! (`docs/guide/src/errors.md`).

/// One fault of a body or a parameter.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// JSON Pointer into the body, or the parameter's name.
    pub pointer: String,
    /// What was wrong and what would be right.
    pub detail: String,
}

impl Problem {
    pub(crate) fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            detail: detail.into(),
        }
    }
}

/// All problems of one input, in the order in which they were found: why it is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// A list of one.
    #[must_use]
    pub fn one(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self(vec![Problem::new(pointer, detail)])
    }

    /// The problems found.
    #[must_use]
    pub fn as_slice(&self) -> &[Problem] {
        &self.0
    }
}

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        Self(problems)
    }
}

impl From<Problems> for Vec<Problem> {
    fn from(problems: Problems) -> Self {
        problems.0
    }
}
