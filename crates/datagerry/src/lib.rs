//! Reads a `mongodump` of DATAGERRY and makes request bodies of it. Pure: readers are passed in,
//! and documents are passed out one at a time, so the memory does not grow with the dump.
//!
//! | step | file | input → output |
//! |---|---|---|
//! | split | `stream.rs`, `archive.rs` | bytes → BSON documents |
//! | read | `bson.rs`, `decimal.rs` | a BSON document → a [`Document`] of JSON |
//! | convert | `group.rs` to `object.rs` | a document → the body of an insert, and [`Notes`] |
//! | survey | `survey.rs`, `inventory.rs` | a [`Dump`] → an [`Inventory`], and a [`Report`] |
//!
//! `docs/design/moving-in.md` has the reasons.

mod archive;
mod bson;
mod category;
mod crc64;
mod decimal;
mod error;
mod field;
mod fit;
mod group;
mod id_set;
mod inventory;
mod leftover;
mod location;
mod names;
mod notes;
mod object;
mod report;
mod rest;
mod section;
mod setting;
mod stream;
mod survey;
mod r#type;
mod user;

pub use archive::Archive;
pub use bson::{Document, MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_VALUES};
pub use error::Error;
pub use inventory::{Dump, Inventory, Limits};
pub use leftover::{CHUNKS, FILES, LOCATIONS, Leftover, leftover, multi_data};
pub use notes::Notes;
pub use object::{Converted, Objects};
pub use report::{Kind, Report};
pub use stream::Stream;
