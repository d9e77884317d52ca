//! Which objects match a search, and where.

mod fields;

use std::collections::{BTreeMap, HashMap};

use stockroom_access::Scope;
use stockroom_model::{ObjectId, TypeId};
use stockroom_search::{Class, Document, Folded, Pattern, Query};
use stockroom_store::{
    Catalog, Match, Matches, ObjectBatches, ObjectRow, ObjectSearch, Rank, ReadTx,
};

use self::fields::TypeFields;
use super::labels::record;
use super::secrets::masked;
use crate::Error;
use crate::core::search_hit::{Field, Hit, Kind, cut};
use crate::core::type_templates::TypeTemplates;

/// The prefix that names a type instead of a field.
const TYPE: &str = "type";

/// A query, resolved by the types that the caller sees.
pub(crate) struct ResolvedQuery<'c> {
    catalog: &'c Catalog,
    terms: Vec<Term>,
    types: Option<Vec<TypeId>>,
}

/// A term of a query.
pub(crate) struct Term {
    pub(crate) pattern: Pattern,
    /// The folded name or label of the fields to search; `None` for all.
    field: Option<String>,
}

/// The best match of a term in an object.
struct Best<'d> {
    rank: Rank,
    name: &'d str,
    text: &'d str,
    at: usize,
}

impl<'c> ResolvedQuery<'c> {
    pub(crate) fn new(query: &Query, catalog: &'c Catalog, scope: &Scope) -> Self {
        let mut wanted = Self {
            catalog,
            terms: Vec::new(),
            types: None,
        };
        for term in &query.terms {
            let plain = || Term {
                pattern: term.pattern.clone(),
                field: None,
            };
            match &term.prefixed {
                Some((prefix, pattern)) if prefix.eq_ignore_ascii_case(TYPE) => {
                    wanted.keep_types(scope, pattern);
                }
                Some((prefix, pattern)) => {
                    let field = Folded::new(prefix).compact();
                    let is_known = fields::is_known(catalog, scope, &field);
                    wanted.terms.push(if is_known {
                        Term {
                            pattern: pattern.clone(),
                            field: Some(field),
                        }
                    } else {
                        plain()
                    });
                }
                None => wanted.terms.push(plain()),
            }
        }
        wanted
    }

    /// The patterns, if the query names neither types nor fields, so that it also concerns other
    /// records.
    pub(crate) fn plain(&self) -> Option<Vec<&Pattern>> {
        let is_plain = self.types.is_none() && self.terms.iter().all(|term| term.field.is_none());
        is_plain.then(|| self.terms.iter().map(|term| &term.pattern).collect())
    }

    /// Only objects of these types; `None` for all.
    pub(crate) fn within(mut self, types: Option<Vec<TypeId>>) -> Self {
        self.types = match (self.types, types) {
            (Some(named), Some(types)) => {
                Some(named.into_iter().filter(|id| types.contains(id)).collect())
            }
            (named, types) => named.or(types),
        };
        self
    }

    /// Keeps the visible types whose names or labels begin with the pattern.
    fn keep_types(&mut self, scope: &Scope, pattern: &Pattern) {
        let begins = |text: &str| {
            let found = pattern.find(&Folded::new(text));
            found.is_some_and(|found| found.class <= Class::Prefix)
        };
        let types = self.catalog.types().map(|entry| &entry.record);
        let named = types.filter(|known| begins(&known.name) || begins(&known.label));
        let named = named.map(|known| known.public_id);
        let seen = named.filter(|id| scope.sees(*id));
        self.types = Some(match self.types.take() {
            None => seen.collect(),
            Some(before) => seen.filter(|id| before.contains(id)).collect(),
        });
    }

    /// The best matches among the objects that the caller may see.
    pub(crate) fn matches(&self, tx: &mut ReadTx<'_>, scope: &Scope) -> Result<Matches, Error> {
        if self.types.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Matches::default());
        }
        let search = ObjectSearch {
            patterns: self.terms.iter().map(|term| term.pattern.clone()).collect(),
            types: self.types.clone(),
        };
        let mut types = HashMap::new();
        let mut folded = Folded::default();
        let mut decide = |row: &ObjectRow| {
            let fields = self.fields(&mut types, row.type_id);
            // A check finds documents that are damaged.
            let Ok(document) = Document::read(&row.document) else {
                return Ok(None);
            };
            let best = self.best(fields, &document, row.public_id, &mut folded);
            Ok(best.map(|best| worst(&best)))
        };
        Ok(tx.search_objects(scope, &search, &mut decide)?)
    }

    /// What people see of matches, in their order. Objects that are gone are left out.
    pub(crate) fn hits(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        templates: &TypeTemplates,
        matches: &[Match],
    ) -> Result<Vec<Hit>, Error> {
        let ids = matches.iter().map(|found| found.public_id).collect();
        let (mut types, mut hits) = (HashMap::new(), Vec::with_capacity(matches.len()));
        let mut batches = ObjectBatches::new(ids);
        while let Some(found) = batches.next(tx, scope)? {
            for row in found.rows {
                let fields = self.fields(&mut types, row.type_id);
                hits.extend(self.hit(fields, templates, row)?);
            }
        }
        Ok(hits)
    }

    fn hit(
        &self,
        fields: &TypeFields<'c>,
        templates: &TypeTemplates,
        row: ObjectRow,
    ) -> Result<Option<Hit>, Error> {
        let Some(template) = templates.get(row.type_id) else {
            return Ok(None);
        };
        let document = Document::read(&row.document).map_err(stockroom_store::Error::from)?;
        let best = self.best(fields, &document, row.public_id, &mut Folded::default());
        let first = best.and_then(|best| best.into_iter().next());
        let (field, value) = first.map_or((None, None), |best| {
            let field = Field {
                name: best.name.to_owned(),
                label: fields.label(best.name),
            };
            (Some(field), Some(cut(best.text, best.at)))
        });
        let (public_id, type_id) = (row.public_id, row.type_id);
        let record = record(masked(row)?.document)?;
        Ok(Some(Hit {
            kind: Kind::Object,
            public_id: public_id.get(),
            type_id: Some(type_id),
            title: stockroom_render::summary_line(&record, template),
            field,
            value,
        }))
    }

    fn fields<'t>(
        &self,
        types: &'t mut HashMap<TypeId, TypeFields<'c>>,
        id: TypeId,
    ) -> &'t TypeFields<'c> {
        let catalog = self.catalog;
        types
            .entry(id)
            .or_insert_with(|| TypeFields::new(catalog.type_entry(id), &self.terms))
    }

    /// The best match of each term; `None` if one matches nowhere.
    fn best<'d>(
        &self,
        fields: &TypeFields<'_>,
        document: &'d Document<'_>,
        id: ObjectId,
        folded: &mut Folded,
    ) -> Option<Vec<Best<'d>>> {
        let mut best: Vec<Option<Best<'d>>> = Vec::new();
        best.extend(self.terms.iter().map(|term| of_id(term, id)));
        for (name, text) in document.texts() {
            let field = fields.get(name);
            if field.is_left_out {
                continue;
            }
            folded.set(text);
            for (index, term) in self.terms.iter().enumerate() {
                if !field.terms.contains(index) {
                    continue;
                }
                let Some(found) = term.pattern.find(folded) else {
                    continue;
                };
                let rank = Rank {
                    class: found.class,
                    is_beside_summary: !field.is_in_summary,
                };
                let known = best.get_mut(index)?;
                if known.as_ref().is_none_or(|known| rank < known.rank) {
                    *known = Some(Best {
                        rank,
                        name,
                        text,
                        at: found.at,
                    });
                }
            }
        }
        best.into_iter().collect()
    }
}

/// A term that is the id of the object.
fn of_id<'d>(term: &Term, id: ObjectId) -> Option<Best<'d>> {
    let is_id = term.field.is_none() && term.pattern.id() == Some(id.get());
    is_id.then_some(Best {
        rank: Rank {
            class: Class::Exact,
            is_beside_summary: false,
        },
        name: "public_id",
        text: "",
        at: 0,
    })
}

fn worst(best: &[Best<'_>]) -> Rank {
    let ranks = best.iter().map(|best| best.rank);
    ranks.max().unwrap_or(Rank {
        class: Class::Exact,
        is_beside_summary: false,
    })
}

/// The number of matches of each type.
pub(crate) fn by_type(matches: &[Match]) -> BTreeMap<TypeId, usize> {
    let mut types = BTreeMap::new();
    for found in matches {
        *types.entry(found.type_id).or_default() += 1;
    }
    types
}
