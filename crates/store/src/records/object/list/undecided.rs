//! The objects that the index rows of a query do not decide: irregular ones, and those with a field
//! that the query is about and that their type never had. The evaluator decides on their documents.

use super::lower::Lowered;
use super::order::ListOrder;
use super::predicate::IndexPredicate;
use crate::Error;
use crate::engine::counters::Counts;
use crate::engine::driver::sql::Sql;
use crate::transaction::ReadTx;

/// The objects that the index rows of a query do not decide.
#[derive(Debug, Clone)]
pub(super) struct Undecided {
    /// Whether there are irregular objects.
    pub(super) has_irregular: bool,
    /// The regular objects with unknown fields that the query is about.
    pub(super) with_unknown_fields: IndexPredicate,
}

impl Undecided {
    /// None of the objects.
    pub(super) const fn none() -> Self {
        Self {
            has_irregular: false,
            with_unknown_fields: IndexPredicate::never(),
        }
    }

    pub(super) const fn is_none(&self) -> bool {
        !self.has_irregular && self.with_unknown_fields.is_never()
    }

    /// Those that can match.
    pub(super) fn candidates(&self, lowered: &Lowered) -> IndexPredicate {
        let mut all = vec![self.with_unknown_fields.clone()];
        if self.has_irregular {
            all.push(lowered.irregular.clone());
        }
        IndexPredicate::any(all)
    }
}

impl ReadTx<'_> {
    /// The objects that the index rows of a query do not decide, in this order. `counts` are those
    /// of its types.
    pub(super) fn undecided(
        &mut self,
        lowered: &Lowered,
        counts: Counts,
        order: &ListOrder,
    ) -> Result<Undecided, Error> {
        // A predicate on columns of `object` also applies to irregular objects.
        let is_of_table = lowered.decided_by_object_table && order.is_of_table();
        let mut with_unknown_fields = lowered.unknown_fields.clone().objects();
        if !self.has_rows(&with_unknown_fields)? {
            with_unknown_fields = IndexPredicate::never();
        }
        Ok(Undecided {
            has_irregular: counts.irregular > 0 && !is_of_table,
            with_unknown_fields,
        })
    }

    fn has_rows(&mut self, predicate: &IndexPredicate) -> Result<bool, Error> {
        let IndexPredicate::Rows(rows) = predicate else {
            return Ok(false);
        };
        let mut sql = Sql::new("SELECT object_id FROM object_field WHERE ");
        sql.index_rows(rows);
        sql.push(" LIMIT 1");
        Ok(self.first_of(&sql, |row| row.int(0))?.is_some())
    }
}
