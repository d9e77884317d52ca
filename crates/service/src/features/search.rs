//! `GET /search`: objects, types, categories, users and groups by what their texts contain
//! (`docs/guide/src/search.md`).

pub(crate) mod indexer;
mod records;

use std::cmp::Reverse;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use stockroom_access::Scope;
use stockroom_access::permission::{Authenticated, ObjectView};
use stockroom_model::{Type, TypeId};
use stockroom_search::{Class, Query};
use stockroom_store::{Match, Matches, Rank, ReadTx};
use utoipa::ToSchema;

use crate::core::search_hit::cut;
use crate::records::object::search::{ResolvedQuery, by_type};
use crate::{Error, Permit};

pub use crate::core::search_hit::{Field, Hit, Kind};
pub use stockroom_store::MAX_MATCHES;

/// The most results of a page.
pub const MAX_LIMIT: usize = 100;
/// The request of a search.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    query: Query,
    limit: usize,
    after: Option<ResultOrder>,
}

impl SearchRequest {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] names the parameter.
    pub fn new(q: &str, limit: usize, after: Option<&str>) -> Result<Self, Error> {
        if !(1..=MAX_LIMIT).contains(&limit) {
            let detail = format!("must be a whole number from 1 to {MAX_LIMIT}");
            return Err(Error::invalid("limit", detail));
        }
        Ok(Self {
            query: read_query(q)?,
            limit,
            after: after.map(read_cursor).transpose()?,
        })
    }
}

/// Reads what a caller typed.
///
/// # Errors
///
/// [`Error::Invalid`]
pub fn read_query(q: &str) -> Result<Query, Error> {
    Query::parse(q).map_err(|refused| Error::invalid("q", refused.to_string()))
}

/// The number of found objects of a type
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SearchFacet)]
pub struct Facet {
    /// The type
    #[schema(value_type = i64)]
    pub type_id: TypeId,
    /// What people call it
    pub label: String,
    /// The number of objects
    #[schema(value_type = i64, minimum = 1)]
    pub count: usize,
}

/// A page of results.
#[derive(Debug, Default)]
pub struct SearchPage {
    /// The results, the best ones first.
    pub hits: Vec<Hit>,
    /// The number of matches that were ranked.
    pub total: usize,
    /// Whether there may be more.
    pub has_more: bool,
    /// The matches by type; the types with most objects first.
    pub facets: Vec<Facet>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// The position of a result in the order of all results.
type ResultOrder = (Class, bool, Kind, Reverse<i64>);

/// A result before it is read.
enum Entry {
    Record(Rank, Hit),
    Object(Match),
}

impl Entry {
    fn order(&self) -> ResultOrder {
        let (rank, kind, id) = match self {
            Self::Record(rank, hit) => (rank, hit.kind, hit.public_id),
            Self::Object(found) => (&found.rank, Kind::Object, found.public_id.get()),
        };
        (rank.class, rank.is_beside_summary, kind, Reverse(id))
    }
}

/// The records that match and that the caller may see. Each kind needs the right to view it.
pub async fn search(
    permit: &Permit<Authenticated>,
    request: SearchRequest,
) -> Result<SearchPage, Error> {
    let reader = permit.authorization();
    let templates = permit.service().templates(&permit.catalog());
    permit
        .read(move |tx| {
            let access = reader.access(tx)?;
            let wanted = ResolvedQuery::new(&request.query, tx.catalog(), &access.scope);
            let mut entries = Vec::new();
            if let Some(patterns) = wanted.plain() {
                let found = records::matches(tx, &access, &patterns)?;
                entries.extend(
                    found
                        .into_iter()
                        .map(|(rank, hit)| Entry::Record(rank, hit)),
                );
            }
            let found = if access.holds::<ObjectView>() {
                wanted.matches(tx, &access.scope)?
            } else {
                Matches::default()
            };
            let facets = facets(tx, &found);
            entries.extend(found.found.into_iter().map(Entry::Object));
            entries.sort_by_key(Entry::order);
            let total = entries.len();
            let templates = reader.service().newest_templates(&templates, tx.catalog());
            let rest = entries.into_iter();
            let mut rest =
                rest.skip_while(|entry| request.after.is_some_and(|after| entry.order() <= after));
            let page: Vec<Entry> = rest.by_ref().take(request.limit).collect();
            let last = page.last().map(Entry::order);
            Ok(SearchPage {
                hits: read_page(tx, &access.scope, &wanted, &templates, page)?,
                total,
                has_more: found.has_more,
                facets,
                next: last.filter(|_| rest.next().is_some()).map(write_cursor),
            })
        })
        .await
}

/// What people call a type.
pub(crate) fn name_of(definition: &Type) -> &str {
    if definition.label.is_empty() {
        &definition.name
    } else {
        &definition.label
    }
}

fn facets(tx: &ReadTx<'_>, matches: &Matches) -> Vec<Facet> {
    let types = by_type(&matches.found).into_iter();
    let mut facets: Vec<Facet> = types
        .filter_map(|(type_id, count)| {
            let entry = tx.catalog().type_entry(type_id)?;
            Some(Facet {
                type_id,
                label: name_of(&entry.record).to_owned(),
                count,
            })
        })
        .collect();
    // Stable: equal counts stay in the order of the ids.
    facets.sort_by_key(|facet| Reverse(facet.count));
    facets
}

/// Reads the objects of a page, and puts them back between the other records.
fn read_page(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    wanted: &ResolvedQuery<'_>,
    templates: &crate::core::r#type_templates::TypeTemplates,
    page: Vec<Entry>,
) -> Result<Vec<Hit>, Error> {
    let objects = page.iter().filter_map(|entry| match entry {
        Entry::Object(found) => Some(*found),
        Entry::Record(..) => None,
    });
    let objects: Vec<Match> = objects.collect();
    let mut read = wanted.hits(tx, scope, templates, &objects)?.into_iter();
    let hits = page.into_iter().filter_map(|entry| match entry {
        Entry::Record(_, hit) => Some(hit),
        Entry::Object(_) => read.next(),
    });
    Ok(hits.collect())
}

fn write_cursor(order: ResultOrder) -> String {
    let (class, is_beside_summary, kind, Reverse(id)) = order;
    let mut bytes = vec![class as u8, u8::from(is_beside_summary), kind as u8];
    bytes.extend(id.to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

fn read_cursor(text: &str) -> Result<ResultOrder, Error> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok();
    let order = bytes.as_deref().and_then(|bytes| match bytes {
        [class, beside, kind, id @ ..] => Some((
            *Class::ALL.get(usize::from(*class))?,
            *beside == 1,
            *Kind::ALL.get(usize::from(*kind))?,
            Reverse(i64::from_be_bytes(id.try_into().ok()?)),
        )),
        _ => None,
    });
    order.ok_or_else(|| Error::invalid("after", "is no cursor that a search gave"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_come_back() {
        for order in [
            (Class::Exact, false, Kind::Type, Reverse(1)),
            (Class::Fragment, true, Kind::Object, Reverse(i64::MAX)),
        ] {
            assert_eq!(read_cursor(&write_cursor(order)).unwrap(), order);
        }
        for text in ["", "x", "AAAA", "CQAAAAAAAAAAAAE", "////"] {
            assert!(read_cursor(text).is_err(), "{text}");
        }
    }
}
