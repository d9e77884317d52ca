//! What the tables cannot decide is decided on the documents, by the evaluator.

use std::collections::BTreeSet;
use std::sync::Arc;

use stockroom_filter::Key;
use stockroom_model::Object;
use stockroom_model::r#type::field::reference_target;

use super::condition::Condition;
use super::query::{ObjectQuery, Restriction};
use super::sql::{Sql, Table};
use super::window::Position;
use crate::Error;
use crate::catalog::TypeEntry;
use crate::driver::Row;
use crate::transaction::ReadTx;

/// An object that matches, and where it stands in the order of the list.
pub(super) type Match = (Key, i64);

const SELECT: &str = "SELECT public_id, type_id, active, views, doc FROM object WHERE ";

impl From<Match> for Position {
    fn from((key, id): Match) -> Self {
        Self { key, id }
    }
}

/// Decides on objects one by one.
pub(super) struct Judge<'q> {
    query: &'q ObjectQuery,
    /// The types that the query can find, by id.
    types: &'q [Arc<TypeEntry>],
}

impl<'q> Judge<'q> {
    /// `types` come in the order of their ids.
    pub(super) const fn new(query: &'q ObjectQuery, types: &'q [Arc<TypeEntry>]) -> Self {
        Self { query, types }
    }

    fn decide(&self, row: &dyn Row) -> Result<Option<Match>, Error> {
        let Some(entry) = type_of(self.types, row.int(1)?) else {
            return Ok(None);
        };
        if self.query.active_only && row.int(2)? == 0 {
            return Ok(None);
        }
        let document = row.text(4)?;
        if !self.is_within(entry, document)? {
            return Ok(None);
        }
        let views = row.opt_int(3)?.map(|views| ("views", views));
        let more = views.as_slice();
        if !self.query.filter.matches_text(document, more)? {
            return Ok(None);
        }
        Ok(Some((
            self.query.sort.key_of_text(document, more)?,
            row.int(0)?,
        )))
    }

    fn is_within(&self, entry: &TypeEntry, document: &str) -> Result<bool, Error> {
        if matches!(self.query.restriction, Restriction::None) {
            return Ok(true);
        }
        let object = Object::from_document(serde_json::from_str(document)?);
        Ok(match &self.query.restriction {
            Restriction::None => true,
            Restriction::References(target) => {
                names(entry, &object, &BTreeSet::from([target.get()]))
            }
            Restriction::Unclean(_, names) => !is_clean(&object, names),
        })
    }
}

impl ReadTx<'_> {
    /// The matches among the objects that satisfy `condition`, in the order of their ids.
    pub(super) fn judge(
        &mut self,
        judge: &Judge<'_>,
        condition: &Condition,
    ) -> Result<Vec<Match>, Error> {
        let mut sql = Sql::new(SELECT);
        sql.condition(condition, Table::Object);
        sql.push(" ORDER BY public_id");
        let mut found = Vec::new();
        self.each(&sql.text, &sql.params(), |row| {
            found.extend(judge.decide(row)?);
            Ok(())
        })?;
        Ok(found)
    }
}

/// One of the types, which come in the order of their ids.
pub(super) fn type_of(types: &[Arc<TypeEntry>], id: i64) -> Option<&TypeEntry> {
    let found = types.binary_search_by_key(&id, |entry| entry.record.public_id.get());
    found.ok().map(|place| types[place].as_ref())
}

/// Whether a reference field of an object names one of `targets`.
pub(super) fn names(entry: &TypeEntry, object: &Object, targets: &BTreeSet<i64>) -> bool {
    object.fields().any(|(name, value)| {
        reference_target(value).is_some_and(|target| targets.contains(&target))
            && entry
                .record
                .field(name)
                .is_some_and(stockroom_model::r#type::FieldDefinition::is_reference)
    })
}

/// Whether an object has exactly the fields of its type, each once.
fn is_clean(object: &Object, names: &BTreeSet<String>) -> bool {
    let mut own = BTreeSet::new();
    let each_once = object
        .field_names()
        .all(|name| names.contains(name) && own.insert(name));
    each_once && own.len() == names.len()
}
