//! The phases of a step of an import.

use super::ImportState;

/// What a step does with the rows of a chunk, chunk by chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportPhase {
    /// Writes them.
    Rows,
    /// Sets their references to rows that came after them.
    ForwardReferences,
    /// Deals with records that are missing from the source.
    Missing,
    /// Takes them back. An object can be deleted once those that refer to it are, so all chunks may
    /// be gone through several times: this is the round, from 0.
    Undo(i64),
}

impl ImportPhase {
    /// The phase from its number, which means something else in an undo.
    pub(super) const fn stored(state: ImportState, number: i64) -> Self {
        match (state, number) {
            (ImportState::Undoing | ImportState::Undone, round) => Self::Undo(round),
            (_, 0) => Self::Rows,
            (_, 1) => Self::ForwardReferences,
            (_, 2) => Self::Missing,
            // Of an undo that was cancelled.
            (_, round) => Self::Undo(round),
        }
    }

    /// The number that is stored.
    pub(super) const fn number(self) -> i64 {
        match self {
            Self::Rows => 0,
            Self::ForwardReferences => 1,
            Self::Missing => 2,
            Self::Undo(round) => round,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_read_as_it_was_stored() {
        for (state, phase) in [
            (ImportState::Importing, ImportPhase::Rows),
            (ImportState::Checking, ImportPhase::ForwardReferences),
            (ImportState::Importing, ImportPhase::Missing),
            (ImportState::Undoing, ImportPhase::Undo(0)),
            (ImportState::Undoing, ImportPhase::Undo(9)),
        ] {
            assert_eq!(ImportPhase::stored(state, phase.number()), phase);
        }
    }
}
