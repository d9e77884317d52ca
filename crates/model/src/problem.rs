//! What is wrong with an input: every problem at once, each with the place where it stands (contract, "Errors").

/// One fault of a body or a parameter.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// JSON Pointer into the body, or the parameter's name.
    pub pointer: String,
    /// What was wrong and what would be right.
    pub detail: String,
}

/// The problems of one input, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// A list of one.
    #[must_use]
    pub fn one(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let mut problems = Self::default();
        problems.add(pointer, detail);
        problems
    }

    /// Notes one more.
    pub fn add(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.0.push(Problem {
            pointer: pointer.into(),
            detail: detail.into(),
        });
    }

    /// Takes over the problems of a part.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Whether nothing was wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The problems found.
    #[must_use]
    pub fn as_slice(&self) -> &[Problem] {
        &self.0
    }

    /// `value` if nothing was wrong.
    ///
    /// # Errors
    ///
    /// The problems themselves.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    /// What `read` gave, if nothing was wrong there and here.
    ///
    /// # Errors
    ///
    /// The problems of both, those of `read` first.
    pub fn after<T>(self, read: Result<T, Self>) -> Result<T, Self> {
        match read {
            Ok(value) => self.or(value),
            Err(mut problems) => {
                problems.append(self);
                Err(problems)
            }
        }
    }
}

impl From<Problems> for Vec<Problem> {
    fn from(problems: Problems) -> Self {
        problems.0
    }
}
