//! The objects that may match, by their grams.

use std::collections::{BTreeMap, HashMap};

use stockroom_access::Scope;
use stockroom_model::{ObjectId, TypeId};
use stockroom_search::{BLOCK, Bits, Class, Gram, Pattern, gram};

use super::ObjectSearch;
use super::pending::block_of;
use crate::Error;
use crate::engine::driver::Param;
use crate::transaction::ReadTx;

/// The most grams of a search. More would exclude few more candidates.
const MAX_GRAMS: usize = 96;
/// At least this many grams of each pattern are used.
const MIN_GRAMS: usize = 4;

const SELECT_BLOCKS: &str = "SELECT first_id FROM search_block";
// Joined in this order, the engine looks up each gram of each block, and a shard only those of its
// own blocks.
const SELECT_GRAMS: &str = "SELECT search_gram.first_id, gram, objects FROM search_block CROSS JOIN rarray(?2) AS wanted \
     CROSS JOIN search_gram WHERE search_block.first_id IN (SELECT value FROM rarray(?1)) \
     AND search_gram.first_id = search_block.first_id AND gram = wanted.value";

/// The newest blocks. A common word has enough matches in them, so that the others are not read.
const NEWEST_BLOCKS: usize = if cfg!(test) { 1 } else { 4 };

/// Objects that may match. Grams of longer texts are read first: where they already exclude all
/// objects, the others are not read.
pub(super) struct Candidates {
    requirements: Requirements,
    blocks: BTreeMap<i64, Block>,
}

/// What is known of a block of ids.
#[derive(Default)]
struct Block {
    grams: HashMap<Gram, Bits>,
    /// As far as grams of longer texts tell, the best class in which an object may match.
    best: Option<Class>,
    /// For each class those that may match so, or better, once all grams were read.
    classes: Option<Vec<Bits>>,
    /// How objects match whose grams are not up to date, by their offsets.
    corrections: Vec<(usize, Option<Class>)>,
}

/// The newest blocks, or all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    Newest,
    Older,
}

impl Age {
    pub(super) const ALL: [Self; 2] = [Self::Newest, Self::Older];
}

/// What candidates must have.
struct Requirements {
    patterns: Vec<Requirement>,
    /// One of these types.
    types: Option<Vec<Gram>>,
    /// None of these types.
    hidden: Vec<Gram>,
}

/// What candidates for a pattern must have: for each class all of some grams, or this id.
struct Requirement {
    classes: Vec<Option<Vec<Gram>>>,
    id: Option<i64>,
}

impl Candidates {
    pub(super) fn read(
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        search: &ObjectSearch,
    ) -> Result<Self, Error> {
        let requirements = Requirements::new(scope, search);
        let blocks: Vec<i64> = tx.all(SELECT_BLOCKS, &[], |row| row.int(0))?;
        let mut candidates = Self {
            blocks: blocks
                .iter()
                .map(|first| (*first, Block::default()))
                .collect(),
            requirements,
        };
        let read_first = candidates.requirements.read_first();
        candidates.load(tx, &blocks, &read_first.grams(|_| true))?;
        for (first, block) in &mut candidates.blocks {
            let classes = read_first.candidates(*first, &block.grams);
            let found = Class::ALL.into_iter().zip(&classes);
            block.best = found
                .filter(|(_, bits)| !bits.is_empty())
                .map(|(class, _)| class)
                .min();
        }
        Ok(candidates)
    }

    /// Sets how an object matches whose grams are not up to date.
    pub(super) fn correct(&mut self, id: ObjectId, class: Option<Class>) {
        let (first, offset) = block_of(id);
        let block = self.blocks.entry(first).or_default();
        block.best = block.best.into_iter().chain(class).min();
        block.corrections.push((offset, class));
    }

    /// Those that may match so, or better; by descending ids.
    pub(super) fn of_class<'c>(
        &'c mut self,
        tx: &mut ReadTx<'_>,
        class: Class,
        age: Age,
    ) -> Result<impl Iterator<Item = ObjectId> + use<'c>, Error> {
        let ids = self.ids(age);
        let is_open = |first: &i64| {
            self.blocks
                .get(first)
                .is_some_and(|block| block.is_open(class))
        };
        let open: Vec<i64> = ids.iter().copied().filter(is_open).collect();
        self.complete(tx, &open)?;
        let blocks = ids
            .into_iter()
            .filter_map(|first| Some((first, self.blocks.get(&first)?)));
        Ok(blocks.flat_map(move |(first, block)| {
            let bits = block
                .classes
                .as_ref()
                .and_then(|classes| classes.get(class as usize));
            let offsets = bits.into_iter().flat_map(Bits::descending);
            offsets.filter_map(move |offset| ObjectId::new(first + i64::try_from(offset).ok()?))
        }))
    }

    /// The first ids of these blocks, the newest one first.
    fn ids(&self, age: Age) -> Vec<i64> {
        let newest_first = self.blocks.keys().rev().copied();
        match age {
            Age::Newest => newest_first.take(NEWEST_BLOCKS).collect(),
            Age::Older => newest_first.skip(NEWEST_BLOCKS).collect(),
        }
    }

    /// Reads the other grams of these blocks.
    fn complete(&mut self, tx: &mut ReadTx<'_>, ids: &[i64]) -> Result<(), Error> {
        let rest = self.requirements.grams(|gram| !is_read_first(gram));
        self.load(tx, ids, &rest)?;
        for first in ids {
            if let Some(block) = self.blocks.get_mut(first) {
                let mut classes = self.requirements.candidates(*first, &block.grams);
                for (bits, class) in classes.iter_mut().zip(Class::ALL) {
                    block.correct(bits, class);
                }
                block.classes = Some(classes);
            }
        }
        Ok(())
    }

    fn load(&mut self, tx: &mut ReadTx<'_>, blocks: &[i64], grams: &[Gram]) -> Result<(), Error> {
        if blocks.is_empty() || grams.is_empty() {
            return Ok(());
        }
        let params = [Param::Ints(blocks), Param::Ints(grams)];
        tx.each(SELECT_GRAMS, &params, |row| {
            if let Some(block) = self.blocks.get_mut(&row.int(0)?) {
                block.grams.insert(row.int(1)?, bits(row.bytes(2)?)?);
            }
            Ok(())
        })
    }
}

impl Block {
    /// Whether an object may match so, or better, as far as is known, and more would be known if the
    /// other grams were read.
    fn is_open(&self, class: Class) -> bool {
        self.classes.is_none() && self.best.is_some_and(|best| best <= class)
    }

    fn correct(&self, bits: &mut Bits, at_least: Class) {
        for (offset, class) in &self.corrections {
            if class.is_some_and(|class| class <= at_least) {
                bits.insert(*offset);
            } else {
                bits.remove(*offset);
            }
        }
    }
}

/// These are few, and exclude most objects.
const fn is_read_first(gram: Gram) -> bool {
    gram::is_long(gram) || gram::is_of_type(gram)
}

impl Requirements {
    fn new(scope: &Scope, search: &ObjectSearch) -> Self {
        let most = (MAX_GRAMS / search.patterns.len().max(1)).max(MIN_GRAMS);
        let patterns = search.patterns.iter();
        let of = |types: &[TypeId]| -> Vec<Gram> {
            types.iter().map(|id| gram::of_type(id.get())).collect()
        };
        Self {
            patterns: patterns
                .map(|pattern| Requirement::new(pattern, most))
                .collect(),
            types: search.types.as_deref().map(of),
            hidden: of(scope.hidden()),
        }
    }

    /// The grams that `is_wanted` names.
    fn grams(&self, is_wanted: impl Fn(Gram) -> bool) -> Vec<Gram> {
        let of_patterns = self.patterns.iter().flat_map(|pattern| &pattern.classes);
        let of_patterns = of_patterns.flatten().flatten();
        let of_types = self.types.iter().flatten().chain(&self.hidden);
        let all = of_patterns.chain(of_types).copied();
        let mut grams: Vec<Gram> = all.filter(|gram| is_wanted(*gram)).collect();
        grams.sort_unstable();
        grams.dedup();
        grams
    }

    /// The part of them that the grams of longer texts tell.
    fn read_first(&self) -> Self {
        let patterns = self.patterns.iter().map(|pattern| Requirement {
            classes: pattern
                .classes
                .iter()
                .map(|needed| {
                    let needed = needed.as_ref()?.iter().copied();
                    Some(needed.filter(|gram| is_read_first(*gram)).collect())
                })
                .collect(),
            id: pattern.id,
        });
        Self {
            patterns: patterns.collect(),
            types: self.types.clone(),
            hidden: self.hidden.clone(),
        }
    }

    /// The candidates of a block for each class.
    fn candidates(&self, first: i64, grams: &HashMap<Gram, Bits>) -> Vec<Bits> {
        let mut allowed = match &self.types {
            Some(types) => union(types, grams),
            None => Bits::all(),
        };
        allowed.subtract(&union(&self.hidden, grams));
        let mut classes = vec![allowed; Class::ALL.len()];
        for pattern in &self.patterns {
            let mut so_far = Bits::none();
            for (needed, class) in pattern.classes.iter().zip(&mut classes) {
                if let Some(needed) = needed {
                    so_far.unite(&intersection(needed, grams));
                }
                let offset = pattern.id.map(|id| id - first);
                if let Some(offset) = offset.filter(|offset| (0..BLOCK).contains(offset)) {
                    so_far.insert(usize::try_from(offset).unwrap_or(usize::MAX));
                }
                class.intersect(&so_far);
            }
        }
        classes
    }
}

impl Requirement {
    fn new(pattern: &Pattern, most: usize) -> Self {
        let classes = Class::ALL.iter();
        let needed = classes.map(|class| {
            let grams = gram::of_pattern(pattern, *class)?;
            let step = grams.len().div_ceil(most).max(1);
            Some(grams.into_iter().step_by(step).collect())
        });
        Self {
            classes: needed.collect(),
            id: pattern.id(),
        }
    }
}

fn union(wanted: &[Gram], grams: &HashMap<Gram, Bits>) -> Bits {
    let mut all = Bits::none();
    for bits in wanted.iter().filter_map(|gram| grams.get(gram)) {
        all.unite(bits);
    }
    all
}

fn intersection(wanted: &[Gram], grams: &HashMap<Gram, Bits>) -> Bits {
    let mut all = Bits::all();
    for gram in wanted {
        match grams.get(gram) {
            Some(bits) => all.intersect(bits),
            None => return Bits::none(),
        }
    }
    all
}

pub(super) fn bits(bytes: &[u8]) -> Result<Bits, Error> {
    Bits::decode(bytes).map_err(|damaged| Error::Damaged(damaged.to_string()))
}
