//! The order of a list.

use std::fmt::{self, Display};
use std::sync::Arc;

use stockroom_filter::{Datum, Key, Numeric, Order, Sort, SortPath, TEXT_BYTES};
use stockroom_model::{ObjectId, TypeId};

use crate::records::catalog::TypeEntry;
use crate::records::object::index::{Column, MEMBERS};

/// The order of a list; ties are broken by ascending id.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ListOrder {
    /// The id.
    Id { descending: bool },
    /// The type, then the id.
    Type { descending: bool },
    /// The keys in index columns.
    Columns(Columns),
    /// Values that are not indexed: documents must be read.
    Documents,
}

/// The columns whose index rows give an order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    pub(super) ids: Vec<i64>,
    /// The types without such a column; their objects have null.
    pub(super) without: Vec<TypeId>,
    pub(super) descending: bool,
}

impl ListOrder {
    /// The order that `sort` gives to objects of `types`.
    pub(super) fn of(sort: &Sort, types: &[Arc<TypeEntry>]) -> Self {
        let descending = sort.order == Order::Descending;
        match &sort.path {
            SortPath::Field(name) => {
                Self::of_columns(types, descending, |entry| entry.layout.field(name))
            }
            SortPath::Path(path) => match path.to_dotted().as_str() {
                "public_id" => Self::Id { descending },
                "type_id" => Self::Type { descending },
                name if MEMBERS.contains(&name) => {
                    Self::of_columns(types, descending, |entry| entry.layout.member(name))
                }
                _ => Self::Documents,
            },
            SortPath::Missing => Self::Id { descending: false },
        }
    }

    fn of_columns(
        types: &[Arc<TypeEntry>],
        descending: bool,
        column: impl Fn(&TypeEntry) -> Option<Column>,
    ) -> Self {
        let (mut ids, mut without) = (Vec::new(), Vec::new());
        for entry in types {
            match column(entry) {
                Some(column) if column.text_bytes < TEXT_BYTES => return Self::Documents,
                Some(column) => ids.push(column.id),
                None => without.push(entry.record.public_id),
            }
        }
        Self::Columns(Columns {
            ids,
            without,
            descending,
        })
    }

    /// Whether columns of `object` define the order, so that it includes irregular objects.
    pub(super) const fn is_of_table(&self) -> bool {
        matches!(self, Self::Id { .. } | Self::Type { .. })
    }

    /// The position of an object, in an order by columns of `object`.
    pub(super) fn match_of(&self, type_id: TypeId, id: ObjectId) -> (Key, ObjectId) {
        let key = key_of(match self {
            Self::Type { .. } => type_id.get(),
            _ => id.get(),
        });
        (key, id)
    }
}

/// The sort key of an id.
pub(super) fn key_of(id: i64) -> Key {
    Key::of(Datum::Number(Numeric::Integer(id.into())), TEXT_BYTES)
}

impl Display for ListOrder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, descending) = match self {
            Self::Id { descending } => ("id", *descending),
            Self::Type { descending } => ("type", *descending),
            Self::Columns(columns) => {
                write!(formatter, "{} columns", columns.ids.len())?;
                if !columns.without.is_empty() {
                    write!(
                        formatter,
                        " and {} types without one",
                        columns.without.len()
                    )?;
                }
                ("", columns.descending)
            }
            Self::Documents => ("documents", false),
        };
        formatter.write_str(name)?;
        formatter.write_str(if descending { " descending" } else { "" })
    }
}
