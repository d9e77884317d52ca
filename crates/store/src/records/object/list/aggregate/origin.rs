//! Where the values of an aggregation are, for the regular objects of a type.

use std::sync::Arc;

use stockroom_filter::{Key, Sort, SortPath, TEXT_BYTES};
use stockroom_model::TypeId;

use super::Aggregation;
use crate::records::catalog::TypeEntry;
use crate::records::object::index::{Column, MEMBERS, null};
use crate::records::object::list::order::key_of;
use crate::records::object::list::predicate::IndexRows;

/// Where a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// All objects of the type have the same value.
    Constant(Key),
    /// In the column `active` of `object`.
    Activity,
    /// In the index rows of this column.
    Column(i64),
    /// Only in the document.
    Document,
}

/// Where all values of a type are.
#[derive(Debug)]
pub(super) struct Origins {
    entry: Arc<TypeEntry>,
    pub(super) groups: Vec<Origin>,
    pub(super) measures: Vec<Origin>,
}

impl Origins {
    pub(super) fn of(aggregation: &Aggregation, entry: &Arc<TypeEntry>) -> Self {
        let groups = aggregation.group_by.iter();
        let measures = aggregation.measures.iter();
        Self {
            entry: Arc::clone(entry),
            groups: groups.map(|it| Origin::of(&it.value, entry)).collect(),
            measures: measures
                .map(|it| Origin::of_measure(&it.value, entry))
                .collect(),
        }
    }

    pub(super) fn type_id(&self) -> TypeId {
        self.entry.record.public_id
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Origin> {
        self.groups.iter().chain(&self.measures)
    }

    /// The index columns, each once; those of groups come first.
    pub(super) fn columns(&self) -> Vec<i64> {
        let mut columns = Vec::new();
        for origin in self.all() {
            if let Origin::Column(id) = origin
                && !columns.contains(id)
            {
                columns.push(*id);
            }
        }
        columns
    }

    /// Those of these rows that objects of the type have; `None` without any.
    pub(super) fn own(&self, rows: &IndexRows) -> Option<IndexRows> {
        let mut own = rows.clone();
        own.columns.retain(|id| self.entry.layout.has(*id));
        (!own.columns.is_empty()).then_some(own)
    }

    pub(super) fn need_activity(&self) -> bool {
        self.all().any(|origin| *origin == Origin::Activity)
    }
}

impl Origin {
    fn of(value: &Sort, entry: &TypeEntry) -> Self {
        match &value.path {
            // Index rows do not decide on objects with a field that their type never had.
            SortPath::Field(name) => entry
                .layout
                .field(name)
                .map_or_else(|| Self::Constant(null()), Self::of_column),
            SortPath::Path(path) => match path.to_dotted().as_str() {
                "type_id" => Self::Constant(key_of(entry.record.public_id.get())),
                "active" => Self::Activity,
                name if MEMBERS.contains(&name) => entry
                    .layout
                    .member(name)
                    .map_or(Self::Document, Self::of_column),
                _ => Self::Document,
            },
            SortPath::Missing => Self::Constant(null()),
        }
    }

    /// Activity is hardly worth measuring.
    fn of_measure(value: &Sort, entry: &TypeEntry) -> Self {
        match Self::of(value, entry) {
            Self::Activity => Self::Document,
            other => other,
        }
    }

    /// The key of a constant. Documents are read only where every value comes from them.
    pub(super) fn constant(&self) -> &[u8] {
        match self {
            Self::Constant(key) => key.as_bytes(),
            Self::Activity | Self::Column(_) | Self::Document => &[],
        }
    }

    /// Keys of long fields are cut earlier than sort keys.
    fn of_column(column: Column) -> Self {
        if column.text_bytes < TEXT_BYTES {
            Self::Document
        } else {
            Self::Column(column.id)
        }
    }
}
