//! The guide for users of the API: static pages that the build script makes of `docs/guide`.
//!
//! Pages refer to each other by relative names, so they work below any path.

/// A file of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// What its URL ends with, such as `filters.html`.
    pub name: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// What it holds.
    pub text: &'static str,
    /// A digest of the text, in hexadecimal digits.
    pub digest: &'static str,
}

/// The page that the guide begins with.
pub const INDEX: &str = "index.html";

/// All files of the guide, in the order of their names.
pub static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file of a name.
#[must_use]
pub fn file(name: &str) -> Option<&'static File> {
    let found = FILES.binary_search_by_key(&name, |file| file.name);
    found.ok().and_then(|index| FILES.get(index))
}
