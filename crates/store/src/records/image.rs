//! What a record was before a change, as stored in `change`: the difference from the document after
//! the change, so that an edit of one field takes few bytes.
//!
//! Documents are rebuilt from the newest one backwards. Every [`WHOLE_EVERY`]th image is a whole
//! document, so that rebuilding takes a bounded number of steps.

use std::cell::RefCell;

use stockroom_model::Revision;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_frame_content_size};

use crate::Error;

/// Among that many successive revisions, one has a whole image.
pub(crate) const WHOLE_EVERY: i64 = 64;

/// The fastest level. Higher ones take longer and hardly save bytes.
const LEVEL: i32 = 1;

/// The first byte of an image with a whole document.
const WHOLE: u8 = 0;
/// The first byte of an image with the difference from the document after the change.
const DIFFERENCE: u8 = 1;
/// The first byte of an image with the whole document after an insert. Before it was nothing.
const AFTER: u8 = 2;

/// A longer document cannot be stored, so it is damage. Records are limited to a fraction of it.
const MAX_DOCUMENT: usize = 64 * 1024 * 1024;

/// Where zstd looks for what it can copy: base 2 logarithms of the bytes.
const WINDOW: std::ops::RangeInclusive<u32> = 10..=27;

thread_local! {
    // A new context takes longer than to decode a small image.
    static CONTEXT: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// A record before a change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Before<'d> {
    /// It did not exist.
    Nothing,
    /// A document, and the one after the change.
    Document { before: &'d str, after: &'d str },
    /// A document that the change removed.
    Removed(&'d str),
}

impl Before<'_> {
    /// The image; empty if there was no record.
    pub(crate) fn image(&self, revision: Revision) -> Result<Vec<u8>, Error> {
        match self {
            Self::Nothing => Ok(Vec::new()),
            Self::Document { before, after } if revision.0 % WHOLE_EVERY != 0 => {
                encode(DIFFERENCE, before, after)
            }
            Self::Document { before, .. } | Self::Removed(before) => encode(WHOLE, before, ""),
        }
    }
}

/// An image for an insert whose later changes are removed, with the document after it.
pub(crate) fn after_insert(document: &str) -> Result<Vec<u8>, Error> {
    encode(AFTER, document, "")
}

/// Whether an image can be decoded without the document after the change.
pub(crate) fn is_whole(image: &[u8]) -> bool {
    image.first() == Some(&WHOLE)
}

/// Whether an image says that there was nothing before the change.
pub(crate) fn is_of_nothing(image: &[u8]) -> bool {
    image.is_empty() || holds_after(image)
}

/// Whether an image holds the document after the change.
pub(crate) fn holds_after(image: &[u8]) -> bool {
    image.first() == Some(&AFTER)
}

/// The document of an image. `after` is the document after the change, for a difference.
///
/// # Errors
///
/// [`Error::Damaged`] if the image does not belong to `after`.
pub(crate) fn decode(image: &[u8], after: Option<&str>) -> Result<String, Error> {
    let damaged = |why: &str| Error::Damaged(format!("an image of a record: {why}"));
    let (kind, frame) = image.split_first().ok_or_else(|| damaged("it is empty"))?;
    let base = match (*kind, after) {
        (WHOLE | AFTER, _) => "",
        (DIFFERENCE, Some(after)) => after,
        _ => return Err(damaged("the document after it is missing")),
    };
    let length = get_frame_content_size(frame).ok().flatten();
    let length = length.and_then(|length| usize::try_from(length).ok());
    let length = length.filter(|length| *length <= MAX_DOCUMENT);
    let length = length.ok_or_else(|| damaged("its length is wrong"))?;
    let mut document = Vec::with_capacity(length);
    let decoded = CONTEXT.with_borrow_mut(|context| {
        context.decompress_using_dict(&mut document, frame, base.as_bytes())
    });
    decoded.map_err(failed)?;
    String::from_utf8(document).map_err(|_| damaged("it is no text"))
}

fn encode(kind: u8, document: &str, base: &str) -> Result<Vec<u8>, Error> {
    let bytes = document.len() + base.len();
    let window = bytes.next_power_of_two().ilog2();
    let mut context = CCtx::create();
    for parameter in [
        CParameter::CompressionLevel(LEVEL),
        CParameter::WindowLog(window.clamp(*WINDOW.start(), *WINDOW.end())),
        // A difference that meets the wrong document must not be taken for a document.
        CParameter::ChecksumFlag(true),
    ] {
        context.set_parameter(parameter).map_err(failed)?;
    }
    context.ref_prefix(base.as_bytes()).map_err(failed)?;
    let mut frame = Vec::with_capacity(compress_bound(document.len()));
    let encoded = context.compress2(&mut frame, document.as_bytes());
    encoded.map_err(failed)?;
    Ok([&[kind], frame.as_slice()].concat())
}

fn failed(code: usize) -> Error {
    Error::Damaged(format!(
        "an image of a record: {}",
        zstd::zstd_safe::get_error_name(code)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(fields: usize, changed: usize, value: &str) -> String {
        let fields = (0..fields).map(|index| {
            let value = if index == changed {
                value.to_owned()
            } else {
                (index * 7_919).to_string()
            };
            format!(r#"{{"name":"field-{index}","value":"some value {value}"}}"#)
        });
        let fields: Vec<String> = fields.collect();
        format!(r#"{{"public_id":7,"fields":[{}]}}"#, fields.join(","))
    }

    #[test]
    fn documents_come_back_exactly() {
        let large = document(50_000, 1, "x");
        for before in [
            "{}",
            "",
            "{\"ü\":\"\\u0000\"}",
            &document(15, 3, "old"),
            &large,
        ] {
            for after in [
                "{}",
                &document(15, 4, "new"),
                &document(50_000, 49_000, "y"),
            ] {
                for revision in [2, WHOLE_EVERY] {
                    let image = Before::Document { before, after }.image(Revision(revision));
                    assert_eq!(decode(&image.unwrap(), Some(after)).unwrap(), before);
                }
            }
            let image = Before::Removed(before).image(Revision(2)).unwrap();
            assert_eq!(decode(&image, None).unwrap(), before);
        }
        assert!(Before::Nothing.image(Revision(1)).unwrap().is_empty());
    }

    #[test]
    fn an_edit_of_one_field_takes_a_fraction_of_the_document() {
        let after = document(15, 9, "new");
        let before = document(15, 9, "what it was before");
        let image = Before::Document {
            before: &before,
            after: &after,
        };
        let image = image.image(Revision(2)).unwrap();
        assert!(
            image.len() * 8 < before.len(),
            "{} of {}",
            image.len(),
            before.len()
        );
    }

    #[test]
    fn an_image_of_another_document_is_damage() {
        let (before, after) = (document(15, 3, "old"), document(15, 3, "new"));
        let image = Before::Document {
            before: &before,
            after: &after,
        };
        let image = image.image(Revision(2)).unwrap();
        assert!(decode(&image, None).is_err());
        // Another value of the same length, in a part that the image copies.
        assert!(decode(&image, Some(&document(15, 4, "other"))).is_err());
        for length in 0..image.len() {
            assert!(decode(&image[..length], Some(&after)).is_err(), "{length}");
        }
    }
}
