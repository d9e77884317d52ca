//! The possible states of a record, after all requests and their outcomes. Each record has a single
//! writer, which sends one request at a time.

/// The tracked state of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Document {
    /// `None`: any revision.
    pub(crate) revision: Option<i64>,
    pub(crate) active: bool,
    pub(crate) value: u32,
}

/// `None`: the record does not exist.
pub(crate) type State = Option<Document>;

/// A record and its possible states.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) key: String,
    /// `None`: the insert was not answered.
    pub(crate) id: Option<i64>,
    /// Whether a client chose the id.
    pub(crate) is_named: bool,
    /// The state after the last acknowledged write, and those after later writes with unknown
    /// outcome.
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

    /// The state, if it is the only possible one and the record exists.
    pub(crate) fn certain(&self) -> Option<Document> {
        match self.possible.as_slice() {
            [Some(document)] => Some(*document),
            _ => None,
        }
    }

    /// Whether the record may still exist.
    pub(crate) fn may_exist(&self) -> bool {
        self.possible.iter().any(Option::is_some)
    }

    /// Applies an acknowledged change, which led to `revision`.
    ///
    /// # Errors
    ///
    /// No possible state precedes that revision.
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

    /// Applies a change whose outcome is unknown.
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

    /// The deletion was acknowledged.
    pub(crate) fn deleted(&mut self) {
        self.possible = vec![None];
    }

    /// The outcome of a deletion is unknown.
    pub(crate) fn maybe_deleted(&mut self) {
        self.possible.push(None);
    }

    /// Compares with the state that a node shows.
    ///
    /// # Errors
    ///
    /// The state is impossible.
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
