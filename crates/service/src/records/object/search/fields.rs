//! The fields of a type as a search sees them.

use std::collections::HashMap;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_search::Folded;
use stockroom_store::{Catalog, TypeEntry, is_left_out};

use super::Term;

/// The fields of a type.
pub(super) struct TypeFields<'c> {
    entry: Option<&'c Arc<TypeEntry>>,
    fields: HashMap<&'c str, FieldInfo>,
    /// A field that the type does not know.
    other: FieldInfo,
}

/// What a search must know of a field.
#[derive(Clone, Copy)]
pub(super) struct FieldInfo {
    pub(super) is_left_out: bool,
    pub(super) is_in_summary: bool,
    /// The terms that search it.
    pub(super) terms: TermSet,
}

/// The indices of terms; there are at most 16.
#[derive(Clone, Copy, Default)]
pub(super) struct TermSet(u16);

impl TermSet {
    fn of<'t>(terms: impl Iterator<Item = &'t Term>, searches: impl Fn(&Term) -> bool) -> Self {
        let mut set = Self::default();
        for (index, term) in terms.enumerate() {
            set.0 |= u16::from(searches(term)) << (index % 16);
        }
        set
    }

    pub(super) const fn contains(self, index: usize) -> bool {
        self.0 >> (index % 16) & 1 == 1
    }
}

impl<'c> TypeFields<'c> {
    pub(super) fn new(entry: Option<&'c Arc<TypeEntry>>, terms: &[Term]) -> Self {
        let mut fields = HashMap::new();
        for field in entry.iter().flat_map(|entry| entry.record.fields()) {
            let definition = entry.map(|entry| &entry.record);
            let summary = definition.map(|known| &known.render_meta.summary.fields);
            let is_in_summary = summary.is_some_and(|names| names.contains(&field.name));
            let names = [&field.name, &field.label].map(|name| Folded::new(name).compact());
            let searches = |term: &Term| {
                term.field
                    .as_ref()
                    .is_none_or(|field| names.contains(field))
            };
            fields.insert(
                field.name.as_str(),
                FieldInfo {
                    is_left_out: definition.is_none_or(|known| is_left_out(known, &field.name)),
                    is_in_summary,
                    terms: TermSet::of(terms.iter(), searches),
                },
            );
        }
        Self {
            entry,
            fields,
            other: FieldInfo {
                is_left_out: entry.is_none(),
                is_in_summary: false,
                terms: TermSet::of(terms.iter(), |term| term.field.is_none()),
            },
        }
    }

    pub(super) fn get(&self, name: &str) -> FieldInfo {
        self.fields.get(name).copied().unwrap_or(self.other)
    }

    /// What people call a field.
    pub(super) fn label(&self, name: &str) -> String {
        let field = self.entry.and_then(|entry| entry.record.field(name));
        let label = field.map(|field| field.label.as_str());
        label
            .filter(|label| !label.is_empty())
            .unwrap_or(name)
            .to_owned()
    }
}

/// Whether a visible type has a field with this folded name or label that is searched.
pub(super) fn is_known(catalog: &Catalog, scope: &Scope, folded: &str) -> bool {
    let types = catalog.types().map(|entry| &entry.record);
    let mut seen = types.filter(|known| scope.sees(known.public_id));
    seen.any(|known| {
        let mut fields = known.fields().iter();
        fields.any(|field| {
            !is_left_out(known, &field.name)
                && [&field.name, &field.label]
                    .iter()
                    .any(|name| Folded::new(name).compact() == folded)
        })
    })
}
