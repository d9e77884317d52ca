//! What workers know of each other, and what each of them notes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64};

use crate::history::History;

/// What happened.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) owner: String,
    pub(crate) objects: Vec<History>,
    /// The type that only this worker changes.
    pub(crate) r#type: Option<History>,
    /// Objects that were to be deleted together, of which nobody knows whether they were.
    pub(crate) together: Vec<Vec<usize>>,
    /// By contended object.
    pub(crate) contended: HashMap<i64, Contended>,
    /// Ids that were refused because they were taken.
    pub(crate) taken: Vec<i64>,
    pub(crate) violations: Vec<String>,
    pub(crate) answered: usize,
    pub(crate) doubted: usize,
}

/// What one worker did to an object that all of them change.
#[derive(Default)]
pub(crate) struct Contended {
    pub(crate) acknowledged: Vec<(i64, u32)>,
    pub(crate) doubted: Vec<u32>,
    /// Looks that may have been counted.
    pub(crate) looks: i64,
}

/// What all workers know.
pub(crate) struct Shared {
    pub(crate) types: Vec<i64>,
    /// Objects that all of them change.
    pub(crate) contended: Vec<i64>,
    /// The highest id that anybody was given.
    pub(crate) highest: AtomicI64,
    pub(crate) is_over: AtomicBool,
}

/// One answer, or none.
pub(crate) struct Progress {
    pub(crate) node: usize,
    pub(crate) is_answered: bool,
}
