//! Which work goes first where cores are scarce.

pub(crate) mod pauses;
pub(crate) mod priority;
