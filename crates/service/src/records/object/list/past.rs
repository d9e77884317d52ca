//! Lists of objects at a time: the evaluator decides on rebuilt documents, read in chunks, so that
//! no reader is held for long. A past state does not change between them.

use std::cmp::Ordering;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::{Key, Literal, Node, Numeric, Predicate};
use stockroom_model::{ObjectId, Timestamp, TypeId};
use stockroom_store::{
    ObjectPage, ObjectQuery, PastMatches, Position, Restriction, Start, TypeEntry, Want, Window,
};

use super::super::past::{PastView, lost};
use super::read::{First, ListRead};
use super::{ObjectList, ObjectListRequest, Rest};
use crate::{Error, Permit};

/// Objects that one list tests at most.
const MAX_TESTED: usize = 250_000;

/// Memory of the sort keys of all matches.
const MAX_BYTES: usize = 32 * 1_024 * 1_024;

/// The objects that matched at a time and that the caller may see.
pub(super) async fn list<P>(
    permit: &Permit<P>,
    request: ObjectListRequest,
    restriction: Restriction,
    at: Timestamp,
) -> Result<ObjectList, Error> {
    let PastList {
        read,
        scope,
        query,
        matches,
        past,
    } = PastList::find(permit, request, restriction, at).await?;
    let page = page(&read, &query, matches);
    let First {
        total,
        mut chunk,
        next,
        projection,
        warnings,
        ..
    } = read.page(&past.catalog, &scope, &page);
    chunk.unread = page.unread;
    let mut rest = Rest::new(Arc::clone(&read.presenter), projection, &chunk);
    let (items, labels) = rest.next().await?.unwrap_or_default();
    Ok(ObjectList {
        total,
        next,
        items,
        labels,
        rest,
        explanation: None,
        warnings: permit.warn(warnings)?,
    })
}

/// The matches at a time, in the order of the list.
pub(crate) struct PastList {
    read: ListRead,
    past: Arc<PastView>,
    scope: Arc<Scope>,
    query: ObjectQuery,
    matches: Vec<Match>,
}

impl PastList {
    /// Finds all matches.
    pub(crate) async fn find<P>(
        permit: &Permit<P>,
        request: ObjectListRequest,
        restriction: Restriction,
        at: Timestamp,
    ) -> Result<Self, Error> {
        let reader = permit.authorization();
        let (past, scope) = permit
            .read(move |tx| {
                let access = reader.access(tx)?;
                let past = PastView::new(&reader, tx, at)?;
                let scope = past.scope(&access);
                Ok((Arc::new(past), scope))
            })
            .await?;
        let read = ListRead::new(permit, request, restriction, Some(Arc::clone(&past)))?;
        let query = read.query(&past.catalog, &scope).into_owned();
        let mut matches = find(permit, &past, query.clone()).await?;
        matches.sort_unstable_by(|left, right| compare(&query, left, right));
        Ok(Self {
            read,
            past,
            scope,
            query,
            matches,
        })
    }

    /// The read of the list, its view, and the ids of all matches.
    pub(crate) fn into_parts(self) -> (ListRead, Arc<PastView>, Vec<ObjectId>) {
        let ids = self.matches.into_iter().map(|(_, id)| id);
        (self.read, self.past, ids.collect())
    }
}

type Match = (Key, ObjectId);

fn compare(query: &ObjectQuery, (left, one): &Match, (right, other): &Match) -> Ordering {
    query.sort.compare(left, right).then(one.cmp(other))
}

/// The requested part of the matches, none of them read.
fn page(read: &ListRead, query: &ObjectQuery, mut matches: Vec<Match>) -> ObjectPage {
    let Window { start, limit } = &read.window;
    let total = matches.len();
    let start = match start {
        Start::Offset(offset) => (*offset).min(total),
        Start::After(Position { key, id }) => {
            let end = (key.clone(), *id);
            matches.partition_point(|found| compare(query, found, &end).is_le())
        }
    };
    let mut rest = matches.split_off(start);
    rest.truncate(if read.want == Want::Total { 0 } else { *limit });
    let is_counted = !matches!(
        read.want,
        Want::Objects { total: false } | Want::Ids { total: false }
    );
    ObjectPage {
        total: is_counted.then_some(total),
        rows: Vec::new(),
        end: rest.last().map(|(key, id)| Position {
            key: key.clone(),
            id: *id,
        }),
        unread: rest.into_iter().map(|(_, id)| id).collect(),
    }
}

async fn find<P>(
    permit: &Permit<P>,
    past: &Arc<PastView>,
    query: ObjectQuery,
) -> Result<Vec<Match>, Error> {
    let query = Arc::new(query);
    let types: Vec<Arc<TypeEntry>> = past.catalog.types().map(Arc::clone).collect();
    let (mut matches, mut tested, mut bytes) = (Vec::new(), 0, 0);
    for entry in types {
        if !may_match(query.filter.root(), entry.record.public_id) {
            continue;
        }
        let mut after = None;
        loop {
            let (reader, past, query, entry) = (
                permit.authorization(),
                Arc::clone(past),
                Arc::clone(&query),
                Arc::clone(&entry),
            );
            let found = permit
                .read(move |tx| {
                    if !past.scope(&reader.access(tx)?).sees(entry.record.public_id) {
                        return Ok(PastMatches::default());
                    }
                    Ok(tx.matches_as_of(&query, &entry, past.at, after)?)
                })
                .await?;
            if let Some(id) = found.unknown {
                return Err(lost(id));
            }
            tested += found.tested;
            bytes += found
                .matches
                .iter()
                .map(|(key, _)| size(key))
                .sum::<usize>();
            matches.extend(found.matches);
            if found.last.is_none() {
                break;
            }
            if tested > MAX_TESTED || bytes > MAX_BYTES {
                return Err(Error::invalid(
                    "as_of",
                    format!(
                        "more than {MAX_TESTED} objects would be tested, or too many match: filter by `type_id`"
                    ),
                ));
            }
            after = found.last;
        }
    }
    Ok(matches)
}

fn size(key: &Key) -> usize {
    key.as_bytes().len() + size_of::<Match>()
}

/// Whether objects of a type can match, as far as the filter compares `type_id` with numbers.
fn may_match(node: &Node, id: TypeId) -> bool {
    let is_id = |literal: &Literal| !matches!(literal, Literal::Number(number) if *number != Numeric::Integer(id.get().into()));
    match node {
        Node::And(nodes) => nodes.iter().all(|node| may_match(node, id)),
        Node::Field { path, predicate } if path.to_dotted() == "type_id" => match predicate {
            Predicate::Equal(literal) => is_id(literal),
            Predicate::In(literals) => literals.as_slice().iter().any(is_id),
            _ => true,
        },
        Node::Or(_) | Node::Nor(_) | Node::Field { .. } => true,
    }
}
