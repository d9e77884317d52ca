//! Reads files of rows (CSV, XLSX, JSON, NDJSON), and writes cells of CSV. Pure: a reader is passed
//! in, and rows are passed out one at a time, so the memory does not grow with the file. Only XLSX
//! needs the whole file, because its list of texts may stand anywhere.
//!
//! | step | file | input → output |
//! |---|---|---|
//! | refuse | `foreign.rs` | the beginning of the file → what is wrong with it |
//! | decode | `decode.rs` | bytes → UTF-8 |
//! | detect | `detect.rs` | the beginning of the text → format and separator |
//! | split | `csv/split.rs`, `json/split.rs`, `workbook.rs` | text → records |
//! | name | `csv/reader.rs`, `json.rs`, `table.rs`, `beginning.rs`, `header.rs` | records → [`Row`]s under columns |
//! | profile | `column.rs`, `column/kind.rs` | rows → what each [`Column`] holds |

pub mod csv;

mod beginning;
mod column;
mod decode;
mod detect;
mod error;
mod foreign;
mod header;
mod json;
mod options;
mod read;
mod row;
mod table;
mod text;
mod workbook;

pub use column::{Column, Looks};
pub use detect::Format;
pub use encoding_rs::Encoding;
pub use error::Error;
pub use options::{Limits, Options, Read};
pub use read::{encoding_named, read_text};
pub use row::{Cell, Row};
pub use table::Header;
pub use workbook::read_workbook;
