//! The guide for users of the API: static pages that the build script makes from `docs/guide`.
//!
//! Pages link to each other with relative URLs, so they work below any path.

/// A file of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// The last part of its URL, such as `filters.html`.
    pub name: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// Its content.
    pub text: &'static str,
    /// A digest of the text, in hexadecimal.
    pub digest: &'static str,
}

/// The first page of the guide.
pub const INDEX: &str = "index.html";

/// All files of the guide, sorted by name.
pub static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file with this name.
#[must_use]
pub fn file(name: &str) -> Option<&'static File> {
    let found = FILES.binary_search_by_key(&name, |file| file.name);
    found.ok().and_then(|index| FILES.get(index))
}
