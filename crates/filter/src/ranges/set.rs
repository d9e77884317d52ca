//! Sets of keys.

use crate::key::{Key, Tag};

/// The keys from `from` (inclusive) to `to` (exclusive).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// Inclusive start.
    pub from: Vec<u8>,
    /// Exclusive end.
    pub to: Vec<u8>,
}

/// A set of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranges {
    /// Ascending; none is empty, and none touches the next.
    pub ranges: Vec<KeyRange>,
    /// Whether every key in the set satisfies the condition. If not, each value must be tested, and
    /// [`key_suffices`](crate::key_suffices) and [`Key::is_cut`] tell whether its key is enough.
    /// Keys outside the set never satisfy it.
    pub exact: bool,
}

impl KeyRange {
    /// Whether only the key `from` can be in the range.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.to.split_last() == Some((&0, &self.from))
    }

    /// The keys of this type.
    pub(super) fn of_type(tag: Tag) -> Self {
        let tag_only = vec![tag.byte()];
        match tag {
            Tag::Undefined | Tag::Null => Self::point(tag_only),
            _ => Self::beginning_with(tag_only),
        }
    }

    /// Only this key.
    #[must_use]
    pub fn point(key: Vec<u8>) -> Self {
        let mut to = key.clone();
        to.push(0);
        Self { from: key, to }
    }

    /// The keys with this prefix: a type, or a type and UTF-8. Neither contains the byte 255.
    pub(super) fn beginning_with(bytes: Vec<u8>) -> Self {
        let mut to = bytes.clone();
        if let Some(last) = to.last_mut() {
            *last = last.saturating_add(1);
        }
        Self { from: bytes, to }
    }

    fn is_empty(&self) -> bool {
        self.from >= self.to
    }
}

impl From<KeyRange> for Ranges {
    fn from(range: KeyRange) -> Self {
        Self::merged(vec![range], true)
    }
}

impl Ranges {
    /// Every key.
    #[must_use]
    pub fn all() -> Self {
        let end = KeyRange::of_type(Tag::Date).to;
        Self::from(KeyRange {
            from: Key::undefined().into_bytes(),
            to: end,
        })
    }

    /// No key.
    #[must_use]
    pub fn none() -> Self {
        Self::merged(Vec::new(), true)
    }

    /// The keys that are in either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self::in_any([self, other])
    }

    /// The keys that are in both sets.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let exact = self.exact && other.exact;
        let mut both = Vec::new();
        let (mut left, mut right) = (self.ranges.iter(), other.ranges.iter());
        let (mut one, mut two) = (left.next(), right.next());
        while let (Some(a), Some(b)) = (one, two) {
            both.push(KeyRange {
                from: a.from.clone().max(b.from.clone()),
                to: a.to.clone().min(b.to.clone()),
            });
            if a.to <= b.to {
                one = left.next();
            } else {
                two = right.next();
            }
        }
        Self::merged(both, exact)
    }

    /// The keys that are not in the set. The complement of an inexact set is all keys, because some
    /// keys in the set may not satisfy the condition.
    #[must_use]
    pub fn complement(&self) -> Self {
        let all = Self::all();
        if !self.exact {
            return all.inexact();
        }
        let mut gaps = Vec::with_capacity(self.ranges.len() + 1);
        for mut gap in all.ranges {
            for range in &self.ranges {
                gaps.push(KeyRange {
                    from: std::mem::replace(&mut gap.from, range.to.clone()),
                    to: range.from.clone(),
                });
            }
            gaps.push(gap);
        }
        Self::merged(gaps, true)
    }

    /// Whether the key is in the set.
    #[must_use]
    pub fn contains(&self, key: &[u8]) -> bool {
        let after = self
            .ranges
            .partition_point(|range| range.to.as_slice() <= key);
        self.ranges
            .get(after)
            .is_some_and(|range| range.from.as_slice() <= key)
    }

    /// The keys that are in one of the sets.
    #[must_use]
    pub fn in_any(sets: impl IntoIterator<Item = Self>) -> Self {
        let mut exact = true;
        let mut ranges = Vec::new();
        for set in sets {
            exact &= set.exact;
            ranges.extend(set.ranges);
        }
        Self::merged(ranges, exact)
    }

    pub(super) fn in_all(sets: impl IntoIterator<Item = Self>) -> Self {
        sets.into_iter()
            .fold(Self::all(), |all, set| all.intersect(&set))
    }

    pub(super) fn inexact(self) -> Self {
        self.exact_if(false)
    }

    pub(super) fn exact_if(self, exact: bool) -> Self {
        Self::merged(self.ranges, self.exact && exact)
    }

    /// The empty set is always exact.
    fn merged(mut ranges: Vec<KeyRange>, exact: bool) -> Self {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by(|left, right| left.from.cmp(&right.from));
        let mut merged: Vec<KeyRange> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.from <= last.to => {
                    if range.to > last.to {
                        last.to = range.to;
                    }
                }
                _ => merged.push(range),
            }
        }
        let exact = exact || merged.is_empty();
        Self {
            ranges: merged,
            exact,
        }
    }
}
