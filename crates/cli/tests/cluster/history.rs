//! What one record may be, after everything that was asked for and however it ended. Only one
//! worker writes to a record, one thing after the other.

/// What is tracked of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Document {
    /// `None`: any.
    pub(crate) revision: Option<i64>,
    pub(crate) active: bool,
    pub(crate) value: u32,
}

/// `None`: the record is not there.
pub(crate) type State = Option<Document>;

/// A record and the states in which it may be.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) key: String,
    /// `None`: nobody was told.
    pub(crate) id: Option<i64>,
    /// Whether a client chose the id.
    pub(crate) is_named: bool,
    /// The last write that was acknowledged, and those after it of which nobody knows.
    possible: Vec<State>,
}

impl History {
    /// A record in one of these states.
    pub(crate) fn new(key: String, id: Option<i64>, is_named: bool, possible: Vec<State>) -> Self {
        Self {
            key,
            id,
            is_named,
            possible,
        }
    }

    /// The state, if there is no doubt and the record is there.
    pub(crate) fn certain(&self) -> Option<Document> {
        match self.possible.as_slice() {
            [Some(document)] => Some(*document),
            _ => None,
        }
    }

    /// Whether it may still be there.
    pub(crate) fn may_exist(&self) -> bool {
        self.possible.iter().any(Option::is_some)
    }

    /// A change was acknowledged, which led to `revision`.
    ///
    /// # Errors
    ///
    /// No state that was possible comes before that revision.
    pub(crate) fn changed(
        &mut self,
        revision: Option<i64>,
        change: impl Fn(Document) -> Document,
    ) -> Result<(), String> {
        let before = self.possible.iter().flatten().find(|before| {
            before.revision.is_none() || before.revision.map(|number| number + 1) == revision
        });
        let Some(before) = before else {
            let possible = &self.possible;
            return Err(format!(
                "{}: revision {revision:?} after {possible:?}",
                self.key
            ));
        };
        self.possible = vec![Some(Document {
            revision,
            ..change(*before)
        })];
        Ok(())
    }

    /// Nobody knows whether the change was made.
    pub(crate) fn doubted(&mut self, change: impl Fn(Document) -> Document) {
        let changed: Vec<State> = self
            .possible
            .iter()
            .flatten()
            .map(|before| {
                let revision = before.revision.map(|number| number + 1);
                Some(Document {
                    revision,
                    ..change(*before)
                })
            })
            .collect();
        self.possible.extend(changed);
    }

    /// The end of the record was acknowledged.
    pub(crate) fn deleted(&mut self) {
        self.possible = vec![None];
    }

    /// Nobody knows whether the record was deleted.
    pub(crate) fn maybe_deleted(&mut self) {
        self.possible.push(None);
    }

    /// Compares with what a node shows.
    ///
    /// # Errors
    ///
    /// It cannot be so.
    pub(crate) fn check(&self, shown: State) -> Result<(), String> {
        let is_possible = self.possible.iter().any(|state| match (state, shown) {
            (None, None) => true,
            (Some(state), Some(shown)) => {
                (state.active, state.value) == (shown.active, shown.value)
                    && (state.revision.is_none()
                        || shown.revision.is_none()
                        || state.revision == shown.revision)
            }
            _ => false,
        });
        if is_possible {
            return Ok(());
        }
        let possible = &self.possible;
        Err(format!(
            "{} (id {:?}) is {shown:?} instead of {possible:?}",
            self.key, self.id
        ))
    }
}
