//! Limits on the memory of requests and answers, each and all together.

mod answers;
mod bodies;

pub(crate) use answers::{AnswerBudget, AnswerShare};
pub use bodies::BodyLimits;
pub(crate) use bodies::{BodyBudget, Exhausted, Reservation, Sharer};
