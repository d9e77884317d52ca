//! The state that workers share, and the log of each.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64};

use crate::history::History;

/// What a worker did and saw.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) owner: String,
    pub(crate) objects: Vec<History>,
    /// The type that only this worker changes.
    pub(crate) r#type: Option<History>,
    /// Groups of objects deleted in one request whose outcome is unknown.
    pub(crate) together: Vec<Vec<usize>>,
    /// By the id of a contended object.
    pub(crate) contended: HashMap<i64, Contended>,
    /// Ids that were refused because they were taken.
    pub(crate) taken: Vec<i64>,
    pub(crate) violations: Vec<String>,
    pub(crate) answered: usize,
    pub(crate) doubted: usize,
}

/// What one worker did to a contended object.
#[derive(Default)]
pub(crate) struct Contended {
    pub(crate) acknowledged: Vec<(i64, u32)>,
    pub(crate) doubted: Vec<u32>,
    /// Views that may have been counted.
    pub(crate) looks: i64,
}

/// The state that all workers share.
pub(crate) struct Shared {
    pub(crate) types: Vec<i64>,
    /// Contended objects, which all workers change.
    pub(crate) contended: Vec<i64>,
    /// The highest id assigned so far.
    pub(crate) highest: AtomicI64,
    pub(crate) is_over: AtomicBool,
}

/// Reports whether a request was answered.
pub(crate) struct Progress {
    pub(crate) node: usize,
    pub(crate) is_answered: bool,
}
