//! Lowers conditions on items of `fields`: finds the columns that they are for, and what is left to
//! test of the values there.

use std::sync::Arc;

use stockroom_filter::{Node, depends_on_name, specialize};
use stockroom_model::TypeId;

use super::Lowering;
use super::fields::{items, names};
use super::part::Part;
use super::unknown_fields::UnknownFields;
use crate::records::catalog::TypeEntry;
use crate::records::object::index::Column;
use crate::records::object::list::predicate::IndexPredicate;

/// Maximum number of different conditions for the fields of a test.
const MAX_GROUPS: usize = 16;

/// A condition on values, and the columns that it is for, with their types.
type Group = (Node, Vec<(TypeId, Column)>);

/// The column of a field, with its name and type.
type Named<'n> = (&'n str, (TypeId, Column));

impl<'t> Lowering<'t> {
    /// Objects with an item of `fields` that passes the test.
    pub(super) fn items(&self, test: &Node) -> Part {
        let names = names(test);
        let (columns, unknown) = match &names {
            Some(names) => self.columns_of(names),
            None => (self.all_columns(), UnknownFields::Any),
        };
        let only = names.and_then(|names| match names.as_slice() {
            [only] => Some(*only),
            _ => None,
        });
        let Some(groups) = self.groups(test, only, columns) else {
            return Part::unknown();
        };
        let parts = groups.iter().map(|(test, columns)| items(test, columns));
        Part::joined(parts.collect(), IndexPredicate::any)
            .of_regular_only()
            .about(unknown)
    }

    /// The columns of the fields of these names, and those that some types lack.
    fn columns_of<'n>(&self, names: &[&'n str]) -> (Vec<Named<'n>>, UnknownFields) {
        let mut columns = Vec::new();
        let mut unknown = UnknownFields::none();
        for name in names {
            let before = columns.len();
            columns.extend(self.types.iter().filter_map(|entry| {
                let column = entry.layout.field(name)?;
                Some((*name, (entry.record.public_id, column)))
            }));
            if columns.len() - before < self.types.len() {
                unknown = unknown.joined(UnknownFields::named(name));
            }
        }
        (columns, unknown)
    }

    fn all_columns(&self) -> Vec<Named<'_>> {
        let of_type = |entry: &'t Arc<TypeEntry>| {
            let id = entry.record.public_id;
            let fields = entry.layout.fields();
            fields.map(move |(name, column)| (name, (id, column)))
        };
        self.types.iter().flat_map(of_type).collect()
    }

    /// The columns of fields with the same condition on their value. Conditions on the name are
    /// evaluated here, once for each name. `None` if that is too much, or if an expression is too
    /// expensive: the evaluator may reach a result without it.
    fn groups(
        &self,
        test: &Node,
        only: Option<&str>,
        columns: Vec<Named<'_>>,
    ) -> Option<Vec<Group>> {
        self.pay_for_copies(columns.len() * size_of::<Column>())?;
        if let Some(name) = only.or_else(|| (!depends_on_name(test)).then_some("")) {
            let columns = columns.into_iter().map(|(_, column)| column);
            return Some(vec![(specialize(test, name).ok()?, columns.collect())]);
        }
        let bytes = test.bytes();
        let mut groups: Vec<Group> = Vec::new();
        for (name, column) in columns {
            // The copy is compared with each of the groups.
            self.pay_for_copies(bytes * (1 + groups.len()))?;
            let left = specialize(test, name).ok()?;
            match groups.iter().position(|(test, _)| *test == left) {
                Some(index) => groups[index].1.push(column),
                None if groups.len() == MAX_GROUPS => return None,
                None => groups.push((left, vec![column])),
            }
        }
        Some(groups)
    }
}
