//! Answers: their envelopes, problems, compression and streams of events.

pub(crate) mod compression;
mod envelope;
pub(crate) mod event_stream;
mod problem;
mod written;

pub(crate) use envelope::{
    Answer, Cursor, Labels, ListEnvelope, Model, NextPage, OperationAnswer, Pager, Pages,
    REVISION_HEADER, SearchPager, TOTAL_COUNT_HEADER, to_text, with_effects,
};
pub(crate) use problem::Problem;
