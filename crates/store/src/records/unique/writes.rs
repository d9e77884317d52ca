//! Writes what objects hold of the values that only one may have, and says who holds them.

use std::collections::HashMap;

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::r#type::UniqueRule;
use stockroom_model::{Object, ObjectId, TypeId};

use super::{Held, UniqueRow, ValueHash, rows, rows_of};
use crate::engine::driver::{BatchStatement, Param};
use crate::records::catalog::TypeEntry;
use crate::records::object::prepared::PreparedObject;
use crate::records::object::write::ObjectInsert;
use crate::records::object::{ObjectRow, Visibility};
use crate::transaction::WriteTx;
use crate::{Duplicate, Error};

pub(crate) const INSERT: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "INSERT INTO unique_value (rule_id, key, object_id) VALUES (?1, ?2, ?3) ON CONFLICT (rule_id, key) DO NOTHING",
    all: "INSERT INTO unique_value (rule_id, key, object_id) \
          SELECT * FROM UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[]), CAST(?3 AS BIGINT[])) ON CONFLICT (rule_id, key) DO NOTHING",
    alike: None,
    copy: None,
};
const DELETE: BatchStatement<'_> = BatchStatement {
    width: 3,
    one: "DELETE FROM unique_value WHERE rule_id = ?1 AND key = ?2 AND object_id = ?3",
    all: "DELETE FROM unique_value USING UNNEST(CAST(?1 AS BIGINT[]), CAST(?2 AS BYTEA[]), CAST(?3 AS BIGINT[])) AS gone (rule_id, key, object_id) \
          WHERE unique_value.rule_id = gone.rule_id AND unique_value.key = gone.key AND unique_value.object_id = gone.object_id",
    alike: None,
    copy: None,
};
const SELECT_HOLDERS: &str = "SELECT rule_id, key, object_id FROM unique_value WHERE rule_id = ?1 AND key IN (SELECT value FROM rarray_of_bytes(?2))";

/// Hashes that are looked up together.
const TOGETHER: usize = 1_000;

impl WriteTx<'_> {
    /// Writes what objects hold by the rules of their types now. Called at the end of a write.
    ///
    /// # Errors
    ///
    /// [`Error::NotUnique`] for the first object with values that another one holds.
    pub(crate) fn write_unique_values(&mut self) -> Result<(), Error> {
        match self.write_unique_rows()? {
            None => Ok(()),
            Some((row, holder)) => Err(self.not_unique(row, holder)?),
        }
    }

    /// The error for a row of a stored object.
    fn not_unique(&mut self, row: UniqueRow, holder: ObjectId) -> Result<Error, Error> {
        let id = row.object_id;
        let damaged = || Error::Damaged(format!("object {id} holds a value, and does not exist"));
        let Visibility::Visible(stored) = self.object(&Scope::for_integrity_check(), id)? else {
            return Err(damaged());
        };
        let entry = self.type_entry(stored.type_id)?.ok_or_else(damaged)?;
        self.taken(&entry, &stored.object()?, (row, holder))
    }

    /// Writes the rows so far. Returns one that another object holds, and that object.
    fn write_unique_rows(&mut self) -> Result<Option<(UniqueRow, ObjectId)>, Error> {
        let (deleted, inserted) = self.unique_changes().take_unwritten();
        if deleted.is_empty() && inserted.is_empty() {
            return Ok(None);
        }
        if self.is_sharded() {
            // A statement is sent to the shard of its row.
            for row in deleted.chunks(1) {
                self.run_many(&DELETE, &params(row))?;
            }
        } else {
            self.run_many(&DELETE, &params(&deleted))?;
        }
        let written = self.run_many_counted(&INSERT, &params(&inserted))?;
        if written == inserted.len() as u64 {
            return Ok(None);
        }
        Ok(self.held_by_others(&inserted)?.into_iter().next())
    }

    /// The rows that other objects hold, each with that object.
    pub(super) fn held_by_others(
        &mut self,
        rows: &[UniqueRow],
    ) -> Result<Vec<(UniqueRow, ObjectId)>, Error> {
        let mut others = Vec::new();
        for some in rows.chunks(TOGETHER) {
            let holders = self.stored_holders(some.iter().map(UniqueRow::held))?;
            others.extend(some.iter().filter_map(|row| {
                let holder = *holders.get(&row.held())?;
                (holder != row.object_id).then_some((*row, holder))
            }));
        }
        Ok(others)
    }

    fn stored_holders(
        &mut self,
        wanted: impl Iterator<Item = Held>,
    ) -> Result<HashMap<Held, ObjectId>, Error> {
        let mut by_rule: HashMap<i64, Vec<Vec<u8>>> = HashMap::new();
        for (rule_id, hash) in wanted {
            by_rule.entry(rule_id).or_default().push(hash.to_vec());
        }
        let mut holders = HashMap::new();
        for (rule_id, hashes) in by_rule {
            let params = [rule_id.into(), Param::ManyBytes(&hashes)];
            self.each(SELECT_HOLDERS, &params, |row| {
                let hash = ValueHash::try_from(row.bytes(1)?);
                let hash = hash.map_err(|_| Error::Damaged("a hash of values".to_owned()))?;
                holders.insert((rule_id, hash), row.id(2)?);
                Ok(())
            })?;
        }
        Ok(holders)
    }

    /// Looks up who holds the values of many objects, before they claim them one by one.
    fn look_up_holders(&mut self, wanted: impl Iterator<Item = Held>) -> Result<(), Error> {
        let unknown = self.unique_changes().unknown(wanted);
        for some in unknown.chunks(TOGETHER) {
            let found = self.stored_holders(some.iter().copied())?;
            let known = some.iter().map(|held| (*held, found.get(held).copied()));
            self.unique_changes().learn(known);
        }
        Ok(())
    }

    /// Looks up who holds the values of objects that are inserted one by one.
    pub fn look_up_unique_values<'o>(
        &mut self,
        type_id: TypeId,
        objects: impl Iterator<Item = &'o PreparedObject>,
    ) -> Result<(), Error> {
        let Some(entry) = self.type_entry(type_id)? else {
            return Ok(());
        };
        if entry.unique.is_empty() {
            return Ok(());
        }
        self.look_up_holders(objects.flat_map(|object| object.held(&entry.unique)))
    }

    /// Takes the unique values of an object that is inserted later in this commit, where one that
    /// is refused must not stop the others.
    ///
    /// # Errors
    ///
    /// [`Error::NotUnique`] if another object holds one.
    pub fn claim_unique_values(&mut self, insert: &ObjectInsert) -> Result<(), Error> {
        let entry = self.type_entry(insert.object.type_id())?;
        let Some(entry) = entry.filter(|entry| !entry.unique.is_empty()) else {
            return Ok(());
        };
        let rows = rows(insert.id, insert.object.held(&entry.unique));
        let now = self.context().now;
        let object = || {
            let (document, _) = insert.object.clone().finish(insert.id, now);
            Ok(Object::from_document(serde_json::from_str(&document)?))
        };
        self.claim_rows(&entry, &rows, object)
    }

    /// Like [`WriteTx::claim_unique_values`], for an object that becomes another one.
    pub fn claim_edited_values(&mut self, stored: &ObjectRow, new: &Object) -> Result<(), Error> {
        let entry = self.entry_of(stored)?;
        if entry.unique.is_empty() {
            return Ok(());
        }
        let id = stored.public_id;
        let old = rows_of(&entry.unique, id, &stored.object()?);
        let new_rows = rows_of(&entry.unique, id, new);
        let mut taken = new_rows.clone();
        taken.retain(|row| !old.contains(row));
        self.claim_rows(&entry, &taken, || Ok(new.clone()))?;
        // What it had is free for the next ones.
        self.unique_changes().replace(&old, &new_rows);
        Ok(())
    }

    fn claim_rows(
        &mut self,
        entry: &TypeEntry,
        rows: &[UniqueRow],
        object: impl FnOnce() -> Result<Object, Error>,
    ) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        self.look_up_holders(rows.iter().map(UniqueRow::held))?;
        let Some((row, holder)) = self.unique_changes().held_by_another(rows) else {
            self.unique_changes().replace(&[], rows);
            return Ok(());
        };
        Err(self.taken(entry, &object()?, (row, holder))?)
    }

    /// The error for values of an object that another one holds.
    fn taken(
        &mut self,
        entry: &TypeEntry,
        object: &Object,
        (row, holder): (UniqueRow, ObjectId),
    ) -> Result<Error, Error> {
        let mut rules = entry.unique.iter();
        let rule = rules.find(|rule| rule.id == Some(row.rule_id));
        let rule = rule.ok_or_else(|| Error::Damaged(format!("no rule {}", row.rule_id)))?;
        let rule = &rule.rule;
        let held = UniqueRow {
            object_id: holder,
            ..row
        };
        Ok(Error::NotUnique(Box::new(Duplicate {
            type_id: entry.record.public_id,
            fields: rule.names().map(str::to_owned).collect(),
            titles: rule.titles(&entry.record),
            values: values(rule, object),
            object: row.object_id,
            holder,
            is_new: self.unique_changes().gave(&held),
        })))
    }
}

/// The values of an object by a rule, as it holds them.
pub(super) fn values(rule: &UniqueRule, object: &Object) -> Vec<Value> {
    let value = |name: &str| object.value(name).cloned().unwrap_or_default();
    rule.names().map(value).collect()
}

pub(crate) fn params(rows: &[UniqueRow]) -> Vec<Param<'_>> {
    let params = rows.iter().flat_map(|row| {
        [
            Param::Int(row.rule_id),
            Param::Bytes(&row.hash),
            row.object_id.into(),
        ]
    });
    params.collect()
}
