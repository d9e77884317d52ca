//! One file per target. `STOCKROOM_FUZZ_SECONDS` sets how long each runs, `STOCKROOM_FUZZ_SEED` the
//! seed.

mod bodies;
mod cursors;
mod dates;
mod dumps;
mod filters;
mod forwarded;
mod harness;
mod imports;
mod keys;
mod loose;
mod networks;
mod patterns;
mod requests;
mod tables;
mod tokens;
mod workbooks;
