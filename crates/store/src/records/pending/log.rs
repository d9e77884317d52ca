//! Entries in the order of their writes, of which the first ones are in the tables already.

/// See the module.
#[derive(Debug)]
pub(crate) struct Log<T> {
    entries: Vec<T>,
    /// How many are in the tables.
    written: usize,
}

/// The state of a log before a write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogSavepoint {
    entries: usize,
    written: usize,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            written: 0,
        }
    }
}

impl<T> Log<T> {
    pub(crate) fn push(&mut self, entry: T) {
        self.entries.push(entry);
    }

    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = T>) {
        self.entries.extend(entries);
    }

    /// All entries, also those in the tables.
    pub(crate) fn all(&self) -> &[T] {
        &self.entries
    }

    /// The entries that are not in the tables.
    pub(crate) fn unwritten(&self) -> &[T] {
        self.entries.get(self.written..).unwrap_or_default()
    }

    /// From now on, all entries are in the tables.
    pub(crate) const fn set_written(&mut self) {
        self.written = self.entries.len();
    }

    pub(crate) const fn savepoint(&self) -> LogSavepoint {
        LogSavepoint {
            entries: self.entries.len(),
            written: self.written,
        }
    }

    /// Forgets everything after the savepoint, including what was written after it.
    pub(crate) fn undo(&mut self, savepoint: LogSavepoint) {
        self.entries.truncate(savepoint.entries);
        self.written = savepoint.written;
    }

    /// Forgets the entries from this one on, which are in the tables and stay there.
    pub(crate) fn forget_written(&mut self, from: usize) {
        self.entries.truncate(from);
        self.written = from;
    }

    /// Takes all entries.
    pub(crate) fn take(&mut self) -> Vec<T> {
        self.written = 0;
        std::mem::take(&mut self.entries)
    }
}
