//! The web UI: the files that `make` builds from `web/`.
//!
//! Where Node.js is missing, nothing is built, and [`index`] is a page that says so.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// The page where the UI is not built.
const MISSING: &str = include_str!("missing.html");

/// The `<base>` of the page, which is replaced.
const BASE: &str = "<base href=\"/\" />";

/// The page that starts the UI, below a base path: empty, or `/…` without a trailing slash.
#[must_use]
pub fn index(base_path: &str) -> String {
    let built = Dist::get("index.html");
    let html = built.as_ref().map(|file| file.data.as_ref());
    let html = html.and_then(|bytes| str::from_utf8(bytes).ok());
    html.unwrap_or(MISSING)
        .replace(BASE, &format!("<base href=\"{base_path}/\" />"))
}

/// A file whose name has a digest of its content.
#[derive(Debug)]
pub struct Asset {
    /// Its media type.
    pub content_type: &'static str,
    /// Its content.
    pub bytes: Cow<'static, [u8]>,
    /// Its content, compressed with brotli; missing where that gains nothing.
    pub brotli: Option<Cow<'static, [u8]>>,
}

/// The asset with this name.
#[must_use]
pub fn asset(name: &str) -> Option<Asset> {
    let content_type = content_type(name)?;
    let file = Dist::get(&format!("assets/{name}"))?;
    let brotli = Dist::get(&format!("assets/{name}.br"));
    Some(Asset {
        content_type,
        bytes: file.data,
        brotli: brotli.map(|file| file.data),
    })
}

/// Nothing for names that are not served, such as those of compressed copies.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension {
        "js" => Some("text/javascript"),
        "css" => Some("text/css"),
        "svg" => Some("image/svg+xml"),
        "woff2" => Some("font/woff2"),
        _ => None,
    }
}
