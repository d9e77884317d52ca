//! One file for each target. `STOCKROOM_FUZZ_SECONDS` sets how long each runs,
//! `STOCKROOM_FUZZ_SEED` what it tries.

mod bodies;
mod cursors;
mod dates;
mod filters;
mod forwarded;
mod harness;
mod keys;
mod patterns;
mod tokens;
