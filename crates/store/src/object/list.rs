//! Lists of objects. Conditions that SQL can decide narrow the rows; the evaluator decides what is left, so that the answer is
//! always the evaluator's.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use stockroom_access::Scope;
use stockroom_filter::{Order, Sort, SortPath};
use stockroom_model::Object;
use stockroom_model::json::Value;

use super::lower::Conditions;
use super::query::{ObjectQuery, Restriction};
use super::{COLUMNS, ObjectRow, object_row};
use crate::Error;
use crate::driver::Param;
use crate::transaction::ReadTx;

/// One page of a list.
pub struct ObjectPage {
    /// The objects of the page.
    pub rows: Vec<ObjectRow>,
    /// How many match in all.
    pub total: usize,
}

impl ReadTx<'_> {
    /// One page of the objects that the caller may see, and how many there are in all.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`], or the engine failed.
    pub fn object_page(
        &mut self,
        scope: &Scope,
        query: &ObjectQuery,
        offset: usize,
        limit: usize,
    ) -> Result<ObjectPage, Error> {
        let conditions = Conditions::new(scope, query);
        if conditions.exact && is_by_id(&query.sort) {
            let total = self.count(&conditions)?;
            let rows = self.page_by_id(&conditions, is_descending(&query.sort), offset, limit)?;
            return Ok(ObjectPage { rows, total });
        }
        let ids = self.scan(&conditions, query)?;
        let page: Vec<i64> = ids.iter().skip(offset).take(limit).copied().collect();
        Ok(ObjectPage {
            rows: self.objects(scope, &page)?.0,
            total: ids.len(),
        })
    }

    /// How many objects match that the caller may see.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`], or the engine failed.
    pub fn object_count(&mut self, scope: &Scope, query: &ObjectQuery) -> Result<usize, Error> {
        let conditions = Conditions::new(scope, query);
        if conditions.exact {
            self.count(&conditions)
        } else {
            Ok(self.scan(&conditions, query)?.len())
        }
    }

    /// The ids of all objects that match and that the caller may see, in order.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`], or the engine failed.
    pub fn object_ids(&mut self, scope: &Scope, query: &ObjectQuery) -> Result<Vec<i64>, Error> {
        let conditions = Conditions::new(scope, query);
        if conditions.exact && is_by_id(&query.sort) {
            let sql = format!(
                "SELECT public_id FROM object{}{}",
                conditions.sql(),
                by_id(is_descending(&query.sort))
            );
            return self.all(&sql, &conditions.params(), |row| row.int(0));
        }
        self.scan(&conditions, query)
    }

    fn count(&mut self, conditions: &Conditions) -> Result<usize, Error> {
        let sql = format!("SELECT COUNT(*) FROM object{}", conditions.sql());
        let total = self
            .first(&sql, &conditions.params(), |row| row.int(0))?
            .unwrap_or(0);
        Ok(usize::try_from(total).unwrap_or(0))
    }

    fn page_by_id(
        &mut self,
        conditions: &Conditions,
        descending: bool,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<ObjectRow>, Error> {
        let mut sql = format!(
            "SELECT {COLUMNS} FROM object{}{}",
            conditions.sql(),
            by_id(descending)
        );
        let mut params = conditions.params();
        let next = params.len() + 1;
        // Writing to a String cannot fail.
        let _ = write!(sql, " LIMIT ?{next} OFFSET ?{}", next + 1);
        params.extend(
            [limit, offset].map(|number| Param::Int(i64::try_from(number).unwrap_or(i64::MAX))),
        );
        self.all(&sql, &params, object_row)
    }

    /// The ids of what matches, in order, by looking at every row that SQL could not rule out.
    fn scan(&mut self, conditions: &Conditions, query: &ObjectQuery) -> Result<Vec<i64>, Error> {
        let sql = format!(
            "SELECT public_id, views, doc FROM object{} ORDER BY public_id",
            conditions.sql()
        );
        let mut found = Vec::new();
        self.each(&sql, &conditions.params(), |row| {
            let mut object = Object::from_document(serde_json::from_str(row.text(2)?)?);
            if let Some(views) = row.opt_int(1)? {
                object.set("views", Value::from(views));
            }
            let clean = matches!(&query.restriction, Restriction::Unclean(_, names) if is_clean(&object, names));
            let document = object.into_document();
            if !clean && query.filter.matches(&document)? {
                found.push((query.sort.key(&document), row.int(0)?));
            }
            Ok(())
        })?;
        // Stable: rows come by id, and ties stay so.
        found.sort_by(|(left, _), (right, _)| query.sort.compare(left, right));
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }
}

fn is_by_id(sort: &Sort) -> bool {
    matches!(&sort.path, SortPath::Path(path) if path.to_dotted() == "public_id")
}

fn is_descending(sort: &Sort) -> bool {
    sort.order == Order::Descending
}

const fn by_id(descending: bool) -> &'static str {
    if descending {
        " ORDER BY public_id DESC"
    } else {
        " ORDER BY public_id"
    }
}

/// Whether an object has exactly the fields of its type, each once.
fn is_clean(object: &Object, names: &BTreeSet<String>) -> bool {
    let own: Vec<&str> = object.field_names().collect();
    own.len() == names.len() && own.iter().all(|name| names.contains(*name))
}
