//! The objects that reference an object: candidates by the index, and then their documents, since
//! the index has no fields that a type never had.

use std::collections::BTreeSet;

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, TypeId};

use super::lower::{irregular_references, references};
use super::predicate::IndexPredicate;
use super::recheck::type_of;
use super::scalar_values::scalar_values;
use super::sql::Table;
use crate::Error;
use crate::engine::driver::sql::Sql;
use crate::engine::driver::{Driver as _, Row};
use crate::records::catalog::TypeEntry;
use crate::records::object::read::batches::ObjectBatches;
use crate::transaction::WriteTx;
use crate::transaction::writers::Writers;

/// The most candidates. On SQLite all other writes wait while they are looked into.
const MOST: usize = 20_000;
/// The most bytes of their documents.
const MOST_BYTES: usize = 64 << 20;

/// Objects that reference others.
#[derive(Debug, Default)]
pub struct Referrers {
    /// In the order of their ids.
    pub found: Vec<Referrer>,
    /// Whether there may be more: there are as many as wanted, or too many candidates, or their
    /// documents are too large.
    pub may_be_more: bool,
}

/// An object that references others.
#[derive(Debug, Clone, Copy)]
pub struct Referrer {
    /// Its id.
    pub id: ObjectId,
    /// The id of its type.
    pub type_id: TypeId,
    /// How many of its fields name one of the objects.
    pub fields: usize,
}

impl WriteTx<'_> {
    /// At most so many objects that name one of `targets` in a reference field. Includes objects
    /// that the caller may not see.
    pub fn referrers(
        &mut self,
        targets: &BTreeSet<ObjectId>,
        most: usize,
    ) -> Result<Referrers, Error> {
        let candidates = self.referrer_candidates(targets)?;
        self.referrers_among(candidates, targets, most)
    }

    /// Objects that may name one of `targets`, ascending.
    pub(in crate::records::object) fn referrer_candidates(
        &mut self,
        targets: &BTreeSet<ObjectId>,
    ) -> Result<Vec<ObjectId>, Error> {
        self.write_pending_rows()?;
        let sql = self.select_candidates(targets)?;
        let mut candidates = Vec::new();
        self.each_of(&sql, |row| add(row, &mut candidates))?;
        Ok(candidates)
    }

    /// The same in what all other transactions have committed by now, rather than in the snapshot
    /// of this one.
    pub(in crate::records::object) fn committed_candidates(
        &mut self,
        targets: &BTreeSet<ObjectId>,
    ) -> Result<Vec<ObjectId>, Error> {
        let Some(Writers::Shared { newest, .. }) = self.writers() else {
            return Ok(Vec::new());
        };
        let sql = self.select_candidates(targets)?;
        newest.ask(|postgres| {
            let mut candidates = Vec::new();
            postgres.query(sql.text(), &sql.params(), &mut |row| {
                add(row, &mut candidates)
            })?;
            Ok(candidates)
        })
    }

    /// Those of the candidates that name one of `targets`.
    pub(in crate::records::object) fn referrers_among(
        &mut self,
        candidates: Vec<ObjectId>,
        targets: &BTreeSet<ObjectId>,
        most: usize,
    ) -> Result<Referrers, Error> {
        let types = self.type_entries()?;
        let mut referrers = Referrers {
            may_be_more: candidates.len() == MOST,
            ..Referrers::default()
        };
        let (mut batches, mut bytes) = (ObjectBatches::new(candidates), 0);
        while let Some(batch) = batches.next(self, &Scope::for_integrity_check())? {
            for row in batch.rows {
                bytes += row.bytes();
                let entry = type_of(&types, row.type_id);
                let naming = entry.map(|entry| fields_naming(entry, &row.document, targets));
                let fields = naming.transpose()?.unwrap_or(0);
                if fields > 0 {
                    referrers.found.push(Referrer {
                        id: row.public_id,
                        type_id: row.type_id,
                        fields,
                    });
                }
            }
            let is_enough = bytes > MOST_BYTES || referrers.found.len() >= most;
            if is_enough && batches.unread() > 0 {
                referrers.may_be_more = true;
                break;
            }
        }
        Ok(referrers)
    }

    fn select_candidates(&mut self, targets: &BTreeSet<ObjectId>) -> Result<Sql, Error> {
        let types = self.type_entries()?;
        let ids: Vec<ObjectId> = targets.iter().copied().collect();
        let referring = vec![references(&types, &ids), irregular_references(&ids)];
        let mut sql = Sql::new("SELECT public_id FROM object WHERE ");
        sql.predicate(&IndexPredicate::any(referring), Table::Object);
        // An irregular object of another type has no reference.
        let types = types.iter().filter(|entry| entry.record.has_references());
        let types = types.map(|entry| entry.record.public_id).collect();
        sql.and(&IndexPredicate::Types(types), Table::Object);
        sql.push(" ORDER BY public_id").limit_offset(MOST, 0);
        Ok(sql)
    }
}

fn add(row: &dyn Row, candidates: &mut Vec<ObjectId>) -> Result<(), Error> {
    candidates.push(row.id(0)?);
    Ok(())
}

/// How many reference fields of an object name one of `targets`.
pub(super) fn fields_naming(
    entry: &TypeEntry,
    document: &str,
    targets: &BTreeSet<ObjectId>,
) -> Result<usize, Error> {
    let names_one = |name: &str, value: &Value| {
        let target = entry.record.target(name, value);
        target.is_some_and(|target| targets.contains(&target))
    };
    // It reads usual documents only: an odd one may have an object as its `fields`.
    if let Ok(values) = scalar_values(document) {
        let naming = values.iter().filter(|(name, value)| names_one(name, value));
        return Ok(naming.count());
    }
    let object = Object::from_document(serde_json::from_str(document)?);
    let naming = object
        .fields()
        .filter(|(name, value)| names_one(name, value));
    Ok(naming.count())
}
