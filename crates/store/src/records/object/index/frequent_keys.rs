//! Keys that many objects have, as lists found lately.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many keys are remembered; beyond it, all are forgotten.
const MOST: usize = 1_000;

/// Keys that many objects have, with their columns. A key that became rare since costs time, and no
/// answer is wrong.
#[derive(Debug, Default)]
pub(crate) struct FrequentKeys(Mutex<HashSet<ColumnsAndKey>>);

type ColumnsAndKey = (Vec<i64>, Vec<u8>);

impl FrequentKeys {
    pub(crate) fn has(&self, columns: &[i64], key: &[u8]) -> bool {
        let keys = self.keys();
        !keys.is_empty() && keys.contains(&(columns.to_vec(), key.to_vec()))
    }

    pub(crate) fn add(&self, columns: &[i64], key: &[u8]) {
        let mut keys = self.keys();
        if keys.len() >= MOST {
            keys.clear();
        }
        keys.insert((columns.to_vec(), key.to_vec()));
    }

    fn keys(&self) -> MutexGuard<'_, HashSet<ColumnsAndKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_number_is_remembered() {
        let keys = FrequentKeys::default();
        for number in 0..1_000_i64 {
            keys.add(&[1], &number.to_be_bytes());
        }
        assert!(keys.has(&[1], &0_i64.to_be_bytes()));
        assert!(!keys.has(&[2], &0_i64.to_be_bytes()));
        keys.add(&[2], b"more");
        assert!(keys.has(&[2], b"more"));
        assert!(!keys.has(&[1], &0_i64.to_be_bytes()));
    }
}
