//! The objects that may match, by their grams.

use std::collections::{BTreeMap, HashMap};

use stockroom_access::Scope;
use stockroom_model::{ObjectId, TypeId};
use stockroom_search::{BLOCK, Bits, Class, Gram, Pattern, gram};

use super::ObjectSearch;
use super::pending::block_of;
use crate::Error;
use crate::driver::Param;
use crate::transaction::ReadTx;

/// The most grams of a search. More would exclude few more candidates.
const MAX_GRAMS: usize = 96;
/// At least this many grams of each pattern are used.
const MIN_GRAMS: usize = 4;

const SELECT_BLOCKS: &str = "SELECT first_id FROM search_block";
// Joined in this order, the engine looks up each gram of each block.
const SELECT_GRAMS: &str = "SELECT first_id, gram, objects FROM rarray(?1) AS block CROSS JOIN rarray(?2) AS wanted \
     CROSS JOIN search_gram WHERE first_id = block.value AND gram = wanted.value";

/// Objects that may match, for each class: those that may match so, or better.
pub(super) struct Candidates {
    blocks: BTreeMap<i64, Vec<Bits>>,
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
        let mut found: BTreeMap<i64, HashMap<Gram, Bits>> = blocks
            .iter()
            .map(|first| (*first, HashMap::new()))
            .collect();
        let grams = requirements.grams();
        let params = [Param::Ints(&blocks), Param::Ints(&grams)];
        tx.each(SELECT_GRAMS, &params, |row| {
            if let Some(block) = found.get_mut(&row.int(0)?) {
                block.insert(row.int(1)?, bits(row.bytes(2)?)?);
            }
            Ok(())
        })?;
        let blocks = found
            .into_iter()
            .map(|(first, grams)| (first, requirements.candidates(first, &grams)));
        Ok(Self {
            blocks: blocks.collect(),
        })
    }

    /// Sets how an object matches whose grams are not up to date.
    pub(super) fn correct(&mut self, id: ObjectId, class: Option<Class>) {
        let (first, offset) = block_of(id);
        let block = self.blocks.entry(first);
        let block = block.or_insert_with(|| vec![Bits::none(); Class::ALL.len()]);
        for (bits, at_least) in block.iter_mut().zip(Class::ALL) {
            if class.is_some_and(|class| class <= at_least) {
                bits.insert(offset);
            } else {
                bits.remove(offset);
            }
        }
    }

    /// Those that may match so, or better; by descending ids.
    pub(super) fn of_class(&self, class: Class) -> impl Iterator<Item = ObjectId> {
        self.blocks.iter().rev().flat_map(move |(first, block)| {
            let bits = block.get(class as usize).into_iter();
            let offsets = bits.flat_map(Bits::descending);
            offsets.filter_map(move |offset| ObjectId::new(first + i64::try_from(offset).ok()?))
        })
    }
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

    fn grams(&self) -> Vec<Gram> {
        let of_patterns = self.patterns.iter().flat_map(|pattern| &pattern.classes);
        let of_patterns = of_patterns.flatten().flatten();
        let of_types = self.types.iter().flatten().chain(&self.hidden);
        let mut grams: Vec<Gram> = of_patterns.chain(of_types).copied().collect();
        grams.sort_unstable();
        grams.dedup();
        grams
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
    let mut found = wanted.iter().map(|gram| grams.get(gram));
    let Some(Some(first)) = found.next() else {
        return Bits::none();
    };
    let mut all = first.clone();
    for bits in found {
        match bits {
            Some(bits) => all.intersect(bits),
            None => return Bits::none(),
        }
    }
    all
}

pub(super) fn bits(bytes: &[u8]) -> Result<Bits, Error> {
    Bits::decode(bytes).map_err(|damaged| Error::Damaged(damaged.to_string()))
}
