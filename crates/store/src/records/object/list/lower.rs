//! Lowers a filter to a predicate on index rows, for the types that can match. Every match
//! satisfies the predicate; if it is `exact`, no other object does.

mod fields;
mod ids;
mod items;
mod part;
mod restrictions;
mod unknown_fields;

use std::cell::Cell;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::{
    Datum, ElementTest, Literal, Node, Numeric, Path, Predicate, Segment, Sort, SortPath,
    holds_for, holds_for_missing, key_suffices,
};
use stockroom_model::TypeId;

use fields::found;
use ids::id;
use part::{Part, is_single, value};
use restrictions::unclean;
pub(super) use restrictions::{irregular_references, references};
use unknown_fields::UnknownFields;

use super::predicate::IndexPredicate;

use super::query::{ObjectQuery, Restriction};
use crate::Error;
use crate::records::catalog::{Catalog, TypeEntry};
use crate::records::object::index::{Column, MEMBERS, is_member};
use crate::transaction::ReadTx;

/// Bytes of columns and conditions that are copied at most. Each condition has a list of the
/// columns that it is for, and one on names has a copy for each name.
const MAX_COPIED: usize = 16 * 1_024 * 1_024;
/// Maximum number of terms in a statement. SQLite takes 500 in a union, and 1,000 levels.
const MAX_TERMS: usize = 400;

/// A lowered query.
pub(super) struct Lowered {
    /// The types that can match.
    pub(super) types: Vec<Arc<TypeEntry>>,
    /// Whether these are all existing types.
    pub(super) all_types: bool,
    /// The predicate on objects of these types, except for their activity.
    pub(super) predicate: IndexPredicate,
    /// The irregular objects that can match.
    pub(super) irregular: IndexPredicate,
    /// The fields that the query is about, in types that never had them. The predicate is only for
    /// objects without such a field.
    pub(super) unknown_fields: UnknownFields,
    /// Whether the predicate is equivalent to the filter for regular objects.
    pub(super) exact: bool,
    /// Whether columns of `object` decide the predicate, so that it also applies to irregular
    /// objects.
    pub(super) decided_by_object_table: bool,
}

impl Lowered {
    /// The ids of the types that can match.
    pub(super) fn type_ids(&self) -> Vec<TypeId> {
        let ids = self.types.iter().map(|entry| entry.record.public_id);
        ids.collect()
    }

    /// Makes the query be about the field of a sort, too.
    pub(super) fn add_sort(&mut self, sort: &Sort) {
        if let SortPath::Field(name) = &sort.path
            && self
                .types
                .iter()
                .any(|entry| entry.layout.field(name).is_none())
        {
            let known = std::mem::replace(&mut self.unknown_fields, UnknownFields::none());
            self.unknown_fields = known.joined(UnknownFields::named(name));
        }
    }

    /// The predicate on the type of an object.
    pub(super) fn of_types(&self) -> IndexPredicate {
        if self.all_types {
            IndexPredicate::always()
        } else {
            IndexPredicate::Types(self.type_ids())
        }
    }
}

impl ReadTx<'_> {
    /// See [`lower`].
    pub(super) fn lower(&mut self, scope: &Scope, query: &ObjectQuery) -> Result<Lowered, Error> {
        self.leave_inline_if(query.filter.is_large())?;
        lower(self.catalog(), scope, query)
    }
}

/// Lowers a query of a caller with this scope.
pub(super) fn lower(
    catalog: &Catalog,
    scope: &Scope,
    query: &ObjectQuery,
) -> Result<Lowered, Error> {
    let mut types = Vec::new();
    let mut all_types = true;
    let tests = tests_on_types(query);
    let only = tests.iter().find_map(only_type);
    for entry in catalog.types() {
        let id = entry.record.public_id;
        let is_asked = only.is_none_or(|only| only == id.get());
        if is_asked && scope.sees(id) && may_find(query, &tests, id)? {
            types.push(Arc::clone(entry));
        } else {
            all_types = false;
        }
    }
    let lowering = Lowering {
        types: &types,
        bytes_left: Cell::new(MAX_COPIED),
    };
    let mut part = lowering.node(query.filter.root())?;
    if part.predicate.terms() > MAX_TERMS {
        part = Part::unknown();
    }
    let mut irregular = IndexPredicate::Irregular;
    match &query.restriction {
        Restriction::None | Restriction::Ids(_) => {}
        Restriction::References(target) => {
            irregular = irregular_references(&[*target]);
            let references = references(&types, &[*target]);
            part.predicate = IndexPredicate::all(vec![part.predicate, references]);
        }
        Restriction::Unclean(..) => {
            let unclean = IndexPredicate::any(types.iter().map(|entry| unclean(entry)).collect());
            part.predicate = IndexPredicate::all(vec![part.predicate, unclean]);
        }
    }
    if let Restriction::Ids(ids) = &query.restriction {
        let ids = match ids.as_slice() {
            [] => IndexPredicate::never(),
            ids => IndexPredicate::Ids(ids.to_vec()),
        };
        part.predicate = IndexPredicate::all(vec![part.predicate, ids]);
    }
    Ok(Lowered {
        types,
        all_types,
        predicate: part.predicate,
        irregular,
        unknown_fields: part.unknown_fields,
        exact: part.exact,
        decided_by_object_table: part.decided_by_object_table
            && matches!(query.restriction, Restriction::None | Restriction::Ids(_)),
    })
}

/// The conditions on the type among the top-level conjuncts of a filter.
fn tests_on_types(query: &ObjectQuery) -> Vec<Node> {
    let conjuncts = match query.filter.root() {
        Node::And(nodes) => nodes.as_slice(),
        other => std::slice::from_ref(other),
    };
    conjuncts
        .iter()
        .filter_map(|node| match node {
            Node::Field { path, predicate }
                if is_single(path, "type_id") && !tells_forms_apart(predicate) =>
            {
                Some(value(predicate.clone()))
            }
            _ => None,
        })
        .collect()
}

/// The only type that satisfies a condition, if it names one; other types need no test.
fn only_type(test: &Node) -> Option<i64> {
    match test {
        Node::Field {
            predicate: Predicate::Equal(Literal::Number(number)),
            ..
        } => i64::try_from(number.integral()?).ok(),
        _ => None,
    }
}

/// Whether a type satisfies these conditions and the route's restriction.
fn may_find(query: &ObjectQuery, tests: &[Node], type_id: TypeId) -> Result<bool, Error> {
    if matches!(&query.restriction, Restriction::Unclean(id, _) if *id != type_id) {
        return Ok(false);
    }
    for test in tests {
        if !holds_for(test, Datum::Number(number(type_id)))? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Lowering<'t> {
    types: &'t [Arc<TypeEntry>],
    /// Bytes that may still be copied.
    bytes_left: Cell<usize>,
}

impl Lowering<'_> {
    fn node(&self, node: &Node) -> Result<Part, Error> {
        Ok(match node {
            Node::And(nodes) => Part::joined(self.parts(nodes)?, IndexPredicate::all),
            Node::Or(nodes) => Part::joined(self.parts(nodes)?, IndexPredicate::any),
            Node::Nor(nodes) => Part::joined(self.parts(nodes)?, IndexPredicate::any).negated(),
            Node::Field { path, predicate } => self.field(path, predicate)?,
        })
    }

    fn parts(&self, nodes: &[Node]) -> Result<Vec<Part>, Error> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    /// Counts bytes that are copied; `None` if these are too many.
    fn pay_for_copies(&self, bytes: usize) -> Option<()> {
        self.bytes_left
            .set(self.bytes_left.get().checked_sub(bytes)?);
        Some(())
    }

    fn field(&self, path: &Path, predicate: &Predicate) -> Result<Part, Error> {
        if self.pay_for_copies(size_of_val(self.types)).is_none() {
            return Ok(Part::unknown());
        }
        if let Predicate::Not(predicates) = predicate {
            let parts: Result<Vec<Part>, Error> = predicates
                .iter()
                .map(|predicate| self.field(path, predicate))
                .collect();
            return Ok(Part::joined(parts?, IndexPredicate::all).negated());
        }
        if let Some(name) = path.field() {
            return Ok(self.named_field(name, predicate));
        }
        let names: Vec<&str> = path.segments().iter().map(Segment::name).collect();
        match names.as_slice() {
            ["public_id"] => Ok(id(predicate)),
            ["type_id"] => self.type_id(predicate),
            ["active"] => active(predicate),
            ["fields"] => match predicate {
                Predicate::Element(ElementTest::Document(test)) => Ok(self.items(test)),
                _ => Ok(Part::unknown()),
            },
            ["fields", step @ ("name" | "value")] => Ok(self.items(&Node::Field {
                path: Path::new(step),
                predicate: predicate.clone(),
            })),
            [member] if MEMBERS.contains(member) => Ok(self.member(member, predicate)),
            [first, ..] if !is_member(first) => Ok(missing(predicate)),
            _ => Ok(Part::unknown()),
        }
    }

    fn type_id(&self, predicate: &Predicate) -> Result<Part, Error> {
        if tells_forms_apart(predicate) {
            return Ok(Part::unknown());
        }
        let mut types = Vec::new();
        for entry in self.types {
            let id = entry.record.public_id;
            if holds(predicate, Datum::Number(number(id)))? {
                types.push(id);
            }
        }
        Ok(Part::decided_by_object_table(
            if types.len() == self.types.len() {
                IndexPredicate::always()
            } else if types.is_empty() {
                IndexPredicate::never()
            } else {
                IndexPredicate::Types(types)
            },
        ))
    }

    /// Objects whose member satisfies the predicate; every regular object has the member, even if
    /// null.
    fn member(&self, name: &str, predicate: &Predicate) -> Part {
        let columns: Vec<Column> = self
            .types
            .iter()
            .filter_map(|entry| entry.layout.member(name))
            .collect();
        found(&value(predicate.clone()), &columns, false, false)
    }

    /// Objects whose field of this name satisfies the predicate, which may hold for a missing
    /// value.
    fn named_field(&self, name: &str, predicate: &Predicate) -> Part {
        let columns = |entry: &Arc<TypeEntry>| entry.layout.field(name);
        let (with, without): (Vec<_>, Vec<_>) = self
            .types
            .iter()
            .partition(|entry| columns(entry).is_some());
        let test = value(predicate.clone());
        let if_missing = holds_for_missing(predicate);
        // Rows of missing fields have the key of null.
        let exclude_missing = !if_missing && holds_for(&test, Datum::Null).unwrap_or(true);
        let with: Vec<Column> = with.into_iter().filter_map(columns).collect();
        let mut parts = vec![found(&test, &with, false, exclude_missing)];
        let mut unknown = UnknownFields::none();
        if !without.is_empty() {
            unknown = UnknownFields::named(name);
        }
        if if_missing && !without.is_empty() {
            let types = without.into_iter().map(|entry| entry.record.public_id);
            parts.push(Part::decided_by_object_table(IndexPredicate::Types(
                types.collect(),
            )));
        }
        Part::joined(parts, IndexPredicate::any)
            .of_regular_only()
            .about(unknown)
    }
}

/// No regular object has the member.
fn missing(predicate: &Predicate) -> Part {
    Part::of_regular(if holds_for_missing(predicate) {
        IndexPredicate::always()
    } else {
        IndexPredicate::never()
    })
}

/// If a document's `active` is not a boolean, the column may differ from it.
fn active(predicate: &Predicate) -> Result<Part, Error> {
    let (yes, no) = (
        holds(predicate, Datum::Bool(true))?,
        holds(predicate, Datum::Bool(false))?,
    );
    Ok(Part::of_regular(match (yes, no) {
        (true, true) => IndexPredicate::always(),
        (true, false) => IndexPredicate::Inactive.negated(),
        (false, true) => IndexPredicate::Inactive,
        (false, false) => IndexPredicate::never(),
    }))
}

fn number(id: TypeId) -> Numeric {
    Numeric::Integer(id.get().into())
}

fn holds(predicate: &Predicate, datum: Datum<'_>) -> Result<bool, Error> {
    Ok(holds_for(&value(predicate.clone()), datum)?)
}

/// Whether the form of a number in the document matters: `10` or `10.0`.
fn tells_forms_apart(predicate: &Predicate) -> bool {
    !key_suffices(&value(predicate.clone()))
}
