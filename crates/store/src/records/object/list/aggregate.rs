//! Aggregates: the matches of a query in groups, counted and measured.
//!
//! An aggregate is lowered and planned like a list. Counters give the numbers of whole types, and
//! index rows the values of regular objects. The evaluator decides on all other documents, and its
//! sort keys are their values.

mod groups;
mod join;
mod matches;
mod origin;
mod scan;
mod sum;

use std::sync::Arc;

use serde::Serialize;
use stockroom_access::Scope;
use stockroom_filter::{Order, Sort, SortPath};
use stockroom_model::Period;
use stockroom_model::json::Value;
use utoipa::ToSchema;

use self::groups::Groups;
use self::origin::{Origin, Origins};
use super::order::{Columns, ListOrder};
use super::plan::{Plan, Recheck};
use super::predicate::IndexPredicate;
use super::query::ObjectQuery;
use super::window::Want;
use crate::Error;
use crate::records::catalog::TypeEntry;
use crate::transaction::ReadTx;

/// How to group and measure the matches of a query.
#[derive(Debug, Clone)]
pub struct Aggregation {
    /// What the objects of a group have in common. Without any, there is a single group.
    pub group_by: Vec<Grouping>,
    /// What to compute of each group, besides the number of its objects.
    pub measures: Vec<Measure>,
    /// The order of the groups.
    pub order: GroupOrder,
    /// The most groups to return.
    pub limit: usize,
}

/// A value that the objects of a group have in common.
#[derive(Debug, Clone)]
pub struct Grouping {
    /// The value is the one by which a list with this sort orders the object.
    pub value: Sort,
    /// Dates in the same period are alike, also as texts.
    pub period: Option<Period>,
}

/// A result for each group.
#[derive(Debug, Clone)]
pub struct Measure {
    /// How to compute it.
    pub function: Function,
    /// The values to compute it from, as in [`Grouping::value`].
    pub value: Sort,
}

/// How to compute a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// The smallest value except null.
    Min,
    /// The largest value except null.
    Max,
    /// The sum of all numbers.
    Sum,
}

/// The order of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupOrder {
    /// By the number of objects; equal ones by ascending values.
    Count(Order),
    /// By their values.
    Key(Order),
}

/// Objects with common values
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = ObjectGroup)]
pub struct Group {
    /// The common values, in the order of `group_by`. Null stands for objects without a value; a
    /// date is the start of its period
    pub key: Vec<Value>,
    /// The number of objects
    #[schema(minimum = 0)]
    pub count: i64,
    /// The results, in the order of `measures`
    pub measures: Vec<Value>,
}

/// The result of an aggregation.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// The first groups.
    pub groups: Vec<Group>,
    /// The number of all groups.
    pub total: usize,
    /// The number of objects in all groups.
    pub objects: i64,
}

impl ReadTx<'_> {
    /// The matching objects that the caller may see, in groups. The sort of the query does not
    /// matter.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyGroups`]: the groups do not fit in memory.
    pub fn aggregate(
        &mut self,
        scope: &Scope,
        query: &ObjectQuery,
        aggregation: &Aggregation,
    ) -> Result<Aggregate, Error> {
        let mut lowered = self.lower(scope, query)?;
        aggregation
            .values()
            .for_each(|value| lowered.add_sort(value));
        let types = lowered.types.clone();
        let order = aggregation.list_order(&types);
        let plan = self.plan_in_order(lowered, query, Want::Total, order)?;
        tracing::debug!(%plan, "an aggregate");
        let mut groups = Groups::new(aggregation);
        match &plan {
            Plan::Empty => {}
            Plan::Recheck(recheck) => self.add_documents(recheck, query, &mut groups)?,
            Plan::Ids { ids, .. } => {
                let ids = IndexPredicate::Ids(ids.clone());
                self.add_objects(&ids, &aggregation.origins(&types), &mut groups)?;
            }
            Plan::Scan(scan) => {
                let origins = aggregation.origins(&types);
                self.add_scan(&scan.filter, &origins, &mut groups)?;
                if let Some(recheck) = &scan.undecided {
                    self.add_documents(recheck, query, &mut groups)?;
                }
            }
        }
        Ok(groups.finish())
    }

    /// Adds the matches among candidates, by their documents.
    fn add_documents(
        &mut self,
        recheck: &Recheck,
        query: &ObjectQuery,
        groups: &mut Groups<'_>,
    ) -> Result<(), Error> {
        self.each_match(recheck, query, |_, row| {
            let views = row.opt_int(3)?.map(|views| ("views", views));
            groups.add_document(row.text(5)?, views.as_slice())
        })
    }
}

impl Aggregation {
    /// What the objects are grouped and measured by.
    fn values(&self) -> impl Iterator<Item = &Sort> {
        let groups = self.group_by.iter().map(|grouping| &grouping.value);
        groups.chain(self.measures.iter().map(|measure| &measure.value))
    }

    fn origins(&self, types: &[Arc<TypeEntry>]) -> Vec<Origins> {
        let origins = types.iter().map(|entry| Origins::of(self, entry));
        origins.collect()
    }

    /// The order of a list that needs the same rows.
    fn list_order(&self, types: &[Arc<TypeEntry>]) -> ListOrder {
        let mut origins = types.iter().map(|entry| Origins::of(self, entry));
        if origins.any(|origins| origins.all().any(|origin| *origin == Origin::Document)) {
            return ListOrder::Documents;
        }
        if self.measures.is_empty() && self.group_by.iter().all(Grouping::is_of_type) {
            return ListOrder::Id { descending: false };
        }
        ListOrder::Columns(Columns {
            ids: Vec::new(),
            without: Vec::new(),
            descending: false,
        })
    }
}

impl Grouping {
    /// Whether the value is the type, which irregular objects have, too.
    fn is_of_type(&self) -> bool {
        matches!(&self.value.path, SortPath::Path(path) if path.to_dotted() == "type_id")
    }
}
