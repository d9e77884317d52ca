//! Answers: their envelopes, problems, compression and streams of events.

pub(crate) mod compression;
mod envelope;
pub(crate) mod event_stream;
mod problem;
mod written;

pub(crate) use envelope::*;
pub(crate) use problem::Problem;
