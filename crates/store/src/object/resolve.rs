//! Conditions on one field that no range of keys can say, such as a regular expression: the keys of the field are read and each value
//! is put to the test. The documents are asked only where a key does not hold the whole value.

use std::sync::Arc;

use stockroom_filter::{Key, Node, holds_for, key_suffices};

use super::condition::{Condition, Scan};
use super::object_row;
use super::sql::Sql;
use crate::Error;
use crate::catalog::TypeEntry;
use crate::driver::{Param, one_of};
use crate::transaction::ReadTx;

impl ReadTx<'_> {
    /// The condition with ids in the place of scans.
    pub(super) fn resolve(
        &mut self,
        condition: Condition,
        types: &[Arc<TypeEntry>],
    ) -> Result<Condition, Error> {
        Ok(match condition {
            Condition::All(members) => Condition::all(self.resolve_each(members, types)?),
            Condition::Any(members) => Condition::any(self.resolve_each(members, types)?),
            Condition::Not(inner) => self.resolve(*inner, types)?.negated(),
            Condition::Scan(scan) => Condition::Passing(self.passing(&scan, types)?),
            decided => decided,
        })
    }

    fn resolve_each(
        &mut self,
        members: Vec<Condition>,
        types: &[Arc<TypeEntry>],
    ) -> Result<Vec<Condition>, Error> {
        members
            .into_iter()
            .map(|member| self.resolve(member, types))
            .collect()
    }

    /// The ids of the objects with a row that passes the test, ascending.
    fn passing(&mut self, scan: &Scan, types: &[Arc<TypeEntry>]) -> Result<Vec<i64>, Error> {
        let suffices = key_suffices(&scan.test);
        let mut sql = Sql::new("SELECT object_id, key FROM object_field WHERE ");
        sql.rows(&scan.rows);
        let mut passing = Vec::new();
        let mut doubtful = Vec::new();
        // Rows come in the order of their keys: what was said of a key holds for all rows with it.
        let mut last: (Vec<u8>, bool) = (Vec::new(), false);
        self.each(&sql.text, &sql.params(), |row| {
            let key = row.bytes(1)?;
            if !suffices || Key::is_cut(key, scan.text_bytes) {
                doubtful.push(row.int(0)?);
                return Ok(());
            }
            if last.0 != key {
                last.1 = passes(&scan.test, key)?;
                last.0.clear();
                last.0.extend_from_slice(key);
            }
            if last.1 {
                passing.push(row.int(0)?);
            }
            Ok(())
        })?;
        passing.extend(self.passing_documents(scan, doubtful, types)?);
        passing.sort_unstable();
        passing.dedup();
        Ok(passing)
    }

    /// Those of the objects with a whole value in one of the columns that passes the test.
    fn passing_documents(
        &mut self,
        scan: &Scan,
        mut ids: Vec<i64>,
        types: &[Arc<TypeEntry>],
    ) -> Result<Vec<i64>, Error> {
        let mut passing = Vec::new();
        if ids.is_empty() {
            return Ok(passing);
        }
        ids.sort_unstable();
        ids.dedup();
        let sql = format!(
            "SELECT {} FROM object WHERE {}",
            super::COLUMNS,
            one_of("public_id", 1)
        );
        self.each(&sql, &[Param::Ints(&ids)], |row| {
            let row = object_row(row)?;
            let Some(entry) = types
                .iter()
                .find(|entry| entry.record.public_id.get() == row.type_id)
            else {
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
