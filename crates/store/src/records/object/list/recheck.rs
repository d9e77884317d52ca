//! Rechecks: the evaluator decides on documents that the tables cannot decide.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use stockroom_filter::{Key, Sort};
use stockroom_model::{Object, ObjectId, TypeId};

use super::plan::Recheck;
use super::query::{ObjectQuery, Restriction};
use super::referrers::fields_naming;
use super::sql::Table;
use super::window::{Start, Window};
use crate::Error;
use crate::engine::driver::READ_BYTES;
use crate::engine::driver::Row;
use crate::engine::driver::sql::Sql;
use crate::records::catalog::TypeEntry;
use crate::records::object::{ObjectRow, object_row};
use crate::transaction::ReadTx;

/// An object that matches: its sort key and its id.
pub(super) type Match = (Key, ObjectId);

const SELECT: &str =
    "SELECT public_id, type_id, revision, views, secrets, doc, active FROM object WHERE ";
/// The index of the last of these columns.
const ACTIVE: usize = 6;

/// Objects that match, in the order of the list.
#[derive(Default)]
pub(super) struct Matches {
    pub(super) matches: Vec<Match>,
    /// Their rows, if small enough to keep: a page of them then needs no second read.
    rows: Option<HashMap<ObjectId, ObjectRow>>,
}

impl Matches {
    /// The rows of some of the matches, if they were kept.
    pub(super) fn take_rows(&mut self, matches: &[Match]) -> Option<Vec<ObjectRow>> {
        let rows = self.rows.as_mut()?;
        matches.iter().map(|(_, id)| rows.remove(id)).collect()
    }
}

impl ReadTx<'_> {
    /// The candidates that match, in the order of the list.
    pub(super) fn recheck(
        &mut self,
        recheck: &Recheck,
        query: &ObjectQuery,
    ) -> Result<Matches, Error> {
        let mut matches = Vec::new();
        let mut kept = RetainedRows::default();
        self.each_match(recheck, query, |key, row| {
            matches.push((key, row.id(0)?));
            kept.keep(|| object_row(row))
        })?;
        // The rows come by id, and a stable sort keeps that order for ties.
        matches.sort_by(|(left, _), (right, _)| query.sort.compare(left, right));
        Ok(Matches {
            matches,
            rows: kept.rows,
        })
    }

    /// Passes the sort key and the row of each candidate that matches to `each`, by id. The row has
    /// the columns of an [`ObjectRow`].
    pub(super) fn each_match(
        &mut self,
        recheck: &Recheck,
        query: &ObjectQuery,
        mut each: impl FnMut(Key, &dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.leave_inline_if(query.filter.may_take_long())?;
        let mut sql = Sql::new(SELECT);
        sql.predicate(&recheck.candidates, Table::Object);
        sql.push(" ORDER BY public_id");
        self.each_of(&sql, |row| {
            let (type_id, is_active) = (row.id(1)?, row.int(ACTIVE)? != 0);
            let Some(entry) = type_of(&recheck.types, type_id) else {
                return Ok(());
            };
            let views = row.opt_int(3)?;
            match matching(query, entry, is_active, row.text(5)?, views)? {
                Some(key) => each(key, row),
                None => Ok(()),
            }
        })
    }
}

/// The sort key of an object if it matches.
pub(in crate::records::object) fn matching(
    query: &ObjectQuery,
    entry: &TypeEntry,
    is_active: bool,
    document: &str,
    views: Option<i64>,
) -> Result<Option<Key>, Error> {
    if query.active_only && !is_active || !is_within(&query.restriction, entry, document)? {
        return Ok(None);
    }
    let views = views.map(|views| ("views", views));
    let extra = views.as_slice();
    if !query.filter.matches_text(document, extra)? {
        return Ok(None);
    }
    Ok(Some(query.sort.key_of_text(document, extra)?))
}

fn is_within(restriction: &Restriction, entry: &TypeEntry, document: &str) -> Result<bool, Error> {
    if *restriction == Restriction::None {
        return Ok(true);
    }
    if let Restriction::References(target) = restriction {
        return Ok(fields_naming(entry, document, &BTreeSet::from([*target]))? > 0);
    }
    let object = Object::from_document(serde_json::from_str(document)?);
    Ok(match restriction {
        Restriction::None | Restriction::References(_) => true,
        Restriction::Unclean(_, names) => !is_clean(&object, names),
        Restriction::Ids(ids) => {
            let id = object.public_id();
            id.is_some_and(|id| ids.binary_search(&id).is_ok())
        }
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

/// Finds a type; `types` are in the order of their ids.
pub(super) fn type_of(types: &[Arc<TypeEntry>], id: TypeId) -> Option<&TypeEntry> {
    let found = types.binary_search_by_key(&id, |entry| entry.record.public_id);
    found.ok().map(|index| types[index].as_ref())
}

/// The matches in a window.
pub(super) fn cut<'m>(matches: &'m [Match], sort: &Sort, window: &Window) -> &'m [Match] {
    let start = match &window.start {
        Start::Offset(offset) => *offset,
        Start::After(position) => matches.partition_point(|(key, id)| {
            let order = sort.compare(key, &position.key);
            order.then(id.cmp(&position.id)).is_le()
        }),
    };
    let rest = matches.get(start..).unwrap_or_default();
    rest.get(..window.limit).unwrap_or(rest)
}

/// The rows of matches, kept while they are small enough.
struct RetainedRows {
    rows: Option<HashMap<ObjectId, ObjectRow>>,
    bytes: usize,
}

impl Default for RetainedRows {
    fn default() -> Self {
        Self {
            rows: Some(HashMap::new()),
            bytes: 0,
        }
    }
}

impl RetainedRows {
    fn keep(&mut self, row: impl FnOnce() -> Result<ObjectRow, Error>) -> Result<(), Error> {
        let Some(rows) = &mut self.rows else {
            return Ok(());
        };
        let row = row()?;
        self.bytes += row.bytes();
        rows.insert(row.public_id, row);
        if self.bytes > READ_BYTES {
            self.rows = None;
        }
        Ok(())
    }
}
