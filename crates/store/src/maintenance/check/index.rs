//! Index rows and irregular objects, compared with what the documents give.

use std::hash::{DefaultHasher, Hasher as _};

use stockroom_model::TypeId;

use super::Checker;
use super::objects::{Checked, Chunk, Expected};
use super::report::Kind;
use crate::Error;
use crate::engine::driver::Param;
use crate::records::object::index::IndexRow;
use crate::records::object::write::INSERT_IRREGULAR;
use crate::records::object::{SELECT_SOME, object_row};
use crate::records::pending::insert_rows;

/// Objects whose documents are read at a time for a repair.
const PAGE: usize = 1_000;

const SELECT_ROWS: &str =
    "SELECT field_id, key, object_id FROM object_field WHERE object_id > ?1 AND object_id <= ?2";
const SELECT_IRREGULAR: &str =
    "SELECT type_id, object_id FROM object_irregular WHERE object_id > ?1 AND object_id <= ?2";
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

    fn add(&mut self, field_id: i64, key: &[u8]) {
        let mut hasher = DefaultHasher::new();
        hasher.write_i64(field_id);
        hasher.write(key);
        self.rows += 1;
        self.hashes = self.hashes.wrapping_add(hasher.finish());
    }
}

impl Checker<'_> {
    pub(super) fn check_index(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        // Objects to index again, and ids without an object.
        let mut wrong = self.read_rows(chunk)?;
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

    /// Returns ids that have rows, but no object.
    fn read_rows(&mut self, chunk: &mut Chunk) -> Result<Vec<i64>, Error> {
        let params = [chunk.after.into(), chunk.last.into()];
        let mut without = Vec::new();
        self.driver.query(SELECT_ROWS, &params, &mut |row| {
            let id = row.int(2)?;
            match chunk.get(id) {
                Some(object) => object.found.add(row.int(0)?, row.bytes(1)?),
                None if without.last() == Some(&id) => {}
                None => without.push(id),
            }
            Ok(())
        })?;
        without.sort_unstable();
        without.dedup();
        for id in &without {
            let line = format!("object {id}: it has index rows, and does not exist");
            self.report.add(Kind::Index, line);
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
                Some(object) if object.type_id == type_id => object.is_irregular = true,
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
            let (mut rows, mut irregular) = (Vec::new(), Vec::new());
            let layouts = &self.layouts;
            self.driver
                .query(SELECT_SOME, &[Param::Ints(page)], &mut |row| {
                    let id = row.int(0)?;
                    let known = chunk
                        .get(id)
                        .map(|object| (object.type_id, object.expected));
                    let Some((type_id, Expected::Rows(_))) = known else {
                        irregular.extend(known.map(|(type_id, _)| (type_id, id)));
                        return Ok(());
                    };
                    let row = object_row(row)?;
                    let layout = TypeId::new(type_id).and_then(|id| layouts.get(&id));
                    let object = row.object()?;
                    rows.extend(layout.and_then(|layout| layout.rows(row.public_id, &object)));
                    Ok(())
                })?;
            let mut rows: Vec<IndexRow> = rows.into_iter().flatten().collect();
            rows.sort_unstable();
            insert_rows(self.driver, &rows)?;
            for (type_id, id) in irregular {
                self.driver
                    .execute(INSERT_IRREGULAR, &[type_id.into(), id.into()])?;
            }
        }
        for id in ids {
            if let Some(object) = chunk.get(*id) {
                object.is_irregular = !matches!(object.expected, Expected::Rows(_));
            }
        }
        Ok(())
    }
}

impl Checked {
    /// What is wrong with its index rows. An object that a load has not indexed yet is listed as
    /// irregular, whatever its document gives.
    fn fault(&self) -> Option<(Kind, String)> {
        let (id, found) = (self.id, self.found.rows);
        match self.expected {
            _ if self.is_irregular && found == 0 => None,
            _ if self.is_irregular => Some((
                Kind::Index,
                format!("object {id}: it is listed as irregular, and has {found} index rows"),
            )),
            Expected::Rows(expected) if expected == self.found => None,
            Expected::Rows(expected) => Some((
                Kind::Index,
                format!(
                    "object {id}: its {found} index rows differ from the {} of its document",
                    expected.rows
                ),
            )),
            Expected::Irregular => Some((
                Kind::Irregular,
                format!(
                    "object {id}: its document cannot be indexed, and it is not listed as irregular"
                ),
            )),
            Expected::Unknown => None,
        }
    }
}
