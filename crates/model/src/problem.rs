//! The faults of an input: all at once, each with its pointer (`docs/guide/src/errors.md`).

/// A finding and its location
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[schema(as = Fault)]
pub struct Problem {
    /// JSON Pointer into the body, or the name of a parameter
    pub pointer: String,
    /// What is wrong and what would be right
    pub detail: String,
}

impl Problem {
    /// A fault at a pointer.
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            detail: detail.into(),
        }
    }
}

/// The problems for which one input is refused, in the order in which they were found.
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
