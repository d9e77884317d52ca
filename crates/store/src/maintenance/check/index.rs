//! Index rows and irregular objects, compared with what the documents give.

use std::hash::{DefaultHasher, Hasher as _};

use stockroom_model::{Object, ObjectId, TypeId};

use super::Checker;
use super::objects::{Checked, Chunk};
use super::report::Kind;
use crate::Error;
use crate::engine::driver::Param;
use crate::records::object::index::{IndexRow, Indexed, Layout, Shape, target_rows};
use crate::records::object::irregular::{INSERT_IRREGULAR, irregular};
use crate::records::object::{SELECT_SOME, object_row};
use crate::records::pending::insert_rows;

/// Objects whose documents are read at a time for a repair.
const PAGE: usize = 1_000;

const SELECT_ROWS: &str =
    "SELECT field_id, key, object_id FROM object_field WHERE object_id > ?1 AND object_id <= ?2";
const SELECT_IRREGULAR: &str = "SELECT type_id, object_id, targets_indexed FROM object_irregular WHERE object_id > ?1 AND object_id <= ?2";
const DELETE_ROWS: &str =
    "DELETE FROM object_field WHERE object_id IN (SELECT value FROM rarray(?1))";
const DELETE_IRREGULAR: &str =
    "DELETE FROM object_irregular WHERE object_id IN (SELECT value FROM rarray(?1))";

/// The number of rows, and the sum of their hashes: rows of an object are not next to each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) rows: u64,
    hashes: u64,
}

impl Sum {
    pub(super) fn of(rows: &[IndexRow]) -> Self {
        let mut sum = Self::default();
        for row in rows {
            sum.add(row.field_id, &row.key);
        }
        sum
    }

    pub(super) fn add(&mut self, column: i64, key: &[u8]) {
        let mut hasher = DefaultHasher::new();
        hasher.write_i64(column);
        hasher.write(key);
        self.rows += 1;
        self.hashes = self.hashes.wrapping_add(hasher.finish());
    }
}

impl Checker<'_> {
    pub(super) fn check_index(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        // Objects to index again, and ids without an object.
        let rows = (Kind::Index, SELECT_ROWS);
        let mut wrong = self.sum_rows(chunk, rows, |object| &mut object.found)?;
        wrong.extend(self.read_irregular(chunk)?);
        for object in &chunk.objects {
            if let Some((kind, line)) = object.fault() {
                self.report.add(kind, line);
                wrong.push(object.id);
            }
        }
        if self.repairs() && !wrong.is_empty() {
            wrong.sort_unstable();
            wrong.dedup();
            self.index_again(&wrong, chunk)?;
        }
        Ok(())
    }

    /// Sums up the rows of each object in a chunk. Returns ids that have rows, but no object.
    pub(super) fn sum_rows(
        &mut self,
        chunk: &mut Chunk,
        (kind, select): (Kind, &str),
        sum_of: fn(&mut Checked) -> &mut Sum,
    ) -> Result<Vec<i64>, Error> {
        let params = [chunk.after.into(), chunk.last.into()];
        let mut without = Vec::new();
        self.driver.query(select, &params, &mut |row| {
            let id = row.int(2)?;
            match chunk.get(id) {
                Some(object) => sum_of(object).add(row.int(0)?, row.bytes(1)?),
                None if without.last() == Some(&id) => {}
                None => without.push(id),
            }
            Ok(())
        })?;
        without.sort_unstable();
        without.dedup();
        for id in &without {
            let what = kind.as_str();
            let line = format!("object {id}: it has {what} rows, and does not exist");
            self.report.add(kind, line);
        }
        Ok(without)
    }

    /// Returns ids that are listed without an object, or under another type.
    fn read_irregular(&mut self, chunk: &mut Chunk) -> Result<Vec<i64>, Error> {
        let params = [chunk.after.into(), chunk.last.into()];
        let mut wrong = Vec::new();
        self.driver.query(SELECT_IRREGULAR, &params, &mut |row| {
            let (type_id, id) = (row.int(0)?, row.int(1)?);
            match chunk.get(id) {
                Some(object) if object.type_id == type_id => {
                    object.found_shape = Shape::listed(row.int(2)?);
                }
                _ => wrong.push((type_id, id)),
            }
            Ok(())
        })?;
        for (type_id, id) in &wrong {
            let line = format!(
                "object {id}: it is listed for type {type_id}, to which it does not belong"
            );
            self.report.add(Kind::Irregular, line);
        }
        Ok(wrong.into_iter().map(|(_, id)| id).collect())
    }

    /// Replaces the rows of these objects.
    fn index_again(&mut self, ids: &[i64], chunk: &mut Chunk) -> Result<(), Error> {
        self.driver.execute(DELETE_ROWS, &[Param::Ints(ids)])?;
        self.driver.execute(DELETE_IRREGULAR, &[Param::Ints(ids)])?;
        for page in ids.chunks(PAGE) {
            let (mut rows, mut listed) = (Vec::new(), Vec::new());
            let layouts = &self.layouts;
            self.driver
                .query(SELECT_SOME, &[Param::Ints(page)], &mut |row| {
                    let id = row.int(0)?;
                    let Some(object) = chunk.get(id) else {
                        return Ok(());
                    };
                    object.found_shape = Shape::Unindexed;
                    if object.expected.is_some() {
                        let row = object_row(row)?;
                        let layout = TypeId::new(object.type_id).and_then(|id| layouts.get(&id));
                        let indexed = indexed(layout, row.public_id, &row.object()?);
                        object.found_shape = indexed.shape;
                        rows.extend(indexed.rows);
                    }
                    listed.extend(irregular(object.type_id, id, object.found_shape));
                    Ok(())
                })?;
            rows.sort_unstable();
            insert_rows(self.driver, &rows)?;
            for row in listed {
                self.driver
                    .execute(INSERT_IRREGULAR, &row.map(Into::into))?;
            }
        }
        Ok(())
    }
}

/// What the index should have of an object.
pub(super) fn indexed(layout: Option<&Layout>, id: ObjectId, object: &Object) -> Indexed {
    match layout {
        Some(layout) => layout.index(id, object),
        None => Indexed {
            shape: Shape::Irregular,
            rows: target_rows(id, object),
        },
    }
}

impl Checked {
    /// What is wrong with its index rows. An object that is not indexed yet may have any document.
    fn fault(&self) -> Option<(Kind, String)> {
        let (id, found) = (self.id, self.found.rows);
        if self.found_shape == Shape::Unindexed {
            let line = format!("object {id}: it is not indexed yet, and has {found} index rows");
            return (found > 0).then_some((Kind::Index, line));
        }
        let (shape, expected) = self.expected?;
        if shape == self.found_shape && expected == self.found {
            None
        } else if shape == Shape::Irregular && self.found_shape == Shape::Regular {
            let line = format!(
                "object {id}: its document cannot be indexed, and it is not listed as irregular"
            );
            Some((Kind::Irregular, line))
        } else if shape == self.found_shape {
            let line = format!(
                "object {id}: its {found} index rows differ from the {} of its document",
                expected.rows
            );
            Some((Kind::Index, line))
        } else {
            let line = format!("object {id}: it is listed as irregular, and its document is not");
            Some((Kind::Irregular, line))
        }
    }
}
