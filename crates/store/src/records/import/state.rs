//! The states of an import.

use serde::Serialize;
use utoipa::ToSchema;

/// The state of an import
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportState {
    /// Its file is being uploaded.
    Uploading,
    /// Its file is there.
    Ready,
    /// A dry run.
    Checking,
    /// The dry run has ended.
    Checked,
    /// The rows are written.
    Importing,
    /// All rows were dealt with.
    Done,
    /// The rows are taken back.
    Undoing,
    /// The rows were taken back.
    Undone,
    /// It ended before its last row, because of an error.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl ImportState {
    const ALL: [Self; 10] = [
        Self::Uploading,
        Self::Ready,
        Self::Checking,
        Self::Checked,
        Self::Importing,
        Self::Done,
        Self::Undoing,
        Self::Undone,
        Self::Failed,
        Self::Cancelled,
    ];

    /// The word in answers and in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Uploading => "uploading",
            Self::Ready => "ready",
            Self::Checking => "checking",
            Self::Checked => "checked",
            Self::Importing => "importing",
            Self::Done => "done",
            Self::Undoing => "undoing",
            Self::Undone => "undone",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether a node works on the rows.
    #[must_use]
    pub const fn is_running(self) -> bool {
        matches!(self, Self::Checking | Self::Importing | Self::Undoing)
    }

    pub(super) fn from_text(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == word)
    }
}
