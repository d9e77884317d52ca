//! A cache of compiled expressions: the pages of a list repeat the same filter.

use std::sync::LazyLock;

use stockroom_model::pattern::{BYTES_PER_ESTIMATED_BYTE, Cache};

use super::{Engine, Options};
use crate::limits::Limits;

/// Cache size in bytes.
const CACHED_BYTES: usize = 32 * 1024 * 1024;

static COMPILED: LazyLock<Cache<Key, Engine>> = LazyLock::new(|| Cache::new(CACHED_BYTES));

/// The limits are part of the key: the engine depends on them, or they refuse the expression.
#[derive(Debug, Hash, PartialEq, Eq)]
struct Key {
    source: String,
    options: Options,
    backtrack_limit: usize,
    max_compiled: usize,
}

impl Key {
    fn new(source: &str, options: Options, limits: &Limits) -> Self {
        Self {
            source: source.to_owned(),
            options,
            backtrack_limit: limits.backtrack_limit,
            max_compiled: limits.max_compiled,
        }
    }
}

pub(super) fn find(source: &str, options: Options, limits: &Limits) -> Option<Engine> {
    COMPILED.get(&Key::new(source, options, limits))
}

pub(super) fn keep(source: &str, options: Options, limits: &Limits, engine: &Engine, bytes: usize) {
    let bytes = bytes.saturating_mul(BYTES_PER_ESTIMATED_BYTE);
    COMPILED.put(Key::new(source, options, limits), engine.clone(), bytes);
}
