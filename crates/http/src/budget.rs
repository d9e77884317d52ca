//! The memory that requests and answers may take, of one and of all together.

mod answers;
mod bodies;

pub(crate) use answers::AnswerBudget;
pub use bodies::BodyLimits;
pub(crate) use bodies::{BodyBudget, Exhausted, Reservation};
