//! The objects of a block of ids that have a gram.

use crate::varint;

/// Ids in a block. `PostgreSQL` moves values out of rows of more than 2 kB, and all of their bits are
/// less.
pub const BLOCK: i64 = 15_000;

const IDS: usize = 15_000;
const WORDS: usize = IDS.div_ceil(64);
const BYTES: usize = IDS.div_ceil(8);

/// The first byte of an encoding.
const SPARSE: u8 = 0;
const DENSE: u8 = 1;
/// The offsets that are not in the set.
const COMPLEMENT: u8 = 2;

/// A set of offsets below [`BLOCK`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits(Box<[u64]>);

/// Bytes that do not encode a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are no set of objects")]
pub struct Damaged;

impl Bits {
    /// The empty set.
    #[must_use]
    pub fn none() -> Self {
        Self(vec![0; WORDS].into_boxed_slice())
    }

    /// All offsets.
    #[must_use]
    pub fn all() -> Self {
        let mut words = vec![u64::MAX; WORDS];
        if let Some(last) = words.last_mut() {
            *last >>= WORDS * 64 - IDS;
        }
        Self(words.into_boxed_slice())
    }

    /// Adds an offset; one beyond the block is ignored.
    pub fn insert(&mut self, offset: usize) {
        if offset < IDS {
            self.0[offset / 64] |= 1 << (offset % 64);
        }
    }

    /// Removes an offset.
    pub fn remove(&mut self, offset: usize) {
        if offset < IDS {
            self.0[offset / 64] &= !(1 << (offset % 64));
        }
    }

    /// Whether it has this offset.
    #[must_use]
    pub fn contains(&self, offset: usize) -> bool {
        let word = self.0.get(offset / 64).copied().unwrap_or(0);
        word & 1 << (offset % 64) != 0
    }

    /// Whether it has no offset.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The number of offsets.
    #[must_use]
    pub fn len(&self) -> usize {
        let ones = self.0.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Keeps what is in the other set, too.
    pub fn intersect(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    /// Adds what is in the other set.
    pub fn unite(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Removes what is in the other set.
    pub fn subtract(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    /// The offsets in ascending order.
    pub fn ascending(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(index * 64 + bit)
            })
        })
    }

    /// The offsets in descending order.
    pub fn descending(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().rev().flat_map(|(index, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| 63 - left.leading_zeros() as usize)?;
                left &= !(1 << bit);
                Some(index * 64 + bit)
            })
        })
    }

    /// The smallest of three encodings.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let count = self.len();
        // Most differences take a byte, so a list of more than every eighth offset is longer.
        if count <= BYTES {
            let sparse = with_differences(SPARSE, self.ascending());
            if sparse.len() <= BYTES {
                return sparse;
            }
        }
        if IDS - count <= BYTES {
            let missing = (0..IDS).filter(|offset| !self.contains(*offset));
            let complement = with_differences(COMPLEMENT, missing);
            if complement.len() <= BYTES {
                return complement;
            }
        }
        let bytes = self.0.iter().flat_map(|word| word.to_le_bytes());
        std::iter::once(DENSE).chain(bytes.take(BYTES)).collect()
    }

    /// Reads an encoding.
    ///
    /// # Errors
    ///
    /// [`Damaged`]
    pub fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        match bytes {
            [SPARSE, rest @ ..] => {
                let mut bits = Self::none();
                each_offset(rest, |offset| bits.insert(offset))?;
                Ok(bits)
            }
            [COMPLEMENT, rest @ ..] => {
                let mut bits = Self::all();
                each_offset(rest, |offset| bits.remove(offset))?;
                Ok(bits)
            }
            [DENSE, rest @ ..] if rest.len() == BYTES => {
                let mut bits = Self::none();
                for (word, bytes) in bits.0.iter_mut().zip(rest.chunks(8)) {
                    let mut padded = [0; 8];
                    padded[..bytes.len()].copy_from_slice(bytes);
                    *word = u64::from_le_bytes(padded);
                }
                Ok(bits)
            }
            _ => Err(Damaged),
        }
    }
}

/// The differences of ascending offsets.
fn with_differences(form: u8, offsets: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut bytes = vec![form];
    let mut next = 0;
    for offset in offsets {
        varint::push((offset - next) as u64, &mut bytes);
        next = offset + 1;
    }
    bytes
}

fn each_offset(bytes: &[u8], mut visit: impl FnMut(usize)) -> Result<(), Damaged> {
    let mut next = 0;
    varint::each(bytes, |difference| {
        let difference = usize::try_from(difference).map_err(|_| Damaged)?;
        let offset = next + difference;
        if offset >= IDS {
            return Err(Damaged);
        }
        visit(offset);
        next = offset + 1;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn bits(offsets: impl IntoIterator<Item = usize>) -> Bits {
        let mut bits = Bits::none();
        for offset in offsets {
            bits.insert(offset);
        }
        bits
    }

    #[test]
    fn every_density_comes_back_in_few_bytes() {
        for (step, most) in [(1, 1), (2, 1 + BYTES), (7, 1 + BYTES), (200, 160), (IDS, 2)] {
            let some = bits((0..IDS).step_by(step));
            let mut others = Bits::all();
            others.subtract(&some);
            for set in [some, others] {
                let bytes = set.encode();
                assert!(bytes.len() <= most.max(2), "{step}: {}", bytes.len());
                assert_eq!(Bits::decode(&bytes), Ok(set), "{step}");
            }
        }
        assert_eq!(Bits::all().len(), IDS);
        assert!(Bits::decode(&Bits::none().encode()).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn sets_behave_like_sets(
            left in prop::collection::btree_set(0..IDS, 0..50),
            right in prop::collection::btree_set(0..IDS, 0..50),
        ) {
            let (a, b) = (bits(left.iter().copied()), bits(right.iter().copied()));
            prop_assert_eq!(&Bits::decode(&a.encode()).unwrap(), &a);
            let of = |change: fn(&mut Bits, &Bits)| {
                let mut set = a.clone();
                change(&mut set, &b);
                set.ascending().collect::<BTreeSet<usize>>()
            };
            prop_assert_eq!(of(Bits::intersect), &left & &right);
            prop_assert_eq!(of(Bits::unite), &left | &right);
            prop_assert_eq!(of(Bits::subtract), &left - &right);
            prop_assert!(a.ascending().eq(left.iter().copied()));
            prop_assert!(a.descending().eq(left.iter().rev().copied()));
            prop_assert!((0..IDS).all(|offset| a.contains(offset) == left.contains(&offset)));
        }

        #[test]
        fn damage_is_an_error(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(set) = Bits::decode(&bytes) {
                prop_assert_eq!(Bits::decode(&set.encode()), Ok(set));
            }
        }
    }
}
