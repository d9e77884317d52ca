//! Key scans: tests of one field that no key range can express, such as a regular expression. A
//! scan tests each key of the field, and reads a document only if its key cannot decide.

use std::sync::Arc;

use stockroom_filter::{Key, Node, holds_for, key_suffices};
use stockroom_model::ObjectId;

use super::predicate::{IndexPredicate, KeyScan};
use super::recheck::type_of;
use crate::Error;
use crate::engine::driver::sql::Sql;
use crate::records::catalog::TypeEntry;
use crate::records::object::{COLUMNS, object_row};
use crate::transaction::ReadTx;

impl ReadTx<'_> {
    /// Replaces each key scan in the predicate by the ids that it finds.
    pub(super) fn scan_keys(
        &mut self,
        predicate: IndexPredicate,
        types: &[Arc<TypeEntry>],
    ) -> Result<IndexPredicate, Error> {
        Ok(match predicate {
            IndexPredicate::All(members) => {
                IndexPredicate::all(self.scan_keys_of_each(members, types)?)
            }
            IndexPredicate::Any(members) => {
                IndexPredicate::any(self.scan_keys_of_each(members, types)?)
            }
            IndexPredicate::Not(inner) => self.scan_keys(*inner, types)?.negated(),
            IndexPredicate::KeyScan(scan) => IndexPredicate::Scanned(self.passing(&scan, types)?),
            decided => decided,
        })
    }

    fn scan_keys_of_each(
        &mut self,
        members: Vec<IndexPredicate>,
        types: &[Arc<TypeEntry>],
    ) -> Result<Vec<IndexPredicate>, Error> {
        members
            .into_iter()
            .map(|member| self.scan_keys(member, types))
            .collect()
    }

    /// The ids of the objects with a row that passes the test, ascending.
    fn passing(
        &mut self,
        scan: &KeyScan,
        types: &[Arc<TypeEntry>],
    ) -> Result<Vec<ObjectId>, Error> {
        self.leave_inline_if(scan.test.may_take_long())?;
        let suffices = key_suffices(&scan.test);
        let mut sql = Sql::new("SELECT object_id, key FROM object_field WHERE ");
        sql.index_rows(&scan.rows);
        let mut passing = Vec::new();
        let mut cut = Vec::new();
        // Rows come in key order, so the result for a key holds for all rows with it.
        let mut last: (Vec<u8>, bool) = (Vec::new(), false);
        self.each_of(&sql, |row| {
            let key = row.bytes(1)?;
            if !suffices || Key::is_cut(key, scan.text_bytes) {
                cut.push(row.id(0)?);
                return Ok(());
            }
            if last.0 != key {
                last.1 = passes(&scan.test, key)?;
                last.0.clear();
                last.0.extend_from_slice(key);
            }
            if last.1 {
                passing.push(row.id(0)?);
            }
            Ok(())
        })?;
        passing.extend(self.passing_documents(scan, cut, types)?);
        passing.sort_unstable();
        passing.dedup();
        Ok(passing)
    }

    /// The ids of the objects whose document has a value in one of the columns that passes the
    /// test.
    fn passing_documents(
        &mut self,
        scan: &KeyScan,
        mut ids: Vec<ObjectId>,
        types: &[Arc<TypeEntry>],
    ) -> Result<Vec<ObjectId>, Error> {
        let mut passing = Vec::new();
        if ids.is_empty() {
            return Ok(passing);
        }
        ids.sort_unstable();
        ids.dedup();
        let mut sql = Sql::new("SELECT ");
        sql.push(COLUMNS).push(" FROM object WHERE ");
        sql.among("public_id", &ids);
        self.each_of(&sql, |row| {
            let row = object_row(row)?;
            let Some(entry) = type_of(types, row.type_id) else {
                return Ok(());
            };
            let object = row.object()?;
            for (column, value) in entry.layout.values(&object) {
                if scan.rows.columns.contains(&column.id) && holds_for(&scan.test, value)? {
                    passing.push(row.public_id);
                }
            }
            Ok(())
        })?;
        Ok(passing)
    }
}

fn passes(test: &Node, key: &[u8]) -> Result<bool, Error> {
    let value =
        Key::decode(key).ok_or_else(|| Error::Damaged("a key without a value".to_owned()))?;
    Ok(holds_for(test, value)?)
}
