//! The query language of the lists: filters, sorts and projections (`docs/guide/src/filters.md`).
//! Pure: no IO, no clock.
//!
//! A filter passes through three states, each a type of its own:
//!
//! 1. JSON text, as a caller sent it;
//! 2. [`Parsed`]: the syntax is right and the [`Limits`] hold;
//! 3. [`Checked`]: it is checked for a resource. Conditions on secrets are gone, and texts compared
//!    with the record's own timestamps have become dates. Stores and lists accept only this.
//!
//! [`Checked::matches`] *defines* what a filter means. A store lowers [`Checked::root`] to SQL for
//! speed and must give the same answer. The meaning is that of MongoDB over a document whose only
//! types are JSON's and the date, `{"$date": milliseconds}`.
//!
//! A store that indexes single values keeps them as [`Key`]s, whose bytes sort as the values do.
//! [`specialize`] reduces a condition on `{"name": …, "value": …}` with a known name to a condition
//! on the value, and [`ranges()`] computes which keys can satisfy it.
//!
//! ```
//! use serde_json::json;
//! use stockroom_filter::{Limits, Parsed, Paths};
//!
//! let filter = Parsed::parse(r#"{"fields": {"$elemMatch": {"name": "cores", "value": {"$gte": 8}}}}"#, &Limits::default())?
//!     .check(&Paths { timestamps: &["creation_time"], secrets: &[] })?;
//! assert!(filter.matches(&json!({"fields": [{"name": "cores", "value": 16}]}))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checked;
mod datum;
mod error;
mod evaluate;
mod item;
mod key;
mod limits;
mod literal;
mod node;
mod number;
mod operators;
mod order;
mod parsed;
mod path;
mod pattern;
mod projection;
mod ranges;
mod raw;
mod sort;
mod types;
mod work;

pub use checked::Checked;
pub use datum::Datum;
pub use error::{Damaged, Invalid, TooExpensive, Unanswered};
pub use evaluate::holds_for_missing;
pub use item::{depends_on_name, holds_for, key_suffices, specialize};
pub use key::{Key, TEXT_BYTES};
pub use limits::Limits;
pub use literal::{Literal, LiteralSet};
pub use node::{Comparison, ElementTest, Node, Predicate};
pub use number::Numeric;
pub use order::compare;
pub use parsed::Parsed;
pub use path::{Path, Paths, Segment};
pub use pattern::{Options, Pattern};
pub use projection::Projection;
pub use ranges::{KeyRange, Ranges, ranges};
pub use sort::{Order, Sort, SortPath};
pub use types::{Type, TypeSet};
