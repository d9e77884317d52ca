//! A page of a list.

use stockroom_filter::Key;
use stockroom_model::{ObjectId, TypeId};

use super::order::ListOrder;
use super::recheck::Match;
use super::window::Position;
use crate::Error;
use crate::engine::driver::READ_BYTES;
use crate::engine::driver::Row;
use crate::engine::statement::Rows;
use crate::records::object::ObjectRow;
use crate::records::object::read::{ObjectReader, Objects};

/// One page of a list.
#[derive(Debug, Default)]
pub struct ObjectPage {
    /// The first objects of the page, if wanted, up to the byte limit of a read.
    pub rows: Vec<ObjectRow>,
    /// The ids of the other objects of the page.
    pub unread: Vec<ObjectId>,
    /// The total of all matches, if wanted.
    pub total: Option<usize>,
    /// The position of the last object of the page.
    pub end: Option<Position>,
}

impl ObjectPage {
    /// The number of objects in the page.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len() + self.unread.len()
    }

    /// Whether the page has no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A page with only a total.
    pub(super) fn of_total(total: Option<usize>) -> Self {
        Self {
            total,
            ..Self::default()
        }
    }

    /// A page of objects that were read; `last` is the position of the last one.
    pub(super) fn new(objects: Objects, last: Option<Match>, total: Option<usize>) -> Self {
        Self {
            rows: objects.rows,
            unread: objects.unread,
            total,
            end: last.map(Position::from),
        }
    }

    /// Reads rows of `object` in an order by its columns, and passes each row to `also`.
    pub(super) fn read(
        rows: &mut Rows<'_>,
        order: &ListOrder,
        mut also: impl FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut reading = ObjectReader::within(READ_BYTES);
        let mut last: Option<(TypeId, ObjectId)> = None;
        rows(&mut |row| {
            also(row)?;
            last = Some((row.id(1)?, row.id(0)?));
            reading.take(row)
        })?;
        let last = last.map(|(type_id, id)| order.match_of(type_id, id));
        Ok(Self::new(reading.finish(), last, None))
    }
}

impl From<(Key, ObjectId)> for Position {
    fn from((key, id): Match) -> Self {
        Self { key, id }
    }
}
