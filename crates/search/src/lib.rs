//! Full-text search: what a query means, and the bits that find its candidates
//! (`docs/guide/src/search.md`). Pure: no IO, no clock.
//!
//! [`Query`] is what a caller typed. [`Pattern::find`] *defines* whether a value matches one of its
//! terms, and how well. A store keeps the [`grams`](gram) of every document as [`Bits`] and reads
//! only documents that have all grams of a term: these include every match, and few others.
//!
//! ```
//! use stockroom_search::{Class, Folded, Pattern};
//!
//! let value = Folded::new("b8:27:eb:12:34:56");
//! let pattern = Pattern::word("27eb-1").unwrap();
//! assert_eq!(pattern.find(&value).unwrap().class, Class::WordPrefix);
//! ```

mod bits;
mod document;
pub mod gram;
mod pattern;
mod query;
mod text;
mod varint;

pub use bits::{BLOCK, Bits, Damaged};
pub use document::Document;
pub use gram::Gram;
pub use pattern::{Class, Pattern, WordMatch};
pub use query::{MAX_BYTES, MAX_TERMS, Query, Refused, Term};
pub use text::Folded;
