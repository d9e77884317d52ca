//! The statistics behind a plan: the numbers of objects, and whether few of them can match.

use stockroom_model::{ObjectId, TypeId};

use super::lower::Lowered;
use super::predicate::{IndexPredicate, IndexRows, KeyScan};
use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::sql::Sql;
use crate::transaction::ReadTx;

const SELECT_ALL: &str = "SELECT CAST(SUM(total) AS BIGINT) FROM object_count";

impl ReadTx<'_> {
    /// The numbers of objects of these types.
    pub(super) fn counts(&mut self, types: &[TypeId]) -> Result<Counts, Error> {
        let mut sum = Counts::default();
        if let Some(counters) = self.counters() {
            let known = types.iter().filter_map(|id| counters.get(id));
            known.for_each(|counts| sum.add(*counts));
            return Ok(sum);
        }
        let mut sql = Sql::new("SELECT total, active, irregular FROM object_count WHERE ");
        sql.among("type_id", types);
        self.each_of(&sql, |row| {
            sum.add(Counts {
                total: row.int(0)?,
                active: row.int(1)?,
                irregular: row.int(2)?,
            });
            Ok(())
        })?;
        Ok(sum)
    }

    /// The number of all objects, if the types of the query may be a small part of them.
    pub(super) fn count_all(&mut self, lowered: &Lowered, counts: Counts) -> Result<i64, Error> {
        if lowered.all_types || lowered.types.len() < 2 {
            return Ok(counts.total);
        }
        if let Some(counters) = self.counters() {
            return Ok(counters.values().map(|counts| counts.total).sum());
        }
        let all = self.first(SELECT_ALL, &[], |row| row.opt_int(0))?;
        Ok(all.flatten().unwrap_or(0))
    }

    /// The objects that can match, ascending, if there are few.
    pub(super) fn few_candidates(
        &mut self,
        predicate: &IndexPredicate,
    ) -> Result<Option<Vec<ObjectId>>, Error> {
        let mut few = self.few(predicate)?;
        if let Some(ids) = &mut few {
            ids.sort_unstable();
            ids.dedup();
        }
        Ok(few)
    }

    fn few(&mut self, predicate: &IndexPredicate) -> Result<Option<Vec<ObjectId>>, Error> {
        match predicate {
            IndexPredicate::Ids(ids) => {
                Ok((ids.len() <= self.few_documents()).then(|| ids.clone()))
            }
            IndexPredicate::Rows(rows) | IndexPredicate::KeyScan(KeyScan { rows, .. }) => {
                self.few_rows(rows)
            }
            IndexPredicate::All(members) => self.fewest(members),
            IndexPredicate::Any(members) => self.few_of_any(members),
            _ => Ok(None),
        }
    }

    fn fewest(&mut self, members: &[IndexPredicate]) -> Result<Option<Vec<ObjectId>>, Error> {
        let mut fewest: Option<Vec<ObjectId>> = None;
        for member in members {
            let Some(ids) = self.few(member)? else {
                continue;
            };
            if fewest.as_ref().is_none_or(|few| ids.len() < few.len()) {
                fewest = Some(ids);
            }
        }
        Ok(fewest)
    }

    fn few_of_any(&mut self, members: &[IndexPredicate]) -> Result<Option<Vec<ObjectId>>, Error> {
        let mut all = Vec::new();
        for member in members {
            match self.few(member)? {
                Some(ids) if all.len() + ids.len() <= self.few_documents() => all.extend(ids),
                _ => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    fn few_rows(&mut self, rows: &IndexRows) -> Result<Option<Vec<ObjectId>>, Error> {
        let mut sql = Sql::new("SELECT object_id FROM object_field WHERE ");
        sql.index_rows(rows);
        let few = self.few_documents();
        sql.push(" LIMIT ").number(few + 1);
        let ids = self.all_of(&sql, |row| row.id(0))?;
        Ok((ids.len() <= few).then_some(ids))
    }
}
