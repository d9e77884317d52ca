//! The search for objects (`docs/design/search.md`).
//!
//! Grams find candidates, and the caller decides on their documents. A write only notes its object
//! in `search_pending`; the grams are written later, for many objects at once. Until then, a search
//! reads the document.

mod batch;
mod block;
mod candidates;
pub(crate) mod change;
pub(crate) mod pending;

use std::cmp::Reverse;
use std::collections::HashMap;

use stockroom_access::Scope;
use stockroom_model::{ObjectId, Type, TypeId};
use stockroom_search::{Class, Pattern};

pub use self::batch::{GramRequest, SearchBatch, StoredGrams};
pub use self::block::PendingBlock;
use self::candidates::{Age, Candidates};
use crate::Error;
use crate::records::object::ObjectRow;
use crate::records::object::read::ObjectBatches;
use crate::transaction::ReadTx;

/// The most matches that a search ranks.
pub const MAX_MATCHES: usize = 500;
/// The most candidates that a search reads, and their bytes. Most candidates are matches, unless
/// the words of a query are in different fields than it names.
const MAX_READS: usize = if cfg!(test) { 60 } else { 5_000 };
const MAX_BYTES: usize = 4 << 20;
/// Documents of more bytes have nearly all grams. A search reads few of them, so that they leave room
/// for others.
const LARGE: usize = 64 << 10;
/// The most bytes of these documents that a search reads, besides the last one.
const MAX_LARGE_BYTES: usize = 2 << 20;
/// Candidates read at a time: at most, and at least. As many as there may be matches, because on a
/// server each time is a round trip, on shards one to all of them.
const CHUNK: usize = if cfg!(test) { 7 } else { MAX_MATCHES + 1 };
const LEAST: usize = if cfg!(test) { 2 } else { 32 };
/// The most pending objects that a search reads, and their bytes; there are more only during a load.
const MAX_PENDING: i64 = 2_000;
const MAX_PENDING_BYTES: usize = 2 << 20;

const SELECT_NEWEST: &str =
    "SELECT DISTINCT object_id FROM search_pending ORDER BY object_id DESC LIMIT ?1";

/// What to search for.
#[derive(Debug, Clone, Default)]
pub struct ObjectSearch {
    /// All of them must be found.
    pub patterns: Vec<Pattern>,
    /// The types to search; `None` for all.
    pub types: Option<Vec<TypeId>>,
}

/// How well an object matches; the best one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// That of the pattern which matches worst.
    pub class: Class,
    /// Whether a pattern matches only in fields that the summary does not show.
    pub is_beside_summary: bool,
}

/// An object that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// How well it does.
    pub rank: Rank,
    /// Its id.
    pub public_id: ObjectId,
    /// The id of its type.
    pub type_id: TypeId,
}

/// The best matches.
#[derive(Debug, Default)]
pub struct Matches {
    /// At most [`MAX_MATCHES`], by rank; those of a rank by descending ids.
    pub found: Vec<Match>,
    /// Whether there may be more.
    pub has_more: bool,
}

/// Decides on a candidate.
pub type Decide<'d> = dyn FnMut(&ObjectRow) -> Result<Option<Rank>, Error> + 'd;

impl ReadTx<'_> {
    /// The best matches among the objects that the caller may see.
    pub fn search_objects(
        &mut self,
        scope: &Scope,
        search: &ObjectSearch,
        decide: &mut Decide<'_>,
    ) -> Result<Matches, Error> {
        // Read before the grams: an object that is not pending any more has its grams.
        let limit = MAX_PENDING + 1;
        let mut pending = self.all(SELECT_NEWEST, &[limit.into()], |row| row.id(0))?;
        let mut is_behind = pending.len() > CHUNK.max(MAX_PENDING.try_into().unwrap_or(CHUNK));
        pending.truncate(pending.len() - usize::from(is_behind));
        let mut candidates = Candidates::read(self, scope, search)?;
        let mut decisions = Decisions {
            scope,
            search,
            decide,
            known: HashMap::new(),
            reads: MAX_READS + pending.len(),
            bytes: MAX_PENDING_BYTES,
            large_bytes: MAX_LARGE_BYTES,
            has_left_out: false,
        };
        is_behind |= !decisions.read(self, &pending)?;
        decisions.bytes = MAX_BYTES;
        for id in &pending {
            candidates.correct(*id, decisions.class(*id));
        }
        let mut matches = decisions.matches(self, &mut candidates)?;
        matches.has_more |= is_behind || decisions.has_left_out;
        Ok(matches)
    }
}

/// The decisions on candidates so far.
struct Decisions<'s, 'd> {
    scope: &'s Scope,
    search: &'s ObjectSearch,
    decide: &'s mut Decide<'d>,
    /// `None` if it does not match.
    known: HashMap<ObjectId, Option<Match>>,
    reads: usize,
    bytes: usize,
    /// Of large documents.
    large_bytes: usize,
    /// Whether large documents were not read.
    has_left_out: bool,
}

impl Decisions<'_, '_> {
    fn class(&self, id: ObjectId) -> Option<Class> {
        let decision = self.known.get(&id).copied().flatten();
        decision.map(|found| found.rank.class)
    }

    /// The best matches: class by class, because a candidate of one may only match as another.
    fn matches(
        &mut self,
        tx: &mut ReadTx<'_>,
        candidates: &mut Candidates,
    ) -> Result<Matches, Error> {
        let mut matches = Matches::default();
        for class in Class::ALL {
            let start = matches.found.len();
            for age in Age::ALL {
                if !matches.has_more {
                    let ids = candidates.of_class(tx, class, age)?;
                    self.add_matches(tx, class, ids, &mut matches)?;
                }
            }
            matches.found.truncate(MAX_MATCHES);
            if let Some(of_class) = matches.found.get_mut(start..) {
                // Stable: the newest ones stay first.
                of_class.sort_by_key(|found| found.rank);
            }
            if matches.has_more {
                break;
            }
        }
        if matches.has_more && matches.found.len() < MAX_MATCHES {
            matches.found = self.best_known();
        }
        Ok(matches)
    }

    /// Reads candidates until there are enough matches, or no more may be read.
    fn add_matches(
        &mut self,
        tx: &mut ReadTx<'_>,
        class: Class,
        mut ids: impl Iterator<Item = ObjectId>,
        matches: &mut Matches,
    ) -> Result<(), Error> {
        while !matches.has_more {
            // One more than the most tells whether there are more.
            let missing = (MAX_MATCHES + 1).saturating_sub(matches.found.len());
            let count = missing.clamp(LEAST, CHUNK);
            let chunk: Vec<ObjectId> = ids.by_ref().take(count).collect();
            if chunk.is_empty() {
                break;
            }
            let is_done = self.read(tx, &chunk)?;
            let decided = chunk.iter().filter_map(|id| self.known.get(id).copied()?);
            matches
                .found
                .extend(decided.filter(|found| found.rank.class == class));
            matches.has_more = !is_done || matches.found.len() > MAX_MATCHES;
        }
        Ok(())
    }

    /// All matches that were read before the search had to end.
    fn best_known(&self) -> Vec<Match> {
        let mut known: Vec<Match> = self.known.values().copied().flatten().collect();
        known.sort_unstable_by_key(|known| (known.rank, Reverse(known.public_id)));
        known.truncate(MAX_MATCHES);
        known
    }

    /// Decides on those of these objects that are not decided yet. Returns whether all are.
    fn read(&mut self, tx: &mut ReadTx<'_>, ids: &[ObjectId]) -> Result<bool, Error> {
        let unknown = ids.iter().filter(|id| !self.known.contains_key(id));
        let unknown: Vec<ObjectId> = unknown.copied().collect();
        if self.reads < unknown.len() {
            return Ok(false);
        }
        self.reads -= unknown.len();
        // Hidden and deleted ones do not match; nor do those that are left out or no longer read.
        self.known.extend(unknown.iter().map(|id| (*id, None)));
        let (large, others) = self.readable(tx, unknown)?;
        let mut large = ObjectBatches::of_at_most(1, large);
        while let Some(objects) = large.next(tx, self.scope)? {
            self.decide_on(&objects.rows)?;
        }
        let mut others = ObjectBatches::new(others);
        while self.bytes > 0
            && let Some(objects) = others.next(tx, self.scope)?
        {
            let bytes = objects.rows.iter().map(|row| row.document.len()).sum();
            self.bytes = self.bytes.saturating_sub(bytes);
            self.decide_on(&objects.rows)?;
        }
        Ok(others.unread() == 0)
    }

    fn decide_on(&mut self, rows: &[ObjectRow]) -> Result<(), Error> {
        for row in rows {
            let decision = self.decision(row)?;
            self.known.insert(row.public_id, decision);
        }
        Ok(())
    }

    /// Those of these objects that may be read: the large ones, and the others. A server would send
    /// all documents that it is asked for, also hidden and large ones.
    fn readable(
        &mut self,
        tx: &mut ReadTx<'_>,
        ids: Vec<ObjectId>,
    ) -> Result<(Vec<ObjectId>, Vec<ObjectId>), Error> {
        if ids.is_empty() {
            return Ok((ids.clone(), ids));
        }
        let sizes = tx.sizes(self.scope, &ids)?;
        let (mut large, mut others) = (Vec::new(), Vec::with_capacity(ids.len()));
        for id in ids {
            match sizes.get(&id) {
                None => {}
                Some(bytes) if *bytes <= LARGE => others.push(id),
                Some(_) if self.large_bytes == 0 => self.has_left_out = true,
                Some(bytes) => {
                    self.large_bytes = self.large_bytes.saturating_sub(*bytes);
                    large.push(id);
                }
            }
        }
        Ok((large, others))
    }

    fn decision(&mut self, row: &ObjectRow) -> Result<Option<Match>, Error> {
        let types = self.search.types.as_ref();
        if types.is_some_and(|types| !types.contains(&row.type_id)) {
            return Ok(None);
        }
        let rank = (self.decide)(row)?;
        Ok(rank.map(|rank| Match {
            rank,
            public_id: row.public_id,
            type_id: row.type_id,
        }))
    }
}

/// Whether the values of a field are not searched: secrets, and ids of other objects.
#[must_use]
pub fn is_left_out(definition: &Type, field: &str) -> bool {
    let field = definition.field(field);
    field.is_some_and(|field| field.kind.is_secret() || field.kind.is_reference())
}
